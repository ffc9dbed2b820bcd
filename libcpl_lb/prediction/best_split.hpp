// The best split of the same cores, and what a split is made of: components, and groups of them that have one count
// for each of theirs (the members of an ensemble are one model).
#pragma once

#include "prediction/measured_graph.hpp"
#include "prediction/processor_pool.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cpl_lb {

// Places of components that get equal numbers of cores.
using AlikeComponents = std::vector<std::vector<std::size_t>>;

struct SplitUnit {
    std::vector<std::size_t> of; // components
    double work_s = 0;           // on one core, of one of them: the mean
    std::int64_t present = 0;    // cores of all of them together
    std::int64_t threads = 1;    // the most of each process
    bool keeps = false;          // its cores
    [[nodiscard]] std::int64_t step() const { return threads * static_cast<std::int64_t>(of.size()); }
    [[nodiscard]] double computing_s(std::int64_t cores) const {
        return work_s * static_cast<double>(of.size()) / static_cast<double>(cores);
    }
};

struct ComponentToSplit {
    double computing_s = 0;
    std::int64_t cores = 0, threads = 1;
    bool keeps = false;
};

// The units in the order of their first components.
[[nodiscard]] std::vector<SplitUnit> split_units(const std::vector<ComponentToSplit> &components,
                                                 const AlikeComponents &alike);

// The pool with one leaf for each unit. Throws PredictionError if those of one unit are not side by side.
[[nodiscard]] ProcessorPool pool_of_units(const ProcessorPool &pool, const std::vector<SplitUnit> &units);

// The best split of the same cores over the coupled components, with ideal scaling from the measured run.
struct BestSplit {
    double pace = 1;                 // time with it / time as measured; at most 1
    std::vector<std::int64_t> cores; // by component, also of those that keep their cores
};

// By component: whether it keeps its cores (an I/O server); its cores come in multiples of its threads. Those that
// are alike get one count for each of them.
struct WhoSplits {
    std::vector<bool> keeps;
    std::vector<std::int64_t> threads;
    AlikeComponents alike{};
};

// Components on the same processes go on sharing theirs. At most `boxes` sets of splits are examined. If the
// split is slower than the present one in a replay of all cycles, the present one is returned.
[[nodiscard]] BestSplit best_split(const MeasuredGraph &run, const WhoSplits &who, std::int64_t boxes,
                                   const Budget &budget = {});

} // namespace cpl_lb
