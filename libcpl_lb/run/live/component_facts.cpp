// Unites what the processes of a component know about it: times, properties, regions.
#include "run/live/component_facts.hpp"

#include "run/live/unite.hpp"
#include "run/live/wire_members.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

// If both processes gave different values, the first one counts, and the name is noted.
void unite_given(double &mine, double theirs, const char *name, std::vector<std::string> &disagreements) {
    if (!is_known(theirs)) return;
    if (!is_known(mine)) {
        mine = theirs;
    } else if (mine != theirs) {
        disagreements.emplace_back(name);
    }
}
template <class Integer>
void unite_given(Integer &mine, Integer theirs, const char *name, std::vector<std::string> &disagreements) {
    if (theirs < 0) return;
    if (mine < 0) {
        mine = theirs;
    } else if (mine != theirs) {
        disagreements.emplace_back(name);
    }
}

void unite(ComponentProperties &mine, const ComponentProperties &theirs, std::vector<std::string> &disagreements) {
    unite_given(mine.horizontal_points, theirs.horizontal_points, "horizontal points", disagreements);
    unite_given(mine.levels, theirs.levels, "levels", disagreements);
    unite_given(mine.dx_km, theirs.dx_km, "dx", disagreements);
    unite_given(mine.dz_km, theirs.dz_km, "dz", disagreements);
    unite_given(mine.complexity, theirs.complexity, "complexity", disagreements);
    unite_given(mine.state_B, theirs.state_B, "state bytes", disagreements);
    if (is_known(theirs.output_B)) mine.output_B = (is_known(mine.output_B) ? mine.output_B : 0.0) + theirs.output_B;
    mine.is_io_server = mine.is_io_server || theirs.is_io_server;
}

// Until the end mean_s holds the sum.
void unite(std::vector<RegionSummary> &mine, const std::vector<RegionSummary> &theirs) {
    const auto add = [](RegionSummary &m, const RegionSummary &r) {
        m.calls += r.calls;
        m.processes += r.processes;
        m.min_s = std::min(m.min_s, r.min_s);
        if (r.max_s > m.max_s) m.slowest = r.slowest;
        m.max_s = std::max(m.max_s, r.max_s);
        m.mean_s += r.mean_s;
        unite(m.meters, r.meters);
        unite(m.annotations, r.annotations);
    };
    unite_lists(
        mine, theirs, [](const auto &m, const auto &r) { return m.name == r.name; }, add);
}

void unite(std::vector<FieldTraffic> &mine, const std::vector<FieldTraffic> &theirs) {
    const auto same = [](const FieldTraffic &m, const FieldTraffic &t) {
        return m.name == t.name && m.counterpart == t.counterpart;
    };
    unite_lists(mine, theirs, same, [](FieldTraffic &m, const FieldTraffic &t) {
        m.messages += t.messages;
        m.bytes += t.bytes;
    });
}

} // namespace

void unite(ComponentFacts &mine, const ComponentFacts &theirs) {
    mine.first_init = std::min(mine.first_init, theirs.first_init);
    mine.last_terminate = std::max(mine.last_terminate, theirs.last_terminate);
    mine.window_first = std::max(mine.window_first, theirs.window_first);
    mine.window_last = std::min(mine.window_last, theirs.window_last);
    mine.dropped_events += theirs.dropped_events;
    mine.mpi_recorded += theirs.mpi_recorded;
    unite(mine.properties, theirs.properties, mine.disagreements);
    unite(mine.regions, theirs.regions);
    unite(mine.parameters, theirs.parameters);
    unite(mine.control_flow, theirs.control_flow);
    unite(mine.fields, theirs.fields);
    mine.disagreements.insert(mine.disagreements.end(), theirs.disagreements.begin(), theirs.disagreements.end());
    std::sort(mine.disagreements.begin(), mine.disagreements.end());
    mine.disagreements.erase(std::unique(mine.disagreements.begin(), mine.disagreements.end()),
                             mine.disagreements.end());
}

template <class Way, Either<ComponentFacts> F>
static void wire_members(Way &way, F &f) {
    way.pass(f.first_init, f.last_terminate, f.window_first, f.window_last, f.dropped_events, f.mpi_recorded,
             f.properties, f.regions, f.parameters, f.control_flow, f.fields, f.disagreements);
}

Bytes pack_facts(const ComponentFacts &f) {
    return packed(f);
}

ComponentFacts unpack_facts(const Bytes &bytes) {
    return unpacked<ComponentFacts>(bytes, "facts");
}

bool agree_on_facts(Group &group, ComponentFacts &facts) {
    const auto unite_two = [](ComponentFacts &mine, const ComponentFacts &theirs) { unite(mine, theirs); };
    if (!unite_up(group, facts, pack_facts, unpack_facts, unite_two)) return false;
    if (group.leads()) {
        for (RegionSummary &r : facts.regions)
            if (r.processes > 0) r.mean_s /= static_cast<double>(r.processes);
    }
    return tell_all(group, "facts", facts);
}

} // namespace cpl_lb
