#include "recovery/recovered_component.hpp"

#include "analysis/kind_raster.hpp"
#include "analysis/load_balance.hpp"
#include "analysis/share_calculator.hpp"
#include "analysis/times_away.hpp"
#include "io/timeline_writer.hpp"
#include "matching/union_of_events.hpp"
#include "recovery/spool_folder.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace cpl_lb {

RecoveredComponent::RecoveredComponent(const RecoveredComponentInput &input) : in_(input) {
    component_.name = in_.catalogue->component_names[static_cast<std::size_t>(in_.id) - 1];
    component_.id = in_.id;
    use_dates_ = std::all_of(in_.members.begin(), in_.members.end(),
                             [](const Member &m) { return m.part.dated || m.part.events == 0; });
    component_.threads = in_.spools->files[in_.members.front().process].identity().threads;
    for (const Member &m : in_.members)
        component_.ranks.push_back(in_.spools->files[m.process].identity().rank);
    find_limits();
    unite_events();
}

LocalEvents RecoveredComponent::events(const Member &member) const {
    return events_of(in_.spools->files[member.process], *in_.process(member.process), member.component,
                     *in_.catalogue, in_.zero);
}

void RecoveredComponent::find_limits() {
    component_.first_init = std::numeric_limits<Nanoseconds>::max();
    component_.last_terminate = std::numeric_limits<Nanoseconds>::min();
    std::int64_t most_exchanges = 0;
    for (const Member &m : in_.members)
        most_exchanges = std::max(most_exchanges, m.part.exchanges);
    for (const Member &m : in_.members)
        add_limits(m, *in_.process(m.process), most_exchanges);
}

void RecoveredComponent::add_limits(const Member &m, const RecoveredProcess &process, std::int64_t most_exchanges) {
    Component &c = component_;
    c.clock_error_bounds_s.push_back(to_seconds(process.clock_bound));
    const DecodedProcess &decoded = process.decoded;
    constexpr Nanoseconds never = std::numeric_limits<Nanoseconds>::max();
    c.first_init = std::min(c.first_init, process.first_init - in_.zero);
    c.last_terminate = std::max(c.last_terminate, process.last_mark - in_.zero);
    if (m.component == 0) c.dropped_events += decoded.problems.dropped;
    if (decoded.first_dropped != never) c.window_last = std::min(c.window_last, decoded.first_dropped - in_.zero);
    if (decoded.slice.stop > decoded.slice.start) {
        c.window_first = std::max(c.window_first, decoded.slice.start - in_.zero);
        c.window_last = std::min(c.window_last, decoded.slice.stop - in_.zero);
    }
    // The loop ends where the first of the processes that couple all the time fell silent, while others went on:
    // after that their events are those of a component that is not whole.
    if (m.part.exchanges == 0 || 2 * m.part.exchanges < most_exchanges) return;
    c.window_last = std::min(c.window_last, m.part.cut_off == never ? never : m.part.cut_off - in_.zero);
    if (m.part.exchanges < most_exchanges) c.window_last = std::min(c.window_last, process.last_mark - in_.zero);
}

// Pass 1: which events there are; their spans.
void RecoveredComponent::unite_events() {
    const std::size_t classes = in_.catalogue->classes.size();
    std::vector<FirstStart> all;
    for (const Member &m : in_.members) {
        std::vector<FirstStart> mine = first_starts(events(m), classes, use_dates_);
        all = all.empty() ? std::move(mine) : union_of(all, mine);
    }
    order_ = in_order_of_start(std::move(all));
    EventTable &table = component_.table;
    for (const OccurrenceKey &key : order_) {
        const EventClass &c = in_.catalogue->classes[key.event_class];
        table.keys.push_back({c.kind, c.field, c.counterpart, key.date, key.occurrence});
    }
    table.spans.resize(order_.size());
    const Places places(order_);
    TimesAway away;
    for (const Member &m : in_.members) {
        LocalEvents mine = events(m);
        const Row row = row_of(mine, classes, use_dates_, order_.size(), places);
        add_row(table.spans, row);
        away_intervals_ += static_cast<std::int64_t>(row.away.size());
        add_away(away, row.away);
    }
    component_.away = std::move(away.times);
    component_.away_differs = away.differ;
}

// Pass 2.
Component RecoveredComponent::finish(const std::string &path, TimelineHeader header, bool compress) {
    EventTable &table = component_.table;
    component_.events = static_cast<std::int64_t>(table.keys.size());
    const Interval run{component_.first_init, component_.last_terminate};
    const Window window = find_window(table, {component_.window_first, component_.window_last});
    Share sum;
    ShareCalculator calculator(table, window, run, static_cast<std::int32_t>(in_.catalogue->component_names.size()));
    describe(header, component_);
    header.keys = table.keys;
    header.away_intervals = away_intervals_;
    std::optional<TimelineWriter> writer;
    if (!path.empty()) writer.emplace(path, header, compress);
    const Nanoseconds run_end = header.run_end;
    header = {};
    const Places places(order_);
    for (std::size_t i = 0; i < in_.members.size(); ++i) {
        LocalEvents mine = events(in_.members[i]);
        const Row row = row_of(mine, in_.catalogue->classes.size(), use_dates_, order_.size(), places);
        calculator.add(row, sum);
        if (!writer) continue;
        writer->write_rows(static_cast<std::int64_t>(i), 1, row.start, row.stop);
        writer->write_raster(static_cast<std::int64_t>(i), kind_raster(row, table.keys, run, run_end));
        if (!row.away.empty()) writer->write_away(static_cast<std::int64_t>(i), row.away);
    }
    component_.balance = balance_of(table, window, run, sum);
    if (writer) {
        writer->write_steps(component_.balance);
        writer->close();
    }
    return std::move(component_);
}

} // namespace cpl_lb
