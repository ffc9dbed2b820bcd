// Adds up meeting by meeting what the members lose that come before the last one.
#include "analysis/member_cost.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace cpl_lb {
namespace {

double cores_of(const CoupledRun &run, const EnsembleMember &member) {
    return static_cast<double>(run.components[member.place].cores());
}

// What members wait for the last one, times their cores: no longer than each stays, for who leaves earlier does not
// wait.
double lost_at(const CoupledRun &run, const MemberGroup &group, const MemberMeeting &meeting) {
    const Nanoseconds latest = meeting.latest();
    double cost = 0;
    for (std::size_t m = 0; m < group.of.size(); ++m) {
        const AtMeeting &at = meeting.of[m];
        if (at.arrival == absent) continue;
        cost += cores_of(run, group.of[m]) * to_seconds(std::min(latest - at.arrival, at.left - at.arrival));
    }
    return cost;
}

// Several fields of one component are one meeting point.
class PointCosts {
public:
    explicit PointCosts(std::size_t members) : members_(members) {}
    void add(const std::string &where, std::size_t last, double cost_core_s, std::int64_t one_in) {
        const auto [at, is_new] = places_.try_emplace(where, points_.size());
        if (is_new) {
            points_.push_back({.where = where, .cost_core_s = 0});
            of_last_.emplace_back(members_);
        }
        MeetingPoint &point = points_[at->second];
        point.meetings += one_in;
        point.cost_core_s += cost_core_s;
        of_last_[at->second][last] += cost_core_s;
    }
    // The dearest first. core_time_s: of all members.
    [[nodiscard]] std::vector<MeetingPoint> points(double core_time_s) {
        for (std::size_t i = 0; i < points_.size(); ++i) {
            MeetingPoint &point = points_[i];
            const auto most = std::max_element(of_last_[i].begin(), of_last_[i].end());
            if (core_time_s > 0) point.cost_share = point.cost_core_s / core_time_s;
            if (!(point.cost_core_s > 0)) continue;
            point.last = most - of_last_[i].begin();
            point.last_share = *most / point.cost_core_s;
        }
        std::stable_sort(points_.begin(), points_.end(),
                         [](const MeetingPoint &a, const MeetingPoint &b) { return a.cost_core_s > b.cost_core_s; });
        return std::move(points_);
    }

private:
    std::size_t members_;
    std::map<std::string, std::size_t> places_;
    std::vector<MeetingPoint> points_;
    std::vector<std::vector<double>> of_last_; // of each point, the cost of the meetings in which a member is last
};

} // namespace

void fill_cost_of_meetings(const CoupledRun &run, MemberGroup &group, const MemberMeetings &meetings) {
    double lost = 0, spread = 0, cores = 0;
    PointCosts at_points(group.of.size());
    for (const MemberMeeting &meeting : meetings.list) {
        const double cost = lost_at(run, group, meeting) * static_cast<double>(meetings.one_in);
        spread += to_seconds(meeting.latest() - meeting.first());
        lost += cost;
        at_points.add(meetings.where[meeting.group], meeting.last(), cost, meetings.one_in);
    }
    for (const EnsembleMember &m : group.of)
        cores += cores_of(run, m);
    const double core_time_s = cores * to_seconds(meetings.list.back().latest() - meetings.list.front().first());
    group.meetings = static_cast<std::int64_t>(meetings.list.size()) * meetings.one_in;
    group.spread_s = spread / static_cast<double>(meetings.list.size());
    group.cost_core_s = lost;
    group.cost_share = core_time_s > 0 ? lost / core_time_s : unknown;
    group.points = at_points.points(core_time_s);
    group.meet_at = group.points.front().where;
}

void fill_cost_of_end(const CoupledRun &run, MemberGroup &group) {
    if (group.most_steps != group.steps || group.steps == 0) {
        group.why_no_cost = group.steps == 0
                                ? "its members meet nowhere, and their coupling steps are not known"
                                : "its members meet nowhere and have different numbers of steps: how long each runs "
                                  "is not its speed";
        return;
    }
    Nanoseconds last = absent, first = std::numeric_limits<Nanoseconds>::max();
    for (const EnsembleMember &m : group.of) {
        last = std::max(last, run.components[m.place].last_terminate);
        first = std::min(first, run.components[m.place].first_init);
    }
    double lost = 0, cores = 0, earliest = unknown;
    for (const EnsembleMember &m : group.of) {
        const double early = to_seconds(last - run.components[m.place].last_terminate);
        lost += cores_of(run, m) * early;
        cores += cores_of(run, m);
        earliest = std::fmax(earliest, early);
    }
    group.spread_s = earliest;
    group.cost_core_s = lost;
    group.cost_share = last > first && cores > 0 ? lost / (to_seconds(last - first) * cores) : unknown;
}

} // namespace cpl_lb
