// Numbers each member's events of one kind, field and component: equal numbers are one meeting. Adds up meeting by
// meeting what the members lose that come before the last one.
#include "analysis/member_meetings.hpp"

#include "analysis/member_groups.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace cpl_lb {
namespace {

constexpr std::size_t most_kept = std::size_t{1} << 22U; // arrivals of all members

using Key = std::tuple<Kind, std::string, std::int32_t>; // the field without the number of the member
using Events = std::vector<AtMeeting>;

// The class of an event as a key. All SYNCs of a field are one operation, whoever came last.
std::map<Key, std::vector<std::vector<std::uint32_t>>> common_classes(const CoupledRun &run,
                                                                      const MemberGroup &group) {
    std::set<std::int32_t> own;
    for (const EnsembleMember &m : group.of)
        own.insert(run.components[m.place].id);
    std::map<Key, std::vector<std::vector<std::uint32_t>>> classes; // by member
    for (std::size_t m = 0; m < group.of.size(); ++m) {
        const std::int64_t number = member_number(group.name, group.of[m].name);
        const std::vector<EventClass> &all = run.components[group.of[m].place].table.keys.classes();
        for (std::uint32_t c = 0; c < all.size(); ++c) {
            const bool sync = all[c].kind == Kind::sync;
            if (!sync && (all[c].kind != Kind::get || all[c].counterpart == 0 || own.contains(all[c].counterpart)))
                continue;
            const auto at = static_cast<std::size_t>(all[c].field) - 1;
            const std::string field = at < run.field_names.size() ? run.field_names[at] : "";
            auto &by_member = classes[{all[c].kind, without_number(field, number), sync ? 0 : all[c].counterpart}];
            by_member.resize(group.of.size());
            by_member[m].push_back(c);
        }
    }
    std::erase_if(classes, [](const auto &one) {
        return std::ranges::count_if(one.second, [](const auto &m) { return !m.empty(); }) < 2;
    });
    return classes;
}

constexpr std::uint32_t no_key = std::numeric_limits<std::uint32_t>::max();

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
            const auto most = std::ranges::max_element(of_last_[i]);
            if (core_time_s > 0) point.cost_share = point.cost_core_s / core_time_s;
            if (!(point.cost_core_s > 0)) continue;
            point.last = most - of_last_[i].begin();
            point.last_share = *most / point.cost_core_s;
        }
        std::ranges::stable_sort(points_, std::greater(), &MeetingPoint::cost_core_s);
        return std::move(points_);
    }

private:
    std::size_t members_;
    std::map<std::string, std::size_t> places_;
    std::vector<MeetingPoint> points_;
    std::vector<std::vector<double>> of_last_; // of each point, the cost of the meetings in which a member is last
};

} // namespace

Nanoseconds MemberMeeting::first() const {
    Nanoseconds earliest = std::numeric_limits<Nanoseconds>::max();
    for (const AtMeeting &one : of)
        if (one.arrival != absent) earliest = std::min(earliest, one.arrival);
    return earliest;
}

std::size_t MemberMeeting::last() const {
    return static_cast<std::size_t>(std::ranges::max_element(of, {}, &AtMeeting::arrival) - of.begin());
}

MemberMeetings meetings_of(const CoupledRun &run, const MemberGroup &group, const Budget &budget) {
    MemberMeetings found;
    const auto classes = common_classes(run, group);
    std::vector<std::vector<std::uint32_t>> key_of_class(group.of.size());
    std::size_t all = 0;
    for (std::size_t m = 0; m < group.of.size(); ++m) {
        budget.check();
        const EventKeys &keys = run.components[group.of[m].place].table.keys;
        key_of_class[m].assign(keys.classes().size(), no_key);
        std::uint32_t key = 0;
        for (const auto &[what, by_member] : classes) {
            for (const std::uint32_t c : by_member[m])
                key_of_class[m][c] = key;
            ++key;
        }
        for (std::size_t k = 0; k < keys.size(); ++k)
            all += key_of_class[m][keys.class_of(k)] != no_key ? 1U : 0U;
    }
    found.one_in = static_cast<std::int64_t>(all / most_kept + 1);
    const auto one_in = static_cast<std::size_t>(found.one_in);
    // By key, then by member.
    std::vector<std::vector<Events>> events(classes.size(), std::vector<Events>(group.of.size()));
    for (std::size_t m = 0; m < group.of.size(); ++m) {
        budget.check();
        const EventTable &table = run.components[group.of[m].place].table;
        std::vector<std::size_t> met(classes.size());
        for (std::size_t k = 0; k < table.keys.size(); ++k) {
            const std::uint32_t key = key_of_class[m][table.keys.class_of(k)];
            if (key == no_key || table.spans[k].empty() || met[key]++ % one_in != 0) continue;
            events[key][m].push_back({table.spans[k].last_start, table.spans[k].last_stop});
        }
    }
    std::uint32_t key = 0;
    for (const auto &[what, by_member] : classes) {
        const auto &[kind, field, counterpart] = what;
        found.where.push_back(counterpart == 0 ? field : run.component_name(counterpart));
        std::size_t least = std::numeric_limits<std::size_t>::max(), most = 0;
        for (std::size_t m = 0; m < group.of.size(); ++m) {
            if (by_member[m].empty()) continue;
            least = std::min(least, events[key][m].size());
            most = std::max(most, events[key][m].size());
        }
        found.lengths_differ = found.lengths_differ || most > least;
        for (std::size_t n = 1; n < least; ++n) {
            MemberMeeting meeting{key, std::vector<AtMeeting>(group.of.size())};
            for (std::size_t m = 0; m < group.of.size(); ++m)
                if (!by_member[m].empty()) meeting.of[m] = events[key][m][n];
            found.list.push_back(std::move(meeting));
        }
        ++key;
    }
    std::ranges::stable_sort(found.list, {}, &MemberMeeting::first);
    return found;
}

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
