// A machine as json.
#pragma once

#include "projection/machine/machine.hpp"

#include <string>

namespace cpl_lb {

// SI units, in the names; null: not known. A clock of "turbo" is text.
[[nodiscard]] std::string machine_as_json(const Machine &machine);
[[nodiscard]] std::string machine_list_json();

} // namespace cpl_lb
