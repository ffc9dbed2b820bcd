// The settings, read on rank 0 and broadcast: the only message when the library is switched off.
#pragma once

#include "data/settings.hpp"

#include <mpi.h>
#include <string>

namespace cpl_lb {

struct SharedSettings {
    Settings settings;   // enabled only if all went well
    int code = 0;        // CPL_LB_OK or an error
    std::string message; // for standard error on this process; may be empty
};

// Collective over comm. Waits asleep; a process that waits longer than its time limit goes on switched off.
[[nodiscard]] SharedSettings share_settings(MPI_Comm comm);

// own: the duplicate that carries the library's messages, with MPI_ERRORS_RETURN. CPL_LB_OK, or an error and what to
// say of it: others did not come, or MPI failed.
[[nodiscard]] int duplicate(MPI_Comm comm, double timeout_s, MPI_Comm &own, std::string &message);

} // namespace cpl_lb
