// Reads the sentences of a run back and works out by itself whether each is true. It shares no code with what writes
// them, but the table of their texts (support/sentences.inc).
#pragma once

#include "data/coupled_run.hpp"

#include <map>
#include <string>
#include <vector>

namespace cpl_lb::test {

struct ReadSentence {
    std::string id;
    std::map<std::string, std::string> figures; // by the names of the table
};

// All sentences of a text, or nothing where it is not made of them.
[[nodiscard]] std::vector<ReadSentence> read_sentences(const std::string &text);

// Whether "23 %", "1.3 %" or "less than 0.1 %" is that share, as rounded; and the share that it says.
[[nodiscard]] bool is_share(const std::string &text, double share);
[[nodiscard]] double share_of(const std::string &text);

// What is wrong with the words of a run, said first or in the verdict: a text that is not in the table, a figure that
// is not the run's, a condition that does not hold, a longest wait that is hidden. Empty: nothing.
[[nodiscard]] std::vector<std::string> what_is_false(const CoupledRun &run, const std::vector<std::string> &words);

// The same of its remarks: also one that is due and not there.
[[nodiscard]] std::vector<std::string> what_is_false_in_remarks(const CoupledRun &run);

} // namespace cpl_lb::test
