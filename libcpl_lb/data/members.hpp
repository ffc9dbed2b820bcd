// Members of an ensemble: components that are the same model many times (docs/definitions.md, section 2, "Members of
// an ensemble"). Seconds; NaN: not known.
#pragma once

#include "data/imbalance.hpp"
#include "data/meters.hpp"
#include "data/time.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cpl_lb {

struct EnsembleMember {
    std::string name;
    std::size_t place = 0; // in CoupledRun::components
    std::int64_t steps = 0;
    double step_s = unknown; // computing of a step, the mean over the steps that all members have
    double late_s = unknown; // mean lateness where members meet, after the earliest member
    bool is_cut = false;     // its processes are on more nodes than those of other members of as many cores
};

// Start-up against the number of the member, where a line explains it.
struct MemberStartup {
    Spread length_s;
    double growth_s = unknown; // with each member
};

// Where members meet inside the run: a component from which they receive, or a collective operation.
struct MeetingPoint {
    std::string where;
    std::int64_t meetings = 0;
    double cost_core_s = unknown; // what members wait here for the last one, times their cores
    double cost_share = unknown;  // of the members' core time: the points' shares add up to that of the group
    std::int64_t last = -1; // the member, a place in MemberGroup::of, for which others wait most here; -1: nobody
    double last_share = unknown; // of the cost here: of the meetings in which it comes last
};

struct MemberGroup {
    std::string name;     // "atmosphere_*"
    bool guessed = false; // from the names; else the user said so
    std::vector<EnsembleMember> of;
    std::size_t slowest = 0, fastest = 0;   // places in `of`, by step_s
    Spread computing_s, waiting_s;          // of a member, in its coupling loop
    Spread step_s;                          // EnsembleMember::step_s over the members
    MemberStartup startup;                  //
    std::int64_t steps = 0, most_steps = 0; // that all have; that one has
    std::string meet_at;                    // the dearest of `points`; empty: the end of the job
    std::vector<MeetingPoint> points;       // the dearest first; empty: they never meet inside the run
    std::int64_t meetings = 0;              // inside the run; 0: they never meet there
    double spread_s = unknown;              // of a meeting, the mean: from the first to the last member
    double cost_core_s = unknown;           // what members wait for the last one, times their cores
    double cost_share = unknown;            // of the members' core time between the first and the last meeting
    std::string why_no_cost;                // in words
    ImbalanceParts parts;                   // over members instead of processes: their places in `of`
    bool cut_explains = false;              // members that are cut are later than the others by more than chance
    double cut_later_s = unknown;           // mean lateness of those that are cut, less that of the others
};

} // namespace cpl_lb
