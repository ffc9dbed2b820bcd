// Writes slices, names and arrows as trace event JSON, one item after the other.
#include "analysis/exchanges.hpp"
#include "export/event_sink.hpp"
#include "io/files/result_file.hpp"
#include "io/json/json_tree.hpp"
#include "support/fmt.hpp"

namespace cpl_lb {
namespace {

std::string json_text(const std::string &text) {
    return JsonTree(text).dump(-1);
}

class PerfettoSink final : public EventSink {
public:
    PerfettoSink(const std::string &path, const CoupledRun &run)
        : file_(path), run_(run), arrows_(run), named_(run.components.size()) {
        file_.text("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n");
    }
    void row(const Component &component, std::int64_t process, const Row &row) override {
        name_threads(component, process);
        arrows_.row(component, process, row);
        for (std::size_t k = 0; k < row.start.size(); ++k) {
            if (row.start[k] == absent) continue;
            const EventKey &key = component.table.keys[k];
            const std::string field = key.field > 0 ? field_name(run_, key.field) : "";
            std::string arguments = R"("kind":")" + std::string(name_of(key.kind)) + '"';
            if (key.field > 0) arguments += ",\"field\":" + json_text(field);
            if (key.counterpart > 0)
                arguments += ",\"counterpart\":" + json_text(run_.component_name(key.counterpart));
            if (key.date != no_date) arguments += ",\"date\":" + std::to_string(key.date);
            item(fmt::format(
                R"({{"ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"cat":"{}","name":{},"args":{{{}}}}})", component.id,
                process, exact_time(row.start[k], 3), exact_time(row.stop[k] - row.start[k], 3), name_of(key.kind),
                json_text(std::string(name_of(key.kind)) + (field.empty() ? "" : " " + field)), arguments));
        }
    }
    void finish() override {
        arrows();
        file_.text("\n]}\n");
        file_.commit();
    }

private:
    void item(const std::string &json) {
        file_.text((first_ ? "" : ",\n") + json);
        first_ = false;
    }
    void name_threads(const Component &component, std::int64_t process) {
        const auto c = static_cast<std::size_t>(&component - run_.components.data());
        if (!named_[c]) {
            named_[c] = true;
            item(fmt::format(R"({{"ph":"M","name":"process_name","pid":{},"args":{{"name":{}}}}})", component.id,
                             json_text(component.name)));
        }
        std::string name = "process " + std::to_string(process);
        if (const std::string rank = rank_of(component, process); !rank.empty()) name += " (rank " + rank + ")";
        item(fmt::format(R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":{}}}}})", component.id,
                         process, json_text(name)));
    }
    void arrows() {
        std::int64_t number = 0;
        for (const Arrow &arrow : arrows_.all()) {
            const auto &[field, from, to] = arrow;
            const std::string name = json_text(field_name(run_, field));
            item(fmt::format(R"({{"ph":"s","id":{},"cat":"exchange","name":{},"pid":{},"tid":{},"ts":{}}})", ++number,
                             name, from.component, from.process, exact_time(from.start, 3)));
            item(fmt::format(R"({{"ph":"f","bp":"e","id":{},"cat":"exchange","name":{},"pid":{},"tid":{},"ts":{}}})",
                             number, name, to.component, to.process, exact_time(to.stop, 3)));
        }
    }

    StreamFile file_;
    const CoupledRun &run_;
    Arrows arrows_;
    std::vector<bool> named_;
    bool first_ = true;
};

} // namespace

std::unique_ptr<EventSink> make_perfetto_sink(const std::string &path, const CoupledRun &run) {
    return std::make_unique<PerfettoSink>(path, run);
}

} // namespace cpl_lb
