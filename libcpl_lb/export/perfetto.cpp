// Writes slices, names and arrows as trace event JSON, one item after the other.
#include "export/perfetto.hpp"

#include "analysis/sync_counterparts.hpp"
#include "io/json/json_tree.hpp"
#include "support/fmt.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

std::string quoted(const std::string &text) {
    return JsonTree(text).dump(-1);
}

// Microseconds with all digits of the nanoseconds.
std::string microseconds(Nanoseconds t) {
    const auto size = t < 0 ? 0U - static_cast<std::uint64_t>(t) : static_cast<std::uint64_t>(t);
    return fmt::format("{}{}.{:03}", t < 0 ? "-" : "", size / 1000U, size % 1000U);
}

} // namespace

PerfettoSink::PerfettoSink(const std::string &path, const CoupledRun &run)
    : file_(path), run_(run), touches_(run.components.size()), named_(run.components.size()) {
    file_.text("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n");
}

void PerfettoSink::item(const std::string &json) {
    file_.text((first_ ? "" : ",\n") + json);
    first_ = false;
}

void PerfettoSink::name_threads(const Component &component, std::int64_t process) {
    const auto c = static_cast<std::size_t>(&component - run_.components.data());
    if (!named_[c]) {
        named_[c] = true;
        item(fmt::format(R"({{"ph":"M","name":"process_name","pid":{},"args":{{"name":{}}}}})", component.id,
                         quoted(component.name)));
    }
    const auto p = static_cast<std::size_t>(process);
    const std::string rank =
        p < component.ranks.size() ? " (rank " + std::to_string(component.ranks[p]) + ")" : std::string();
    item(fmt::format(R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":{}}}}})", component.id,
                     process, quoted("process " + std::to_string(process) + rank)));
}

void PerfettoSink::row(const Component &component, std::int64_t process, const Row &row) {
    name_threads(component, process);
    std::vector<Touch> &touches = touches_[static_cast<std::size_t>(&component - run_.components.data())];
    touches.resize(row.start.size());
    for (std::size_t k = 0; k < row.start.size(); ++k) {
        if (row.start[k] == absent) continue;
        const EventKey &key = component.table.keys[k];
        if (is_exchange(key.kind) && touches[k].process < 0) touches[k] = {process, row.start[k], row.stop[k]};
        const std::string field =
            key.field > 0 ? run_.field_names[static_cast<std::size_t>(key.field) - 1] : std::string();
        std::string arguments = R"("kind":")" + std::string(name_of(key.kind)) + '"';
        if (key.field > 0) arguments += ",\"field\":" + quoted(field);
        if (key.counterpart > 0) arguments += ",\"counterpart\":" + quoted(run_.component_name(key.counterpart));
        if (key.date != no_date) arguments += ",\"date\":" + std::to_string(key.date);
        item(fmt::format(R"({{"ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"cat":"{}","name":{},"args":{{{}}}}})",
                         component.id, process, microseconds(row.start[k]), microseconds(row.stop[k] - row.start[k]),
                         name_of(key.kind),
                         quoted(std::string(name_of(key.kind)) + (field.empty() ? "" : " " + field)), arguments));
    }
}

// The events of one end of an exchange, in the order in which find_exchanges counts them.
std::vector<std::size_t> PerfettoSink::side(const Component &component, Kind kind, std::int32_t field,
                                            std::int32_t other) const {
    std::vector<std::size_t> events;
    for (std::size_t k = 0; k < component.table.keys.size(); ++k) {
        const EventKey &key = component.table.keys[k];
        if (key.kind == kind && key.field == field && (key.counterpart == 0 || key.counterpart == other) &&
            !component.table.spans[k].empty())
            events.push_back(k);
    }
    const std::vector<EventSpan> &spans = component.table.spans;
    std::stable_sort(events.begin(), events.end(), [&](std::size_t a, std::size_t b) {
        return kind == Kind::put ? spans[a].first_start < spans[b].first_start
                                 : spans[a].last_stop < spans[b].last_stop;
    });
    return events;
}

void PerfettoSink::arrow(const Exchange &x, std::size_t source_event, std::size_t target_event) {
    const Touch &from = touches_[static_cast<std::size_t>(x.source) - 1][source_event];
    const Touch &to = touches_[static_cast<std::size_t>(x.target) - 1][target_event];
    if (from.process < 0 || to.process < 0) return;
    const std::string name = quoted(run_.field_names[static_cast<std::size_t>(x.field) - 1]);
    item(fmt::format(R"({{"ph":"s","id":{},"cat":"exchange","name":{},"pid":{},"tid":{},"ts":{}}})", ++arrows_, name,
                     x.source, from.process, microseconds(from.start)));
    item(fmt::format(R"({{"ph":"f","bp":"e","id":{},"cat":"exchange","name":{},"pid":{},"tid":{},"ts":{}}})", arrows_,
                     name, x.target, to.process, microseconds(to.stop)));
}

// From who came last to a collective operation to those that waited for it.
void PerfettoSink::arrows_of_sync(const Exchange &x) {
    const EventTable &source = run_.components[static_cast<std::size_t>(x.source) - 1].table;
    const EventTable &target = run_.components[static_cast<std::size_t>(x.target) - 1].table;
    const auto from = sync_places(source)[x.field];
    const auto to = sync_places(target)[x.field];
    for (std::size_t n = 0; n < std::min(from.size(), to.size()); ++n) {
        if (target.keys.what(to[n]).counterpart == x.source &&
            source.spans[from[n]].last_start > target.spans[to[n]].last_start)
            arrow(x, from[n], to[n]);
    }
}

void PerfettoSink::arrows() {
    for (const Exchange &x : find_exchanges(run_)) {
        const auto s = static_cast<std::size_t>(x.source) - 1;
        const auto t = static_cast<std::size_t>(x.target) - 1;
        if (s >= touches_.size() || t >= touches_.size() || touches_[s].empty() || touches_[t].empty()) continue;
        if (x.sync) {
            arrows_of_sync(x);
            continue;
        }
        const std::vector<std::size_t> puts = side(run_.components[s], Kind::put, x.field, x.target);
        const std::vector<std::size_t> gets = side(run_.components[t], Kind::get, x.field, x.source);
        const auto lag = static_cast<std::size_t>(x.lag);
        for (std::size_t n = 0; n < puts.size() && n + lag < gets.size(); ++n)
            arrow(x, puts[n], gets[n + lag]);
    }
}

void PerfettoSink::finish() {
    arrows();
    file_.text("\n]}\n");
    file_.commit();
}

} // namespace cpl_lb
