// Unites what the processes of a component know about it: times, properties, regions.
#include "run/live/component_facts.hpp"

#include "run/live/unite.hpp"

#include <algorithm>
#include <tuple>
#include <type_traits>

namespace cpl_lb {
namespace {

// Properties that are numbers of things are below 0 if they are not given, others are NaN.
template <class Number>
bool is_given(Number value) {
    if constexpr (std::is_floating_point_v<Number>)
        return is_known(value);
    else
        return value >= 0;
}

// If both processes gave different values, the first one counts, and the name is noted.
void unite(ComponentProperties &mine, const ComponentProperties &theirs, std::vector<std::string> &disagreements) {
    const auto unite_given = [&](auto ComponentProperties::*property, const char *name) {
        if (!is_given(theirs.*property)) return;
        if (!is_given(mine.*property))
            mine.*property = theirs.*property;
        else if (mine.*property != theirs.*property)
            disagreements.emplace_back(name);
    };
    unite_given(&ComponentProperties::horizontal_points, "horizontal points");
    unite_given(&ComponentProperties::levels, "levels");
    unite_given(&ComponentProperties::dx_km, "dx");
    unite_given(&ComponentProperties::dz_km, "dz");
    unite_given(&ComponentProperties::complexity, "complexity");
    unite_given(&ComponentProperties::state_B, "state bytes");
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
    unite_lists(mine, theirs, &RegionSummary::name, add);
}

void unite(std::vector<FieldTraffic> &mine, const std::vector<FieldTraffic> &theirs) {
    const auto key = [](const FieldTraffic &field) { return std::tie(field.name, field.counterpart); };
    unite_lists(mine, theirs, key, [](FieldTraffic &m, const FieldTraffic &t) {
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
    std::ranges::sort(mine.disagreements);
    mine.disagreements.erase(std::unique(mine.disagreements.begin(), mine.disagreements.end()),
                             mine.disagreements.end());
}

void agree_on_facts(Group &group, ComponentFacts &facts) {
    unite_up(group, "facts", facts);
    for (RegionSummary &r : facts.regions) // on the leader, who tells all
        if (r.processes > 0) r.mean_s /= static_cast<double>(r.processes);
    tell_all(group, "facts", facts);
}

} // namespace cpl_lb
