// What the adapters do around a call of a coupler.
#pragma once

#include <cpl_lb/cpl_lb.h>

#include <mpi.h>

namespace cpl_lb::adapter {

// A coupler in a shared library calls its own functions through the adapter, too: only the outermost call counts.
class OutermostCall {
public:
    OutermostCall() { ++depth_; }
    ~OutermostCall() { --depth_; }
    OutermostCall(const OutermostCall &) = delete;
    OutermostCall &operator=(const OutermostCall &) = delete;
    [[nodiscard]] static bool inside_another() { return depth_ > 1; }

private:
    static inline int depth_ = 0;
};

// Nothing may pass into the code around us.
template <class Action>
void without_exceptions(Action action) noexcept {
    try {
        action();
    } catch (...) { // no memory for a name: the model runs on unrecorded
        return;
    }
}

template <class Real>
void event(int kind, int field, Real real) {
    cpl_lb_begin(kind, field);
    real();
    cpl_lb_end(kind, field);
}

// MPI takes the attributes of MPI_COMM_SELF away first of all when it ends, while messages still work. That is the
// end of models that never clean up, whichever of MPI's languages they end it in.
inline void watch(MPI_Comm comm, MPI_Comm_delete_attr_function *at_end) {
    int key = MPI_KEYVAL_INVALID;
    if (MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end, &key, nullptr) != MPI_SUCCESS) return;
    MPI_Comm_set_attr(comm, key, nullptr);
    MPI_Comm_free_keyval(&key); // lives on with the attribute
}

} // namespace cpl_lb::adapter
