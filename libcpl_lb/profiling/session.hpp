// The recording at the level of MPI on this process: who is in which component, what a communicator joins, and the
// exchanges as events of cpl_lb. One thread records: the one that called MPI_Init, and when it has ended, the next
// one that calls MPI. The recording ends with MPI, on whatever thread that is.
#pragma once

#include "profiling/transfers.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cpl_lb/cpl_lb_inside.h>
#include <cstdint>
#include <map>
#include <memory>
#include <mpi.h>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace cpl_lb::profiling {

// Stands for a rank of a program that is not recorded.
inline constexpr int other_program = -1;
// Stands for a rank of another component of this program, if it is not known which.
inline constexpr int other_part = -2;
// Stands for a rank outside MPI_COMM_WORLD: of a program that was spawned or connected, or that spawned this one.
inline constexpr int other_world = -3;

// Who waits for whom in a collective operation: all for all, all for the root, or the root for all.
enum class Collective : std::uint8_t { together, from_root, to_root };

// Stands for the number of bytes of a request that sends nothing.
inline constexpr std::int64_t none_sent = -1;

// Two polls this close together belong to one wait.
inline constexpr std::int64_t longest_gap_ns = 100'000;
// The limit for each process, for messages and for collective operations separately. Later names share fields.
inline constexpr int most_named_fields = 1000;

// The components that a communicator joins: found once and kept with it as an attribute.
struct Communicator {
    int naming = 0;
    bool joins_components = false;
    bool is_inter = false;
    int rank = 0;                       // of this process in it
    std::vector<int> component_of_rank; // those of the remote group, if it is an intercommunicator; empty: all ours
    std::vector<int> rank_in_world;     // the same; below 0: outside it
    std::vector<int> others;            // all components but this one; those of the remote group, as above
    std::vector<int> components;        // all, on both sides of an intercommunicator
    // The communicator that names the fields. Its name is read late, at the first field or when it is freed.
    mutable MPI_Comm named_by = MPI_COMM_NULL;
    mutable std::string name; // empty: none
    void take_name() const;
    void is_new(MPI_Comm comm) const;                                 // the model has not had time to name it yet
    mutable std::unordered_map<std::uint64_t, int> *fields = nullptr; // of this name
    mutable std::map<std::tuple<bool, Collective, int>, int> collective_fields; // by whether it blocks, and the root
};

class Session {
public:
    [[nodiscard]] static std::uint64_t now() { return cpl_lb_ticks(); }
    // After MPI_Init and before MPI_Finalize; collective.
    void start();
    void finish();

    // False: the program's own calls of cpl_lb give the exchanges, and MPI what is inside the components.
    [[nodiscard]] bool records_exchanges() const { return records_exchanges_; }
    void leave_exchanges_to_program() { records_exchanges_ = false; }

    // Null: unknown, or no communicator. If the program's own calls give the exchanges, none joins components.
    [[nodiscard]] std::shared_ptr<const Communicator> communicator(MPI_Comm comm);
    // The components that a group of processes joins. Its messages go to ranks in the group.
    [[nodiscard]] std::shared_ptr<Communicator> look_at_group(MPI_Group group) const;
    // Whether a message to or from that rank crosses components; MPI_ANY_SOURCE: whether it may.
    [[nodiscard]] bool crosses(const Communicator *c, int rank) const;
    // The crossing of a message to or from that rank. Field 0: the rank is in this component.
    [[nodiscard]] Crossing crossing(const Communicator *c, int rank, int tag);
    // A field that no PUT or GET of the other side matches: the wait counts, as waiting for that component.
    [[nodiscard]] int unmatched_field_with(int component, const char *what);

