// Messages between components as viewers draw them: one arrow for each pair of events that belong together
// (docs/definitions.md, section 1), whatever the numbers of processes on both sides.
#pragma once

#include "analysis/exchange_events.hpp"
#include "analysis/exchanges.hpp"
#include "analysis/sync_counterparts.hpp"
#include "data/coupled_run.hpp"

#include <cstdint>
#include <vector>

namespace cpl_lb {

// component: its id; event: place in its table; process: the first of the exported ones that took part.
struct ArrowEnd {
    std::int32_t component = 0;
    std::int64_t process = -1;
    std::size_t event = 0;
    Nanoseconds start = 0, stop = 0; // of that event in that process
};

// From the start of a PUT to the end of its GET; of a collective operation, from the arrival of who came last to the
// end of the waiting for it.
struct Arrow {
    std::int32_t field = 0;
    ArrowEnd from, to;
};

// Give it all rows, those of one component in ascending order; then the arrows between them are known.
class Arrows {
public:
    explicit Arrows(const CoupledRun &run) : run_(run), ends_(run.components.size()) {}
    void row(const Component &component, std::int64_t process, const Row &row);
    // By exchange, in the order of time.
    [[nodiscard]] std::vector<Arrow> all() const;

private:
    void of_messages(const Exchange &x, const ExchangeEvents &source, const ExchangeEvents &target,
                     std::vector<Arrow> &arrows) const;
    void of_sync(const Exchange &x, const SyncPlaces &source_places, const SyncPlaces &target_places,
                 std::vector<Arrow> &arrows) const;
    void add(const Exchange &x, std::size_t source_event, std::size_t target_event, std::vector<Arrow> &arrows) const;

    const CoupledRun &run_;
    std::vector<std::vector<ArrowEnd>> ends_; // by component, event; process < 0: nobody
};

} // namespace cpl_lb
