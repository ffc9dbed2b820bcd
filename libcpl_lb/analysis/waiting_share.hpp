// The share of the cores' time in the coupling loops that is spent waiting (docs/definitions.md, section 2), and
// which components wait by design: hubs, relays and masters, that stand between others.
#pragma once

#include "data/coupled_run.hpp"

#include <cstdint>
#include <set>

namespace cpl_lb {

// Whether the component has a coupling loop with known waiting.
[[nodiscard]] bool has_loop(const Component &component);
// Whether its waiting counts for the run: it has a loop with exchanges and is no I/O server.
[[nodiscard]] bool takes_part(const Component &component);

// sum of cores x waiting / sum of cores x loop, over the components that take part; NaN without any. A component
// between others waits by design, and does not count (InBetween). Needs balance.is_io_server and the
// slow side.
[[nodiscard]] double waiting_share_of_cores(const CoupledRun &run);

[[nodiscard]] bool waits_most_of_its_time(const Component &component);

// The components that wait most of their time, and through which two of their partners wait for each other, because
// these have no other way to each other. The slow side of the run is none of them.
class InBetween {
public:
    explicit InBetween(const CoupledRun &run);
    [[nodiscard]] bool has(const Component &component) const { return ids_.count(component.id) > 0; }

private:
    std::set<std::int32_t> ids_;
};

// Whether a component waits for another for `balanced_below` of its loop or more, except those that stand between
// others. Otherwise the components are balanced, and which of them is last is left to chance.
[[nodiscard]] bool somebody_waits(const CoupledRun &run);

} // namespace cpl_lb
