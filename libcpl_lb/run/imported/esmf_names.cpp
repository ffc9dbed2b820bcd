// Divides the names of ESMF's regions into components, phases and the two ends of connectors.
#include "run/imported/esmf_names.hpp"

namespace cpl_lb {
namespace {

constexpr std::string_view between = "-TO-";

} // namespace

EsmfPhaseName phase_name(std::string_view region) {
    const std::size_t close = region.rfind("] ");
    if (region.empty() || region.front() != '[' || close == std::string_view::npos) return {{}, region};
    return {region.substr(1, close - 1), region.substr(close + 2)};
}

bool is_connector(std::string_view component) {
    return component.find(between) != std::string_view::npos;
}

ConnectorEnds connector_ends(std::string_view connector, const std::set<std::string> &components) {
    ConnectorEnds best;
    int best_known = -1;
    for (std::size_t at = connector.find(between); at != std::string_view::npos;
         at = connector.find(between, at + 1)) {
        ConnectorEnds ends{std::string(connector.substr(0, at)), std::string(connector.substr(at + between.size()))};
        const int known = (components.contains(ends.source) ? 1 : 0) + (components.contains(ends.target) ? 1 : 0);
        if (known <= best_known) continue;
        best_known = known;
        best = std::move(ends);
    }
    return best;
}

} // namespace cpl_lb
