// Energy of a Cray node as its controller counts it.
#pragma once

#include "data/time.hpp"
#include "meters/options.hpp"
#include "meters/reader.hpp"

#include <memory>

namespace cpl_lb {

// The controller refreshes about ten times a second; after so long without a change the figures are old.
inline constexpr double pm_counters_stale_s = 5;

// `clock`: any steady clock; it tells how long nothing was refreshed.
[[nodiscard]] std::unique_ptr<Reader> make_pm_counters_reader(const ReaderOptions &options,
                                                              Nanoseconds (*clock)() noexcept);

} // namespace cpl_lb
