// The hooks that record a call of MPI: one class for each way of waiting (calls.inc names the hook of each function).
// A hook is made from the arguments before the call; after() is told whether the call succeeded. Hooks change nothing
// that the model sees.
#pragma once

#include "profiling/arguments.hpp"

namespace cpl_lb::profiling {

// The session and the begin of a call, for the hooks below. A call without an exchange counts as time in MPI inside
// the component.
class Call {
public:
    // Inlined: the place on the stack is that of MPI's function.
    [[gnu::always_inline]] explicit Call(cpl_lb_mpi_class mpi_class)
        : session_(enter(mpi_class, __builtin_dwarf_cfa(), alive_)), begin_(session_ != nullptr ? Session::now() : 0),
          begin_elsewhere_(session_ != nullptr ? 0 : enter_elsewhere()) {}
    ~Call() {
        if (session_ != nullptr) {
            leave(session_, begin_);
        } else if (begin_elsewhere_ != 0) {
            leave_elsewhere(begin_elsewhere_);
        }
    }
    // Runs a hook, unless the recording has ended on this process. No exception may pass through MPI's callers in C
    // and Fortran: if memory runs out, the recording ends here, and the model goes on.
    template <class Work>
    void guard(Work work) noexcept {
        if (session_ == nullptr) return;
        try {
            work();
        } catch (...) {
            give_up();
            session_ = nullptr;
        }
    }
    Call(const Call &) = delete;
    Call &operator=(const Call &) = delete;
    [[nodiscard]] bool recorded() const { return session_ != nullptr; }
    [[nodiscard]] Session &session() const { return *session_; }
    [[nodiscard]] std::uint64_t begin() const { return begin_; }
    // The rank in MPI_COMM_WORLD of a process of this component; below 0 for other processes, or if the library is
    // off.
    [[nodiscard]] int partner(MPI_Comm comm, int rank) const {
        return begin_ != 0 ? session_->partner(comm, rank) : -1;
    }

private:
    std::uint64_t alive_ =
        0; // before session_, whose constructor writes it: the call's number, while its frame is there
    Session *session_;
    std::uint64_t begin_;
    std::int64_t begin_elsewhere_; // if this is another thread; in nanoseconds
};

// Calls that are never exchanges, whatever their communicator joins.
class Inside {
public:
    explicit Inside(const Call & /*call*/) {}
    void after(bool /*good*/) {}
};

// A message that is sent: to another component, or to a process of this one.
struct Sent {
    Crossing crossing{};
    int partner = -1;

