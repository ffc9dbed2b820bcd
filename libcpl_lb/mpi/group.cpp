// Broadcast and combine along a binomial tree of point-to-point messages.
#include "mpi/group.hpp"

#include <algorithm>

namespace cpl_lb {

Group::Group(Transport &transport, std::vector<int> ranks) : transport_(&transport), ranks_(std::move(ranks)) {
    const auto at = std::lower_bound(ranks_.begin(), ranks_.end(), transport.rank());
    me_ = static_cast<int>(at - ranks_.begin());
}

int Group::child_bits_end() const {
    if (me_ != 0) return me_ & -me_;
    int bit = 1;
    while (bit < size())
        bit *= 2;
    return bit;
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
