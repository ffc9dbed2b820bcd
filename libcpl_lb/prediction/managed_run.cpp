// Simulates the intervals of a managed run.
#include "prediction/managed_run.hpp"

#include "prediction/kim_benchmark.hpp"
#include "prediction/stepwise_manager.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace cpl_lb {
namespace {

// Equation 12.
std::array<double, 3> sums(const std::vector<double> &s) {
    using namespace kim;
    return {s[cpl] + s[atm] + s[land], s[cpl] + s[atm] + s[ice], s[ocn]};
}

IterationModel largest_sum(const MeasuredInterval & /*measured*/) {
    return {[](const std::vector<double> &s) {
                const auto all = sums(s);
                return *std::ranges::max_element(all);
            },
            {}};
}

IterationModel nearest_sum(const MeasuredInterval &measured) {
    const auto all = sums(measured.computing_s);
    std::size_t nearest = 0;
    for (std::size_t i = 1; i < all.size(); ++i)
        if (std::abs(all[i] - measured.cycle_s) < std::abs(all[nearest] - measured.cycle_s)) nearest = i;
    return {[nearest](const std::vector<double> &s) { return sums(s)[nearest]; }, {}};
}

// The model of the cycle that a manager uses.
using KnownModel = std::function<IterationModel(const MeasuredInterval &)>;

template <class Manager>
ManagedRun run_with(Manager manager, const ManagedModel &model, const KnownModel &known, ProcessCounts counts,
                    double noise, std::uint32_t seed, int intervals) {
    std::mt19937 random(seed);
    std::normal_distribution<double> error(1, noise > 0 ? noise : 1);
    ManagedRun run;
    for (int interval = 1; interval <= intervals; ++interval) {
        std::vector<double> truth;
        for (std::size_t c = 0; c < counts.size(); ++c)
            truth.push_back(model.computing_s(c, counts[c]));
        run.intervals.push_back({counts, model.cycle.length_s(truth), manager.state().predicted_s, unknown});
        MeasuredInterval measured{counts, truth, 0, {}};
        if (noise > 0)
            for (double &s : measured.computing_s)
                s *= std::max(0.01, error(random));
        measured.cycle_s = model.cycle.length_s(measured.computing_s);
        measured.model = known(measured);
        const double begin_s = model.clock_s ? model.clock_s() : unknown;
        ProcessCounts next = manager.next(measured);
        if (model.clock_s) run.intervals.back().manager_s = model.clock_s() - begin_s;
        if (next != counts) run.last_move = run.intervals.size();
        counts = std::move(next);
    }
    run.state = manager.state();
    return run;
}

} // namespace

double ManagedRun::undone_share() const {
    return state.reallocations > 0 ? static_cast<double>(state.undone) / state.reallocations : 0;
}

double ManagedRun::gain_of_move_s() const {
    return state.reallocations > 0 ? (first_s() - final_s()) / state.reallocations : 0;
}

ManagedRun managed_run(const ManagedModel &model, ManagerSearch search, const ProcessCounts &start, double noise,
                       std::uint32_t seed, int intervals) {
    const KnownModel graph = [&](const MeasuredInterval &) { return model.cycle; };
    if (search == ManagerSearch::direct)
        return run_with(RunTimeManager(model.allowed, model.total), model, graph, start, noise, seed, intervals);
    if (search == ManagerSearch::stepwise)
        return run_with(StepwiseManager(model.allowed, model.total), model, graph, start, noise, seed, intervals);
    const KnownModel equation_12 = search == ManagerSearch::manual ? largest_sum : nearest_sum;
    return run_with(StepwiseManager(model.allowed, model.total, StepwiseManager::Trust::plain), model, equation_12,
                    start, noise, seed, intervals);
}

} // namespace cpl_lb
