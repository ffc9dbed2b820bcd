// The processes with which this process of a model exchanges MPI messages: a small table by the partner's rank in
// MPI_COMM_WORLD (docs/definitions.md, section 8). Its memory is bounded for any number of partners.
#pragma once

#include "record/regions.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace cpl_lb {

struct Peer {
    int rank = -1;                // -1: the slot is empty
    std::int64_t waits = 0;       // calls that waited for its messages
    std::uint64_t ticks = 0;      // its part of these waits: a wait for several processes is divided among them
    std::uint64_t with_ticks = 0; // the whole of these waits, as a wait for it and others
    SentMessages sent{};          // to it
    std::uint64_t latest_wait = 0;

    void waited(std::uint64_t part, std::uint64_t whole) noexcept {
        ++waits;
        ticks += part;
        with_ticks += whole;
    }
};

class Peers {
public:
    static constexpr std::size_t most = 4096;
    Peers() = default;
    Peers(const Peers &) = delete;
    Peers &operator=(const Peers &) = delete;
    ~Peers() = default;

    // Called on the recording thread.
    void sent(int rank, std::int64_t bytes) noexcept { of(rank).sent.add(bytes); }
    // ranks: of the processes whose messages the call waited for, one for each message.
    void waited(std::span<const int> ranks, std::uint64_t ticks) noexcept;

    // Calls visit(peer) for each, in any order.
    template <class Visit>
    void for_each(Visit visit) const {
        for (std::size_t i = 0; i < slots(); ++i)
            if (table_[i].rank >= 0) visit(table_[i]);
    }
    // The partners without room in the table: there are more than `most`, or memory ran out.
    [[nodiscard]] const Peer &others() const { return others_; }

private:
    [[nodiscard]] std::size_t slots() const { return table_ == nullptr ? 0 : mask_ + 1; }
    [[nodiscard]] Peer &of(int rank) noexcept { return latest_->rank == rank ? *latest_ : find(rank); }
    [[nodiscard]] Peer &find(int rank) noexcept;
    [[nodiscard]] Peer *place_of(int rank) const noexcept; // its slot, or the empty one where it belongs
    bool grow() noexcept;

    std::unique_ptr<Peer[]> table_; // a power of two; linear probing
    std::size_t mask_ = 0, count_ = 0;
    std::uint64_t waits_ = 0;
    Peer others_;
    Peer *latest_ = &others_; // messages to one partner often follow each other
};

} // namespace cpl_lb
