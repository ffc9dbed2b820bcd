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

// What MPI knows stays: cpl_lb_terminate may be called by another one's end, while MPI walks through the list of
// them, and MPICH aborts when the list changes then. What records stays loaded, so that MPI can still call us.
void stop_watching_finalize() noexcept {
    action = nullptr;
}

} // namespace cpl_lb
