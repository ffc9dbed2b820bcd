// How many members of an ensemble to run at once on so many cores (docs/definitions.md, section 5, "Members at
// once").
#pragma once

#include "prediction/scaling_curve.hpp"

#include <cstdint>
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

} // namespace cpl_lb
