// A few steps that waited far longer than the others, and who computed meanwhile.
#include "analysis/few_steps.hpp"

#include "analysis/arrival_tests.hpp"
#include "analysis/mean_error.hpp"
#include "analysis/waiting_share.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace cpl_lb {
namespace {

// The waiting of the steps of one component.
struct WaitingSteps {
    const Component *component = nullptr;
    std::int64_t count = 0;     // that stand out
    std::size_t longest = 0;    // the one of these that waits longest
    double added_core_s = 0;    // what they add to the others
    double longest_added_s = 0; // what the longest adds
    double median_s = unknown;  // of all
};

// Which steps stand out, from 0, and how long those wait that these are compared with.
struct StandOut {
    std::vector<std::size_t> steps;
    double others_s = unknown;
};

std::vector<double> seconds(const Component &component, double Step::*figure) {
    std::vector<double> all;
    for (const Step &step : component.balance.steps)
        all.push_back(step.*figure);
    return all;
}

bool has_single_steps(const Component &component) {
    const std::vector<Step> &steps = component.balance.steps;
    return !steps.empty() && component.balance.step_extremes.empty() &&
           std::ranges::all_of(steps, [](const Step &s) { return is_known(s.waiting_s) && is_known(s.computing_s); });
}

// What comes again at one distance belongs to the model: an exchange that others have less often.
bool recur(std::span<const std::size_t> steps) {
    for (std::size_t i = 2; i < steps.size(); ++i)
        if (steps[i] - steps[i - 1] != steps[1] - steps[0]) return false;
    return steps.size() > 2;
}

// The same where some of them were longer for another reason.
bool recur_in_part(std::span<const std::size_t> steps) {
    if (steps.size() < 3) return false;
    std::size_t least = steps.back();
    for (std::size_t i = 1; i < steps.size(); ++i)
        least = std::min(least, steps[i] - steps[i - 1]);
    return least > 1 && std::ranges::all_of(steps, [&](std::size_t j) { return (j - steps[0]) % least == 0; });
}

std::vector<double> values_at(std::span<const std::size_t> steps, std::span<const double> of_all) {
    std::vector<double> values;
    values.reserve(steps.size());
    for (const std::size_t j : steps)
        values.push_back(of_all[j]);
    return values;
}

// Those of `among` that wait far longer than the others of `among`.
std::vector<std::size_t> far_above(std::span<const double> waiting, std::span<const std::size_t> among) {
    const std::vector<std::uint8_t> is_far = far_above_median(values_at(among, waiting));
    std::vector<std::size_t> far;
    for (std::size_t i = 0; i < among.size(); ++i)
        if (is_far[i] != 0) far.push_back(among[i]);
    return far;
}

// Steps that stand out from all. If these recur, or are many, but for a few that stand out even from them, these few.
StandOut stand_out(std::span<const double> waiting) {
    std::vector<std::size_t> all(waiting.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::vector<std::size_t> far = far_above(waiting, all), farther = far_above(waiting, far), heavy;
    std::ranges::set_difference(far, farther, std::back_inserter(heavy));
    const auto is_few = [&](const auto &steps) { return 10 * steps.size() <= waiting.size() && !recur(steps); };
    const bool from_heavy = !farther.empty() && (recur_in_part(heavy) || !is_few(far));
    const double others_s = median_of(values_at(from_heavy ? heavy : all, waiting));
    if (from_heavy) far = std::move(farther);
    if (!is_few(far)) far.clear();
    return {std::move(far), others_s};
}

WaitingSteps waiting_of(const Component &component) {
    WaitingSteps found{.component = &component};
    if (!has_single_steps(component)) return found;
    const std::vector<double> waiting = seconds(component, &Step::waiting_s);
    const auto [steps, others_s] = stand_out(waiting);
    found.median_s = median_of(waiting);
    for (const std::size_t j : steps) {
        const double added_s = waiting[j] - others_s;
        ++found.count;
        found.added_core_s += static_cast<double>(component.cores()) * added_s;
        if (added_s <= found.longest_added_s) continue;
        found.longest_added_s = added_s;
        found.longest = j;
    }
    return found;
}

// The step of any component that computes longest beyond its median, among those that touch that time.
FewSteps computing_meanwhile(const CoupledRun &run, const Step &when) {
    FewSteps found;
    double most_s = 0;
    for (const Component &c : run.components) {
        if (!has_single_steps(c)) continue;
        const double median_s = median_of(seconds(c, &Step::computing_s));
        for (std::size_t j = 0; j < c.balance.steps.size(); ++j) {
            const Step &step = c.balance.steps[j];
            const bool touches =
                step.start_s < when.start_s + when.length_s && when.start_s < step.start_s + step.length_s;
            if (!touches || step.computing_s - median_s <= most_s) continue;
            most_s = step.computing_s - median_s;
            found.component = c.id;
            found.step = static_cast<std::int64_t>(j) + 1;
            found.longest_s = step.computing_s;
            found.median_s = median_s;
        }
    }
    return found;
}

} // namespace

FewSteps few_steps_of(const CoupledRun &run) {
    double all_core_s = 0;
    WaitingSteps most;
    const InBetween between(run);
    for (const Component &c : run.components) {
        if (!takes_part(c) || between.leaves_out(c)) continue;
        all_core_s += static_cast<double>(c.cores()) * c.balance.waiting_s;
        const WaitingSteps one = waiting_of(c);
        if (one.added_core_s > most.added_core_s) most = one;
    }
    if (most.component == nullptr || !(all_core_s > 0)) return {};
    const Step &longest = most.component->balance.steps[most.longest];
    FewSteps found = computing_meanwhile(run, longest);
    found.computes = found.longest_s - found.median_s >= 0.5 * most.longest_added_s;
    if (!found.computes) {
        found.component = most.component->id;
        found.step = static_cast<std::int64_t>(most.longest) + 1;
        found.longest_s = longest.waiting_s;
        found.median_s = most.median_s;
    }
    found.waiter = most.component->id;
    found.share = most.added_core_s / all_core_s;
    found.count = most.count;
    found.steps = most.component->balance.step_count;
    return found;
}

} // namespace cpl_lb
