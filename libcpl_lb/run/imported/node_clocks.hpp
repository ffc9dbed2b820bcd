// How far the clocks of the nodes of an ESMF trace are apart, from the trace itself: what all do together while they
// initialise ends everywhere at the same moment.
#pragma once

#include "run/imported/esmf_stream.hpp"

#include <map>
#include <string>
#include <vector>

namespace cpl_lb {

struct NodeClocks {
    std::map<std::string, Nanoseconds> ahead; // of the first stream's node; to take off its times
    double error_bound_s = unknown;           // 95 of 100 common ends agree within it; 0 on one node
    std::int64_t common_ends = 0;             // that the estimate rests on
    std::vector<std::string> not_known;       // nodes with nothing in common with the others: their clocks stay
};

[[nodiscard]] NodeClocks compare_node_clocks(const std::vector<EsmfStream> &streams);

} // namespace cpl_lb
