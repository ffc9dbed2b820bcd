// --allowed: the counts that a component can take at all, as a list, by a rule, or from a file.
#pragma once

#include "prediction/balance_model.hpp"
#include "tools/launch/launch_plan.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace cpl_lb {

// NX x NY processes, NX at most most_x, NY at most most_y, and the larger at most most_ratio times the smaller. 0:
// any.
struct TileRule {
    std::int64_t most_x = 0, most_y = 0;
    double most_ratio = 0;
};

// The most square split of so many processes that the rule allows; {0, 0} if there is none.
[[nodiscard]] std::pair<std::int64_t, std::int64_t> tiles_within(const TileRule &rule, std::int64_t processes);

// What one component may have: any of these.
struct AllowedRule {
    std::vector<std::int64_t> counts;  // cores, ascending
    std::vector<std::int64_t> factors; // cores are a multiple of one of them
    std::vector<TileRule> tiles;
    std::string words; // as it was given

    // `threads`: the numbers of threads that a process may have. With each that fills the cores there are tiles.
    [[nodiscard]] bool allows(std::int64_t cores, const std::vector<std::int64_t> &threads) const;
};
using AllowedRules = std::map<std::string, AllowedRule>;

// "atm=64:128,ocean=multiple-of-6,ice=tiles-to-40x25-ratio-2,wave=@counts.txt"; empty for an empty text. A file has
// one count a line; # begins a comment. Throws std::invalid_argument with the option's name, FileError with the line.
[[nodiscard]] AllowedRules allowed_rules(const std::string &text, const std::vector<std::string> &components);

// Throws std::invalid_argument if the rule of the component excludes the count. `option`: the one with the count.
void check_allowed(const std::string &option, const std::string &component, std::int64_t cores,
                   const std::vector<std::int64_t> &threads, const AllowedRules &rules);

// The numbers of threads that a process of the component may have.
[[nodiscard]] std::vector<std::int64_t> possible_threads(const BalanceModel &model, std::size_t c);

// Counts of the first run that --allowed does not have, in sentences.
[[nodiscard]] std::vector<std::string> not_allowed_now(const std::string &allowed, const BalanceModel &model);

// With the tiles of --allowed, for components whose processes it splits.
void enter_tiles(LaunchPlan &plan, const std::string &allowed);

} // namespace cpl_lb
