// Annotated blocks from a table without a run: columns region, and one for each quantity that has expressions; also
// component, calls and time_s (measured) where known.
#pragma once

#include "projection/predictors/assertion_model.hpp"

#include <string>

namespace cpl_lb {

// The parameters are the names in the expressions, without values. Throws FileError with file, line and column.
[[nodiscard]] AssertionModel assertion_model_of_table(const std::string &path);

} // namespace cpl_lb
