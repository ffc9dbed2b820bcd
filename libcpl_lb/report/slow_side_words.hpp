// Parts of the verdict (report/words.hpp): who waits for whom in one or two sentences, always with the longest wait
// of the run; and what changed during the run.
#pragma once

#include "analysis/waiting_share.hpp"
#include "report/text_sections.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cpl_lb {

// Shares of the critical path that differ by less name no slow side.
inline constexpr double clearly_larger = 0.05;

// A component waits for another in exchanges, for at least `balanced_below` of its loop.
struct Wait {
    const Component *waiter = nullptr;
    std::int32_t awaited = 0; // id; 0: not known
    double share = 0;         // of the waiter's loop
    double core_s = 0;
};

// All waits of the components that take part, the longest share first.
[[nodiscard]] std::vector<Wait> waits_of(const CoupledRun &run);

// Needs at least one wait.
[[nodiscard]] std::string slow_side_sentence(const CoupledRun &run, const std::vector<Wait> &waits,
                                             const InBetween &between);

// A name inside a sentence.
[[nodiscard]] std::string name_in_words(const CoupledRun &run, std::int32_t id);
// "a, b and c"; with more: "a, b, c and 2 more".
[[nodiscard]] std::string listed(const std::vector<std::string> &parts, std::size_t more = 0);

// Sentences about lasting changes, which come first. None if the run does not change.
[[nodiscard]] std::vector<std::string> changes_for_good(const CoupledRun &run);
// Sentences about changes by a pattern only, then about the meaning of all changes for the figures and the advice.
[[nodiscard]] std::vector<std::string> advice_for_changes(const CoupledRun &run);
// Both lists of sentences.
[[nodiscard]] std::vector<std::string> change_words(const CoupledRun &run);

// A row for each part, and for each pattern.
[[nodiscard]] SectionText change_table(const CoupledRun &run);

} // namespace cpl_lb
