// Keeps the operation of each request until it completes.
#include "profiling/requests.hpp"

namespace cpl_lb::profiling {

void StartInside::after(bool good) {
    if (!good) return;
    const auto mpi_class = static_cast<std::uint8_t>(call_.session().mpi_class());
    call_.session().requests().insert(request_.key(0), {.way = Way::inside, .mpi_class = mpi_class});
}

StartTogether::StartTogether(const Call &call, std::shared_ptr<const Communicator> over, Requests request,
                             Collective what, int root)
    : call_(call), request_(request) {
    transfer_.way = Way::inside;
    transfer_.mpi_class = static_cast<std::uint8_t>(call.session().mpi_class());
    if (!over || !over->joins_components) return;
    transfer_.way = Way::collective;
    transfer_.communicator = std::move(over);
    transfer_.communicator->take_name(); // it may be freed before the operation completes
    transfer_.what = what;
    transfer_.root = root;
}

void StartTogether::after(bool good) {
    if (good) call_.session().requests().insert(request_.key(0), std::move(transfer_));
}

StartSendAndReceive::StartSendAndReceive(const Call &call, int dest, int send_tag, int source, int tag, MPI_Comm comm,
                                         Requests request)
    : StartReceive(call, source, tag, comm, request) {
    Session &s = call.session();
    s.poll_over();
    sent_ = s.crossing_in(comm, dest, send_tag);
}

void StartSendAndReceive::after(bool good) {
    if (!good) return;
    Session &s = call_.session();
    s.span(CPL_LB_PUT, sent_, call_.begin(), Session::now());
    StartReceive::after(true);
    if (!crosses_ && sent_.field > 0) s.requests().insert(request_.key(0), {.way = Way::send, .message = sent_});
}

} // namespace cpl_lb::profiling
