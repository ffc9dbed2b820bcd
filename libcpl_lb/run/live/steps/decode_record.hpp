// Step 1 of cpl_lb_terminate: makes events from the marks of this process, and sentences from its problems.
#pragma once

#include "events/catalogue.hpp"
#include "events/decode.hpp"
#include "run/live/component_facts.hpp"
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

// Facts of this process about one of its components in addition to the events: properties, regions, expressions.
// component: local index. Times are set later, when the run's clock is known.
[[nodiscard]] ComponentFacts local_facts(const ProcessRecord &record, const DecodedRecord &decoded,
                                         std::size_t component);

// The problems while the model ran, in words. The record must have a recorder.
void note_recording_problems(const ProcessRecord &record, const DecodedProcess &decoded, ProblemList &problems);
[[nodiscard]] bool is_of_other_threads(const Problem &problem);

void note_decoding_problems(const DecodeProblems &found, const std::vector<LocalField> &fields,
                            ProblemList &problems);

[[nodiscard]] std::string dropped_in_words(std::size_t memory_bound_B);
// "10 s to 20 s" of the model's dates.
[[nodiscard]] std::string slice_in_words(const Settings &settings);

} // namespace cpl_lb
