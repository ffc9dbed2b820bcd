// Finds the coupling in an ESMF trace (docs/couplers.md, NUOPC): run phases of the driver are components,
// connectors are exchanges.
#pragma once

#include "events/catalogue.hpp"
#include "run/imported/esmf_trace.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

// Finds the differences between the nodes' clocks from an ESMF trace itself: calls that all PETs make together during
// initialisation end everywhere at the same moment.
struct NodeClocks {
    std::map<std::string, Nanoseconds> ahead; // ahead of the first stream's node; subtracted from its times
    double error_bound_s = unknown;           // 95 of 100 common ends agree within it; 0 on one node
    std::int64_t common_ends = 0;             // the number that the estimate uses
    std::vector<std::string> not_known;       // nodes that have nothing in common with the others keep their clocks
};

[[nodiscard]] NodeClocks compare_node_clocks(const std::vector<EsmfStream> &streams);

struct MappedEvent {
    std::uint32_t entry = 0; // place in MappedPart::entries
    Nanoseconds start = 0, stop = 0;
};

// The events of a PET in one component.
struct MappedPart {
    std::string component;
    std::vector<CatalogueEntry> entries;
    std::vector<MappedEvent> events; // in the order of their starts
    std::vector<Interval> away;      // while the PET ran other components
};

struct MappedPet {
    std::int32_t pet = 0;
    Nanoseconds first = 0, last = 0; // all times by the clock of the first node
    bool has_tail = true;
    std::vector<MappedPart> parts;
};

struct MappedTrace {
    std::string driver;
    std::vector<MappedPet> pets;
    std::vector<std::string> writers; // components made of PETs that only write output
    std::vector<std::string> remarks;
};

// Throws std::runtime_error if no driver runs components.
[[nodiscard]] MappedTrace map_esmf(const std::vector<EsmfStream> &streams, const NodeClocks &clocks);

} // namespace cpl_lb
