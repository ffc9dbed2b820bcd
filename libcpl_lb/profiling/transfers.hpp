// Messages and operations that are not complete, by MPI's handle of the request or matched message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace cpl_lb::profiling {

// A message: its partner's rank in MPI_COMM_WORLD, and how the call is related to it (cpl_lb_messages).
using LoggedMessage = std::uint32_t;
inline constexpr LoggedMessage logged_last = 1U << 31U, logged_next = 1U << 30U, logged_again = 1U << 29U;
// The kinds that have messages, as cpl_lb.h has them.
inline constexpr int put_kind = 1, get_kind = 2;

// A message to or from another component.
struct Crossing {
    int field = 0;         // 0: none
    int process = -1;      // the partner's rank in MPI_COMM_WORLD; less than 0: not known
    LoggedMessage how = 0; // logged_next, logged_again, or 0
};

class MessageLogs {
public:
    // Adds one call: one event of the message's field, or of each of the messages' fields.
    void add(int kind, const Crossing &message) { add_to(log_of(kind, message.field), message, logged_last); }
    void add(int kind, const std::vector<Crossing> &messages) {
        for (const Crossing &m : messages)
            add_to(log_of(kind, m.field), m, 0);
        for (const Crossing &m : messages)
            if (std::vector<LoggedMessage> &log = log_of(kind, m.field); !log.empty()) log.back() |= logged_last;
    }
    // Stops logging a field: the program at its other end keeps no such list.
    void leave_out(int field) {
        static_cast<void>(log_of(put_kind, field));
        left_out_[static_cast<std::size_t>(field)] = true;
    }
    // Calls visit(kind, field, messages) for each list.
    template <class Visit>
    void for_each(Visit visit) const {
        for (std::size_t i = 0; i < logs_.size(); ++i)
            if (!logs_[i].empty()) visit(i % 2 == 0 ? put_kind : get_kind, static_cast<int>(i / 2), logs_[i]);
    }

private:
    [[nodiscard]] std::vector<LoggedMessage> &log_of(int kind, int field) {
        const auto f = static_cast<std::size_t>(field);
        if (2 * f >= logs_.size()) {
            logs_.resize(2 * f + 2);
            left_out_.resize(f + 1);
        }
        return logs_[2 * f + (kind == get_kind ? 1 : 0)];
    }
    void add_to(std::vector<LoggedMessage> &log, const Crossing &m, LoggedMessage last) {
        if (m.process < 0 || left_out_[static_cast<std::size_t>(m.field)]) return;
        log.push_back(static_cast<LoggedMessage>(m.process) | m.how | last);
    }

    std::vector<std::vector<LoggedMessage>> logs_; // by field, PUT and GET in turn
    std::vector<bool> left_out_;                   // by field
};

struct Communicator;

// receive_inside: from a process of this component, by its rank in MPI_COMM_WORLD, or from any process of
// `communicator`.
enum class Way : std::uint8_t { send, receive, receive_inside, collective, inside };
enum class Collective : std::uint8_t;

struct Transfer {
    Way way = Way::send;
    bool persistent = false;
    bool active = true;         // a persistent one between its start and its completion
    bool cancelled = false;     // the model cancelled it; the status tells whether a message came before
    std::uint8_t mpi_class = 0; // Way::inside (no exchange): cpl_lb_mpi_class of its time
    Crossing message{};         // field 0: unknown until it is complete, because anybody may send it
    std::shared_ptr<const Communicator> communicator{};
    Collective what{}; // Way::collective, over `communicator`
    int root = 0;
};

template <class Handle>
[[nodiscard]] std::uint64_t key_of(Handle handle) {
    if constexpr (std::is_pointer_v<Handle>) {
        return reinterpret_cast<std::uintptr_t>(handle);
    } else {
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(handle));
    }
}

// A hash table with linear probing: it allocates only when it grows.
class Transfers {
public:
    [[nodiscard]] bool empty() const { return count_ == 0; }
    [[nodiscard]] Transfer *find(std::uint64_t key);
    void insert(std::uint64_t key, Transfer transfer); // replaces one with the same key
    void erase(std::uint64_t key) {
        if (count_ != 0) erase_slot(place_of(key));
    }
    void erase_found(Transfer *transfer) {
        erase_slot(static_cast<std::size_t>(static_cast<Slot *>(transfer) - slots_.data()));
    }

private:
    struct Slot : Transfer {
        std::uint64_t key = 0;
        bool used = false;
    };
    void erase_slot(std::size_t hole);
    [[nodiscard]] std::size_t home(std::uint64_t key) const {
        return static_cast<std::size_t>((key * 0x9E3779B97F4A7C15U) >> 20U) & mask_;
    }
    [[nodiscard]] std::size_t place_of(std::uint64_t key) const; // its slot, or the empty one where it belongs
    void grow();

    std::vector<Slot> slots_; // a power of two
    std::size_t mask_ = 0, count_ = 0;
};

} // namespace cpl_lb::profiling
