// Energy of NVIDIA GPUs, and of modules that hold one.
#pragma once

#include "data/time.hpp"
#include "meters/options.hpp"
#include "meters/reader.hpp"

#include <memory>

namespace cpl_lb {

// `clock`: any steady clock, over which the power of modules is integrated.
[[nodiscard]] std::unique_ptr<Reader> make_nvml_reader(const ReaderOptions &options, Nanoseconds (*clock)() noexcept);

} // namespace cpl_lb
