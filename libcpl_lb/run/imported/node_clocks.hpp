// Finds the differences between the nodes' clocks from an ESMF trace itself: calls that all make together while they
// initialise end everywhere at the same moment.
#pragma once

#include "run/imported/esmf_stream.hpp"

#include <map>
#include <string>
#include <vector>

namespace cpl_lb {

struct NodeClocks {
    std::map<std::string, Nanoseconds> ahead; // ahead of the first stream's node; subtracted from its times
    double error_bound_s = unknown;           // 95 of 100 common ends agree within it; 0 on one node
    std::int64_t common_ends = 0;             // the number that the estimate uses
    std::vector<std::string> not_known;       // nodes with nothing in common with the others: their clocks stay
};

[[nodiscard]] NodeClocks compare_node_clocks(const std::vector<EsmfStream> &streams);

} // namespace cpl_lb
