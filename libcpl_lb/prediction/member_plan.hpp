// How many members of an ensemble to run at once on so many cores, and how their start-up grows from run to run with
// their number (docs/definitions.md, section 5, "Members at once" and "Start-up of more members").
#pragma once

#include "data/time.hpp"
#include "prediction/scaling_curve.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cpl_lb {

struct MemberPlan {
    std::int64_t at_once = 0;    // members
    std::int64_t rounds = 0;     // one after the other
    std::int64_t cores = 0;      // of each member
    std::int64_t nodes = 0;      // of each member, whole; 0: members share nodes, or nodes were not told
    std::int64_t idle_cores = 0; // of the total, in a full round
    double seconds = 0;          // rounds x the time of a member, in the unit of the curve
    bool measured = false;       // its cores lie inside the measured range
};

struct MemberProblem {
    std::int64_t members = 0, total = 0;
    std::int64_t cores_per_node = 0; // 0: not told; else each member gets whole nodes, or a part of one
};

// One plan for each number of rounds, with the fewest members at once that need no more rounds. The best comes first,
// or among equals (within a thousandth) the one with fewer cores for each member. Empty: no member has a core.
[[nodiscard]] std::vector<MemberPlan> member_plans(const MemberProblem &problem, const ScalingCurve &curve,
                                                   CurveForm form);

struct StartupOfRun {
    std::string name; // its folder, or as a history calls it
    std::int64_t members = 0;
    double startup_s = unknown; // of the member whose start-up takes longest; NaN: of a member it is not known
};

struct StartupOfRuns {
    std::vector<StartupOfRun> runs;    // those with the fewest members first
    std::vector<std::int64_t> members; // the different numbers of runs whose start-up is known, ascending
    double growth_s = unknown;         // with each member; NaN: fewer than three numbers, or no line shows it
};
inline constexpr std::size_t least_member_counts = 3;

[[nodiscard]] StartupOfRuns startup_of_runs(std::vector<StartupOfRun> runs);

} // namespace cpl_lb
