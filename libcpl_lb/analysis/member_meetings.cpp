// Numbers each member's events of one kind, field and component: equal numbers are one meeting.
#include "analysis/member_meetings.hpp"

#include "analysis/member_groups.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>

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
        return std::count_if(one.second.begin(), one.second.end(), [](const auto &m) { return !m.empty(); }) < 2;
    });
    return classes;
}

constexpr std::uint32_t no_key = std::numeric_limits<std::uint32_t>::max();

} // namespace

Nanoseconds MemberMeeting::first() const {
    Nanoseconds earliest = std::numeric_limits<Nanoseconds>::max();
    for (const AtMeeting &one : of)
        if (one.arrival != absent) earliest = std::min(earliest, one.arrival);
    return earliest;
}

std::size_t MemberMeeting::last() const {
    const auto by_arrival = [](const AtMeeting &a, const AtMeeting &b) { return a.arrival < b.arrival; };
    return static_cast<std::size_t>(std::max_element(of.begin(), of.end(), by_arrival) - of.begin());
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
    std::stable_sort(found.list.begin(), found.list.end(),
                     [](const MemberMeeting &a, const MemberMeeting &b) { return a.first() < b.first(); });
    return found;
}

} // namespace cpl_lb
