// Which components are members of one ensemble (docs/definitions.md, section 2, "Members of an ensemble").
#pragma once

#include "data/coupled_run.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

// What the user says about members: "atmosphere_*,ocean_*", "none", or nothing.
struct MemberChoice {
    std::vector<std::string> patterns; // each with one '*'; empty: they are guessed
    bool none = false;
    std::string why_not; // what is wrong with the text, in words; nothing is chosen then
};
[[nodiscard]] MemberChoice member_choice(std::string_view text);

// Fewer components with similar names may be chance.
inline constexpr std::size_t least_members_guessed = 3;

// Names and places of the members of each group, in the order of their numbers; the figures are not filled in.
// Guessed: names that differ in one number only, the same fields, and no message from one to another.
[[nodiscard]] std::vector<MemberGroup> find_members(const CoupledRun &run, const MemberChoice &choice);

// The ids of all members, by run.run.members. Needs keys of events, and no figures.
[[nodiscard]] std::set<std::int32_t> member_ids(const CoupledRun &run);

// A name without the number of the member, for fields that each member has for itself: "SST_03" of member 3 becomes
// "SST_#".
[[nodiscard]] std::string without_number(std::string_view name, std::int64_t number);
// Whether the pattern, with one '*' for any text that is not empty, fits the name.
[[nodiscard]] bool is_member_name(std::string_view pattern, std::string_view name);
// The number in place of the '*' of "atmosphere_*"; -1: there is none.
[[nodiscard]] std::int64_t member_number(std::string_view group, std::string_view name);

} // namespace cpl_lb
