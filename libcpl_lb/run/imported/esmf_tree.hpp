// The driver of a NUOPC application in its trace, and the phases that each PET runs under it.
#pragma once

#include "run/imported/esmf_stream.hpp"

#include <cstdint>
#include <set>
#include <string>
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
    std::vector<std::int32_t> child;   // place in children; -1: the driver does not call it
    std::vector<DriverChild> children; // as they are defined
    // Components that run inside a component's run phase: (component, the one inside).
    std::set<std::pair<std::string, std::string>> inside;
    // The components among the children, which the driver runs or only initialises.
    std::set<std::string> components;
};

// The outermost component that runs connectors; "" if there is none.
[[nodiscard]] std::string driver_of(const std::vector<EsmfStream> &streams);
[[nodiscard]] PetTree pet_tree(const EsmfStream &stream, const std::string &driver);

} // namespace cpl_lb
