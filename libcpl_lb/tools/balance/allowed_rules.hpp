// --allowed: the counts that a component can take at all, as a list, by a rule, or from a file.
#pragma once

#include "prediction/balance_model.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace cpl_lb {

// What one component may have: any of these.
struct AllowedRule {
    std::vector<std::int64_t> counts;  // cores, ascending
    std::vector<std::int64_t> factors; // cores are a multiple of one of them
    std::string words;                 // as it was given

    [[nodiscard]] bool allows(std::int64_t cores) const;
};
using AllowedRules = std::map<std::string, AllowedRule>;

// "atm=64:128,ocean=multiple-of-6,wave=@counts.txt", or "multiple-of-8" for all components; empty for an empty text.
// A file has one count a line; # begins a comment. Throws std::invalid_argument with the option's name, FileError
// with the line.
[[nodiscard]] AllowedRules allowed_rules(const std::string &text, const std::vector<std::string> &components);

// Whether the text has rules of single components, and not one for all, as "@/data/x=1/counts" is.
[[nodiscard]] bool names_components(const std::string &allowed);

// Throws std::invalid_argument if the rule of the component excludes the count. `option`: the one with the count.
void check_allowed(const std::string &option, const std::string &component, std::int64_t cores,
                   const AllowedRules &rules);

// Counts of the first run that --allowed does not have, in sentences.
[[nodiscard]] std::vector<std::string> not_allowed_now(const std::string &allowed, const BalanceModel &model);

} // namespace cpl_lb
