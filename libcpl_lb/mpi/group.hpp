// Collective operations of a list of processes, on binomial trees of the transport's messages. The first of the list
// leads. All of the list call the same operations in the same order. Unlike MPI's own, they can time out, and they
// work on any subset of processes without making a communicator.
#pragma once

#include "mpi/transport.hpp"

#include <functional>
#include <span>
#include <vector>

namespace cpl_lb {

class Group {
public:
    // ranks: ascending ranks of the transport's communicator, with this process among them.
    Group(Transport &transport, std::vector<int> ranks);

    [[nodiscard]] bool leads() const { return me_ == 0; }
    [[nodiscard]] int index() const { return me_; }
    [[nodiscard]] int size() const { return static_cast<int>(ranks_.size()); }
    [[nodiscard]] const std::vector<int> &ranks() const { return ranks_; }
    [[nodiscard]] Transport &transport() { return *transport_; }

    bool broadcast(std::span<std::byte> data);
    bool broadcast_all(Bytes &data); // any length, known to the leader only

    // Element-wise to the leader, in place, in blocks; combine(mine, theirs) changes mine. Only the leader's result
    // counts.
    template <class T, class Combine>
    bool reduce(std::span<T> values, Combine combine);

    // Calls take(rank) for each child, one after the other, then give(rank) for the parent. False: one of them was.
    template <class Take, class Give>
    bool up_the_tree(Take take, Give give) {
        for (int bit = 1; bit < child_bits_end() && me_ + bit < size(); bit *= 2)
            if (!take(rank_of(me_ + bit))) return false;
        return leads() || give(rank_of(parent()));
    }

    // Messages of any length combined up the tree: combine(mine, theirs) changes mine.
    bool combine_up(Bytes &mine, const std::function<void(Bytes &, const Bytes &)> &combine);

private:
    // Tree of the leader: the parent of i has i's lowest set bit cleared.
    [[nodiscard]] int parent() const { return me_ & (me_ - 1); }
    [[nodiscard]] int child_bits_end() const; // children: me + 1, me + 2, me + 4, ... below this bit
    [[nodiscard]] int rank_of(int index) const { return ranks_[static_cast<std::size_t>(index)]; }

    Transport *transport_;
    std::vector<int> ranks_;
    int me_ = 0;
};

// Values of any kind combined up the tree as messages: pack(mine) gives one, unpack(message) the value again, and
// unite(mine, theirs) changes mine. Only the leader's result counts.
template <class T, class Pack, class Unpack, class Unite>
bool unite_up(Group &group, T &mine, Pack pack, Unpack unpack, Unite unite) {
    Bytes bytes = pack(mine);
    const auto merge = [&](Bytes &a, const Bytes &b) {
        T both = unpack(a);
        unite(both, unpack(b));
        a = pack(both);
    };
    if (!group.combine_up(bytes, merge)) return false;
    if (group.leads()) mine = unpack(bytes);
    return true;
}

inline constexpr int group_tag = 11;
inline constexpr std::size_t reduce_block_bytes = std::size_t{1} << 20U;

template <class T, class Combine>
bool Group::reduce(std::span<T> values, Combine combine) {
    const std::size_t block = std::max<std::size_t>(1, reduce_block_bytes / sizeof(T));
    std::vector<T> theirs;
    for (std::size_t at = 0; at < values.size(); at += block) {
        const std::span<T> mine = values.subspan(at, std::min(block, values.size() - at));
        for (int bit = 1; bit < child_bits_end() && me_ + bit < size(); bit *= 2) {
            theirs.resize(mine.size());
            if (!transport_->receive(rank_of(me_ + bit), group_tag, std::as_writable_bytes(std::span(theirs))))
                return false;
            for (std::size_t i = 0; i < mine.size(); ++i)
                combine(mine[i], theirs[i]);
        }
        if (!leads() && !transport_->send(rank_of(parent()), group_tag, std::as_bytes(mine))) return false;
    }
    return !transport_->failed();
}

} // namespace cpl_lb