    [[nodiscard]] Transfers &requests() { return requests_; }
    // A request that has begun; `known`: it is to be remembered. Else its handle may be one that MPI uses again.
    void request_begins(std::uint64_t key, bool known, Transfer &&transfer) {
        if (known) return requests_.insert(key, std::move(transfer));
        requests_.erase(key);
    }
    // A message that a matched probe has found, and what it is when it is received.
    void matched(std::uint64_t message, const Crossing &crossing) {
        messages_.insert(message, {.way = Way::receive, .message = crossing});
    }
    [[nodiscard]] Crossing taken(std::uint64_t message);
    void span(int kind, const std::vector<int> &fields, std::uint64_t begin, std::uint64_t end, int early = 0,
              std::uint64_t early_end = 0);
    void span(int kind, int field, std::uint64_t begin, std::uint64_t end);
    // The same for the messages of one call: one event for each of their fields. Those of `early` had come by
    // early_end.
    void span(int kind, const Crossing &message, std::uint64_t begin, std::uint64_t end);
    void span(int kind, const std::vector<Crossing> &messages, std::uint64_t begin, std::uint64_t end,
              const std::vector<Crossing> &early = {}, std::uint64_t early_end = 0);
    // A collective operation over a communicator that joins components, with the root that the model gave, if any,
    // is a SYNC from its begin to its end. One that does not block is a PUT of its own field, without length, when
    // it starts, and a SYNC in the call that completes it.
    enum class Part : std::uint8_t { whole, start, completion };
    void collective(Part part, const Communicator &c, Collective what, int root, std::uint64_t begin,
                    std::uint64_t end);

    // The messages of persistent requests, which begin when they are started. bytes: or none_sent.
    struct PreparedSend {
        std::int64_t bytes = none_sent;
        int to = -1, field = 0;
    };
    void prepared_send(std::uint64_t request, const PreparedSend &message);
    void prepared_starts(std::uint64_t request);

    // Polling (docs/evidence/recorded.md). poll_begins: before a call that asks, or waits, for `what`. poll_failed:
    // the call found nothing. poll_beside: nor did a call that asks for what is no exchange; it ends no wait.
    // poll_began: the begin of the wait, after the call that began at `begin` found something. poll_succeeded: it is
    // recorded.
    void poll_begins(std::uint64_t begin, std::uint64_t what, bool waits = false);
    void poll_failed(std::uint64_t begin, std::uint64_t end);
    void poll_beside(std::uint64_t begin);
    [[nodiscard]] bool polling() const { return polling_; }
    // Whether the polls of this wait asked for that.
    [[nodiscard]] bool is_asked(std::uint64_t what) const {
        return polling_ && (what == polled_ || is_asked_before(what));
    }
    [[nodiscard]] std::uint64_t poll_began(std::uint64_t begin);
    void poll_succeeded() { polling_ = false; }
    // The call was no exchange: the polls before it were no part of a wait, and count as time inside the component.
    void poll_over() {
        if (polling_) abandon_poll();
    }

    // A probe from `begin` to `end` found a message. If the next call of MPI receives it, both are one GET; otherwise
    // each is a GET of the same exchange.
    void message_found(const Crossing &message, std::uint64_t begin, std::uint64_t end);
    // The begin of the wait that ends with a receive of `field` called at `begin`.
    [[nodiscard]] std::uint64_t waited_since(int field, std::uint64_t begin);
    void probe_over() {
        if (found_.message.field > 0) tell_probe();
    }

    // The same as communicator(), without a shared pointer. Valid until the next call of either function.
    [[nodiscard]] const Communicator *look(MPI_Comm comm) {
        Seen &seen = seen_[(key_of(comm) * 0x9E3779B97F4A7C15U) >> 61U];
        if (seen.comm == comm) return seen.is;
        const Communicator *is = communicator(comm).get();
        if (comm == last_comm_) seen = {comm, is}; // else nothing tells when it is freed
        return is;
    }
    // Fast path, because nearly all messages stay inside a component: copies no shared pointer and does not call MPI.
    [[nodiscard]] bool joins_components(MPI_Comm comm) {
        if (!records_exchanges_) return false;
        const Communicator *c = look(comm);
        return c != nullptr && c->joins_components;
    }
    // The rank in MPI_COMM_WORLD of a process of this component; below 0 for any other process.
    [[nodiscard]] int partner(const Communicator *c, int rank) const {
        if (c == nullptr || rank < 0 || static_cast<std::size_t>(rank) >= c->rank_in_world.size()) return -1;
        return c->joins_components && crosses(c, rank) ? -1 : c->rank_in_world[static_cast<std::size_t>(rank)];
    }
    [[nodiscard]] int partner(MPI_Comm comm, int rank) { return rank < 0 ? -1 : partner(look(comm), rank); }
    // This call waits for a message from that partner.
    void waits_for(int partner) {
        if (partner >= 0) partners_.push_back(partner);
    }
    // The component of a process, by its rank in MPI_COMM_WORLD; below 0: not known, or another program.
    [[nodiscard]] int component_of(int process) const {
        const auto at = static_cast<std::size_t>(process);
        return process >= 0 && at < component_of_world_.size() ? component_of_world_[at] : other_program;
    }
    [[nodiscard]] int own_component() const { return mine_; }
    // This call, or the rest of it, is no exchange.
    void is_inside(std::uint64_t begin, std::uint64_t end) const {
        if (!partners_.empty() && class_ == CPL_LB_MPI_POINT_TO_POINT)
            cpl_lb_waited(partners_.data(), static_cast<int>(partners_.size()), begin, end);
        cpl_lb_inside(class_, begin, end);
    }
    // Null if the communicator lies within the component, or is not known.
    [[nodiscard]] std::shared_ptr<const Communicator> joining(MPI_Comm comm) {
        return joins_components(comm) ? communicator(comm) : nullptr;
    }

