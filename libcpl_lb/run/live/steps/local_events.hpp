// The events of this process in one component: ids of the run, times of the run.
#pragma once

#include "events/event_order.hpp"
#include "run/live/steps/agreed.hpp"
#include "run/live/steps/decode_record.hpp"

namespace cpl_lb {

// Takes the decoded events of the component and converts them in place. If their times stay in the marks, the result
// refers to all three arguments, which outlive it. Adds TERM, from this process's arrival to the last one's.
[[nodiscard]] LocalEvents take_local_events(const ProcessRecord &record, DecodedRecord &decoded, const Agreed &agreed,
                                            std::size_t component);

} // namespace cpl_lb
