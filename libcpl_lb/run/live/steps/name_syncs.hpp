// The leaders of all components tell each other when their components came to each collective operation over several
// components, and find out who came last.
#pragma once

#include "analysis/sync_counterparts.hpp"
#include "events/catalogue.hpp"
#include "mpi/transport.hpp"

#include <cstdint>
#include <span>

namespace cpl_lb {

// Whether any field of SYNC belongs to several components.
[[nodiscard]] bool any_sync_together(const Catalogue &catalogue);

struct TableOfComponent {
    std::int32_t id = 0;
    EventTable *table = nullptr;
};

// Collective over the leaders of these components; other processes return at once. led: the components that this
// process leads. False: a message failed.
[[nodiscard]] bool name_syncs(Transport &transport, const Catalogue &catalogue, Nanoseconds clock_bound,
                              std::span<const TableOfComponent> led);

} // namespace cpl_lb
