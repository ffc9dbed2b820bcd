// What the members of an ensemble lose by waiting for the last of them: together, and at each point where they meet
// (docs/definitions.md, section 2, "Members of an ensemble").
#pragma once

#include "analysis/member_meetings.hpp"
#include "data/coupled_run.hpp"

namespace cpl_lb {

// There is at least one meeting.
void fill_cost_of_meetings(const CoupledRun &run, MemberGroup &group, const MemberMeetings &meetings);
// Members that meet nowhere inside the run: the processors of those that end early are idle until the last one ends.
void fill_cost_of_end(const CoupledRun &run, MemberGroup &group);

} // namespace cpl_lb
