// Keeps this library loaded.
#pragma once

namespace cpl_lb {

// From now on dlclose() does not unload this code: a thread runs in it, MPI calls it, or the model holds its
// functions.
void stay_loaded() noexcept;

} // namespace cpl_lb
