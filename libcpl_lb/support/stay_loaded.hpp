// Keeps this library where it is.
#pragma once

namespace cpl_lb {

// From now on dlclose() leaves this code where it is: a thread runs in it, MPI calls it, or the model holds its
// functions.
void stay_loaded() noexcept;

} // namespace cpl_lb
