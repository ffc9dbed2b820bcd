// Turns decoded events into events of the run; their times from memory, or block by block from the marks.
#include "run/live/steps/gather_components.hpp"

#include "events/decode.hpp"

#include <utility>

namespace cpl_lb {
namespace {

void times_from_marks(const ProcessRecord &record, const DecodedRecord &decoded, const RunClock &run,
                      const TakeTimes &take) {
    DecodeInput input = decode_input(record, decoded);
    const std::optional<std::int64_t> offset = run.clock.one_offset();
    if (offset) input.scale = record.scale.ahead(*offset - run.zero);
    std::size_t events = 0;
    const auto take_block = [&](std::size_t first, std::span<Nanoseconds> start, std::span<Nanoseconds> stop) {
        for (const std::span<Nanoseconds> times : {start, stop})
            if (!offset) run.clock.to_common(times, -run.zero);
        take(first, start, stop);
        events = first + start.size();
    };
    for_each_block_of_times(input, take_block);
    Nanoseconds arrival = run.arrival;
    Nanoseconds latest = run.latest_arrival;
    take(events, {&arrival, 1}, {&latest, 1});
}

void take_times(const ProcessRecord &record, const DecodedRecord &decoded, const RunClock &run,
                LocalTimeline &timeline, LocalEvents &events) {
    if (timeline.times_in_marks) {
        events.times_in_marks = [&](const TakeTimes &take) { times_from_marks(record, decoded, run, take); };
        events.release_marks = [&record] {
            MarkStore &store = record.recorder->store();
            for (std::size_t i = 0; i < store.chunk_count(); ++i)
                store.release(i);
        };
        return;
    }
    events.start = std::move(timeline.start);
    events.stop = std::move(timeline.stop);
    for (std::vector<Nanoseconds> *times : {&events.start, &events.stop})
        run.clock.to_common(*times, -run.zero);
}

void add_term(const RunClock &run, std::uint32_t class_of_term, LocalEvents &events) {
    const auto term = static_cast<std::uint32_t>(events.class_of_place.size());
    events.class_of_place.push_back(class_of_term);
    events.place.push_back(term);
    events.order.add(term);
    if (events.times_in_marks) return; // which gives TERM, too
    events.start.push_back(run.arrival);
    events.stop.push_back(run.latest_arrival);
}

} // namespace

LocalEvents take_local_events(const ProcessRecord &record, DecodedRecord &decoded, const Agreed &agreed,
                              std::size_t component) {
    const RunClock &run = agreed.clock;
    const std::string &name = decoded.component_names[component];
    LocalTimeline timeline = std::exchange(decoded.process.components[component], {});
    LocalEvents events;
    events.dated = timeline.dated || timeline.size() == 0;
    events.end_order = timeline.end_order;
    events.dates = std::move(timeline.dates);
    events.dates.push_back({timeline.size(), no_date});
    events.place = std::move(timeline.place);
    events.order = timeline.order;
    for (const LocalWhat what : timeline.distinct)
        events.class_of_place.push_back(
            agreed.catalogue.class_of(entry_of(name, kind_of(what), field_of(what), decoded.fields)));
    for (auto &[what, numbers] : timeline.numbers) {
        const std::uint32_t c =
            agreed.catalogue.class_of(entry_of(name, kind_of(what), field_of(what), decoded.fields));
        // Two of one class, whose counterparts came out alike: then their occurrences are just counted.
        if (const auto [at, is_new] = events.numbers.try_emplace(c, std::move(numbers)); !is_new) at->second.clear();
    }
    take_times(record, decoded, run, timeline, events);
    for (const Interval &a : timeline.away) {
        const bool from_start = a.start < record.first_point.monotonic_ns;
        events.away.push_back({from_start ? run.first_init : run.to_run_time(a.start), run.to_run_time(a.stop)});
    }
    add_term(run, agreed.catalogue.class_of({name, Kind::term, {}, {}}), events);
    return events;
}

} // namespace cpl_lb
