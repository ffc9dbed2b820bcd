// Collective operations: nothing tells when a process got what it waited for, so all of the time in the call is its
// wait.
#include "profiling/hooks.hpp"

namespace cpl_lb::profiling {

Together::Together(const Call &call, std::shared_ptr<const Communicator> over) : call_(call) {
    if (over && over->joins_components) communicator_ = std::move(over);
}

void TogetherInNew::after(bool good) {
    if (!good) return;
    auto made = call_.session().communicator(made_.get());
    if (made && made->joins_components) communicator_ = std::move(made);
    Together::after(true);
}

void Together::record(bool good, Collective what, int root) {
    if (!good || !communicator_) return;
    const std::uint64_t end = Session::now();
    call_.session().poll_over();
    call_.session().collective(*communicator_, what, root, call_.begin(), end);
}

const std::vector<int> &Session::collective_fields(const Communicator &c) {
    if (c.collective_fields.empty())
        for (const int component : c.others)
            c.collective_fields.push_back(field_with(c, component, collective_tag));
    return c.collective_fields;
}

int Session::collective_field(const Communicator &c, int rank) {
    return rank >= 0 ? field_of(&c, rank, collective_tag) : 0;
}

// In an intercommunicator the root gives MPI_ROOT, its companions MPI_PROC_NULL, and the others its rank.
void Session::collective(const Communicator &c, Collective what, int root, std::uint64_t begin, std::uint64_t end) {
    if (what == Collective::together) {
        const std::vector<int> &fields = collective_fields(c);
        span(CPL_LB_PUT, fields, begin, begin);
        span(CPL_LB_GET, fields, begin, end);
        return;
    }
    const bool from_root = what == Collective::from_root;
    if (c.is_inter ? root == MPI_ROOT : root == c.rank) {
        span(from_root ? CPL_LB_PUT : CPL_LB_GET, collective_fields(c), begin, end);
    } else if (root >= 0) {
        span(from_root ? CPL_LB_GET : CPL_LB_PUT, collective_field(c, root), begin, end);
    }
}

} // namespace cpl_lb::profiling
