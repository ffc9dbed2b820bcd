// The computing times of a coupling cycle and the meetings in between, as the run-time manager's callers give them:
// a flat list of numbers. For each meeting: seconds before it, number of partners, the partners (from 1; negative:
// does not wait for it; 1000 more: a PUT to it, 2000 more: a GET from it). At the end: the seconds after the last
// meeting.
#pragma once

#include "data/time.hpp"
#include "prediction/coupling_graph.hpp"

#include <span>
#include <string>
#include <vector>

namespace cpl_lb {

// In a meeting both come to the same point; otherwise one sends and the other receives.
enum class MeetingWay { meeting, put, get };
inline constexpr int way_step = 1000;
[[nodiscard]] constexpr int coded_partner(int partner, MeetingWay way, bool waits) {
    const int coded = partner + way_step * static_cast<int>(way);
    return waits ? coded : -coded;
}
[[nodiscard]] constexpr int partner_of(int coded) {
    return (coded < 0 ? -coded : coded) % way_step;
}
[[nodiscard]] constexpr MeetingWay way_of(int coded) {
    return static_cast<MeetingWay>((coded < 0 ? -coded : coded) / way_step);
}

struct CycleMeeting {
    double computing_s = 0;    // before it
    std::vector<int> partners; // coded
};

struct CycleParts {
    std::vector<CycleMeeting> meetings;
    double last_s = 0;
};

// Throws PredictionError if the numbers do not have that form, or name `component` (from 1) itself or a number above
// `components`.
[[nodiscard]] CycleParts unpack_parts(std::span<const double> numbers, int component, int components);
[[nodiscard]] std::vector<double> pack_parts(const CycleParts &parts);

// The k-th meeting of i with j is the k-th of j with i. The k-th PUT of i to j belongs to the k-th GET of j from i,
// or to the next one, whichever gives a cycle nearer to the measured length (not positive or NaN: not measured).
// Throws PredictionError if one has more of them than the other, or if they wait for each other in a ring.
[[nodiscard]] CouplingGraph graph_of_parts(const std::vector<CycleParts> &parts, double cycle_s = unknown);

} // namespace cpl_lb
