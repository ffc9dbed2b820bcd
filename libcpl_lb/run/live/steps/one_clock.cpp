// Measures the offsets of the nodes once more, lays a straight line through both ends, and agrees on the run's zero.
#include "run/live/steps/one_clock.hpp"

#include "data/error_codes.hpp"
#include "run/live/unite.hpp"
#include "support/clock.hpp"
#include "support/fmt.hpp"
#include "support/messages.hpp"
#include "support/some_of.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <string>

namespace cpl_lb {
namespace {

struct RunSpan {
    std::int64_t first_init;
    std::int64_t last_terminate;
    std::int64_t clock_bound;
    double simulated_s;
    std::int64_t zero_realtime_ns; // by the leader's clock of day; set before all know it
};

void widen(RunSpan &mine, const RunSpan &theirs) {
    mine.first_init = std::min(mine.first_init, theirs.first_init);
    mine.last_terminate = std::max(mine.last_terminate, theirs.last_terminate);
    mine.clock_bound = std::max(mine.clock_bound, theirs.clock_bound);
    mine.simulated_s = std::max(mine.simulated_s, theirs.simulated_s);
}

// Crystals differ by some ten ppm, and the kernel turns a clock by at most 500 ppm to bring it to time.
constexpr double largest_drift = 1e-3;

struct BoundOf {
    std::int32_t index;
    double bound_s;
};

// One process of each node has something to say about its clock.
bool leads_present_of_node(const Group &present, const ProcessRecord &record) {
    const std::vector<int> of_node = record.process_map.ranks_of_node(record.node());
    return *std::ranges::find_if(of_node, [&](int rank) { return present.has(rank); }) == record.rank();
}

void note_stepped_clock(const ProcessRecord &record, const ClockOffset &last, ProblemList &problems) {
    const ClockOffset &first = record.first_offset;
    const auto gained = static_cast<double>(first.offset - last.offset);
    const auto passed = static_cast<double>(record.arrival.monotonic_ns - record.first_point.monotonic_ns);
    const auto unsure = static_cast<double>(first.bound + last.bound);
    if (std::abs(gained) <= unsure + largest_drift * std::abs(passed)) return;
    problems.add(
        error::data,
        fmt::format("the clock of a node {} {:.3g} s against the clocks of the others, which is more than a clock "
                    "drifts (was the machine asleep?): the times of its processes may be wrong by as much",
                    gained > 0 ? "gained" : "lost", 1e-9 * std::abs(gained)));
}

std::string missing_in_words(const Meeting &meeting, const ProcessMap &process_map) {
    std::map<std::string, std::size_t> by_component;
    for (const int rank : meeting.missing)
        ++by_component[process_map.component_name_of(rank)];
    std::vector<std::string> parts;
    parts.reserve(by_component.size());
    for (const auto &[name, count] : by_component)
        parts.push_back(fmt::format("{} of {}", count, name));
    return some_of(std::move(parts));
}

// One line for each component is enough.
void tell_why_not(const Meeting &meeting, const ProcessRecord &record) {
    const ProcessMap &process_map = record.process_map;
    const std::int32_t component = process_map.component_of_rank[record.place()];
    if (process_map.lowest_rank_of_component(component) != record.rank()) return;
    tell(meeting.held
             ? fmt::format("{} came to cpl_lb_terminate too late: the others went on without it", record.component)
             : fmt::format("{}: the other processes did not come to cpl_lb_terminate within {} s: no "
                           "results",
                           record.component, record.settings.timeout_s));
}

} // namespace

RunClock agree_on_clock(Group &present, const ProcessRecord &record, ProblemList &problems) {
    const bool is_reference = record.node_of(present.ranks().front()) == 0;
    const ClockOffset reference = is_reference ? ClockOffset{} : record.first_offset;
    const ClockOffset last = measure_offset(present, record.process_map, reference);
    RunClock run;
    run.clock = CommonClock(record.first_offset, last);
    if (leads_present_of_node(present, record)) note_stepped_clock(record, last, problems);
    // Not known of this process's times: the offset, and how long its clock took to be read at both ends.
    run.own_bound_ns = run.clock.bound() + (record.scale.length_ns(record.arrival.gap_ticks) + 1) / 2;
    RunSpan span{run.clock.to_common(record.first_point.monotonic_ns),
                 run.clock.to_common(record.arrival.monotonic_ns), run.own_bound_ns, record.simulated_s, 0};
    present.reduce(std::span(&span, 1), widen);
    if (present.leads()) { // both clocks run at one pace, so they may be read now
        const Nanoseconds since = run.clock.to_common(static_cast<Nanoseconds>(record.transport->now_ns()));
        span.zero_realtime_ns = realtime_ns() - (since - span.first_init);
    }
    present.broadcast(as_wire_out(span));
    run.zero = span.first_init;
    run.zero_realtime_ns = span.zero_realtime_ns;
    run.latest_arrival = span.last_terminate - run.zero;
    run.first_init = run.to_run_time(record.first_point.monotonic_ns);
    run.arrival = run.to_run_time(record.arrival.monotonic_ns);
    run.bound_ns = span.clock_bound;
    run.simulated_s = span.simulated_s > 0.0 ? span.simulated_s : record.settings.simulated_s;
    return run;
}

std::vector<double> gather_clock_bounds(Group &group, std::int64_t own_bound_ns) {
    WireWriter out;
    out.put(BoundOf{group.index(), to_seconds(own_bound_ns)});
    Bytes all = out.take();
    gather_bytes(group, all);
    std::vector<double> bounds_s;
    if (!group.leads()) return bounds_s;
    bounds_s.assign(static_cast<std::size_t>(group.size()), unknown);
    for (WireReader in(all); !in.done();) {
        const auto of = in.get<BoundOf>();
        if (of.index >= 0 && of.index < group.size()) bounds_s[static_cast<std::size_t>(of.index)] = of.bound_s;
    }
    return bounds_s;
}

Meeting take_part(const ProcessRecord &record, ProblemList &problems) {
    const Nanoseconds arrival = record.arrival.monotonic_ns + record.first_offset.offset;
    Meeting meeting = meet(*record.transport, record.process_map, arrival, record.first_offset.offset);
    if (!meeting.held || !meeting.includes_me) {
        problems.end_with(error::timeout);
        tell_why_not(meeting, record);
        meeting.present.clear();
        return meeting;
    }
    if (!meeting.missing.empty() && meeting.present.front() == record.rank()) {
        problems.add(error::timeout,
                     fmt::format("{} of {} processes did not come to cpl_lb_terminate within {} s ({}): the results "
                                 "are without them",
                                 meeting.missing.size(), record.process_map.size(), record.settings.timeout_s,
                                 missing_in_words(meeting, record.process_map)));
    }
    return meeting;
}

} // namespace cpl_lb
