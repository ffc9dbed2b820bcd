// Groups runs by their names.
#include "history/run_members.hpp"

#include "analysis/member_groups.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace cpl_lb {
namespace {

RunMember member_of(const std::string &name, const std::vector<const RunRecord *> &runs) {
    RunMember m;
    m.name = name;
    m.runs = static_cast<std::int64_t>(runs.size());
    m.cores = runs.back()->cores;
    Spread year, wall, startup;
    for (const RunRecord *run : runs) {
        if (run->sypd > 0) year.add(24 / run->sypd);
        wall.add(run->wall_s);
        startup.add(run->startup.startup_s);
    }
    if (year.count == m.runs) m.year_h = year.mean();
    if (wall.count == m.runs) m.wall_s = wall.mean();
    if (startup.count == m.runs) m.startup_s = startup.mean();
    return m;
}

} // namespace

RunMembers run_members(std::span<const RunRecord> runs, const std::string &pattern) {
    RunMembers members;
    members.name = pattern;
    std::map<std::pair<std::int64_t, std::string>, std::vector<const RunRecord *>> by_name;
    for (const RunRecord &run : runs) {
        if (!is_member_name(pattern, run.name)) continue;
        by_name[{member_number(pattern, run.name), run.name}].push_back(&run);
        members.runs.push_back({run.name, run.started, run.startup});
    }
    for (const auto &[name, of] : by_name)
        members.of.push_back(member_of(name.second, of));
    if (members.of.size() < 2) return members;
    members.by_speed = std::ranges::all_of(members.of, is_known, &RunMember::year_h);
    const auto figure = members.by_speed ? &RunMember::year_h : &RunMember::wall_s;
    double cores = 0, core_time = 0;
    for (std::size_t i = 0; i < members.of.size(); ++i) {
        const RunMember &member = members.of[i];
        if (!is_known(member.*figure)) continue;
        if (members.spread.count == 0 || member.*figure > members.spread.max) members.slowest = i;
        if (members.spread.count == 0 || member.*figure < members.spread.min) members.fastest = i;
        members.spread.add(member.*figure);
        cores += static_cast<double>(member.cores);
        core_time += static_cast<double>(member.cores) * member.*figure;
    }
    const bool all = std::cmp_equal(members.spread.count, members.of.size());
    const bool cores_known = std::ranges::all_of(members.of, [](const RunMember &m) { return m.cores > 0; });
    if (all && cores_known && members.spread.max > 0)
        members.waiting_share = 1 - core_time / (cores * members.spread.max);
    return members;
}

} // namespace cpl_lb
