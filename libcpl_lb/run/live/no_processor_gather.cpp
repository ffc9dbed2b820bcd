// Takes the samples around the coupling loop, and unites those of all processes.
#include "run/live/no_processor_gather.hpp"

#include "meters/process_meters.hpp"
#include "run/live/inside_gather.hpp"

#include <algorithm>
#include <span>

namespace cpl_lb {
namespace {

void unite_no_processor(NoProcessor &mine, const NoProcessor &theirs) {
    if (theirs.of_processes.count > 0 && !(mine.of_processes.max >= theirs.of_processes.max)) mine.most = theirs.most;
    if (theirs.outside.count > 0 && !(mine.outside.max >= theirs.outside.max))
        mine.most_outside = theirs.most_outside;
    mine.of_processes.add(theirs.of_processes);
    mine.outside.add(theirs.outside);
}

// The seconds that this process had no processor in that interval of the run; NaN: not known.
double own_no_processor_s(const ProcessRecord &record, const RunClock &clock, Interval within) {
    if (record.meters == nullptr) return unknown;
    std::vector<TimedValue> samples = record.meters->series("no_processor");
    for (TimedValue &s : samples)
        s.at = clock.to_run_time(s.at);
    // Waiting for the others at terminate is not the model's time.
    if (!samples.empty()) samples.push_back({clock.latest_arrival, samples.back().value});
    return value_at(within.stop, samples) - value_at(within.start, samples);
}

// The part of it that lies neither in an exchange nor in another call of MPI: a process that tests for its message
// again and again is ready there, too, and loses nothing. If MPI is not recorded, a process that exchanges nothing
// may be in MPI all the time: then the part is unknown.
double outside_s(double seconds, bool knows_mpi, const OwnExchanges &own, const ProcessRecord &record,
                 const RunClock &clock) {
    const bool matters = seconds >= disturbed_from * to_seconds(own.within.length()); // false if not known
    if (!matters) return unknown;
    if (!knows_mpi && !own.own.any) return unknown;
    const double in_mpi_s = knows_mpi ? to_seconds(own.within.length()) - own_inside(record, clock, own).useful_s.max
                                      : to_seconds(own.own.time);
    return std::max(0.0, seconds - in_mpi_s);
}

} // namespace

std::optional<NoProcessor> gather_no_processor(Group &group, const ComponentFacts &facts, const OwnExchanges &own,
                                               const ProcessRecord &record, const RunClock &clock) {
    NoProcessor all;
    if (own.of_whole_run) return all;
    const double seconds = own_no_processor_s(record, clock, own.within);
    all.of_processes.add(seconds);
    if (is_known(seconds)) all.most = record.transport->rank();
    all.outside.add(outside_s(seconds, facts.mpi_recorded == group.size(), own, record, clock));
    if (all.outside.count > 0) all.most_outside = record.transport->rank();
    if (!group.reduce(std::span(&all, 1), unite_no_processor)) return {};
    return all;
}

} // namespace cpl_lb
