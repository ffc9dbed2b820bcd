// Everything about one component that its processes work out together at terminate: the events that are the same on
// several processes, their spans (a reduction), the load balance (spans go back, shares are summed), the timeline
// (rows stream through the master to disk). Memory grows with the events, never with events x processes.
#pragma once

#include "analysis/load_balance.hpp"
#include "gather/group.hpp"
#include "io/timeline_writer.hpp"
#include "matching/event_order.hpp"

#include <cstdint>
#include <functional>

namespace cpl_lb {

struct ComponentInput {
    const Catalogue *catalogue = nullptr;
    std::int32_t id = 0;
    Interval run;        // the component's earliest init to its latest terminate
    WindowLimits limits; // already agreed on
    bool timeline_wanted = true;
};

// What the group's leader gets.
struct ComponentFigures {
    EventTable table;
    Window window;
    ComponentBalance balance;
    std::int64_t away_intervals = 0;
};

class ComponentGather {
public:
    ComponentGather(Group &group, const ComponentInput &input, LocalEvents events);

    // Collective over the group; false: a message failed. The leader's figures are complete then.
    bool balance();
    // Collective: rows to the leader, which gives each to `write` (index in the group, row). Empty on the others.
    using WriteRow = std::function<void(int, const Row &)>;
    bool stream_rows(const WriteRow &write);

    [[nodiscard]] ComponentFigures &figures() { return figures_; }

private:
    bool agree_on_events();
    bool take_leaders_events();
    bool merge_events();
    void make_row_from_all(const std::vector<OccurrenceKey> &order);
    [[nodiscard]] EventKey event_key(const OccurrenceKey &key) const;
    bool reduce_spans();
    bool share_spans();
    bool share_window();
    bool sum_shares();
    [[nodiscard]] std::size_t classes() const { return input_.catalogue->classes.size(); }

    Group &group_;
    const ComponentInput &input_;
    LocalEvents events_;
    bool use_dates_ = false;
    Row row_;
    ComponentFigures figures_;
};

} // namespace cpl_lb
