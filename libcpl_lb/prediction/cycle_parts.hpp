// The computing times of a coupling cycle and the meetings in between, as the run-time manager's callers give them:
// a flat list of numbers. For each meeting: seconds before it, number of partners, the partners (from 1; negative:
// does not wait for it). At the end: the seconds after the last meeting.
#pragma once

#include "prediction/coupling_graph.hpp"

#include <span>
#include <string>
#include <vector>

namespace cpl_lb {

struct CycleMeeting {
    double computing_s = 0;    // before it
    std::vector<int> partners; // from 1, with sign
};

struct CycleParts {
    std::vector<CycleMeeting> meetings;
    double last_s = 0;
};

// Throws PredictionError where the numbers are not of that form, or name `component` (from 1) itself or one beyond
// `components`.
[[nodiscard]] CycleParts unpack_parts(std::span<const double> numbers, int component, int components);
[[nodiscard]] std::vector<double> pack_parts(const CycleParts &parts);

// The k-th meeting of i with j is the k-th of j with i. Throws PredictionError where one has more than the other.
[[nodiscard]] CouplingGraph graph_of_parts(const std::vector<CycleParts> &parts);

} // namespace cpl_lb
