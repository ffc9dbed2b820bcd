// Step 1 of cpl_lb_terminate: makes events from the marks of this process, and sentences from what went wrong.
#pragma once

#include "events/catalogue.hpp"
#include "events/decode.hpp"
#include "run/live/component_facts.hpp"
#include "run/live/problem_list.hpp"
#include "run/live/process_record.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

struct DecodedRecord {
    std::vector<std::string> component_names; // by local index
    std::vector<LocalField> fields;           // by local number; [0]: none
    DecodedProcess process;
    std::vector<ComponentFacts> facts; // by local index, without times
};

// If there is no memory for the events, the process takes part without any: the others must not suffer.
[[nodiscard]] DecodedRecord decode_record(ProcessRecord &record, ProblemList &problems);

// The marks as input once more, for times that stay in them. `record` outlives the input.
[[nodiscard]] DecodeInput decode_input(const ProcessRecord &record, const DecodedRecord &decoded);

} // namespace cpl_lb
