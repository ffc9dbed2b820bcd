// Reads the sentences of cpl-lb balance and predict back and works out by itself whether each is true: from the runs
// that they were asked about, and from the figures of the same answer for programs.
#pragma once

#include "data/coupled_run.hpp"
#include "tests/json.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace cpl_lb::test {

struct Asked {
    const CoupledRun *first = nullptr;                      // judged; the others differ in their counts only
    std::map<std::string, std::set<std::int64_t>> measured; // counts of each component, in all runs
    std::map<std::string, std::int64_t> counts;             // predict: those asked for
    std::int64_t total = 0;                                 // balance: --total
    bool other_limits = false;                              // balance: more than the total holds the counts
};

// What is wrong with an answer: a line of words that is not in the table, a figure or a condition that does not hold.
[[nodiscard]] std::vector<std::string> what_is_false(const Asked &asked, const std::string &text,
                                                     const nlohmann::json &answer);

} // namespace cpl_lb::test
