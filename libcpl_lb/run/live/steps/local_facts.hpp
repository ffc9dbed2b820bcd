// Facts of this process about one of its components beside the events: properties, regions, expressions.
#pragma once

#include "run/live/component_facts.hpp"
#include "run/live/process_record.hpp"

namespace cpl_lb {

struct DecodedRecord;

// component: local index. Times are set later, when the run's clock is known.
[[nodiscard]] ComponentFacts local_facts(const ProcessRecord &record, const DecodedRecord &decoded,
                                         std::size_t component);

} // namespace cpl_lb
