// Says in one or two sentences who waits for whom: the first part of the verdict (report/words.hpp).
#pragma once

#include "data/coupled_run.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace cpl_lb {

// A component waits for another in exchanges, at least `balanced_below` of its loop.
struct Wait {
    const Component *waiter = nullptr;
    std::int32_t awaited = 0; // id; 0: not known
    double share = 0;         // of the waiter's loop
    double core_s = 0;
};

// All of the components that take part, the longest share first.
[[nodiscard]] std::vector<Wait> waits_of(const CoupledRun &run);

// The components that wait most of their time, and of those that they exchange with two have no other way to each
// other: they wait through it for each other.
class InBetween {
public:
    explicit InBetween(const CoupledRun &run);
    [[nodiscard]] bool has(const Component &component) const { return ids_.count(component.id) > 0; }

private:
    std::set<std::int32_t> ids_;
};

// There is at least one wait.
[[nodiscard]] std::string slow_side_sentence(const CoupledRun &run, const std::vector<Wait> &waits,
                                             const InBetween &between);

// A name inside a sentence.
[[nodiscard]] std::string name_in_words(const CoupledRun &run, std::int32_t id);
// "a, b and c"; with more: "a, b, c and 2 more".
[[nodiscard]] std::string listed(const std::vector<std::string> &parts, std::size_t more = 0);

} // namespace cpl_lb
