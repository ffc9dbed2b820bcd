// Names in ESMF's traces: "[OCN] RunPhase1" is a phase of a component, "[ATM-TO-OCN] RunPhase1" one of a connector.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace cpl_lb {

struct EsmfPhaseName {
    std::string_view component, phase;
};
// A name of another form is that of a phase of a component without a name.
[[nodiscard]] EsmfPhaseName phase_name(std::string_view region);

[[nodiscard]] bool is_connector(std::string_view component);

struct ConnectorEnds {
    std::string source, target;
};
// If the name can be divided in several ways, the names of the components decide.
[[nodiscard]] ConnectorEnds connector_ends(std::string_view connector, const std::set<std::string> &components);

} // namespace cpl_lb
