// Unites the events of a component's processes, works out its balance and writes its timeline.
#include "run/united/unite_component.hpp"

#include "analysis/imbalance_parts.hpp"
#include "analysis/intervals.hpp"
#include "analysis/kind_raster.hpp"
#include "analysis/load_balance.hpp"
#include "analysis/process_waiting.hpp"
#include "analysis/share_calculator.hpp"
#include "events/union_of_events.hpp"
#include "io/files/file_error.hpp"
#include "io/timeline/timeline_writer.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <utility>

namespace cpl_lb {
namespace {

constexpr double timeline_bytes = 32e3; // without events and names

// If a process has no event in the last step of the loop, it is not known how long it went on.
void add_computing(ProcessFigures &figures, std::size_t process, std::size_t processes, const Row &row,
                   const ExchangeTime &own, const Window &window) {
    if (!own.any || !window.known()) return;
    const Interval loop = window.interval();
    const Nanoseconds last_step = window.steps[window.steps.size() - 2];
    if (std::ranges::none_of(row.stop, [&](Nanoseconds stop) { return stop > last_step; })) return;
    if (figures.computing_s.empty()) figures.computing_s.assign(processes, unknown);
    figures.computing_s[process] = computing_in_loop_s(own, loop, loop, row.away);
}

} // namespace

void refuse_more_than_input_supports(const std::string &whose, const TimelineHeader &header, std::uint64_t bytes) {
    double names = 0;
    for (const auto *list : {&header.component_names, &header.field_names})
        for (const std::string &name : *list)
            names += static_cast<double>(name.size()) + 1;
    const auto components = static_cast<double>(header.component_names.size());
    if (components * (timeline_bytes + names) <= bytes_supported_by(bytes)) return;
    throw FileError(whose, fmt::format("{} components and {} fields are more than {} bytes support",
                                       header.component_names.size(), header.field_names.size(), bytes));
}

KeyRule ComponentUnion::rule(std::size_t process) const {
    return {from_.catalogue->classes.size(), from_.use_dates, alignment_.first_of(process)};
}

// Pass 1: which events there are; their spans.
ComponentUnion::ComponentUnion(Component component, EventsOfProcesses from)
    : from_(std::move(from)), component_(std::move(component)) {
    const std::size_t processes = component_.ranks.size();
    if (!from_.use_dates)
        alignment_ = align_occurrences(from_.catalogue->classes.size(), component_.ranks, from_.events);
    std::vector<FirstStart> all;
    for (std::size_t i = 0; i < processes; ++i) {
        std::vector<FirstStart> mine = first_starts(from_.events(i), rule(i));
        all = all.empty() ? std::move(mine) : union_of(all, mine);
    }
    order_ = in_order_of_start(std::move(all));
    EventTable &table = component_.table;
    table.keys = event_list(*from_.catalogue, order_, from_.use_dates);
    std::vector<EventSpan> &spans = table.spans.whole();
    spans.resize(order_.size());
    const Places places(order_);
    TimesAway away;
    for (std::size_t i = 0; i < processes; ++i) {
        LocalEvents mine = from_.events(i);
        const Row row = row_of(mine, rule(i), order_.size(), places);
        add_row(spans, row);
        away_intervals_ += static_cast<std::int64_t>(row.away.size());
        add_away(away, row.away);
    }
    component_.away = std::move(away.times);
    component_.away_differs = away.differ;
}

// Pass 2.
Component ComponentUnion::finish(const std::string &path, TimelineHeader header, bool compress) {
    EventTable &table = component_.table;
    component_.events = static_cast<std::int64_t>(table.keys.size());
    const Interval run{component_.first_init, component_.last_terminate};
    const Window window = find_window(table, {component_.window_first, component_.window_last});
    Share sum;
    ShareCalculator calculator(table, window, run,
                               static_cast<std::int32_t>(from_.catalogue->component_names.size()));
    ProcessWaiting own(table.keys, window);
    describe(header, component_);
    header.keys = table.keys;
    header.away_intervals = away_intervals_;
    std::optional<TimelineWriter> writer;
    if (!path.empty()) writer.emplace(path, header, compress);
    const Nanoseconds run_end = header.run_end;
    header = {};
    const Places places(order_);
    ArrivalsOfAll arrivals(table, window, component_.ranks.size());
    for (std::size_t i = 0; i < component_.ranks.size(); ++i) {
        LocalEvents mine = from_.events(i);
        const Row row = row_of(mine, rule(i), order_.size(), places);
        calculator.add(row, sum);
        add_computing(component_.figures, i, component_.ranks.size(), row, own.add(row), window);
        arrivals.set(i, row);
        if (!writer) continue;
        writer->write_rows(static_cast<std::int64_t>(i), 1, row.start, row.stop);
        writer->write_raster(static_cast<std::int64_t>(i), kind_raster(row, table.keys, run, run_end));
        if (!row.away.empty()) writer->write_away(static_cast<std::int64_t>(i), row.away);
    }
    component_.balance = balance_of(table, window, run, sum);
    component_.balance.process_waiting_s = own.sum().seconds();
    component_.balance.imbalance_parts = arrivals.parts();
    component_.figures.late_s = std::move(component_.balance.imbalance_parts.late_s);
    if (writer) {
        writer->write_figures(component_.figures);
        writer->write_steps(component_.balance);
        if (const std::string why = writer->close(); !why.empty()) throw std::runtime_error(why);
    }
    return std::move(component_);
}

std::vector<std::string> ComponentUnion::alignment_remarks() const {
    std::vector<std::string> remarks;
    for (const ShiftRemark &r : shift_remarks(alignment_.shifts, *from_.catalogue)) {
        const ClassShifts::Processes &p = r.processes;
        const std::string times = p.occurrences > p.count ? fmt::format("{} times ", p.occurrences) : std::string();
        remarks.push_back(
            p.count == 1 ? fmt::format("{} ({}on process {})", r.cause, times, p.lowest_rank)
                         : fmt::format("{} ({}on {} processes, first {})", r.cause, times, p.count, p.lowest_rank));
    }
    return remarks;
}

std::string UnitedTimelines::add(ComponentUnion component, CoupledRun &run) const {
    const std::string &stem = stems[run.components.size()];
    std::string name = folder.empty() ? timeline_file_name(stem) : timeline_name_in(folder, stem);
    if (const std::string words = words_for_other_name(name, stem); !words.empty()) run.remarks.push_back(words);
    std::ranges::move(component.alignment_remarks(), std::back_inserter(run.remarks));
    run.components.push_back(component.finish(folder.empty() ? "" : path_in(folder, name), header, compress));
    return name;
}

} // namespace cpl_lb
