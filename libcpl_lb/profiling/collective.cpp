// Collective operations: nothing tells when a process got what it waited for, so all of the time in the call is its
// wait.
#include "profiling/hooks.hpp"

namespace cpl_lb::profiling {

Together::Together(const Call &call, MPI_Comm comm) : call_(call) {
    auto c = call.session().communicator(comm);
    if (c && c->joins_components) communicator_ = std::move(c);
}

void Together::after(bool good) {
    if (!good || !communicator_) return;
    const std::uint64_t end = Session::now();
    Session &s = call_.session();
    s.poll_over();
    const std::vector<int> &fields = s.collective_fields(*communicator_);
    s.span(CPL_LB_PUT, fields, call_.begin(), call_.begin());
    s.span(CPL_LB_GET, fields, call_.begin(), end);
}

// In an intercommunicator the root gives MPI_ROOT, its companions MPI_PROC_NULL, and the others its rank.
void FromRoot::record(bool good, int kind_of_root, int kind_of_others) {
    if (!good || !communicator_) return;
    const std::uint64_t end = Session::now();
    Session &s = call_.session();
    s.poll_over();
    const Communicator &c = *communicator_;
    if (c.is_inter ? root_ == MPI_ROOT : root_ == c.rank) {
        s.span(kind_of_root, s.collective_fields(c), call_.begin(), end);
    } else if (root_ >= 0) {
        s.span(kind_of_others, s.collective_field(c, root_), call_.begin(), end);
    }
}

} // namespace cpl_lb::profiling
