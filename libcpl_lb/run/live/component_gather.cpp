// Gathers the events of one component: one order, one table, rows, waiting.
#include "run/live/component_gather.hpp"

#include "analysis/share_calculator.hpp"
#include "analysis/sync_counterparts.hpp"
#include "run/live/align_occurrences.hpp"
#include "run/live/away_gather.hpp"
#include "run/live/merge_order.hpp"
#include "run/live/share_gather.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace cpl_lb {
namespace {

// The facts of all processes, compared to see whether they agree.
struct Agreement {
    SequenceHash least, greatest;
    std::int32_t all_dated = 1;
    std::int64_t away_intervals = 0;
    std::uint64_t most_events = 0;
};

void agree(Agreement &mine, const Agreement &theirs) {
    mine.least = std::min(mine.least, theirs.least);
    mine.greatest = std::max(mine.greatest, theirs.greatest);
    mine.all_dated = std::min(mine.all_dated, theirs.all_dated);
    mine.away_intervals += theirs.away_intervals;
    mine.most_events = std::min(mine.most_events, theirs.most_events);
}

} // namespace

ComponentGather::ComponentGather(Group &group, const ComponentInput &input, LocalEvents events)
    : group_(group), input_(input), events_(std::move(events)) {}

bool ComponentGather::gather_rows(bool rows_wanted, RowSink *sink) {
    RowGather rows(group_, input_.nodes, row_, event_count_, figures_.away_intervals);
    EventTable &table = figures_.table;
    if (!(rows_wanted ? rows.run(sink, table.keys, table.spans) : rows.reduce(table.spans))) return false;
    if (figures_.away_intervals > 0 && !gather_away(group_, row_.away(), figures_.away)) return false;
    return find_loop();
}

bool ComponentGather::share_sync_counterparts() {
    if (alike_) return true; // the leader works out the waiting alone
    EventKeys &keys = figures_.table.keys;
    const SyncPlaces places = sync_places(figures_.table);
    for (const auto &[field, of_field] : places) {
        std::vector<std::int32_t> counterparts;
        for (const std::uint32_t k : of_field)
            counterparts.push_back(keys.what(k).counterpart);
        if (!group_.broadcast(std::as_writable_bytes(std::span(counterparts)))) return false;
        for (std::size_t i = 0; i < of_field.size() && !group_.leads(); ++i)
            keys.set_counterpart(of_field[i], counterparts[i]);
    }
    return true;
}

bool ComponentGather::agree_on_events() {
    Agreement a;
    a.least = a.greatest = hash_of(events_);
    // A process with no events has no say about dates.
    a.all_dated = events_.dated || events_.size() == 0 ? 1 : 0;
    a.away_intervals = static_cast<std::int64_t>(events_.away.size());
    a.most_events = input_.most_events;
    if (!group_.reduce(std::span(&a, 1), agree) || !group_.broadcast(as_wire_out(a))) return false;
    use_dates_ = a.all_dated != 0;
    most_events_ = a.most_events;
    figures_.away_intervals = a.away_intervals;
    if (!use_dates_) a.least.dates = a.greatest.dates = 0;
    same_events_ = a.least == a.greatest;
    if (!same_events_) return merge_events();
    take_leaders_events();
    return true;
}

std::vector<std::int64_t> ComponentGather::dates_of_events() const {
    std::vector<std::int64_t> dates;
    if (!use_dates_) return dates;
    dates.resize(events_.size(), no_date);
    for_each_date(events_.dates, events_.size(), [&](std::size_t i, std::int64_t date) { dates[i] = date; });
    return dates;
}

// All processes recorded the same events in the same order: each already holds its row. Where nobody else needs its
// times or its keys they stay in the marks until they are written.
void ComponentGather::take_leaders_events() {
    event_count_ = events_.size();
    alike_ = all_shares_are_alike();
    if (events_.times_in_marks && !needs_keys()) {
        row_ = OwnRow(events_, raster_input());
        return;
    }
    take_times_from_marks(events_);
    Row row{std::move(events_.start), std::move(events_.stop), std::move(events_.away)};
    std::vector<std::int64_t> dates = needs_keys() ? dates_of_events() : std::vector<std::int64_t>();
    figures_.table.keys = event_list(*input_.catalogue, take_classes(events_), std::move(dates));
    row_ = OwnRow(std::move(row), figures_.table.keys.of_events(), raster_input());
    events_ = {};
}

