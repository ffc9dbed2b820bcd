// The answer of cpl-lb compare: words, text, json, JUnit and a page.
#pragma once

#include "comparison/compare_runs.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

enum class CompareVerdict { slower, faster, no_difference_shown, not_known };
[[nodiscard]] CompareVerdict verdict_of(const Comparison &comparison);

// Whether the run is significantly slower, and by more than `per_cent`.
[[nodiscard]] bool slower_by_more(const Comparison &comparison, double per_cent);

// Sentences: the run, then each component that differs, then all other differences.
[[nodiscard]] std::vector<std::string> comparison_in_words(const Comparison &comparison);

// Warnings: runs that the machine disturbed, and other differences between the runs.
[[nodiscard]] std::vector<std::string> notes_of(const Comparison &comparison);

[[nodiscard]] std::string comparison_as_text(const Comparison &comparison);
[[nodiscard]] std::string comparison_as_json(const Comparison &comparison);
// `per_cent`: of --fail-if-slower.
[[nodiscard]] std::string comparison_as_junit(const Comparison &comparison, double per_cent);
// A run as the page names it.
struct ComparedRun {
    std::string name;    // of its folder
    std::string about;   // its own name, and when it started
    std::string address; // of its page; empty: it has none
};
struct ComparedStates {
    std::vector<ComparedRun> before, after;
};
[[nodiscard]] std::string comparison_as_page(const Comparison &comparison, const ComparedStates &states);

// "+5.9 [5.5, 6.3]", in per cent.
[[nodiscard]] std::string change_text(const Difference &difference);

} // namespace cpl_lb
