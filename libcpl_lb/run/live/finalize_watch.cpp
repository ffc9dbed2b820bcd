// The beginning of MPI_Finalize is where MPI frees MPI_COMM_SELF.
#include "run/live/finalize_watch.hpp"

#include "mpi/when_freed.hpp"

#include <new>

namespace cpl_lb {
namespace {

void (*action)() = nullptr;

} // namespace

void watch_finalize(void (*at_finalize)()) noexcept {
    action = at_finalize;
    try {
        when_freed(MPI_COMM_SELF, [] {
            if (action != nullptr) action();
        });
    } catch (const std::bad_alloc &) { // only nothing is told
    }
}

// The attribute stays in MPI: another attribute's deletion may call cpl_lb_terminate while MPI walks through the
// list, and MPICH aborts if the list changes then. The library stays loaded, so that MPI can still call it.
void stop_watching_finalize() noexcept {
    action = nullptr;
}

} // namespace cpl_lb
