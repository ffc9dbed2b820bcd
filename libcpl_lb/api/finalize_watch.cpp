// MPI deletes the attributes of MPI_COMM_SELF first of all in MPI_Finalize (MPI 3.1, 8.7.1), and calls us for ours.
#include "api/finalize_watch.hpp"

#include <mpi.h>

namespace cpl_lb {
namespace {

void (*action)() = nullptr;

} // namespace

extern "C" {
static int cpl_lb_self_is_freed(MPI_Comm /*comm*/, int /*key*/, void * /*value*/, void * /*extra*/) {
    if (action != nullptr) action();
    return MPI_SUCCESS;
}
}

void watch_finalize(void (*at_finalize)()) noexcept {
    action = at_finalize;
    int keyval = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &cpl_lb_self_is_freed, &keyval, nullptr);
    if (keyval == MPI_KEYVAL_INVALID) return;
    MPI_Comm_set_attr(MPI_COMM_SELF, keyval, nullptr);
    MPI_Comm_free_keyval(&keyval); // lives on with the attribute
}

// The attribute stays: cpl_lb_terminate may be called by another one's end, while MPI walks through the list of them,
// and MPICH aborts when the list changes then. What records stays loaded, so that MPI can still call us.
void stop_watching_finalize() noexcept {
    action = nullptr;
}

} // namespace cpl_lb
