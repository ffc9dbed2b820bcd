// What went wrong while the model ran, in words.
#pragma once

#include "events/catalogue.hpp"
#include "events/decode.hpp"
#include "run/live/problem_list.hpp"
#include "run/live/process_record.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

// The record has a recorder.
void note_recording_problems(const ProcessRecord &record, const DecodedProcess &decoded, ProblemList &problems);
[[nodiscard]] bool is_of_other_threads(const Problem &problem);

void note_decoding_problems(const DecodeProblems &found, const std::vector<LocalField> &fields,
                            ProblemList &problems);

[[nodiscard]] std::string dropped_in_words(std::size_t memory_bound_B);
// "10 s to 20 s" of the model's dates.
[[nodiscard]] std::string slice_in_words(const Settings &settings);

} // namespace cpl_lb
