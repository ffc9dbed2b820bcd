// Figures of the members of ensembles, and why they wait for each other (docs/definitions.md, section 2).
#pragma once

#include "data/coupled_run.hpp"
#include "support/budget.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace cpl_lb {

// Finds the groups by run.run.members (member_choice) and fills in their figures. Needs tables and balances. What the
// budget does not suffice for is not known, with its reason.
void judge_members(CoupledRun &run, const Budget &budget = {});

// Whether two members compute as long as each other: less than a millionth apart, which no clock tells.
[[nodiscard]] inline bool compute_alike(double a_s, double b_s) {
    return std::abs(a_s - b_s) <= 1e-6 * std::max(a_s, b_s);
}

// The group of a component by its place; nullptr: it is no member.
[[nodiscard]] const MemberGroup *group_of_member(const CoupledRun &run, std::size_t place);
// After reading a file, which has the names: the members' places in the run.
void find_places(CoupledRun &run);

// The slope of a line that explains at least half of the variance, with a slope of at least four of its standard
// errors, and with a growth from the least x to the largest of a tenth of the mean or more. Else NaN. At least three
// values, all known, and not all x equal.
[[nodiscard]] double growth_over(std::span<const double> x, std::span<const double> y);
// Start-up over the number of the member, of four members or more.
[[nodiscard]] double growth_by_member(std::span<const double> startup_s);

} // namespace cpl_lb
