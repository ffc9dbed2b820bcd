// Names of load_balancing_info.json for members of ensembles, for writing and reading (info_members.hpp).
#pragma once

#include "data/members.hpp"
#include "io/json/meters_members.hpp"

namespace cpl_lb {

template <class Way, Either<EnsembleMember> M>
void json_members(Way &way, M &m) {
    way.word("component", m.name);
    way.count("steps", m.steps);
    way.figure("step_s", m.step_s);
    way.figure("late_s", m.late_s);
    way.flag("is_cut", m.is_cut);
}

template <class Way, Either<MeetingPoint> P>
void json_members(Way &way, P &p) {
    way.word("where", p.where);
    way.count("meetings", p.meetings);
    way.figure("cost_core_s", p.cost_core_s);
    way.figure("cost_share", p.cost_share);
    way.count_from_0("last", p.last);
    way.figure("last_share", p.last_share);
}

template <class Way, Either<MemberGroup> G>
void json_members(Way &way, G &g) {
    way.word("name", g.name);
    way.flag("guessed", g.guessed);
    way.list("of", g.of);
    auto slowest = static_cast<std::int64_t>(g.slowest), fastest = static_cast<std::int64_t>(g.fastest);
    way.count("slowest", slowest);
    way.count("fastest", fastest);
    if constexpr (!std::is_const_v<G>) {
        g.slowest = static_cast<std::size_t>(slowest);
        g.fastest = static_cast<std::size_t>(fastest);
    }
    way.part("computing_s", g.computing_s);
    way.part("waiting_s", g.waiting_s);
    way.part("step_s", g.step_s);
    way.part("startup_s", g.startup.length_s);
    way.figure("startup_growth_s", g.startup.growth_s);
    way.count("steps", g.steps);
    way.count("most_steps", g.most_steps);
    way.text("meet_at", g.meet_at);
    way.list("meeting_points", g.points);
    way.count("meetings", g.meetings);
    way.figure("spread_s", g.spread_s);
    way.figure("cost_core_s", g.cost_core_s);
    way.figure("cost_share", g.cost_share);
    way.text("why_no_cost", g.why_no_cost);
    way.part("parts", g.parts);
    way.flag("cut_explains", g.cut_explains);
    way.figure("cut_later_s", g.cut_later_s);
}

} // namespace cpl_lb
