// Where and when the members of an ensemble meet inside a run (docs/definitions.md, section 2, "Members of an
// ensemble"): receives from one component that several members share, and collective operations. What they lose by
// waiting for the last of them: together, and at each point where they meet.
#pragma once

#include "data/coupled_run.hpp"
#include "support/budget.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cpl_lb {

// A member's event at a meeting: its last process has come, its last process leaves.
struct AtMeeting {
    Nanoseconds arrival = absent, left = absent;
};

struct MemberMeeting {
    std::uint32_t group = 0;   // meetings of one (kind, field, component)
    std::vector<AtMeeting> of; // by member
    [[nodiscard]] Nanoseconds first() const;
    [[nodiscard]] std::size_t last() const; // the member that comes last: its place in `of`
    [[nodiscard]] Nanoseconds latest() const { return of[last()].arrival; }
};

struct MemberMeetings {
    std::vector<std::string> where;  // by group: the component, or the field of the operation
    std::vector<MemberMeeting> list; // ascending by the first arrival
    std::int64_t one_in = 1;         // of the meetings, one in so many is looked at
    bool lengths_differ = false;     // some members meet more often: only what all have counts
};

// The first meeting of each group is left out: it belongs to the start-up.
// Throws BudgetUsedUp.
[[nodiscard]] MemberMeetings meetings_of(const CoupledRun &run, const MemberGroup &group, const Budget &budget = {});

// There is at least one meeting.
void fill_cost_of_meetings(const CoupledRun &run, MemberGroup &group, const MemberMeetings &meetings);
// Members that meet nowhere inside the run: the processors of those that end early are idle until the last one ends.
void fill_cost_of_end(const CoupledRun &run, MemberGroup &group);

} // namespace cpl_lb
