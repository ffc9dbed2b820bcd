// What a few steps that waited far longer than the others add to what is lost to waiting (docs/definitions.md,
// section 2, "A few steps").
#pragma once

#include "data/coupled_run.hpp"

#include <cstdint>

namespace cpl_lb {

struct FewSteps {
    std::int32_t waiter = 0;           // id of the component that loses most core time in steps that stand out
    double share = 0;                  // of the waiting that counts as lost: what these add; 0: no step stands out
    std::int64_t count = 0, steps = 0; // that stand out, and all, of the waiter
    // The step in which most is lost: by the component that computes then far longer than it mostly does, else by the
    // waiter.
    std::int32_t component = 0; // id
    bool computes = false;      // else the two times are of waiting
    std::int64_t step = 0;      // of the loop of `component`, from 1
    double longest_s = unknown, median_s = unknown;
};

// Needs the steps of the components; a loop whose steps are listed in groups does not count.
[[nodiscard]] FewSteps few_steps_of(const CoupledRun &run);

} // namespace cpl_lb
