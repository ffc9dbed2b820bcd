// Members of an ensemble: components that are one model many times, found by their names and shown as one
// (docs/definitions.md, section 2, "Members of an ensemble").
#pragma once

#include "data/coupled_run.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

// What the user says about members: "atmosphere_*,ocean_*", or "none".
struct MemberChoice {
    std::vector<std::string> patterns; // each with one '*'
    std::string why_not;               // what is wrong with the text, in words; nothing is chosen then
};
[[nodiscard]] MemberChoice member_choice(std::string_view text);

// A component, or the members of an ensemble.
struct ComponentGroup {
    std::string name;                  // of the component, or "atmosphere_*"
    std::vector<std::size_t> of;       // places in CoupledRun::components, ascending
    Spread computing_s{}, waiting_s{}; // of those that know it; filled in by folded()
    [[nodiscard]] bool is_folded() const { return of.size() > 1; }
};

// Fewer components with similar names may be chance.
inline constexpr std::size_t least_members_guessed = 3;

// All components once, each group at the place of its first one. By run.run.members; if that is empty, components are
// members if their names differ in one number and none of them waits for a message of another one.
[[nodiscard]] std::vector<ComponentGroup> component_groups(const CoupledRun &run);

// The run with one component for each group, for sentences and tables: its names, processes, cores and figures of
// the loop only. A group has the id of its first member, sums of processes, cores, events and shares of the critical
// path, and of all else the mean of those that know it.
struct FoldedRun {
    CoupledRun run;
    std::vector<ComponentGroup> groups; // as run.components
};
// counted: names of groups tell how many they are: "atmosphere_* (12 members)".
[[nodiscard]] FoldedRun folded(const CoupledRun &run, bool counted = false);

// A remark if run.run.members chooses nothing, instead of that on an earlier choice.
void remark_on_members(CoupledRun &run);

} // namespace cpl_lb
