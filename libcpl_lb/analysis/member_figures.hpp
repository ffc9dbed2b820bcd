// Figures of the members of ensembles, and why they wait for each other (docs/definitions.md, section 2).
#pragma once

#include "data/coupled_run.hpp"
#include "support/budget.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace cpl_lb {

// Finds the groups by run.run.members (member_choice) and fills in their figures. Needs tables and balances. A figure
// for which the budget is too small is not known, and has its reason.
void judge_members(CoupledRun &run, const Budget &budget = {});

// Whether two members compute as long as each other: less than a millionth apart, which no clock tells.
[[nodiscard]] inline bool compute_alike(double a_s, double b_s) {
    return std::abs(a_s - b_s) <= 1e-6 * std::max(a_s, b_s);
}

// The group of a component by its place; nullptr: it is no member.
[[nodiscard]] const MemberGroup *group_of_member(const CoupledRun &run, std::size_t place);
// Sets the members' places in the run from their names, after reading a file.
void find_places(CoupledRun &run);

// The slope of a line through at least three known values whose x are not all equal. The line must explain half of
// the variance, its slope be at least four of its standard errors, and its growth from the least x to the largest be
// at least a tenth of the mean. Else NaN.
[[nodiscard]] double growth_over(std::span<const double> x, std::span<const double> y);
// The growth of the start-up with the number of the member, for four members or more.
[[nodiscard]] double growth_by_member(std::span<const double> startup_s);

} // namespace cpl_lb
