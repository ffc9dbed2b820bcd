// Gathers how long the processes of a component were ready and had no processor, in its coupling loop
// (docs/definitions.md, section 2, "A disturbed run").
#pragma once

#include "mpi/group.hpp"
#include "run/live/component_facts.hpp"
#include "run/live/loop_and_waiting.hpp"
#include "run/live/process_record.hpp"
#include "run/live/steps/one_clock.hpp"

namespace cpl_lb {

// Collective over the group; the result counts on the leader. Nothing: a message failed.
[[nodiscard]] std::optional<NoProcessor> gather_no_processor(Group &group, const ComponentFacts &facts,
                                                             const OwnExchanges &own, const ProcessRecord &record,
                                                             const RunClock &clock);

} // namespace cpl_lb
