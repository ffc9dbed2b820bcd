// Hubs, relays and masters: components that stand between others.
#pragma once

#include "data/coupled_run.hpp"

#include <cstdint>
#include <set>

namespace cpl_lb {

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
