// The driver of a NUOPC application in its trace, and the phases that each PET runs under it.
#pragma once

#include "run/imported/esmf_trace.hpp"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

// A phase that the driver calls itself.
struct DriverChild {
    std::string component, phase; // a connector is one, too
    bool is_connector = false;
    bool in_run = false; // of the driver, and of the component
};

// The regions of one PET, by their place in EsmfStream::regions.
struct PetTree {
    std::vector<std::optional<DriverChild>> children; // nothing: the driver does not call the region
    // Components that run inside a component's run phase: (component, the one inside).
    std::set<std::pair<std::string, std::string>> inside;
    // The components among the children, which the driver runs or only initialises.
    std::set<std::string> components;
};

// The outermost component that runs connectors; "" if there is none.
[[nodiscard]] std::string driver_of(const std::vector<EsmfStream> &streams);
[[nodiscard]] PetTree pet_tree(const EsmfStream &stream, const std::string &driver);

// Names in ESMF's traces: "[OCN] RunPhase1" is a phase of a component, "[ATM-TO-OCN] RunPhase1" one of a connector.
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

// PETs of a component that only write its output (asynchronous write groups). They run ahead of the others by many
// steps, so inside their component they would look like a huge jitter.
struct EsmfWriters {
    std::vector<std::string> of_pet; // by stream: the name of the PET's component of writers, or empty
    std::vector<std::string> names;  // of those components
    std::vector<std::string> remarks;
};

[[nodiscard]] EsmfWriters find_esmf_writers(const std::vector<EsmfStream> &streams,
                                            const std::vector<PetTree> &trees);

} // namespace cpl_lb
