// MPI deletes the attributes of a communicator that is freed, and calls us for ours.
#include "mpi/when_freed.hpp"

#include "support/system.hpp"

#include <memory>
#include <new>

namespace cpl_lb {

extern "C" {
static int cpl_lb_communicator_ends(MPI_Comm /*comm*/, int /*key*/, void *value, void * /*extra*/) {
    const std::unique_ptr<std::function<void()>> then(static_cast<std::function<void()> *>(value));
    try {
        (*then)();
    } catch (const std::bad_alloc &) { // the model ends: what is left undone, MPI tells of
    }
    return MPI_SUCCESS;
}
}

bool when_freed(MPI_Comm comm, std::function<void()> then) {
    int key = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &cpl_lb_communicator_ends, &key, nullptr);
    if (key == MPI_KEYVAL_INVALID) return false;
    stay_loaded(); // MPI calls us, also if all else fails here
    auto value = std::make_unique<std::function<void()>>(std::move(then));
    const bool set = MPI_Comm_set_attr(comm, key, value.get()) == MPI_SUCCESS;
    if (set) static_cast<void>(value.release());
    MPI_Comm_free_keyval(&key); // lives on with the attribute
    return set;
}

} // namespace cpl_lb
