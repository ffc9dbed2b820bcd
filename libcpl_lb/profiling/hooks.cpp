// Blocking calls, and calls that begin a message.
#include "profiling/hooks.hpp"

namespace cpl_lb::profiling {

Send::Send(const Call &call, int dest, int tag, MPI_Comm comm) : call_(call) {
    call.session().poll_over();
    sent_ = Sent(call, dest, tag, comm);
}

void Send::after(bool good) {
    if (good) call_.session().span(CPL_LB_PUT, sent_.crossing, call_.begin(), Session::now());
}

Receive::Receive(const Call &call, int source, int tag, MPI_Comm comm, Statuses status)
    : call_(call), comm_(comm), source_(source), tag_(tag), partner_(call.partner(comm, source)), status_(status) {
    if (source == MPI_ANY_SOURCE && call.begin() != 0) status_.need(1);
    if (partner_ >= 0 || !call.session().joins_components(comm)) return;
    auto c = call.session().communicator(comm);
    if (!call.session().crosses(c.get(), source)) return;
    communicator_ = std::move(c);
    if (source == MPI_ANY_SOURCE || tag == MPI_ANY_TAG) status_.need(1);
}

namespace {

// Polls for messages are one wait whatever their source, because servers ask for one client after the other. No
// request has these keys.
constexpr std::uint64_t any_message = 1, a_receive = 2;

} // namespace

Crossing Receive::crossing() const {
    if (!communicator_) return {};
    return call_.session().crossing(communicator_.get(), source_ == MPI_ANY_SOURCE ? status_.source(0) : source_,
                                    tag_ == MPI_ANY_TAG ? status_.tag(0) : tag_);
}

// Polls directly before it belong to the wait.
std::uint64_t Receive::wait_began() const {
    Session &s = call_.session();
    s.poll_begins(call_.begin(), a_receive);
    const std::uint64_t begin = s.poll_began(call_.begin());
    s.poll_succeeded();
    return begin;
}

void Receive::waited(bool good) const {
    if (!good) return;
    const bool from_anybody = source_ == MPI_ANY_SOURCE && call_.begin() != 0;
    call_.session().waits_for(from_anybody ? call_.partner(comm_, status_.source(0)) : partner_);
}

void Receive::after(bool good) {
    waited(good);
    if (!communicator_) return call_.session().poll_over();
    const std::uint64_t end = Session::now();
    Session &s = call_.session();
    const Crossing got = good ? crossing() : Crossing{};
    if (got.field <= 0) return s.poll_over();
    s.span(CPL_LB_GET, got, s.waited_since(got.field, wait_began()), end);
}

SendAndReceive::SendAndReceive(const Call &call, int dest, int send_tag, int source, int tag, MPI_Comm comm,
                               Statuses status)
    : Receive(call, source, tag, comm, status) {
    sent_ = Sent(call, dest, send_tag, comm);
}

void SendAndReceive::after(bool good) {
    waited(good);
    if (!communicator_ && sent_.crossing.field <= 0) return call_.session().poll_over();
    const std::uint64_t end = Session::now();
    Session &s = call_.session();
    s.poll_over();
    const Crossing got = good ? crossing() : Crossing{};
    if (good) s.span(CPL_LB_PUT, sent_.crossing, call_.begin(), got.field > 0 ? call_.begin() : end);
    s.span(CPL_LB_GET, got, call_.begin(), end);
}

void Probe::after(bool good) {
    waited(good);
    if (!communicator_) return call_.session().poll_over();
    const std::uint64_t end = Session::now();
    Session &s = call_.session();
    const Crossing got = good ? crossing() : Crossing{};
    if (got.field <= 0) return s.poll_over();
    s.message_found(got, wait_began(), end);
}

Poll::Poll(const Call &call, int source, int tag, MPI_Comm comm, int *flag, Statuses status)
    : Receive(call, source, tag, comm, status), flag_(flag) {
    if (communicator_) call.session().poll_begins(call.begin(), any_message);
}

void Poll::after(bool good) {
    if (!good) return;
    if (!communicator_ && *flag_ == 0) return call_.session().poll_beside(call_.begin());
    if (!communicator_) return;
    const std::uint64_t end = Session::now();
    Session &s = call_.session();
    if (*flag_ == 0) return s.poll_failed(call_.begin(), end);
    const Crossing got = crossing();
    if (got.field <= 0) return s.poll_over(); // from a process of this component
    const std::uint64_t begin = s.poll_began(call_.begin());
    s.poll_succeeded();
    s.message_found(got, begin, end);
}

void MatchedProbe::after(bool good) {
    Probe::after(good);
    if (const Crossing got = good ? crossing() : Crossing{}; got.field > 0)
        call_.session().matched(message_.key(), got);
}

void MatchedPoll::after(bool good) {
    Poll::after(good);
    if (const Crossing got = good && *flag_ != 0 ? crossing() : Crossing{}; got.field > 0)
        call_.session().matched(message_.key(), got);
}

void MatchedReceive::after(bool good) {
    if (!good) return;
    const std::uint64_t end = Session::now();
    call_.session().span(CPL_LB_GET, crossing_, call_.session().waited_since(crossing_.field, call_.begin()), end);
}

StartSend::StartSend(const Call &call, int dest, int tag, MPI_Comm comm, Requests request)
    : call_(call), request_(request) {
    call.session().poll_over();
    sent_ = Sent(call, dest, tag, comm);
}

void StartSend::after(bool good) {
    if (!good) return;
    Session &s = call_.session();
    if (sent_.crossing.field <= 0) return s.requests().erase(request_.key(0)); // perhaps a handle that came again
    s.span(CPL_LB_PUT, sent_.crossing, call_.begin(), Session::now());
    s.requests().insert(request_.key(0), {.way = Way::send, .message = sent_.crossing});
}

namespace {

// A receive within the component. False: from nobody.
bool prepare_inside(const Call &call, Transfer &transfer, int rank, MPI_Comm comm) {
    if (transfer.way != Way::receive || call.begin() == 0) return false;
    transfer.way = Way::receive_inside;
    if (rank == MPI_ANY_SOURCE) {
        transfer.communicator = call.session().communicator(comm);
        return transfer.communicator != nullptr;
    }
    transfer.communicator = nullptr;
    transfer.message.process = call.partner(comm, rank);
    return transfer.message.process >= 0;
}

// False: nothing has to be remembered. field 0: the source is not known yet.
bool prepare(const Call &call, Transfer &transfer, int rank, int tag, MPI_Comm comm) {
    Session &s = call.session();
    if (!s.joins_components(comm)) return prepare_inside(call, transfer, rank, comm);
    transfer.communicator = s.communicator(comm);
    if (!s.crosses(transfer.communicator.get(), rank)) return prepare_inside(call, transfer, rank, comm);
    const bool known = rank != MPI_ANY_SOURCE && tag != MPI_ANY_TAG;
    if (known)
        transfer.message = s.crossing(transfer.communicator.get(), rank, tag);
    else
        transfer.communicator->take_name(); // it may be freed before the message comes
    return true;
}

} // namespace

StartReceive::StartReceive(const Call &call, int source, int tag, MPI_Comm comm, Requests request)
    : call_(call), request_(request) {
    transfer_.way = Way::receive;
    known_ = prepare(call, transfer_, source, tag, comm);
}

void StartReceive::after(bool good) {
    if (good) call_.session().request_begins(request_.key(0), known_, std::move(transfer_));
}

void StartMatchedReceive::after(bool good) {
    if (!good) return;
    call_.session().request_begins(request_.key(0), crossing_.field > 0, {.way = Way::receive, .message = crossing_});
}

Prepare::Prepare(const Call &call, Way way, int rank, int tag, MPI_Comm comm, Requests request)
    : call_(call), request_(request) {
    transfer_.way = way;
    transfer_.persistent = true;
    transfer_.active = false;
    known_ = prepare(call, transfer_, rank, tag, comm);
    if (way != Way::send) return;
    message_.to = call.partner(comm, rank);
    message_.field = transfer_.message.field;
}

void Prepare::after(bool good) {
    if (!good) return;
    if (transfer_.way == Way::send) call_.session().prepared_send(request_.key(0), message_);
    call_.session().request_begins(request_.key(0), known_, std::move(transfer_));
}

void Start::after(bool good) {
    if (!good) return;
    Session &s = call_.session();
    s.poll_over();
    const std::uint64_t end = Session::now();
    static std::vector<Crossing> sent; // only one thread records
    sent.clear();
    for (int i = 0; i < count_; ++i) {
        s.prepared_starts(requests_.key(i));
        Transfer *transfer = s.requests().find(requests_.key(i));
        if (transfer == nullptr) continue;
        transfer->active = true;
        if (transfer->way == Way::send) sent.push_back(transfer->message);
        if (transfer->way == Way::collective)
            s.collective(Session::Part::start, *transfer->communicator, transfer->what, transfer->root, call_.begin(),
                         call_.begin());
    }
    if (!sent.empty()) s.span(CPL_LB_PUT, sent, call_.begin(), end);
}

void Cancel::after(bool good) {
    Transfer *transfer = good ? call_.session().requests().find(key_) : nullptr;
    if (transfer != nullptr && transfer->active) transfer->cancelled = true;
}

Forget::Forget(const Call &call, Requests request) {
    call.session().requests().erase(request.key(0));
    call.session().prepared_send(request.key(0), {});
}

} // namespace cpl_lb::profiling
