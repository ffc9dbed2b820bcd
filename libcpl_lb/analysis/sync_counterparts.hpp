// Who came last to a collective operation over several components, and so whom the others waited for
// (docs/definitions.md, section 1). Occurrence n of a SYNC is the same operation in all components that have its
// field.
#pragma once

#include "data/coupled_run.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace cpl_lb {

// The SYNC events of a component by field: places in its table, in the order of their occurrence.
using SyncPlaces = std::map<std::int32_t, std::vector<std::uint32_t>>;
[[nodiscard]] SyncPlaces sync_places(const EventTable &table);

// Whom each component waited for at one operation of several components.
class LastToCome {
public:
    // S of each component, `absent` where one took no part; looked at until the next call.
    void set(std::span<const Nanoseconds> arrivals);
    // The one that component `own`, which left at `left`, waited for: of the others the last to come. In a Bcast or a
    // Gather some leave before others come: who came after `own` had left did not keep it. Their number: nobody.
    [[nodiscard]] std::size_t of(std::size_t own, Nanoseconds left, Nanoseconds clock_bound) const;

private:
    std::span<const Nanoseconds> arrivals_;
    std::vector<std::size_t> latest_first_;
};

// Names the counterparts of all SYNC events that have none, as far as the components have tables.
void name_sync_counterparts(std::span<Component *const> components, Nanoseconds clock_bound);

} // namespace cpl_lb
