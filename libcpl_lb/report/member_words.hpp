// Members of ensembles in words: one row for a group, what waiting for the slowest costs, and the full table by
// member.
#pragma once

#include "report/text_sections.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

// One for each group whose members lose 2 % of their core time or more, for a reason that is not chance; and one for
// each whose start-up grows with the members.
[[nodiscard]] std::vector<std::string> member_sentences(const CoupledRun &run);

// What waiting for the last member costs, whether it is late by chance or not; empty: less than 2 %, or its parts are
// not known.
[[nodiscard]] std::string members_wait_sentence(const CoupledRun &run, const MemberGroup &group);

// Why members come late, the largest part first; of a group whose parts are known.
[[nodiscard]] std::string member_parts_in_words(const CoupledRun &run, const MemberGroup &group);

// "atmosphere_* x 80", for a row that stands for all members.
[[nodiscard]] std::string group_name(const MemberGroup &group, std::size_t columns);

// Below a table with one row for each group: its spread, and from what it was taken as one.
[[nodiscard]] std::string member_lines(const CoupledRun &run, std::size_t columns);

// The table of groups, and that of all members; empty without members.
[[nodiscard]] SectionText member_groups_section(const CoupledRun &run);
[[nodiscard]] SectionText members_section(const CoupledRun &run);

} // namespace cpl_lb
