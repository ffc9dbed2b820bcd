// Messages and operations that are not complete, by MPI's handle of the request or matched message.
#pragma once

#include "profiling/message_logs.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace cpl_lb::profiling {

struct Communicator;

enum class Way : std::uint8_t { send, receive, collective, inside };
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
    void erase(std::uint64_t key);

private:
    struct Slot {
        std::uint64_t key = 0;
        bool used = false;
        Transfer transfer;
    };
    [[nodiscard]] std::size_t home(std::uint64_t key) const {
        return static_cast<std::size_t>((key * 0x9E3779B97F4A7C15U) >> 20U) & (slots_.size() - 1);
    }
    [[nodiscard]] std::size_t place_of(std::uint64_t key) const; // its slot, or the empty one where it belongs
    void grow();

    std::vector<Slot> slots_; // a power of two
    std::size_t count_ = 0;
};

} // namespace cpl_lb::profiling
