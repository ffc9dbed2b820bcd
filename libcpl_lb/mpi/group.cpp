// Broadcast and combine along a binomial tree of point-to-point messages.
#include "mpi/group.hpp"

#include <algorithm>
#include <array>

namespace cpl_lb {

Group::Group(Transport &transport, NumberList ranks)
    : transport_(&transport), ranks_(std::move(ranks)), me_(static_cast<int>(ranks_.place_of(transport.rank()))) {}

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

// How long data is cut; each of the blocks under way has a place of its own.
struct Group::Blocks {
    // 1 MiB under way between any two, 8 MiB on one process.
    static constexpr std::size_t most_ahead = 8, most_on_one = 64;
    using Letters = std::array<Letter, most_ahead>;

    Blocks(std::size_t all, std::size_t element, std::size_t children)
        : bytes(all), block(std::max(group_block_bytes / element, std::size_t{1}) * element),
          count((all + block - 1) / block),
          ahead(std::clamp<std::size_t>(most_on_one / std::max<std::size_t>(children, 1), 2, most_ahead)) {}
    [[nodiscard]] std::size_t at(std::size_t i) const { return i * block; }
    [[nodiscard]] std::size_t length(std::size_t i) const { return std::min(block, bytes - at(i)); }
    // Asks for the block i of a sender, if there is one.
    void ask(Transport &t, int from, std::size_t i, std::span<Letter> letters) const {
        if (i < count) letters[i % ahead] = t.start_receive(from, group_tag, length(i));
    }
    std::size_t bytes, block, count, ahead;
};

bool Group::stream_up(std::span<std::byte> data, std::size_t element,
                      const std::function<void(std::size_t at, std::span<const std::byte> theirs)> &unite) {
    const std::vector<int> from = children();
    const Blocks blocks(data.size(), element, from.size());
    std::vector<Blocks::Letters> letters(from.size());
    for (std::size_t i = 0; i < blocks.ahead; ++i)
        for (std::size_t c = 0; c < from.size(); ++c)
            blocks.ask(*transport_, from[c], i, letters[c]);
    Blocks::Letters sends;
    for (std::size_t i = 0; i < blocks.count; ++i) {
        for (std::size_t c = 0; c < from.size(); ++c) {
            Letter &letter = letters[c][i % blocks.ahead];
            if (!transport_->wait_for(letter, blocks.length(i))) return false;
            unite(blocks.at(i), letter.data());
            blocks.ask(*transport_, from[c], i + blocks.ahead, letters[c]);
        }
        if (leads()) continue;
        Letter &send = sends[i % Blocks::most_ahead];
        if (!transport_->wait(send)) return false;
        send = transport_->start_send(rank_of(parent()), group_tag, data.subspan(blocks.at(i), blocks.length(i)));
    }
    return transport_->wait(sends) && !transport_->failed();
}

bool Group::stream_down(std::size_t bytes, std::size_t element,
                        const std::function<void(std::size_t at, std::span<std::byte> block)> &give,
                        const std::function<void(std::size_t at, std::span<const std::byte> block)> &take) {
    const std::vector<int> to = children();
    const Blocks blocks(bytes, element, to.size());
    Blocks::Letters letters;
    std::vector<Blocks::Letters> sends(to.size());
    std::vector<std::byte> made(leads() ? blocks.block : 0);
    for (std::size_t i = 0; i < blocks.ahead && !leads(); ++i)
        blocks.ask(*transport_, rank_of(parent()), i, letters);
    for (std::size_t i = 0; i < blocks.count; ++i) {
        const std::size_t turn = i % blocks.ahead;
        if (leads())
            give(blocks.at(i), std::span(made).first(blocks.length(i)));
        else if (!transport_->wait_for(letters[turn], blocks.length(i)))
            return false;
        const std::span<const std::byte> block =
            leads() ? std::span<const std::byte>(made).first(blocks.length(i)) : letters[turn].data();
        for (std::size_t c = to.size(); c-- > 0;) { // the largest subtree first
            if (!transport_->wait(sends[c][turn])) return false;
            sends[c][turn] = transport_->start_send(to[c], group_tag, block);
        }
        if (leads()) continue;
        take(blocks.at(i), block);
        blocks.ask(*transport_, rank_of(parent()), i + blocks.ahead, letters);
    }
    for (auto &of_child : sends)
        if (!transport_->wait(of_child)) return false;
    return !transport_->failed();
}

bool Group::broadcast(std::span<std::byte> data) {
    if (!leads() && !transport_->receive(rank_of(parent()), group_tag, data)) return false;
    // The largest subtree first: it has the longest way.
    for (int bit = child_bits_end() / 2; bit >= 1; bit /= 2) {
        if (me_ + bit >= size()) continue;
        if (!transport_->send(rank_of(me_ + bit), group_tag, data)) return false;
    }
    return !transport_->failed();
}

bool Group::broadcast_all(Bytes &data) {
    if (!leads() && !transport_->receive_all(rank_of(parent()), group_tag, data)) return false;
    for (int bit = child_bits_end() / 2; bit >= 1; bit /= 2) {
        if (me_ + bit >= size()) continue;
        if (!transport_->send_all(rank_of(me_ + bit), group_tag, data)) return false;
    }
    return !transport_->failed();
}

bool Group::combine_up(Bytes &mine, const std::function<void(Bytes &, const Bytes &)> &combine) {
    Bytes theirs;
    const auto take = [&](int child) {
        if (!transport_->receive_all(child, group_tag, theirs)) return false;
        combine(mine, theirs);
        return true;
    };
    return up_the_tree(take, [&](int parent) { return transport_->send_all(parent, group_tag, mine); });
}

} // namespace cpl_lb
