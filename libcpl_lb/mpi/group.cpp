// Broadcast and combine along a binomial tree of point-to-point messages.
#include "mpi/group.hpp"

#include <algorithm>
#include <array>

namespace cpl_lb {

Group::Group(Transport &transport, NumberList ranks, int tag)
    : transport_(&transport), ranks_(std::move(ranks)), me_(static_cast<int>(ranks_.place_of(transport.rank()))),
      tag_(tag) {}

int Group::child_bits_end() const {
    if (me_ != 0) return me_ & -me_;
    int bit = 1;
    while (bit < size())
        bit *= 2;
    return bit;
}

std::vector<int> Group::children() const {
    std::vector<int> ranks;
    for (int bit = 1; bit < child_bits_end() && me_ + bit < size(); bit *= 2)
        ranks.push_back(rank_of(me_ + bit));
    return ranks;
}

// How long data is cut into blocks. Each block under way has its own place.
struct Group::Blocks {
    // 1 MiB under way between any two, 8 MiB on one process.
    static constexpr std::size_t most_ahead = 8, most_on_one = 64;
    using Letters = std::array<Letter, most_ahead>;

    Blocks(std::size_t all, std::size_t element, std::size_t children)
        : bytes(all), block(std::max(group_block_bytes / element, std::size_t{1}) * element),
          count((all + block - 1) / block), ahead(blocks_ahead(children)) {}
    // From 2 to most_ahead; written out so that a linter sees that it is never 0.
    [[nodiscard]] static std::size_t blocks_ahead(std::size_t children) {
        const std::size_t of_each = most_on_one / (children == 0 ? 1 : children);
        if (of_each < 2) return 2;
        return of_each > most_ahead ? most_ahead : of_each;
    }
    [[nodiscard]] std::size_t at(std::size_t i) const { return i * block; }
    [[nodiscard]] std::size_t length(std::size_t i) const { return std::min(block, bytes - at(i)); }
    // Asks for the block i of a sender, if there is one.
    void ask(Transport &t, int from, int tag, std::size_t i, std::span<Letter> letters) const {
        if (i < count) letters[i % ahead] = t.start_receive(from, tag, length(i));
    }
    std::size_t bytes, block, count, ahead;
};

void Group::stream_up(const UpStream &stream) {
    const std::vector<int> from = children();
    const Blocks blocks(stream.bytes, stream.element, from.size());
    std::vector<Blocks::Letters> letters(from.size());
    for (std::size_t i = 0; i < blocks.ahead; ++i)
        for (std::size_t c = 0; c < from.size(); ++c)
            blocks.ask(*transport_, from[c], tag_, i, letters[c]);
    Blocks::Letters sends;
    for (std::size_t i = 0; i < blocks.count; ++i) {
        for (std::size_t c = 0; c < from.size(); ++c) {
            Letter &letter = letters[c][i % blocks.ahead];
            transport_->wait_for(letter, blocks.length(i));
            stream.unite(blocks.at(i), letter.data());
            blocks.ask(*transport_, from[c], tag_, i + blocks.ahead, letters[c]);
        }
        if (leads()) continue;
        Letter &send = sends[i % Blocks::most_ahead];
        transport_->wait(send);
        send = transport_->start_send(rank_of(parent()), tag_, stream.block(blocks.at(i), blocks.length(i)));
    }
    transport_->wait(sends);
}

void Group::stream_down(std::size_t bytes, std::size_t element,
                        const std::function<void(std::size_t at, std::span<std::byte> block)> &give,
                        const std::function<void(std::size_t at, std::span<const std::byte> block)> &take) {
    const std::vector<int> to = children();
    const Blocks blocks(bytes, element, to.size());
    Blocks::Letters letters;
    std::vector<Blocks::Letters> sends(to.size());
    std::vector<std::byte> made(leads() ? blocks.block : 0);
    for (std::size_t i = 0; i < blocks.ahead && !leads(); ++i)
        blocks.ask(*transport_, rank_of(parent()), tag_, i, letters);
    for (std::size_t i = 0; i < blocks.count; ++i) {
        const std::size_t turn = i % blocks.ahead;
        if (leads())
            give(blocks.at(i), std::span(made).first(blocks.length(i)));
        else
            transport_->wait_for(letters[turn], blocks.length(i));
        const std::span<const std::byte> block =
            leads() ? std::span<const std::byte>(made).first(blocks.length(i)) : letters[turn].data();
        for (std::size_t c = to.size(); c-- > 0;) { // the largest subtree first
            transport_->wait(sends[c][turn]);
            sends[c][turn] = transport_->start_send(to[c], tag_, block);
        }
        if (leads()) continue;
        take(blocks.at(i), block);
        blocks.ask(*transport_, rank_of(parent()), tag_, i + blocks.ahead, letters);
    }
    for (auto &of_child : sends)
        transport_->wait(of_child);
}

void Group::broadcast(std::span<std::byte> data) {
    if (!leads()) transport_->receive(rank_of(parent()), tag_, data);
    const std::vector<int> to = children(); // the largest subtree first, because its way is the longest
    std::for_each(to.rbegin(), to.rend(), [&](int child) { transport_->send(child, tag_, data); });
}

void Group::broadcast_all(Bytes &data) {
    if (!leads()) transport_->receive_all(rank_of(parent()), tag_, data);
    const std::vector<int> to = children();
    std::for_each(to.rbegin(), to.rend(), [&](int child) { transport_->send_all(child, tag_, data); });
}

void Group::combine_up(Bytes &mine, const std::function<void(Bytes &, const Bytes &)> &combine) {
    Bytes theirs;
    const auto take = [&](int child) {
        transport_->receive_all(child, tag_, theirs);
        combine(mine, theirs);
    };
    up_the_tree(take, [&](int parent) { transport_->send_all(parent, tag_, mine); });
}

} // namespace cpl_lb
