// Name of this node, as the system has it.
#pragma once

#include <string>

namespace cpl_lb {

[[nodiscard]] std::string host_name();

} // namespace cpl_lb
