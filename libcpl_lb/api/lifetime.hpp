// The library and the life of a process: it ends where the process forks.
#pragma once

namespace cpl_lb {

// leave() is called in every child that is forked while MPI runs, by the thread that forked. True: it will be.
// A child that is forked before MPI_Init may become the model itself, and is left as it is.
bool watch_forks(void (*leave)()) noexcept;
[[nodiscard]] bool in_forked_child() noexcept;

} // namespace cpl_lb
