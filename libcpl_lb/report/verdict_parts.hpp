// Parts of the verdict (report/words.hpp): who waits for whom in one or two sentences, always with the longest wait
// of the run; members of ensembles; why processes of a component wait for each other; what changed during the run;
// its beginning and its end.
#pragma once

#include "analysis/waiting_share.hpp"
#include "report/text_sections.hpp"

#include <cstddef>
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

// The verdict where members of an ensemble decide together how long the coupling loop takes: which of them is the
// slowest is chance, unless the parts of their lateness say otherwise.

// The group of a component by its id; nullptr: it is no member.
[[nodiscard]] const MemberGroup *group_of_id(const CoupledRun &run, std::int32_t id);
// "atmosphere_*" for a member, its own name for another component.
[[nodiscard]] std::string name_of_group(const CoupledRun &run, std::int32_t id, std::size_t columns);

// Instead of the sentence about the slow side; empty: that one stands.
[[nodiscard]] std::string member_verdict(const CoupledRun &run, const InBetween &between);

// Counts of a split: "each member of atmosphere_*" and its cores, other components by their names; those with 0 are
// left out.
struct NamedCores {
    std::string name;
    std::int64_t cores = 0;
};
[[nodiscard]] std::vector<NamedCores> named_cores(const CoupledRun &run, const std::vector<std::int64_t> &cores);
// Whether it gives members of one group different counts, as files of before 0.4 do.
[[nodiscard]] bool moves_between_members(const CoupledRun &run, const std::vector<std::int64_t> &cores);

// A sentence for each group whose members lose 2 % of their core time or more for a reason other than chance, and one
// for each group whose start-up grows with its members.
[[nodiscard]] std::vector<std::string> member_sentences(const CoupledRun &run);

// What waiting for the last member costs, whether it is late by chance or not; empty: less than 2 %, or its parts are
// not known.
[[nodiscard]] std::string members_wait_sentence(const CoupledRun &run, const MemberGroup &group);

// Why members come late, the largest part first. The parts of the group must be known.
[[nodiscard]] std::string member_parts_in_words(const CoupledRun &run, const MemberGroup &group);

// "atmosphere_* x 80", for a row that stands for all members.
[[nodiscard]] std::string group_name(const MemberGroup &group, std::size_t columns);

// Text below a table with one row for each group: its spread, and why its members count as one group.
[[nodiscard]] std::string member_lines(const CoupledRun &run, std::size_t columns);

// The table of groups, and that of all members; empty without members.
[[nodiscard]] SectionText member_groups_section(const CoupledRun &run);
[[nodiscard]] SectionText members_section(const CoupledRun &run);

// Why the processes of a component wait for each other.

// Less than this share of the coupling loop is not worth a sentence.
inline constexpr double imbalance_told_from = 0.05;

// The sentence for the component whose imbalance costs the most core time; empty if that is less of its loop.
[[nodiscard]] std::string imbalance_sentence(const CoupledRun &run);

// The parts, "always the same processes" first: "process 1 is always last (12 %), the rest is random (3 %)".
[[nodiscard]] std::string imbalance_parts_in_words(const Component &component);

// A part of what processes or members wait for each other.
struct LatePart {
    double seconds = 0;
    std::string words;
};
// Those of `least` seconds or more that have words, the largest first.
[[nodiscard]] std::vector<LatePart> told_parts(std::vector<LatePart> parts, double least);
// Told parts in a sentence, with what is left to chance if that is `least` seconds or more.
[[nodiscard]] std::string parts_in_words(const std::vector<LatePart> &told, double least, double random_s,
                                         const std::string &random_share);
// The part of unusual ones of the exchanges, or of the meetings.
[[nodiscard]] std::string unusual_in_words(const ImbalanceParts &parts, const char *exchanges,
                                           const std::string &share, const std::string &cause);

// A table of all components, and why a part is missing; empty without a coupling loop.
[[nodiscard]] SectionText imbalance_section(const CoupledRun &run);

// The beginning and the end of a run.

// A shorter start-up is not worth a sentence.
inline constexpr double startup_told_from = 0.1; // of the run

// How long start-up takes, and who is last; empty if it is short.
[[nodiscard]] std::string startup_sentence(const CoupledRun &run);
// The speed of the loop, and a simulated year in one job; empty if they are not known.
[[nodiscard]] std::string long_run_lines(const CoupledRun &run);
// "45 s", "2.5 min", "3.2 h", "12 days".
[[nodiscard]] std::string duration_in_words(double seconds);

} // namespace cpl_lb
