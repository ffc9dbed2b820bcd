// What a split of cores is made of: components, and groups of them that have one count for each of theirs (the
// members of an ensemble are one model).
#pragma once

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

} // namespace cpl_lb
