// Decodes one spool file and moves its times to the run's clock.
#include "run/recovered/recovered_process.hpp"

#include "support/fmt.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace cpl_lb {
namespace {

constexpr Nanoseconds never = std::numeric_limits<Nanoseconds>::max();
constexpr std::int64_t farthest_ns = std::int64_t{1} << 60; // 36 years: sums and differences stay inside 64 bits
// The kernel turns a clock by at most 500 ppm to bring it to time; two clocks drift apart by at most twice that.
constexpr double largest_drift = 1e-3;

DecodedProcess decode_ticks(const SpoolFile &file) {
    SpoolFile::Reader reader(file);
    DecodeInput input;
    input.chunks = file.chunks();
    input.chunk = [&](std::size_t i) { return reader.chunk(i); };
    input.scale = TickScale(); // ticks stay ticks: their scale is among the marks
    input.components = file.component_numbers();
    input.fields = file.field_numbers();
    input.full = (file.status().flags & spool_flag_full) != 0;
    return decode(input);
}

template <class ToCommon>
void convert(DecodedProcess &d, ToCommon to_common) {
    const auto time = [&](Nanoseconds &t) { t = to_common(t); };
    for (LocalTimeline &timeline : d.components) {
        std::ranges::for_each(timeline.start, time);
        std::ranges::for_each(timeline.stop, time);
        for (std::size_t i = 0; i < timeline.size(); ++i)
            timeline.stop[i] = std::max(timeline.stop[i], timeline.start[i]); // a damaged time mark
        for (Interval &a : timeline.away) {
            // The decoder's "since the start" is not changed.
            if (a.start != std::numeric_limits<Nanoseconds>::min() + 1) time(a.start);
            time(a.stop);
        }
    }
    if (d.first_dropped != never) time(d.first_dropped);
    time(d.last_mark);
    if (d.slice.start != 0 || d.slice.stop != 0) {
        time(d.slice.start);
        time(d.slice.stop);
    }
}

// The error has three parts: the offset in cpl_lb_init, the time to read the clock, and the drift since then. A dead
// run has no second measurement at its end. Processes of the first node have the run's own clock.
Nanoseconds clock_bound_of(const SpoolIdentity &id, const CalibratedClock &clock, Nanoseconds last_mark) {
    const std::int64_t offset_bound = std::clamp<std::int64_t>(id.offset_bound, 0, farthest_ns);
    const Nanoseconds read = clock.to_ns(id.first_ticks + id.first_gap_ticks) - clock.to_ns(id.first_ticks);
    const std::int64_t bound = offset_bound + (std::clamp<Nanoseconds>(read, 0, farthest_ns) + 1) / 2;
    if (id.node == 0) return bound;
    const double since = static_cast<double>(last_mark) - static_cast<double>(id.offset_at);
    return bound + std::llround(largest_drift * std::clamp(since, 0.0, static_cast<double>(farthest_ns)));
}

std::string component_name(const SpoolFile &file, std::size_t component) {
    if (component >= file.components().size()) return "(name lost)";
    const std::string &name = file.components()[component];
    return name.empty() ? fmt::format("(component {})", component) : name;
}

CatalogueEntry entry_in(const SpoolFile &file, std::size_t component, LocalWhat what) {
    return entry_of(component_name(file, component), kind_of(what), field_of(what), file.fields());
}

} // namespace

RecoveredProcess recover_process(const SpoolFile &file) {
    const SpoolIdentity &id = file.identity();
    RecoveredProcess process;
    process.decoded = decode_ticks(file);
    const ClockPoint first{id.first_ticks, id.first_monotonic_ns, id.first_gap_ticks};
    const CalibratedClock clock(static_cast<ClockSource>(id.clock_source), first, process.decoded.calibrations);
    process.clock_known = clock.good();
    const std::int64_t offset = std::clamp(id.offset, -farthest_ns, farthest_ns);
    const auto to_common = [&](Nanoseconds ticks) { return clock.to_ns(static_cast<std::uint64_t>(ticks)) + offset; };
    process.first_init = to_common(static_cast<Nanoseconds>(id.first_ticks));
    convert(process.decoded, to_common);
    if (file.status().first_drop_ticks != 0)
        process.decoded.first_dropped = std::min(process.decoded.first_dropped,
                                                 to_common(static_cast<Nanoseconds>(file.status().first_drop_ticks)));
    process.last_mark = std::max(process.decoded.last_mark, process.first_init);
    process.clock_bound = clock_bound_of(id, clock, process.last_mark - offset);
    return process;
}

