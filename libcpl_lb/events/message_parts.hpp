// The second and further calls of a process in one exchange become events of fields of their own
// (data/field_parts.hpp).
#pragma once

#include "events/catalogue.hpp"
#include "events/decode.hpp"
#include "events/message_numbers.hpp"

#include <vector>

namespace cpl_lb {

// The exchange number of each occurrence of one kind and field.
struct NumberedWhat {
    LocalWhat what = 0;
    std::vector<NumberedCall> calls;
};
// Gives the events of the timeline their numbers and parts, and adds the fields of the parts.
void apply_numbers(LocalTimeline &timeline, const std::vector<NumberedWhat> &numbered,
                   std::vector<LocalField> &fields);

// Merges fields of one kind that have the same name and counterpart into one field, in the order of their
// events.
void unite_alike(LocalTimeline &timeline, const std::vector<LocalField> &fields);

} // namespace cpl_lb
