// The picture of a run for ncview and Ferret: the main kind of each process, in equal bins of the run's time
// (docs/timelines.md). analysis/kind_raster.hpp makes it, with a row for each process.
#pragma once

#include "data/time.hpp"

#include <cstddef>

namespace cpl_lb {

inline constexpr std::size_t raster_bins = 2048;
// Values beside the kinds.
inline constexpr signed char raster_computing = -1;
// Before the component's first init, after its last terminate, or inside another component of the same process.
inline constexpr signed char raster_not_running = -127;
// Beside the kinds, if MPI was recorded: the share of each bin in which the process was in MPI inside its
// component, in percent.
inline constexpr signed char inside_not_known = -1;

// The begin of a bin in a run that lasts from 0 to `end`. The last bin ends where bin raster_bins would begin.
[[nodiscard]] constexpr Nanoseconds raster_edge(Nanoseconds end, std::size_t bin) {
    return static_cast<Nanoseconds>(static_cast<WideNanoseconds>(end) * static_cast<WideNanoseconds>(bin) /
                                    static_cast<WideNanoseconds>(raster_bins));
}

} // namespace cpl_lb
