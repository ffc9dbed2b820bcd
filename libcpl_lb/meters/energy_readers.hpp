// What can count energy on a node. `clock`: any steady clock.
#pragma once

#include "data/time.hpp"
#include "meters/options.hpp"
#include "meters/reader.hpp"

#include <memory>

namespace cpl_lb {

// Processors, from the kernel's hwmon folders; power is integrated over the clock.
[[nodiscard]] std::unique_ptr<Reader> make_hwmon_reader(const ReaderOptions &options,
                                                        Nanoseconds (*clock)() noexcept);

// NVIDIA GPUs, and modules that hold one, whose power is integrated over the clock.
[[nodiscard]] std::unique_ptr<Reader> make_nvml_reader(const ReaderOptions &options, Nanoseconds (*clock)() noexcept);

// AMD GPUs; the power of those without a counter is integrated over the clock.
[[nodiscard]] std::unique_ptr<Reader> make_rocm_smi_reader(const ReaderOptions &options,
                                                           Nanoseconds (*clock)() noexcept);

// The controller refreshes about ten times a second; after so long without a change the figures are old.
inline constexpr double pm_counters_stale_s = 5;

// A Cray node, as its controller counts it; the clock tells how long nothing was refreshed.
[[nodiscard]] std::unique_ptr<Reader> make_pm_counters_reader(const ReaderOptions &options,
                                                              Nanoseconds (*clock)() noexcept);

} // namespace cpl_lb
