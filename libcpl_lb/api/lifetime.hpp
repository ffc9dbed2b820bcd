// The library's life in a process: it ends in a forked child.
#pragma once

namespace cpl_lb {

// The forking thread calls leave() in every child that is forked while MPI runs. True: this is set up.
// A child that is forked before MPI_Init may become the model itself, so nothing is done there.
bool watch_forks(void (*leave)()) noexcept;
[[nodiscard]] bool in_forked_child() noexcept;

} // namespace cpl_lb
