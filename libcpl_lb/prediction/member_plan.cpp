// Tries each number of members that run at once, and lays a line through the start-up of several runs.
#include "prediction/member_plan.hpp"

#include "analysis/member_figures.hpp"

#include <algorithm>
#include <utility>

namespace cpl_lb {
namespace {

// Gives each member whole nodes. If there are more members than nodes, several share each node.
void give_cores(MemberPlan &plan, const MemberProblem &p) {
    if (p.cores_per_node <= 0) {
        plan.cores = p.total / plan.at_once;
        return;
    }
    const std::int64_t nodes = p.total / p.cores_per_node;
    plan.nodes = nodes / plan.at_once;
    plan.cores = plan.nodes * p.cores_per_node;
    if (plan.nodes > 0 || nodes == 0) return;
    const std::int64_t on_a_node = (plan.at_once + nodes - 1) / nodes;
    plan.cores = p.cores_per_node / on_a_node;
}

} // namespace

std::vector<MemberPlan> member_plans(const MemberProblem &problem, const ScalingCurve &curve, CurveForm form) {
    std::vector<MemberPlan> plans;
    for (std::int64_t k = 1; k <= problem.members; ++k) {
        MemberPlan plan;
        plan.at_once = k;
        plan.rounds = (problem.members + k - 1) / k;
        if (!plans.empty() && plans.back().rounds == plan.rounds) continue; // the same with fewer cores
        give_cores(plan, problem);
        if (plan.cores < 1) break;
        plan.idle_cores = problem.total - plan.cores * k;
        plan.seconds = static_cast<double>(plan.rounds) * curve.seconds(static_cast<double>(plan.cores), form);
        plan.measured = curve.measured_range_holds(static_cast<double>(plan.cores));
        plans.push_back(plan);
    }
    constexpr double equal = 1.001;
    const auto best = std::ranges::min_element(plans, {}, &MemberPlan::seconds);
    if (best == plans.end()) return plans;
    const double least = best->seconds;
    std::ranges::stable_sort(plans, [&](const MemberPlan &a, const MemberPlan &b) {
        const bool first = a.seconds <= least * equal, second = b.seconds <= least * equal;
        if (first != second) return first;
        return first ? a.cores < b.cores : a.seconds < b.seconds;
    });
    return plans;
}

StartupOfRuns startup_of_runs(std::vector<StartupOfRun> runs) {
    StartupOfRuns all;
    all.runs = std::move(runs);
    std::ranges::stable_sort(all.runs, {}, &StartupOfRun::members);
    std::vector<double> members, startup_s;
    for (const StartupOfRun &run : all.runs) {
        if (!is_known(run.startup_s)) continue;
        if (all.members.empty() || all.members.back() != run.members) all.members.push_back(run.members);
        members.push_back(static_cast<double>(run.members));
        startup_s.push_back(run.startup_s);
    }
    if (all.members.size() >= least_member_counts) all.growth_s = growth_over(members, startup_s);
    return all;
}

} // namespace cpl_lb
