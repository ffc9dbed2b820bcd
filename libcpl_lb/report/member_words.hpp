// Members of ensembles in words: one row for each group, the cost of waiting for the slowest, and the full table by
// member.
#pragma once

#include "report/text_sections.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

// A sentence for each group whose members lose 2 % of their core time or more for a reason other than chance, and one
// for each group whose start-up grows with its members.
[[nodiscard]] std::vector<std::string> member_sentences(const CoupledRun &run);

// What waiting for the last member costs, whether it is late by chance or not; empty: less than 2 %, or its parts are
// not known.
[[nodiscard]] std::string members_wait_sentence(const CoupledRun &run, const MemberGroup &group);

// Why members come late, the largest part first. The parts of the group must be known.
[[nodiscard]] std::string member_parts_in_words(const CoupledRun &run, const MemberGroup &group);

// "atmosphere_* x 80", for a row that stands for all members.
[[nodiscard]] std::string group_name(const MemberGroup &group, std::size_t columns);

// Text below a table with one row for each group: its spread, and why its members count as one group.
[[nodiscard]] std::string member_lines(const CoupledRun &run, std::size_t columns);

// The table of groups, and that of all members; empty without members.
[[nodiscard]] SectionText member_groups_section(const CoupledRun &run);
[[nodiscard]] SectionText members_section(const CoupledRun &run);

} // namespace cpl_lb
