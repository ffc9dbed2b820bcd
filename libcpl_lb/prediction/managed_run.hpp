// Runs a run-time manager on a model whose times are formulas. The manager sees only the times of counts that it has
// run (section VI of Kim, Larson and Chiu 2012).
#pragma once

#include "data/time.hpp"
#include "prediction/coupling_graph.hpp"
#include "prediction/run_time_manager.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace cpl_lb {

// direct: cpl_lb's own. The others are for five constituents as in the benchmark: stepwise, the paper's search with
// the measured graph (AUTO); manual, the same with the largest of the three sums of equation 12; nearest, with the
// sum nearest to the measured cycle (the paper's section V: the manual model has several estimators).
enum class ManagerSearch { direct, stepwise, manual, nearest };

struct ManagedModel {
    std::vector<AllowedCounts> allowed;
    std::int64_t total = 0;
    std::function<double(std::size_t component, std::int64_t count)> computing_s; // in a coupling cycle
    IterationModel cycle;
    std::function<double()> clock_s = {}; // measures the manager's own time; empty: not measured
};

struct ManagedInterval {
    ProcessCounts counts;
    double cycle_s = 0;           // true
    double predicted_s = unknown; // from the answer before
    double manager_s = unknown;   // the manager's time for its answer
};

struct ManagedRun {
    std::vector<ManagedInterval> intervals; // two coupling cycles each: one to settle, one to measure
    ManagerState state;
    std::size_t last_move = 0; // the interval, from 1, after which the last move was made; 0: none

    [[nodiscard]] double first_s() const { return intervals.front().cycle_s; }
    [[nodiscard]] double final_s() const { return intervals.back().cycle_s; }
    [[nodiscard]] double found_at() const { return 2 * static_cast<double>(last_move); } // coupling cycle
    [[nodiscard]] double undone_share() const;
    [[nodiscard]] double gain_of_move_s() const; // the paper's efficiency
};

// `noise`: the normally distributed error of each measured time, as a share. `intervals`: at least one.
[[nodiscard]] ManagedRun managed_run(const ManagedModel &model, ManagerSearch search, const ProcessCounts &start,
                                     double noise, std::uint32_t seed, int intervals);

// The benchmark of Kim, Larson and Chiu 2012, section VI: five constituents that exchange like those of CCSM3, with
// the starts and the figures of their Table I.
namespace kim {

enum Place : std::size_t { cpl, atm, ocn, land, ice };
inline constexpr std::array<const char *, 5> names = {"cpl", "atm", "ocn", "land", "ice"};

// Computing time of a day [s] as a p^-b + c: a fit to the 14 points of Table I and figures 5 to 7, because the paper
// does not give its own curves.
[[nodiscard]] double day_seconds(std::size_t constituent, double processes);

// Each constituent computes 1 s in the day: a factor is its computing time. cpl, each hour: send to land and ice
// together, 60 %, receive from both together, send to atm, 20 %, receive from atm, 20 %. The others, each hour: 20 %,
// receive from cpl, 60 %, send to cpl, 20 %; ocn the same once a day.
[[nodiscard]] CouplingGraph day();

// A column of Table I; NaN if it is not printed.
struct PrintedStart {
    const char *name = "";
    std::array<std::int64_t, 5> counts = {}; // cpl, atm, ocn, land, ice
    double first_s = 0, final_s = 0, found_at = 0, reallocations = 0, undone_percent = 0, efficiency = 0;
};
// Scenarios 1 (208 processes, AUTO), 2 (124, AUTO) and 3 (124, MANUAL). The printed INIT1 are (42,42,42,42,42) and
// (25,25,25,25,25), which sum to 210 and 125: the last two have one less, and one (124: the last).
[[nodiscard]] const std::array<PrintedStart, 5> &table_1(int scenario);

} // namespace kim

} // namespace cpl_lb