    // After the first MPI_Comm_split of MPI_COMM_WORLD: the parts of a program that runs alone become its components.
    void world_was_split(MPI_Comm part, int color);

    // Each call notes whether it was an exchange or a poll for one. If so, its time is not inside the component.
    void call_begins(cpl_lb_mpi_class mpi_class) {
        ++calls_;
        partners_.clear();
        exchanged_ = false;
        class_ = mpi_class;
    }
    // A call that is in progress until call_is_over(). bottom: the end of its frame on the stack, which grows
    // downwards; alive: a place in that frame, for a number that no other call has.
    void call_is_at(const void *bottom, std::uint64_t &alive) {
        in_progress_ = {bottom, &alive, calls_};
        alive = calls_;
    }
    void call_is_over() { in_progress_.bottom = nullptr; }
    // Whether the call in progress was left by a jump (longjmp): then a call whose frame begins at `top` is not
    // inside it. False, too, if no call is in progress.
    [[nodiscard]] bool call_was_left(const void *top) const;
    void note_left_call();
    // MPI ends, or has ended: nothing is recorded any more, on any thread.
    [[nodiscard]] bool is_over() const { return over_.load(std::memory_order_relaxed); }
    void is_over_now() { over_.store(true); }

    void is_of_class(cpl_lb_mpi_class mpi_class) { class_ = mpi_class; }
    [[nodiscard]] cpl_lb_mpi_class mpi_class() const { return class_; }
    void is_exchange() { exchanged_ = true; }
    [[nodiscard]] bool exchanged() const { return exchanged_; }

    void forget_last() {
        last_comm_ = MPI_COMM_NULL;
        seen_.fill({});
        ++times_forgotten_;
    }
    void forget_freed();
    [[nodiscard]] std::uint64_t times_forgotten() const { return times_forgotten_; }
    // Whether components were named after `c` was made.
    [[nodiscard]] bool is_outdated(const Communicator &c) const { return c.naming != naming_; }
    void set_components(std::vector<int> of_world, std::vector<std::string> names, int mine, bool may_be_split,
                        bool by_folders);

private:
    void tell_of_names() const;
    [[nodiscard]] std::shared_ptr<Communicator> look_at(MPI_Comm comm) const;
    void add_own_side(MPI_Comm intercomm, Communicator &c) const;
    [[nodiscard]] const char *counterpart_name(int component, const char *of_another_part) const;
    [[nodiscard]] bool keeps_collective_name(const std::string &name);
    [[nodiscard]] int collective_field(const Communicator &c, bool blocks, Collective what, int root);
    [[nodiscard]] int root_of(const Communicator &c, int root) const;
    [[nodiscard]] std::string root_in_words(int root) const;
    [[nodiscard]] std::string partners_in_words(const Communicator &c) const;
    [[nodiscard]] int field_with(const Communicator &c, int component, int tag);
    [[nodiscard]] int new_field(const Communicator &c, int component, int tag);
    [[nodiscard]] std::unordered_map<std::uint64_t, int> &fields_named(const std::string &name);
    [[nodiscard]] bool is_asked_before(std::uint64_t what) const {
        const auto *end = asked_.data() + asked_count_;
        return std::find(asked_.data(), end, what) != end;
    }
    void leave_out_computing(std::uint64_t now);
    void abandon_poll();
    void tell_probe();
    // Makes the field and notes its counterpart.
    [[nodiscard]] int known_field(const char *name, int component, const char *of_another_part);