    Sent() = default;
    Sent(const Call &call, int dest, int tag, MPI_Comm comm) {
        Session &s = call.session();
        const Communicator *c = dest >= 0 && call.begin() != 0 ? s.look(comm) : nullptr;
        if (c == nullptr) return;
        if (c->joins_components) crossing = s.crossing(c, dest, tag);
        if (crossing.field <= 0) partner = s.partner(c, dest);
    }
    void carries(std::int64_t bytes) const { cpl_lb_message(bytes, partner, crossing.field); }
};

class Send {
public:
    Send(const Call &call, int dest, int tag, MPI_Comm comm);
    void carries(std::int64_t bytes) const { sent_.carries(bytes); }
    void after(bool good);

private:
    const Call &call_;
    Sent sent_;
};

class Receive {
public:
    Receive(const Call &call, int source, int tag, MPI_Comm comm, Statuses status);
    void after(bool good);

protected:
    [[nodiscard]] Crossing crossing() const; // after the call
    [[nodiscard]] std::uint64_t wait_began() const;
    void waited(bool good) const; // if the message came from this component
    const Call &call_;
    MPI_Comm comm_;
    std::shared_ptr<const Communicator> communicator_; // null: within the component
    int source_, tag_;
    int partner_; // of this component; below 0: another one, or not known yet
    Statuses status_;
};

// MPI_Sendrecv: the receive has the wait, and the send is an event without length before it.
class SendAndReceive : public Receive {
public:
    SendAndReceive(const Call &call, int dest, int send_tag, int source, int tag, MPI_Comm comm, Statuses status);
    void carries(std::int64_t bytes) const { sent_.carries(bytes); }
    void after(bool good);

private:
    Sent sent_;
};

// A probe does not receive the message, so its wait belongs to a field that no PUT matches.
class Probe : public Receive {
public:
    using Receive::Receive;
    void after(bool good);
};
class Poll : public Receive {
public:
    Poll(const Call &call, int source, int tag, MPI_Comm comm, int *flag, Statuses status);
    void after(bool good);

protected:
    int *flag_;
};
class MatchedProbe : public Probe {
public:
    MatchedProbe(const Call &call, int source, int tag, MPI_Comm comm, Message message, Statuses status)
        : Probe(call, source, tag, comm, status), message_(message) {}
    void after(bool good);

private:
    Message message_;
};
class MatchedPoll : public Poll {
public:
    MatchedPoll(const Call &call, int source, int tag, MPI_Comm comm, int *flag, Message message, Statuses status)
        : Poll(call, source, tag, comm, flag, status), message_(message) {}
    void after(bool good);

private:
    Message message_;
};
class MatchedReceive {
public:
    MatchedReceive(const Call &call, Message message) : call_(call), crossing_(call.session().taken(message.key())) {}
    void after(bool good);

private:
    const Call &call_;
    Crossing crossing_;
};

class StartSend {
public:
    StartSend(const Call &call, int dest, int tag, MPI_Comm comm, Requests request);
    void carries(std::int64_t bytes) const { sent_.carries(bytes); }
    void after(bool good);

private:
    const Call &call_;
    Sent sent_;
    Requests request_;
};
class StartReceive {
public:
    StartReceive(const Call &call, int source, int tag, MPI_Comm comm, Requests request);
    void after(bool good);

protected:
    const Call &call_;
    Requests request_;
    Transfer transfer_;
    bool known_ = false; // it crosses components, or its partner is of this one
};
class StartMatchedReceive {
public:
    StartMatchedReceive(const Call &call, Message message, Requests request)
        : call_(call), request_(request), crossing_(call.session().taken(message.key())) {}
    void after(bool good);

private:
    const Call &call_;
    Requests request_;
    Crossing crossing_;
};
// Initialises persistent requests.
class Prepare {
public:
    Prepare(const Call &call, Way way, int rank, int tag, MPI_Comm comm, Requests request);
    void carries(std::int64_t bytes) { message_.bytes = bytes; }
    void after(bool good);

private:
    const Call &call_;
    Requests request_;
    Transfer transfer_;
    Session::PreparedSend message_;
    bool known_ = false;
};
// Initialises partitioned ones, whose arguments are others: their size is not told.
class PrepareParts : public Prepare {
public:
    using Prepare::Prepare;
    void carries(std::int64_t bytes) = delete;
};
class Start {
public:
    Start(const Call &call, int count, Requests requests) : call_(call), count_(count), requests_(requests) {}
    void after(bool good);

private:
    const Call &call_;
    int count_;
    Requests requests_;
};
class Forget {
public:
    Forget(const Call &call, Requests request);
    void after(bool /*good*/) {}
};

// When the request completes, its status tells whether it was cancelled.
class Cancel {
public:
    Cancel(const Call &call, Requests request) : call_(call), key_(request.any() ? request.key(0) : 0) {}
    void after(bool good);

private:
    const Call &call_;
    std::uint64_t key_;
};

// The common part of the calls that complete requests.
class Completion {
protected:
    // waits: the call returns when requests are done; else it asks whether they are.
    Completion(const Call &call, int count, Requests requests, Statuses statuses, bool waits);
    // Request `i` is done, and its status is at `place`.
    void done(int i, int place);
    void record(bool good);
    void failed_poll();
    void forget_failed();
    void ask(bool waits);
    const Call &call_;
    int count_;
    Requests requests_;
    Statuses statuses_;
    [[nodiscard]] Crossing crossing_of(const Transfer &transfer, int place) const;
    bool any_ = false; // one of the requests crosses components

private:
    void begin_wait(std::uint64_t what);
    void ask_for(int place, const Transfer &transfer);
    [[nodiscard]] std::uint64_t split_by_last();
    // The process of this component whose message has come.
    [[nodiscard]] int partner_of(const Transfer &transfer, int place) const;
    bool waits_;
    bool known_ = false;     // one of the requests is known
    bool files_ = false;     // one of them is of a file
    bool completed_ = false; // one of these is complete
};
// MPI_Request_get_status and MPI_Parrived: the request stays, and another call completes it.
class Look : public Completion {
public:
    Look(const Call &call, Requests request, Statuses status, int *flag)
        : Completion(call, 1, request, status, false), flag_(flag) {}
    Look(const Call &call, Requests request, int *flag) : Look(call, request, Statuses(no_status()), flag) {}
    void after(bool good);

private:
    static MPI_Status *&no_status() {
        static MPI_Status *none = MPI_STATUS_IGNORE;
        return none;
    }
    int *flag_;
};
class Complete : public Completion {
public:
    Complete(const Call &call, int count, Requests requests, Statuses statuses, int *flag = nullptr)
        : Completion(call, count, requests, statuses, flag == nullptr), flag_(flag) {
        if (flag == nullptr) ask(true);
    }
    void after(bool good);

private:
    int *flag_;
};
class CompleteOne : public Completion {
public:
    CompleteOne(const Call &call, int count, Requests requests, int *index, int *flag, Statuses status)
        : Completion(call, count, requests, status, flag == nullptr), index_(index), flag_(flag) {}
    void after(bool good);

private:
    int *index_, *flag_;
};
class CompleteSome : public Completion {
public:
    CompleteSome(const Call &call, int count, Requests requests, int *out_count, int *indices, Statuses statuses,
                 bool tests)
        : Completion(call, count, requests, statuses, !tests), out_count_(out_count), indices_(indices),
          tests_(tests) {}
    void after(bool good);

private:
    int *out_count_, *indices_;
    bool tests_;
};

// A collective operation over several components is a SYNC for the whole call, whatever the root.
class Together {
public:
    Together(const Call &call, MPI_Comm comm, Collective what = Collective::together, int root = MPI_PROC_NULL)
        : Together(call, call.session().joining(comm), what, root) {}
    Together(const Call &call, std::shared_ptr<const Communicator> over, Collective what = Collective::together,
             int root = MPI_PROC_NULL);
    void after(bool good);

protected:
    const Call &call_;
    std::shared_ptr<const Communicator> communicator_; // null: within the component

private:
    Collective what_;
    int root_;
};
class Split : public Together {
public:
    Split(const Call &call, MPI_Comm comm, int color, NewCommunicator part)
        : Together(call, comm), of_world_(comm == MPI_COMM_WORLD), color_(color), part_(part) {}
    void after(bool good) {
        Together::after(good);
        if (good && of_world_) call_.session().world_was_split(part_.get(), color_);
    }

private:
    bool of_world_;
    int color_;
    NewCommunicator part_;
};
// Collective over the communicator that the call makes, and over no other process.
class TogetherInNew : public Together {
public:
    TogetherInNew(const Call &call, NewCommunicator made) : Together(call, MPI_COMM_NULL), made_(made) {}
    void after(bool good);

private:
    NewCommunicator made_;
};

} // namespace cpl_lb::profiling
