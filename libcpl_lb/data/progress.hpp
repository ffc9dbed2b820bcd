// Told by work that may last, to whoever wants to show it: how much of it is done.
#pragma once

#include <cstdint>
#include <functional>

namespace cpl_lb {

// May be empty. Called from the thread that works, often: it must cost little.
using Progress = std::function<void(std::int64_t done, std::int64_t all)>;

} // namespace cpl_lb
