// Pass 2 of the load balance over the processes of a component: the sum of all their shares, on the leader.
//
// If all recorded the same events, equally nested, their waiting is the same, and the leader works it out once. Each
// process then works out its own operations and its time away. For these it needs Omega_p, which passes through it in
// blocks and is never held. Otherwise the spans go to all, and each process works out its whole share.
#pragma once

#include "analysis/load_balance.hpp"
#include "analysis/share_calculator.hpp"
#include "mpi/group.hpp"

#include <cstdint>
#include <vector>

namespace cpl_lb {

class ShareGather {
public:
    // The leader knows the events' spans and the window; the others need only the events' keys. run: the component's
    // run. counterparts: the highest id.
    ShareGather(Group &group, EventTable &table, const Window &window, Interval run, std::int32_t counterparts)
        : group_(group), table_(table), window_(window), run_(run), counterparts_(counterparts) {}

    // Collective over the group; the sum counts on the leader. False: a message failed.

    // For processes that all recorded the same events. away: whether any was away at any time.
    bool of_same_events(const Row &row, bool away, Share &sum);
    bool of_different_events(const Row &row, Share &sum);

private:
    // alike: whether all have the same events inside exchanges; if not, the sum is still empty.
    bool lead_same_events(const Row &row, bool away, Share &sum, bool &alike);
    bool follow_same_events(const Row &row, Share &sum, bool &alike);
    bool agree(const EventSet &nested, bool &alike);
    bool share_spans();
    bool share_window(Window &window);
    bool add_up_steps(Share &share);
    bool sum_shares(Share &share);

    Group &group_;
    EventTable &table_;
    const Window &window_;
    Interval run_;
    std::int32_t counterparts_;
};

} // namespace cpl_lb
