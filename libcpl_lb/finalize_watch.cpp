// MPI deletes the attributes of MPI_COMM_SELF first of all in MPI_Finalize (MPI 3.1, 8.7.1), and calls us for ours.
#include "finalize_watch.hpp"

#include <mpi.h>

namespace cpl_lb {
namespace {

int keyval = MPI_KEYVAL_INVALID;
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
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &cpl_lb_self_is_freed, &keyval, nullptr);
    if (keyval != MPI_KEYVAL_INVALID) MPI_Comm_set_attr(MPI_COMM_SELF, keyval, nullptr);
}

void stop_watching_finalize() noexcept {
    action = nullptr;
    if (keyval == MPI_KEYVAL_INVALID) return;
    MPI_Comm_delete_attr(MPI_COMM_SELF, keyval);
    MPI_Comm_free_keyval(&keyval);
}

} // namespace cpl_lb
