// The verdict where members of an ensemble decide together how long the coupling loop takes: which of them is the
// slowest is chance, unless the parts of their lateness say otherwise (report/member_words.hpp).
#pragma once

#include "report/slow_side_words.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cpl_lb {

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

} // namespace cpl_lb
