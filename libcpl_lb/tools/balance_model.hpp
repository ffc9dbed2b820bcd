// What cpl-lb balance optimises: the graph of a run or a layout in words, scaling, memory and power.
#pragma once

#include "prediction/layout.hpp"
#include "prediction/measured_graph.hpp"
#include "prediction/memory_floor.hpp"
#include "prediction/optimiser.hpp"
#include "prediction/scaling_curve.hpp"

#include <optional>
#include <string>
#include <vector>

namespace cpl_lb {

struct BalanceOptions {
    std::vector<std::string> directories, without;
    std::string curves, layout, block, min, max, allowed, curve = "fit", objective = "time", serial, power;
    std::int64_t total = 0;
    std::int64_t cores_per_node = 0; // 0: components may share nodes
    double node_memory_GB = 0;       // 0: as measured
    bool no_sharing = false, json = false;
};

// Either a measured graph or a layout in words; times in seconds of the coupling loop, or of the table.
struct BalanceModel {
    std::optional<MeasuredGraph> measured;
    std::optional<ProcessorLayout> layout;
    std::vector<std::string> names;
    std::vector<ScalingCurve> curves;
    std::vector<std::int64_t> threads;             // of each process
    std::vector<std::vector<MemorySample>> memory; // empty where it was not measured
    double core_memory_B = unknown;                // of a node, for each of its cores
    std::vector<CorePower> power;                  // empty: not known
    std::string why_no_power;
    ProcessorPool pool;
    double alpha = 1;
    std::vector<std::string> io_servers; // that were left out

    [[nodiscard]] double computing_s(std::size_t c, double count, CurveForm form) const;
    [[nodiscard]] double length_s(const std::vector<double> &computing_s) const;
    [[nodiscard]] std::vector<double> path_shares(const std::vector<double> &computing_s) const;
    // The least cores of a component by its memory; 1 where it was not measured.
    [[nodiscard]] std::int64_t memory_floor(std::size_t c) const;
};

// Throws what the user did wrong, in one line.
[[nodiscard]] BalanceModel balance_model(const BalanceOptions &options);

// What each component may have by --min, --max, --block, --allowed, its threads and its memory.
[[nodiscard]] std::vector<AllowedCounts> allowed_counts(const BalanceOptions &options, const BalanceModel &model);

} // namespace cpl_lb
