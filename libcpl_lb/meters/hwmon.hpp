// Energy of processors from the kernel's hwmon folders.
#pragma once

#include "data/time.hpp"
#include "meters/options.hpp"
#include "meters/reader.hpp"

#include <memory>

namespace cpl_lb {

// `clock`: any steady clock, over which power is integrated.
[[nodiscard]] std::unique_ptr<Reader> make_hwmon_reader(const ReaderOptions &options,
                                                        Nanoseconds (*clock)() noexcept);

} // namespace cpl_lb
