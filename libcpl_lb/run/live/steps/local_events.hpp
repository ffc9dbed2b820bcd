// The events of this process in one component: ids of the run, times of the run.
#pragma once

#include "events/event_order.hpp"
#include "run/live/steps/agreed.hpp"
#include "run/live/steps/decode_record.hpp"

namespace cpl_lb {

// Takes the decoded events of the component: they are converted in place. Where their times stay in the marks, what
// comes back refers to all three, which live longer. TERM, from this process's arrival to the last one's, is added.
[[nodiscard]] LocalEvents take_local_events(const ProcessRecord &record, DecodedRecord &decoded, const Agreed &agreed,
                                            std::size_t component);

} // namespace cpl_lb
