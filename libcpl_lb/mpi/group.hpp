// Collective operations of a list of processes, on binomial trees of the transport's messages. The first of the list
// leads. All of the list call the same operations in the same order. Unlike MPI's own, they can time out (they throw
// MessageFailed), and work on any subset of processes without a new communicator.
#pragma once

#include "mpi/transport.hpp"

#include <cstring>
#include <functional>
#include <span>
#include <vector>

namespace cpl_lb {

inline constexpr int group_tag = 11;

class Group {
public:
    // ranks: ascending ranks of the transport's communicator, this process among them. tag: the tag of all messages.
    Group(Transport &transport, NumberList ranks, int tag = group_tag);

    [[nodiscard]] bool leads() const { return me_ == 0; }
    [[nodiscard]] int index() const { return me_; }
    [[nodiscard]] int size() const { return static_cast<int>(ranks_.size()); }
    [[nodiscard]] const NumberList &ranks() const { return ranks_; }
    [[nodiscard]] bool has(int rank) const { return ranks_.place_of(rank) < ranks_.size(); }
    [[nodiscard]] Transport &transport() { return *transport_; }

    void broadcast(std::span<std::byte> data);
    void broadcast_all(Bytes &data); // any length, known to the leader only

    // Combines element by element on the leader, in place, in blocks; combine(mine, theirs) changes mine. Only the
    // leader's result counts.
    template <class T, class Combine>
    void reduce(std::span<T> values, Combine combine);

    // Sends `bytes` bytes from the leader to all, in blocks of whole elements: give(at, block) fills a block on the
    // leader, take(at, block) reads it on the others.
    void stream_down(std::size_t bytes, std::size_t element,
                     const std::function<void(std::size_t at, std::span<std::byte> block)> &give,
                     const std::function<void(std::size_t at, std::span<const std::byte> block)> &take);

    // Calls take(rank) for each child in turn, then give(rank) for the parent.
    template <class Take, class Give>
    void up_the_tree(Take take, Give give) {
        for (const int child : children())
            take(child);
        if (!leads()) give(rank_of(parent()));
    }

    // Combines messages of any length up the tree: combine(mine, theirs) changes mine.
    void combine_up(Bytes &mine, const std::function<void(Bytes &, const Bytes &)> &combine);

private:
    struct Blocks;
    // Data that goes up the tree in blocks of whole elements.
    struct UpStream {
        std::size_t bytes, element;
        // Combines a child's block with the one at `at`.
        std::function<void(std::size_t at, std::span<const std::byte> block)> unite;
        // Gives the block for the parent, which is copied at once.
        std::function<std::span<const std::byte>(std::size_t at, std::size_t length)> block;
    };
    void stream_up(const UpStream &stream);
    [[nodiscard]] std::vector<int> children() const; // their ranks, the nearest first

    // Tree of the leader: the parent of i is i without its lowest set bit.
    [[nodiscard]] int parent() const { return me_ & (me_ - 1); }
    [[nodiscard]] int child_bits_end() const; // children: me + 1, me + 2, me + 4, ... below this bit
    [[nodiscard]] int rank_of(int index) const { return ranks_[static_cast<std::size_t>(index)]; }

    Transport *transport_;
    NumberList ranks_;
    int me_ = 0;
    int tag_;
};

// Combines values of any type up the tree: pack(mine) makes a message, unpack(message) makes the value again, and
// unite(mine, theirs) changes mine. Only the leader's result counts.
template <class T, class Pack, class Unpack, class Unite>
void unite_up(Group &group, T &mine, Pack pack, Unpack unpack, Unite unite) {
    Bytes bytes = pack(mine);
    const auto merge = [&](Bytes &a, const Bytes &b) {
        T both = unpack(a);
        unite(both, unpack(b));
        a = pack(both);
    };
    group.combine_up(bytes, merge);
    if (group.leads()) mine = unpack(bytes);
}

// Combines values that have wire_members(), on the leader. what: names a damaged message.
inline constexpr auto unite_theirs = [](auto &mine, const auto &theirs) { unite(mine, theirs); };
template <class T, class Combine = decltype(unite_theirs)>
void unite_up(Group &group, const char *what, T &mine, Combine combine = unite_theirs) {
    const auto unpack = [what](const Bytes &bytes) { return unpacked<T>(bytes, what); };
    unite_up(group, mine, packed<T>, unpack, combine);
}

// Copies the leader's values to all processes. what: names a damaged message.
template <class... T>
void tell_all(Group &group, const char *what, T &...values) {
    WireWriter out;
    if (group.leads()) out.pass(values...);
    Bytes bytes = out.take();
    group.broadcast_all(bytes);
    ((values = T{}), ...);
    WireReader in(bytes);
    in.pass(values...);
    in.finish(what);
    (check_fit(what, values), ...);
}

// The block size of long data. Several blocks are under way between any two, so that a slow link stays busy.
inline constexpr std::size_t group_block_bytes = std::size_t{1} << 17U;

template <class T, class Combine>
void Group::reduce(std::span<T> values, Combine combine) {
    const auto unite = [&](std::size_t at, std::span<const std::byte> theirs) {
        T *mine = values.data() + at / sizeof(T);
        for (; !theirs.empty(); theirs = theirs.subspan(sizeof(T)), ++mine) {
            T other;
            std::memcpy(static_cast<void *>(&other), theirs.data(), sizeof(T));
            combine(*mine, other);
        }
    };
    const auto block = [&](std::size_t at, std::size_t length) { return std::as_bytes(values).subspan(at, length); };
    stream_up({values.size_bytes(), sizeof(T), unite, block});
}

} // namespace cpl_lb
