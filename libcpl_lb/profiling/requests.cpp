// Keeps the operation of each request until it completes.
#include "profiling/requests.hpp"

#include <map>

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
    if (!good) return;
    Session &s = call_.session();
    if (transfer_.way == Way::collective && transfer_.active)
        s.collective(Session::Part::start, *transfer_.communicator, transfer_.what, transfer_.root, call_.begin(),
                     call_.begin());
    s.requests().insert(request_.key(0), std::move(transfer_));
}

StartSendAndReceive::StartSendAndReceive(const Call &call, int dest, int send_tag, int source, int tag, MPI_Comm comm,
                                         Requests request)
    : StartReceive(call, source, tag, comm, request) {
    call.session().poll_over();
    sent_ = Sent(call, dest, send_tag, comm);
}

void StartSendAndReceive::after(bool good) {
    if (!good) return;
    Session &s = call_.session();
    const Crossing &sent = sent_.crossing;
    s.span(CPL_LB_PUT, sent, call_.begin(), Session::now());
    const bool receive_crosses = known_ && transfer_.way == Way::receive;
    StartReceive::after(true);
    if (!receive_crosses && sent.field > 0) s.requests().insert(request_.key(0), {.way = Way::send, .message = sent});
}

namespace {

// A map, because MPI files have no attributes. Only the thread that records uses it.
std::map<std::uint64_t, std::shared_ptr<const Communicator>> joining_files;

} // namespace

std::shared_ptr<const Communicator> joined_by(MPI_File file) {
    if (joining_files.empty()) return {};
    const auto at = joining_files.find(key_of(file));
    return at == joining_files.end() ? nullptr : at->second;
}

void Open::after(bool good) {
    Together::after(good);
    if (!good || communicator_ == nullptr) return;
    joining_files[key_of(c_ != nullptr ? *c_ : PMPI_File_f2c(*fortran_))] = communicator_;
}

void Close::after(bool good) {
    Together::after(good);
    if (good) joining_files.erase(key_of(file_));
}

} // namespace cpl_lb::profiling
