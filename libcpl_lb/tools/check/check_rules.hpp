// The rules of cpl-lb check, and the result of a run for each rule.
#pragma once

#include "data/coupled_run.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cpl_lb {

// A figure of the run or of a component, in the unit that its name says.
struct Rule {
    std::string component; // empty: of the run
    std::string figure;    // "waiting_percent"
    double at_least = unknown, at_most = unknown;
    bool may_be_unknown = false; // if false, an unknown figure counts as a broken rule
    int line = 0;
};

struct CheckedRule {
    Rule rule;
    double value = unknown;    // in the unit of the figure's name
    std::int32_t process = -1; // the one that the figure is about; negative: none

    [[nodiscard]] bool kept() const;
};

// The TOML text of a file of rules (docs/compare.md). [each_component] is a rule for each of the run's components
// that is no I/O server. Throws TomlError for a figure, a component or a word that is not known, with the line.
[[nodiscard]] std::vector<Rule> read_rules(const std::string &text, const std::string &path, const CoupledRun &run);

[[nodiscard]] std::vector<CheckedRule> check(const CoupledRun &run, const std::vector<Rule> &rules);

// "ocean waiting_percent is 36.8: at most 20 is allowed".
[[nodiscard]] std::string in_words(const CheckedRule &checked);

} // namespace cpl_lb
