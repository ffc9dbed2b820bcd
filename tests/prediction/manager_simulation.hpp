// Simulates the benchmark of Kim, Larson and Chiu 2012, section VI: a manager sees only times of counts that were
// run.
#pragma once

#include "prediction/run_time_manager.hpp"
#include "tests/prediction/benchmark.hpp"

#include <chrono>
#include <fstream>
#include <random>
#include <sstream>
#include <stdexcept>

namespace cpl_lb::test {

// A start of Table I, with the paper's seconds.
struct BenchmarkStart {
    std::string name;
    ProcessCounts counts; // cpl, atm, ocn, land, ice
    double paper_s = 0;
};

// INIT1 to INIT5 with 208 or 124 processes.
inline std::vector<BenchmarkStart> benchmark_starts(std::int64_t total) {
    std::ifstream file(CPL_LB_TEST_DATA "/mmct/mmct_table1_points.csv");
    const std::string end = "-" + std::to_string(total);
    std::vector<BenchmarkStart> starts;
    for (std::string line, cell; std::getline(file, line);) {
        std::istringstream cells(line);
        BenchmarkStart start;
        std::getline(cells, start.name, ',');
        if (!start.name.starts_with("INIT") || !start.name.ends_with(end)) continue;
        for (std::size_t c = 0; c < 5 && std::getline(cells, cell, ','); ++c)
            start.counts.push_back(std::stoll(cell));
        std::getline(cells, cell, ',');
        start.paper_s = std::stod(cell);
        starts.push_back(start);
    }
    if (starts.size() != 5) throw std::runtime_error("mmct_table1_points.csv: five starts expected");
    return starts;
}

struct ManagedRun {
    double first_s = 0, final_s = 0; // true cycle with the first and the last counts
    ManagerState state;
    int last_reallocation = 0; // interval, from 1, that asked for it
    double model_s = 0;        // all cycles up to there, two for each interval
    double manager_s = 0;      // in the manager's calls up to there
};

// What a manager takes for the model of tau_G: the measured graph, or another formula.
using ModelOf = std::function<IterationModel(const MeasuredInterval &)>;

// Measured: the times of all
// components with normally distributed noise, and the day's length with these.
template <class Manager>
ManagedRun simulate(Manager &manager, const CouplingGraph &day, const ModelOf &managed, ProcessCounts counts,
                    double noise, unsigned seed, int intervals) {
    using Clock = std::chrono::steady_clock;
    std::mt19937 random(seed);
    std::normal_distribution<double> error(1, noise > 0 ? noise : 1);
    ManagedRun run;
    run.first_s = day.length_s(benchmark_times(counts));
    double model_s = 0, manager_s = 0;
    for (int interval = 1; interval <= intervals; ++interval) {
        MeasuredInterval measured{counts, benchmark_times(counts), 0, {}};
        if (noise > 0)
            for (double &s : measured.computing_s)
                s *= error(random);
        measured.cycle_s = day.length_s(measured.computing_s);
        measured.model = managed(measured);
        const auto begin = Clock::now();
        const ProcessCounts next = manager.next(measured);
        manager_s += std::chrono::duration<double>(Clock::now() - begin).count();
        model_s += 2 * measured.cycle_s;
        if (next != counts) {
            run.last_reallocation = interval;
            run.model_s = model_s;
            run.manager_s = manager_s;
        }
        counts = next;
    }
    run.final_s = day.length_s(benchmark_times(counts));
    run.state = manager.state();
    return run;
}

} // namespace cpl_lb::test
