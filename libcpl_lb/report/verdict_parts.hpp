// Parts of the verdict (report/words.hpp): who waits for whom in one or two sentences, always with the longest wait
// of the run; why processes of a component wait for each other; what changed during the run;
// its beginning and its end.
#pragma once

#include "analysis/waiting_share.hpp"
#include "report/text_sections.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

// Shares of the critical path that differ by less name no slow side.
inline constexpr double clearly_larger = 0.05;

// What cpl-lb-record calls the programs that are in another run, or in none.
inline constexpr std::string_view another_world = "another MPI world", not_recorded = "not recorded";

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

// That the run exchanges with a program that was spawned or connected, if it does and the first sentence is another.
void add_another_world(std::vector<std::string> &words, const CoupledRun &run, const std::vector<Wait> &waits);

// A name inside a sentence.
inline constexpr std::size_t name_columns = 40;
[[nodiscard]] std::string name_in_words(const CoupledRun &run, std::int32_t id);
[[nodiscard]] std::string awaited_in_words(const CoupledRun &run, const Wait &wait);
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
// How much of the waiting a few steps add, and whether the model of other splits has them in; empty if it is little.
[[nodiscard]] std::string few_steps_sentence(const CoupledRun &run);

// Why the processes of a component wait for each other.

// Less than this share of the coupling loop is not worth a sentence.
inline constexpr double imbalance_told_from = 0.05;

// The sentence for the component whose imbalance costs the most core time; empty if that is less of its loop.
[[nodiscard]] std::string imbalance_sentence(const CoupledRun &run);

// The parts, "always the same processes" first: "process 1 is always last (12 %), the rest differs each time (3 %)".
[[nodiscard]] std::string imbalance_parts_in_words(const Component &component);

// A table of all components, and why a part is missing; empty without a coupling loop.
[[nodiscard]] SectionText imbalance_section(const CoupledRun &run);

// The beginning and the end of a run.

// How much of the run the coupling loop takes, if that is less than half; or that no loop is known.
[[nodiscard]] std::string coverage_sentence(const CoupledRun &run);

// A shorter start-up is not worth a sentence.
inline constexpr double startup_told_from = 0.1; // of the run

// How long start-up takes, and who is last; empty if it is short.
[[nodiscard]] std::string startup_sentence(const CoupledRun &run);
// The speed of the loop, and a simulated year in one job; empty if they are not known.
[[nodiscard]] std::string long_run_lines(const CoupledRun &run);
// "45 s", "2.5 min", "3.2 h", "12 days".
[[nodiscard]] std::string duration_in_words(double seconds);

} // namespace cpl_lb
