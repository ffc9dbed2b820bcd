// Whether the MPI that runs is the one that this library was built with: their handles differ (integers in MPICH,
// pointers in OpenMPI), so that the first call with a handle of the other one would end the model.
#pragma once

#include <string>
#include <string_view>

namespace cpl_lb {

enum class MpiFamily { open_mpi, mpich, other };

// From the text of MPI_Get_library_version. MPICH's family shares one binary interface.
[[nodiscard]] MpiFamily family_of(std::string_view library_version);

// Empty: they fit. Needs no handle, and may be called at any time.
[[nodiscard]] std::string why_not_this_mpi();

// One process of the job tells it, as far as the launcher's environment says who that is.
[[nodiscard]] bool is_told_here();

} // namespace cpl_lb
