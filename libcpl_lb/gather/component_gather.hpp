// Everything about one component that its processes work out together at terminate: the events that are the same on
// several processes, their spans, the load balance, the timeline (rows stream through the master to disk). Memory
// grows with the events, never with events x processes.
#pragma once

#include "analysis/load_balance.hpp"
#include "gather/group.hpp"
#include "matching/event_order.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace cpl_lb {

struct ComponentInput {
    const Catalogue *catalogue = nullptr;
    std::int32_t id = 0;
    Interval run;        // the component's earliest init to its latest terminate
    WindowLimits limits; // already agreed on
};

// What the group's leader gets.
struct ComponentFigures {
    EventTable table;
    Window window;
    ComponentBalance balance;
    std::int64_t away_intervals = 0; // of all processes
};

// Takes the rows, in pieces, on the leader.
class RowSink {
public:
    RowSink() = default;
    RowSink(const RowSink &) = delete;
    RowSink &operator=(const RowSink &) = delete;
    virtual ~RowSink() = default;
    // Once, before the rows: the events are known. keys may be moved out and back.
    virtual void open(std::vector<EventKey> &keys, std::int64_t away_intervals) = 0;
    virtual void piece(int process, std::size_t first_event, const Row &piece) = 0;
    virtual void away(int process, std::span<const Interval> intervals) = 0;
};

class ComponentGather {
public:
    ComponentGather(Group &group, const ComponentInput &input, LocalEvents events);

    // Collective over the group. rows_wanted (the same on all): rows go to the leader's sink, and the spans are made
    // from them as they pass; else the spans are a reduction. False: a message failed.
    bool run(bool rows_wanted, RowSink *sink);

    [[nodiscard]] ComponentFigures &figures() { return figures_; }

private:
    bool agree_on_events();
    void take_leaders_events();
    bool merge_events();
    void make_row_from_all(const std::vector<OccurrenceKey> &order);
    [[nodiscard]] EventKey event_key(const OccurrenceKey &key) const;
    bool stream_rows(RowSink *sink);
    bool send_row();
    bool receive_rows(RowSink &sink);
    void take_own_row(RowSink &sink);
    bool reduce_spans();
    bool make_balance();
    bool share_spans();
    bool share_window();
    bool sum_shares(Share &share);
    [[nodiscard]] bool all_shares_are_alike() const;
    [[nodiscard]] std::size_t classes() const { return input_.catalogue->classes.size(); }

    Group &group_;
    const ComponentInput &input_;
    LocalEvents events_;
    bool use_dates_ = false;
    bool same_events_ = false; // on all processes, in the same order, equally nested
    Row row_;
    ComponentFigures figures_;
};

} // namespace cpl_lb
