// Everything about one component that its processes work out together at terminate: the events that are the same on
// several processes, their spans, the load balance, the timeline (rows stream through the master to disk). Memory
// grows with the events, never with events x processes.
#pragma once

#include "analysis/load_balance.hpp"
#include "analysis/times_away.hpp"
#include "events/occurrence_shifts.hpp"
#include "run/live/own_row.hpp"
#include "run/live/row_gather.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace cpl_lb {

struct ComponentInput {
    const Catalogue *catalogue = nullptr;
    std::int32_t id = 0;
    Interval run;                    // the component's earliest init to its latest terminate
    Nanoseconds run_end = 0;         // latest terminate of all components
    WindowLimits limits;             // already agreed on
    NumberList nodes;                // the node of each process of the group
    std::vector<signed char> inside; // this process's MPI inside, for the picture; empty: unknown
    std::size_t most_events = 0;     // events of different processes that fit into memory here
};

// The coupling loop, and this process's exchanges in it.
struct OwnExchanges {
    Interval within;
    bool of_whole_run = false; // there is no coupling loop
    ExchangeTime own;
};

// What the group's leader gets.
struct ComponentFigures {
    EventTable table;
    Window window;
    ComponentBalance balance;
    TimesAway away;
    std::int64_t away_intervals = 0; // of all processes
    // If the events of all processes together are too many, those that start at events_end or later are left out.
    // left_out: their number, counted on each process. Known on all processes.
    std::int64_t left_out = 0;
    Nanoseconds events_end = std::numeric_limits<Nanoseconds>::max();
    OwnExchanges own_exchanges; // on all processes
    ProcessWaitingSum process_waiting;
    std::vector<ClassShifts> shifts; // classes without dates that processes recorded differently often
};

class ComponentGather {
public:
    ComponentGather(Group &group, const ComponentInput &input, LocalEvents events);

    // All four are collective over the group. First all agree on the recorded events.
    bool agree_on_events();
    // rows_wanted (the same on all): rows go to the timeline, and the spans are made from them on the way. Otherwise
    // the spans are a reduction. False: a message failed.
    bool gather_rows(bool rows_wanted, RowSink *sink);
    // Copies who came last to collective operations from the leader's table to those of the others.
    bool share_sync_counterparts();
    bool make_balance();

    [[nodiscard]] ComponentFigures &figures() { return figures_; }

private:
    void take_leaders_events();
    [[nodiscard]] RasterInput raster_input() const;
    bool merge_events();
    [[nodiscard]] std::vector<std::int64_t> dates_of_events() const;
    [[nodiscard]] bool needs_keys() const { return group_.leads() || !alike_; }
    bool find_loop();
    bool find_own_exchanges();
    [[nodiscard]] bool all_shares_are_alike() const;
    [[nodiscard]] std::size_t classes() const { return input_.catalogue->classes.size(); }

    Group &group_;
    const ComponentInput &input_;
    LocalEvents events_;
    bool use_dates_ = false;
    std::size_t most_events_ = 0; // the limit of the process with the least memory
    bool same_events_ = false;    // all processes have the same events in the same order, equally nested
    bool alike_ = false;          // the shares are alike, too
    std::size_t event_count_ = 0;
    OwnRow row_;
    ComponentFigures figures_;
};

} // namespace cpl_lb
