// The model as a function of its input parameters for Octave and MATLAB (Modeling Assertions, section 2.2).
#pragma once

#include "projection/predictors/time_predictors.hpp"

#include <string>

namespace cpl_lb {

// An expression in Octave's syntax, in parentheses wherever its precedence could differ from ours.
[[nodiscard]] std::string in_octave(const Expression &expression);

// One function `name`(parameters), each with its value in the model where it is left out. It gives a struct:
// blocks(i) with the fields component, region, calls, one for each quantity (amounts of all calls of one process)
// and, with a machine, pred, pred_novl, pred_lb and pred_hb [s]; and the sums of these four over the blocks. Without
// a machine (null): the quantities only. Throws AssertionModelError when `name` cannot be a function's name.
[[nodiscard]] std::string octave_function(const AssertionModel &model, const Machine *machine,
                                          const std::string &name);

} // namespace cpl_lb