RasterInput ComponentGather::raster_input() const {
    RasterInput input{{}, input_.run, input_.run_end};
    for (const ClassOfComponent &c : input_.catalogue->classes)
        input.kind_of_class.push_back(c.what.kind);
    if (figures_.away_intervals == 0) input.inside = input_.inside; // else MPI was in several components
    return input;
}

bool ComponentGather::merge_events() {
    take_times_from_marks(events_);
    const UnionLimit limit{most_events_, events_.class_of_place.back()}; // TERM stays: it tells the end
    KeyRule rule{classes(), use_dates_, {}};
    if (!use_dates_ && !align_occurrences(group_, events_, most_events_, rule, figures_.shifts)) return false;
    EarlyOrder early;
    if (!merge_order(group_, events_, rule, limit, early)) return false;
    const std::vector<OccurrenceKey> &order = early.order;
    event_count_ = order.size();
    figures_.table.keys = event_list(*input_.catalogue, order, use_dates_);
    Row row = row_of(events_, rule, order.size(), Places(order), &figures_.left_out);
    row_ = OwnRow(std::move(row), figures_.table.keys.of_events(), raster_input());
    figures_.events_end = early.end;
    if (early.end == std::numeric_limits<Nanoseconds>::max()) return true;
    const auto add = [](std::int64_t &mine, std::int64_t theirs) { mine += theirs; };
    return group_.reduce(std::span(&figures_.left_out, 1), add) && group_.broadcast(as_wire_out(figures_.left_out));
}

// Waiting is the same on all processes that take part in the same events, equally nested. What differs are the
// process's own operations and its time away.
bool ComponentGather::all_shares_are_alike() const {
    const auto of_this = [&](const ClassOfComponent &c) {
        return c.component == input_.id && is_operation(c.what.kind);
    };
    const std::vector<ClassOfComponent> &all = input_.catalogue->classes;
    return same_events_ && figures_.away_intervals == 0 && std::none_of(all.begin(), all.end(), of_this);
}

// The leader alone knows the window.
bool ComponentGather::find_own_exchanges() {
    OwnExchanges &own = figures_.own_exchanges;
    if (group_.leads()) {
        own.of_whole_run = !figures_.window.known();
        own.within = own.of_whole_run ? input_.run : figures_.window.interval();
    }
    std::array<Nanoseconds, 3> told = {own.within.start, own.within.stop, own.of_whole_run ? 1 : 0};
    if (!group_.broadcast(as_wire_out(told))) return false;
    own = {{told[0], told[1]}, told[2] != 0, {}};
    own.own = row_.exchange_time(own.within);
    if (own.of_whole_run) return true;
    figures_.process_waiting.add(own.own);
    const auto add = [](ProcessWaitingSum &mine, const ProcessWaitingSum &theirs) { mine.add(theirs); };
    return group_.reduce(std::span(&figures_.process_waiting, 1), add);
}

// Before SYNC events get their counterparts, which the loop does not depend on, and classes of events of their own.
bool ComponentGather::find_loop() {
    if (group_.leads()) {
        const WindowLimits limits{input_.limits.first, std::min(input_.limits.last, figures_.events_end)};
        figures_.window = find_window(figures_.table, limits);
    }
    return find_own_exchanges();
}

bool ComponentGather::make_balance() {
    EventTable &table = figures_.table;
    if (alike_ && !group_.leads()) return true;
    const auto counterparts = static_cast<std::int32_t>(input_.catalogue->component_names.size());
    Share sum;
    if (alike_) {
        ShareCalculator(table, figures_.window, input_.run, counterparts).add(row_.whole(), sum);
        sum = repeated(std::move(sum), group_.size());
    } else {
        ShareGather shares(group_, table, figures_.window, input_.run, counterparts);
        const bool done = same_events_ ? shares.of_same_events(row_.whole(), figures_.away_intervals > 0, sum)
                                       : shares.of_different_events(row_.whole(), sum);
        if (!done) return false;
    }
    row_ = {};
    if (!group_.leads()) return true;
    figures_.balance = balance_of(table, figures_.window, input_.run, sum);
    figures_.balance.process_waiting_s = figures_.process_waiting.seconds();
    return true;
}

} // namespace cpl_lb
