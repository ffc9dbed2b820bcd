// Writes one csv line for each event and process.
#include "analysis/exchanges.hpp"
#include "export/event_sink.hpp"
#include "io/files/result_file.hpp"
#include "support/csv_cells.hpp"
#include "support/fmt.hpp"

namespace cpl_lb {
namespace {

class CsvSink final : public EventSink {
public:
    CsvSink(const std::string &path, const CoupledRun &run) : file_(path), run_(run) {
        file_.text("component,process,rank,kind,field,counterpart,date,start_s,stop_s\n");
    }
    void row(const Component &component, std::int64_t process, const Row &row) override {
        const std::string head =
            fmt::format("{},{},{}", csv_cell(component.name), process, rank_of(component, process));
        std::string lines;
        for (std::size_t k = 0; k < row.start.size(); ++k) {
            if (row.start[k] == absent) continue;
            const EventKey &key = component.table.keys[k];
            const std::string field = key.field > 0 ? csv_cell(field_name(run_, key.field)) : "";
            const std::string other = key.counterpart > 0 ? csv_cell(run_.component_name(key.counterpart)) : "";
            lines += fmt::format("{},{},{},{},{},{},{}\n", head, name_of(key.kind), field, other,
                                 key.date == no_date ? "" : std::to_string(key.date), exact_time(row.start[k], 9),
                                 exact_time(row.stop[k], 9));
        }
        file_.text(lines);
    }
    void finish() override { file_.commit(); }

private:
    StreamFile file_;
    const CoupledRun &run_;
};

} // namespace

std::unique_ptr<EventSink> make_csv_sink(const std::string &path, const CoupledRun &run) {
    return std::make_unique<CsvSink>(path, run);
}

} // namespace cpl_lb
