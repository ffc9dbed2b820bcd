// Gathers how long the processes of a component were ready and had no processor, in its coupling loop
// (docs/definitions.md, section 2, "A disturbed run").
#pragma once

#include "mpi/group.hpp"
#include "run/live/component_gather.hpp"
#include "run/live/process_record.hpp"
#include "run/live/steps/one_clock.hpp"

namespace cpl_lb {

// The seconds that this process had no processor in that interval of the run; NaN: not known.
[[nodiscard]] double own_no_processor_s(const ProcessRecord &record, const RunClock &clock, Interval within);
// Whether these seconds are enough to be worth finding the part outside of exchanges.
[[nodiscard]] bool no_processor_matters(double seconds, Interval within);

// Collective over the group; the result counts on the leader. False: a message failed.
[[nodiscard]] bool gather_no_processor(Group &group, const ComponentInput &input, const ComponentFigures &figures,
                                       const ProcessRecord &record, const RunClock &clock, NoProcessor &all);

} // namespace cpl_lb
