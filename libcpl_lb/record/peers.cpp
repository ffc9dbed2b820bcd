// The table grows up to its bound; later partners share one entry.
#include "record/peers.hpp"

#include <new>
#include <utility>

namespace cpl_lb {
namespace {

constexpr std::size_t first_slots = 64;

} // namespace

Peer *Peers::place_of(int rank) const noexcept {
    std::size_t at = (static_cast<std::uint64_t>(rank) * 0x9E3779B97F4A7C15U >> 32U) & mask_;
    while (table_[at].rank >= 0 && table_[at].rank != rank)
        at = (at + 1) & mask_;
    return &table_[at];
}

Peer &Peers::find(int rank) noexcept {
    if (table_ != nullptr) {
        if (Peer *peer = place_of(rank); peer->rank == rank) return *(latest_ = peer);
    }
    if (count_ == most || (2 * (count_ + 1) > slots() && !grow())) return others_;
    ++count_;
    latest_ = place_of(rank);
    latest_->rank = rank;
    return *latest_;
}

bool Peers::grow() noexcept {
    const std::size_t before = slots();
    const std::size_t after = before == 0 ? first_slots : 2 * before;
    std::unique_ptr<Peer[]> old(new (std::nothrow) Peer[after]);
    if (old == nullptr) return false;
    std::swap(old, table_);
    mask_ = after - 1;
    latest_ = &others_;
    for (std::size_t i = 0; i < before; ++i)
        if (old[i].rank >= 0) *place_of(old[i].rank) = old[i];
    return true;
}

// A process with several messages in one call counts once.
void Peers::waited(std::span<const int> ranks, std::uint64_t ticks) noexcept {
    if (ranks.size() == 1 && ranks.front() >= 0) return of(ranks.front()).waited(ticks, ticks);
    ++waits_;
    std::uint64_t processes = 0;
    for (const int rank : ranks) {
        if (rank < 0) continue;
        Peer &peer = of(rank);
        if (std::exchange(peer.latest_wait, waits_) == waits_) continue;
        ++processes;
        peer.waited(0, ticks);
    }
    if (processes == 0) return;
    const std::uint64_t part = ticks / processes;
    --waits_; // so that the loop meets each process once again
    for (const int rank : ranks)
        if (rank >= 0 && std::exchange(of(rank).latest_wait, waits_) != waits_) of(rank).ticks += part;
    ++waits_;
}

} // namespace cpl_lb
