// The author's statements about the work of a model's regions (modelling assertions), and the measured values.
#pragma once

#include "data/meters.hpp"
#include "data/time.hpp"

#include <cstdint>
#include <string>

namespace cpl_lb {

// One expression of one region. Amounts (flops, loads, ..., seconds) count all calls of one process; avl, mv, sl and
// tl are means over its calls.
struct Annotation {
    std::string quantity;   // as in assertions/quantities.hpp
    std::string expression; // as the author wrote it, for one call of the region
    Spread value;           // over the processes that entered the region
    std::string why_no_value;
    double measured = unknown; // mean over the processes, like `value`
    std::string measured_by;   // "clock", or the counters
    std::string why_not_measured;

    // Modeling Assertions, section 4.2: (measured - predicted) / measured. Above 0: more was measured than the
    // author says.
    [[nodiscard]] double error() const {
        return is_known(measured) && measured != 0 ? (measured - value.mean()) / measured : unknown;
    }
};

// An input parameter of the expressions: the latest value of each process.
struct AssertedParameter {
    std::string name;
    Spread value;
    std::int64_t changes = 0; // of the value while the model ran, over the processes
};

// How often the region was entered directly from another annotated region. Only outermost calls count, and regions
// without an annotation do not. In the order of the first entry.
struct RegionEntry {
    std::string from; // empty: from outside of all annotated regions
    std::string region;
    std::int64_t times = 0; // over the processes
};

} // namespace cpl_lb