    int keyval_ = MPI_KEYVAL_INVALID;
    std::vector<int> component_of_world_;
    std::vector<std::string> component_names_;
    int mine_ = other_program;
    bool may_be_split_ = false, by_folders_ = false;
    int naming_ = 0; // how often components were named; a Communicator may be older
    MPI_Comm last_comm_ = MPI_COMM_NULL;
    std::shared_ptr<const Communicator> last_;
    std::shared_ptr<const Communicator> part_; // this part's, if the program split MPI_COMM_WORLD
    struct Seen {
        MPI_Comm comm = MPI_COMM_NULL;
        const Communicator *is = nullptr; // an attribute of the communicator keeps it
    };
    std::uint64_t times_forgotten_ = 0;
    std::array<Seen, 8> seen_; // by a hash of the communicator: 3 bits
    Transfers requests_, messages_;
    MessageLogs logs_; // of messages that crossed components
    std::vector<int> partners_;
    std::unordered_map<std::uint64_t, PreparedSend> prepared_;
    std::unordered_map<std::uint64_t, int> unmatched_;
    // Fields by the name of the communicator, then by tag and component.
    std::unordered_map<std::string, std::unordered_map<std::uint64_t, int>> fields_;
    int field_count_ = 0;
    std::unordered_set<std::string> collective_names_; // of communicators
    bool records_exchanges_ = true;
    bool exchanged_ = false;
    std::atomic<bool> over_{false};
    cpl_lb_mpi_class class_ = CPL_LB_MPI_POINT_TO_POINT;
    std::uint64_t calls_ = 0;
    struct InProgress {
        const void *bottom = nullptr; // null: no call is in progress
        const std::uint64_t *alive = nullptr;
        std::uint64_t number = 0;
    } in_progress_;
    std::int64_t left_calls_ = 0; // by a jump
    struct Found {                // a message that a probe found, and the number of that call
        Crossing message{};
        std::uint64_t begin = 0, end = 0, call = 0;
    } found_;
    bool polling_ = false;
    std::uint64_t polled_ = 0;              // what the last poll asked for
    std::array<std::uint64_t, 16> asked_{}; // what the polls asked for; more is not remembered
    std::size_t asked_count_ = 0;
    cpl_lb_mpi_class poll_class_ = CPL_LB_MPI_POINT_TO_POINT;
    std::uint64_t poll_begin_ = 0, poll_end_ = 0, poll_ticks_ = 0;     // poll_ticks_: inside the calls
    std::uint64_t computes_in_gap_ = 0;                                // ticks, where that took most of it
    std::uint64_t gap_count_ = 0, long_gaps_ = 0, long_gap_count_ = 0; // between polls since ...
    std::uint64_t processor_read_ = 0; // ... the time that this thread computed was read ...
    std::int64_t processor_ns_ = 0;    // ... and what it was
    std::uint64_t longest_gap_ = 0;    // of computing between two polls of one wait, in ticks
};

[[nodiscard]] int size_of_world();
// Whether this thread records, and MPI goes on.
[[nodiscard]] bool records_here() noexcept;

// The session of this thread. Null on other threads, inside another call of MPI, and while nothing is recorded. top,
// alive: where the call is on the stack (Session::call_is_at).
[[nodiscard]] Session *enter(cpl_lb_mpi_class mpi_class, const void *top, std::uint64_t &alive) noexcept;
void leave(Session *session, std::uint64_t begin) noexcept;
// Called instead of leave(): from now on no call of this process is recorded. Prints this once.
void give_up() noexcept;
// Called on other threads than the one that records. Returns the time now, in nanoseconds; 0: it is not counted.
[[nodiscard]] std::int64_t enter_elsewhere() noexcept;
void leave_elsewhere(std::int64_t begin_ns) noexcept;

// Called in MPI_Init and MPI_Finalize. An error is printed, and MPI goes on.
void mpi_has_begun() noexcept;
void mpi_will_end() noexcept;
// Whether this program would take the library's own work for an error. Prints one line if so.
[[nodiscard]] bool must_not_be_recorded() noexcept;
// Whether MPI_Init was called.
[[nodiscard]] bool mpi_was_begun() noexcept;
#if MPI_VERSION >= 4
// Prints in one line that sessions are not recorded: without MPI_COMM_WORLD nobody can name the components.
void tell_that_sessions_are_not_recorded(MPI_Session session);
#endif

// Whether the program, or an adapter in it, calls cpl_lb itself: these calls then give the exchanges.
enum class OwnCalls : std::uint8_t {
    none,
    of_the_library, // of the library that records MPI, too
    of_a_copy       // of a copy linked statically into the program or one of its libraries
};

[[nodiscard]] OwnCalls own_calls();

} // namespace cpl_lb::profiling
