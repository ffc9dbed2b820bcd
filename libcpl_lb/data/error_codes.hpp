// The codes of cpl_lb.h for rooms without MPI (that header includes it). api/ checks that they are the same.
#pragma once

namespace cpl_lb::error {

inline constexpr int order = -1, argument = -2, namelist = -3, mpi = -4, timeout = -5, io = -6, memory = -7,
                     thread = -8, dropped = -9, data = -10, internal = -11;

} // namespace cpl_lb::error