ComponentPart part_of(const SpoolFile &file, const RecoveredProcess &process, std::size_t component) {
    const LocalTimeline &timeline = process.decoded.components[component];
    ComponentPart part;
    part.component = component_name(file, component);
    part.events = static_cast<std::int64_t>(timeline.size());
    part.took_part =
        part.events > 0 || (component < file.components().size() && !file.components()[component].empty());
    part.dated = timeline.dated;
    std::map<LocalWhat, std::int64_t> counts;
    std::size_t after_last_exchange = 0; // index
    for (std::size_t i = 0; i < timeline.size(); ++i) {
        const LocalWhat what = timeline.what(i);
        ++counts[what];
        if (is_exchange(kind_of(what))) after_last_exchange = i + 1;
    }
    for (const auto &[what, count] : counts) {
        part.entries.push_back(entry_in(file, component, what));
        if (is_exchange(kind_of(what))) part.exchanges += count;
    }
    // If others of its kind follow, the model did not end it: it was not cut off.
    for (const EventPlace &open : process.decoded.open_at_end)
        if (open.component == component && open.index + 1 >= after_last_exchange)
            part.cut_off = std::min(part.cut_off, timeline.start[open.index]);
    return part;
}

LocalEvents events_of(const SpoolFile &file, const RecoveredProcess &process, std::size_t component,
                      const Catalogue &catalogue, Nanoseconds zero) {
    const LocalTimeline &timeline = process.decoded.components[component];
    LocalEvents events;
    events.dated = timeline.dated || timeline.size() == 0;
    events.place = timeline.place;
    for (const LocalWhat what : timeline.distinct)
        events.class_of_place.push_back(catalogue.class_of(entry_in(file, component, what)));
    events.start = timeline.start;
    events.stop = timeline.stop;
    for (std::size_t i = 0; i < timeline.size(); ++i) {
        events.start[i] -= zero;
        events.stop[i] -= zero;
    }
    events.dates = timeline.dates;
    for (const Interval &a : timeline.away) {
        // Ascending and disjoint, whatever the file says.
        Nanoseconds start = std::max(a.start, process.first_init) - zero;
        if (!events.away.empty()) start = std::max(start, events.away.back().stop);
        events.away.push_back({start, std::max(a.stop - zero, start)});
    }
    return events;
}

namespace {

constexpr std::int64_t least_distance_ns = 50'000'000; // a reading is good to about 50 ns: a rate to 1e-6
constexpr std::int64_t steady_ns = 1'000'000'000;

double rate_between(std::uint64_t from_ticks, std::int64_t from_ns, std::uint64_t to_ticks, std::int64_t to_ns) {
    return static_cast<double>(to_ns - from_ns) / static_cast<double>(to_ticks - from_ticks);
}

bool plausible(double ns_per_tick) {
    return ns_per_tick > 1e-3 && ns_per_tick < 1e4;
}

Nanoseconds bounded(double ns) {
    return static_cast<Nanoseconds>(
        std::clamp(ns, -static_cast<double>(farthest_ns), static_cast<double>(farthest_ns)));
}

} // namespace

CalibratedClock::CalibratedClock(ClockSource source, const ClockPoint &first, const std::vector<ClockPoint> &points)
    : identity_(source == ClockSource::gettime) {
    points_.push_back({first.ticks, std::clamp(first.monotonic_ns, -farthest_ns, farthest_ns)});
    for (const ClockPoint &p : points) {
        const Point &before = points_.back();
        if (p.ticks <= before.ticks || p.monotonic_ns <= before.ns || p.monotonic_ns > farthest_ns) continue;
        if (!plausible(rate_between(before.ticks, before.ns, p.ticks, p.monotonic_ns))) continue;
        // Several close points: the last one counts, or the first of all. A short distance makes a poor rate.
        if (points_.size() > 1 && p.monotonic_ns - before.ns < least_distance_ns) continue;
        if (points_.size() == 2 && before.ns - points_[0].ns < least_distance_ns) points_.pop_back();
        points_.push_back({p.ticks, p.monotonic_ns});
    }
    if (points_.size() < 2) return;
    const Point &last = points_.back();
    const Point &previous = points_[points_.size() - 2];
    const Point &from = last.ns - previous.ns >= steady_ns ? previous : points_.front();
    last_rate_ = rate_between(from.ticks, from.ns, last.ticks, last.ns);
}

Nanoseconds CalibratedClock::to_ns(std::uint64_t ticks) const {
    if (identity_) return std::clamp(static_cast<Nanoseconds>(ticks), -farthest_ns, farthest_ns);
    if (!good()) return points_.front().ns;
    const auto after = std::ranges::upper_bound(points_.begin() + 1, points_.end() - 1, ticks, {}, &Point::ticks);
    const bool beyond = ticks > points_.back().ticks;
    const Point &from = beyond ? points_.back() : *(after - 1);
    const double rate = beyond ? last_rate_ : rate_between(from.ticks, from.ns, after->ticks, after->ns);
    const double distance = static_cast<double>(static_cast<std::int64_t>(ticks - from.ticks)) * rate;
    return std::clamp(from.ns + bounded(distance), -farthest_ns, farthest_ns);
}

} // namespace cpl_lb
