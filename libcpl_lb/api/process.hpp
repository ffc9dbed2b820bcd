// What the entry points must know of the process: whether the running MPI is the one that this library was built
// with, and forks. Handles of two MPIs differ (integers in MPICH, pointers in OpenMPI), so that the first call with a
// handle of the other one would end the model.
#pragma once

#include <string>
#include <string_view>

namespace cpl_lb {

enum class MpiFamily { open_mpi, mpich, other };

// The family of an MPI, from the text of MPI_Get_library_version. MPICH's family shares one binary interface.
[[nodiscard]] MpiFamily family_of(std::string_view library_version);

// Why the two MPIs do not fit; empty: they fit. Needs no handle, and may be called at any time.
[[nodiscard]] std::string why_not_this_mpi();

// Whether this process prints it: one of the job, as far as the launcher's environment shows.
[[nodiscard]] bool is_told_here();

// The forking thread calls leave() in every child that is forked while MPI runs. True: this is set up.
// A child that is forked before MPI_Init may become the model itself, so nothing is done there.
bool watch_forks(void (*leave)()) noexcept;
[[nodiscard]] bool in_forked_child() noexcept;

} // namespace cpl_lb
