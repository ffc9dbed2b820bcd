// Simulates the intervals of a managed run; the benchmark's day as a graph, and its Table I.
#include "prediction/managed_run.hpp"

#include "prediction/stepwise_manager.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace cpl_lb {

namespace kim {
namespace {

struct DayCurve {
    double a, b, c;
};
constexpr std::array<DayCurve, 5> day_curves = {{{84.61648820, 0.83154054, 0.00186002},
                                                 {1212.00404825, 1.09726076, 0.00417084},
                                                 {1424.06770730, 1.09947562, 10.06757387},
                                                 {26.35058991, 0.63329776, 0.01363212},
                                                 {276.70948060, 1.00614830, 0.00101926}}};

} // namespace

double day_seconds(std::size_t constituent, double processes) {
    const DayCurve &curve = day_curves[constituent];
    return curve.a * std::pow(processes, -curve.b) + curve.c;
}

CouplingGraph day() {
    std::vector<Constituent> all(names.size());
    std::array<double, 5> pending{};
    for (std::size_t i = 0; i < names.size(); ++i)
        all[i].name = names[i];
    const auto meet = [&](const std::vector<std::size_t> &partners) {
        SyncPoint hub{pending[cpl], {}};
        pending[cpl] = 0;
        for (const std::size_t i : partners) {
            hub.waits_for.push_back({i, all[i].points.size()});
            all[i].points.push_back({pending[i], {{cpl, all[cpl].points.size()}}});
            pending[i] = 0;
        }
        all[cpl].points.push_back(hub);
    };
    const double hour = 1. / 24;
    pending[ocn] += 0.2;
    meet({ocn});
    pending[ocn] += 0.6;
    for (int h = 0; h < 24; ++h) {
        for (const std::size_t i : {land, ice, atm})
            pending[i] += 0.2 * hour;
        meet({land, ice});
        pending[cpl] += 0.6 * hour;
        for (const std::size_t i : {land, ice})
            pending[i] += 0.6 * hour;
        meet({land, ice});
        meet({atm});
        pending[cpl] += 0.2 * hour;
        pending[atm] += 0.6 * hour;
        meet({atm});
        pending[cpl] += 0.2 * hour;
        for (const std::size_t i : {land, ice, atm})
            pending[i] += 0.2 * hour;
    }
    meet({ocn});
    pending[ocn] += 0.2;
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i].last_s = pending[i];
    return CouplingGraph(all);
}

const std::array<PrintedStart, 5> &table_1(int scenario) {
    static const std::array<std::array<PrintedStart, 5>, 3> printed = {{
        {{{"INIT1", {42, 42, 42, 41, 41}, 32.3, 22.95, 37.6, 18.3, 28.4, 0.51},
          {"INIT2", {10, 118, 50, 10, 20}, 30.35, 22.95, 53.4, 26.2, 28.2, 0.28},
          {"INIT3", {10, 40, 128, 10, 20}, 32.27, 22.47, 53.4, 26.2, 31.3, 0.37},
          {"INIT4", {10, 40, 50, 88, 20}, 35.08, 23.05, 58.4, 28.7, 30.7, 0.42},
          {"INIT5", {10, 40, 50, 10, 98}, 34.81, 23.43, 45.6, 22.3, 28.7, 0.51}}},
        {{{"INIT1", {25, 25, 25, 25, 24}, 55.97, 34.85, 35.6, 17.3, 32.9, 1.22},
          {"INIT2", {6, 72, 30, 6, 10}, 45.1, 34.72, 50.8, 24.9, 29.7, 0.42},
          {"INIT3", {6, 24, 78, 6, 10}, 50.26, 34.57, 53, 26, 33.5, 0.6},
          {"INIT4", {6, 24, 30, 54, 10}, 58.88, 34.55, 46.2, 22.6, 30.5, 1.08},
          {"INIT5", {6, 24, 30, 6, 58}, 54.12, 34.84, 37.2, 18.1, 28.2, 1.07}}},
        {{{"INIT1", {25, 25, 25, 25, 24}, 56.08, 35.1, 93, 46, 35.2, 0.46},
          {"INIT2", {6, 72, 30, 6, 10}, 45.44, 36.23, 126.4, 62.7, 40.8, 0.15},
          {"INIT3", {6, 24, 78, 6, 10}, 50.05, 50.22, 0, 0, 0, 0},
          {"INIT4", {6, 24, 30, 54, 10}, 58.74, 36.59, 122.6, 60.8, 37, 0.36},
          {"INIT5", {6, 24, 30, 6, 58}, 54.27, 36.11, 135.4, 67.2, 37.1, 0.27}}},
    }};
    return printed.at(static_cast<std::size_t>(scenario - 1));
}

} // namespace kim

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
        return run_with(StepwiseManager(), model, graph, start, noise, seed, intervals);
    const KnownModel equation_12 = search == ManagerSearch::manual ? largest_sum : nearest_sum;
    return run_with(StepwiseManager(StepwiseManager::Trust::plain), model, equation_12, start, noise, seed,
                    intervals);
}

} // namespace cpl_lb
