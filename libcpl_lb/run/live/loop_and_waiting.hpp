// The coupling loop of a component and the waiting in it, from the spans of its events and the rows of its processes.
//
// If all recorded the same events, equally nested, their waiting is the same, and the leader works it out once. Each
// process then works out its own operations and its time away. For these it needs Omega_p, which passes through it in
// blocks and is never held. Otherwise the spans go to all, and each process works out its whole share.
#pragma once

#include "analysis/chosen_exchanges.hpp"
#include "analysis/load_balance.hpp"
#include "analysis/process_waiting.hpp"
#include "analysis/region_steps.hpp"
#include "data/imbalance.hpp"
#include "mpi/group.hpp"
#include "run/live/agree_on_events.hpp"

#include <cstdint>

namespace cpl_lb {

// The coupling loop, and this process's exchanges in it.
struct OwnExchanges {
    Interval within;
    bool of_whole_run = false; // there is no coupling loop
    ExchangeTime own;
};

struct CouplingLoop {
    Window window; // on the leader
    OwnExchanges exchanges;
    ChosenExchanges chosen;            // whose arrivals explain the imbalance
    std::vector<Nanoseconds> starts;   // of these on this process
    RegionPlan regions;                // the regions with figures by step
    ProcessWaitingSum process_waiting; // on the leader
};

// Input of a share in addition to the events and the loop.
struct ShareInput {
    Alike alike = Alike::nothing;
    bool away = false;             // some process was in other components for some time
    Interval run;                  // of the component
    std::int32_t counterparts = 0; // the highest id
};

// All are collective over the group.

// The leader knows the events' spans, and `regions`. Called before SYNC events get their counterparts, which the loop
// does not depend on, and classes of events of their own.
[[nodiscard]] CouplingLoop agree_on_loop(Group &group, const EventTable &table, const WindowLimits &limits,
                                         Interval run, OwnRow &row, std::span<const RegionSummary> regions);
// Asks the processes for their arrivals, and explains the imbalance (imbalance_gather.cpp). loop: result of
// agree_on_loop(), whose starts are used up; nodes: of each process of the group. Only the leader gets the parts.
[[nodiscard]] ImbalanceParts gather_imbalance(Group &group, CouplingLoop &loop, const NumberList &nodes);
// Copies who came last to collective operations from the leader's table to those of the others.
void share_sync_counterparts(Group &group, EventTable &table);
// The sum of the shares of all processes, on the leader. It knows the events' spans and the window; the others need
// only the events' keys, and none if shares are alike.
[[nodiscard]] Share sum_of_shares(Group &group, EventTable &table, const Window &window, OwnRow &row,
                                  const ShareInput &input);

// Member by member, because the padding between those of an IntervalShare is undefined.
void wire_members(auto &way, Either<IntervalShare> auto &s) {
    way.pass(s.exchanging, s.waiting, s.waiting_or_operations, s.away, s.mapping, s.output, s.restart);
    way.pass(s.mapping_processes, s.output_processes, s.restart_processes);
}

void wire_members(auto &way, Either<Share> auto &share) {
    way.pass(share.processes, share.loop, share.startup, share.shutdown, share.whole);
    way.pass(share.waiting_for_get, share.waiting_for_put, share.waiting_for_sync, share.step_waiting,
             share.step_away);
}

} // namespace cpl_lb
