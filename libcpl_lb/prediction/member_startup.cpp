// A line through the start-up of several runs.
#include "prediction/member_startup.hpp"

#include "analysis/member_figures.hpp"

#include <algorithm>
#include <utility>

namespace cpl_lb {

StartupOfRuns startup_of_runs(std::vector<StartupOfRun> runs) {
    StartupOfRuns all;
    all.runs = std::move(runs);
    std::stable_sort(all.runs.begin(), all.runs.end(),
                     [](const StartupOfRun &a, const StartupOfRun &b) { return a.members < b.members; });
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
