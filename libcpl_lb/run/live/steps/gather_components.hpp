// Steps 5 to 7 of cpl_lb_terminate: each component of this process, one after the other.
#pragma once

#include "analysis/exchanges.hpp"
#include "data/coupled_run.hpp"
#include "events/catalogue.hpp"
#include "events/event_order.hpp"
#include "mpi/transport.hpp"
#include "run/live/process_record.hpp"
#include "run/live/steps/decode_record.hpp"
#include "run/live/steps/output_folder.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace cpl_lb {

// The components that this process leads, and their timelines.
struct LedComponents {
    std::vector<Component> components;
    std::vector<TimelineHome> timelines; // one for each component
};

// Collective over the processes of each component. Takes the decoded events.
[[nodiscard]] LedComponents gather_components(const ProcessRecord &record, DecodedRecord &decoded,
                                              const Agreed &agreed, ProblemList &problems);

[[nodiscard]] inline bool writes_timelines(const ProcessRecord &record, const Agreed &agreed) {
    return record.settings.timeline && !agreed.folder.missing;
}

// The events of this process in one component: ids of the run, times of the run (local_events.cpp). Takes the decoded
// events of the component and converts them in place. If their times stay in the marks, the result refers to all
// three arguments, which outlive it. Adds TERM, from this process's arrival to the last one's.
[[nodiscard]] LocalEvents take_local_events(const ProcessRecord &record, DecodedRecord &decoded, const Agreed &agreed,
                                            std::size_t component);

// The leaders of all components tell each other when their components came to each collective operation over several
// components, and find out who came last (name_syncs.cpp). Whether any field of SYNC belongs to several components.
[[nodiscard]] bool any_sync_together(const Catalogue &catalogue);

struct TableOfComponent {
    std::int32_t id = 0;
    EventTable *table = nullptr;
};

// Collective over the leaders of these components; other processes return at once. led: the components that this
// process leads.
void name_syncs(Transport &transport, const Catalogue &catalogue, Nanoseconds clock_bound,
                std::span<const TableOfComponent> led);

} // namespace cpl_lb
