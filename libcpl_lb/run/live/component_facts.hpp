// Facts that the processes of a component give in addition to their events, united at its master.
#pragma once

#include "data/coupled_run.hpp"
#include "mpi/group.hpp"
#include "run/live/wire_members.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

struct ComponentFacts {
    Nanoseconds first_init = std::numeric_limits<Nanoseconds>::max();
    Nanoseconds last_terminate = std::numeric_limits<Nanoseconds>::min();
    Nanoseconds window_first = std::numeric_limits<Nanoseconds>::min();
    Nanoseconds window_last = std::numeric_limits<Nanoseconds>::max();
    std::int64_t dropped_events = 0;
    std::int64_t mpi_recorded = 0; // processes that recorded MPI (data/inside.hpp)
    ComponentProperties properties;
    std::vector<RegionSummary> regions;
    std::vector<AssertedParameter> parameters;
    std::vector<RegionEntry> control_flow;
    std::vector<FieldTraffic> fields;
    std::vector<std::string> disagreements; // names of the properties that processes gave differently
};

// Changes `mine` to the facts of both.
void unite(ComponentFacts &mine, const ComponentFacts &theirs);

// Collective over the component's group; all get the result.
void agree_on_facts(Group &group, ComponentFacts &facts);

void wire_members(auto &way, Either<ComponentFacts> auto &f) {
    way.pass(f.first_init, f.last_terminate, f.window_first, f.window_last, f.dropped_events, f.mpi_recorded,
             f.properties, f.regions, f.parameters, f.control_flow, f.fields, f.disagreements);
}

} // namespace cpl_lb
