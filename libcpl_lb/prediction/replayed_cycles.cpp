// Cuts the same cycles out of both replays.
#include "prediction/predictor.hpp"

#include <algorithm>
#include <numeric>

namespace cpl_lb {
namespace {

// A component continues where it left the previous point. Pieces without a wait in between are united.
std::vector<ComputingTime> computing_of(const CouplingGraph &graph, const std::vector<double> &leave_s,
                                        std::size_t component, double factor, double begin_s, double end_s) {
    const std::size_t first = graph.flat({component, 0}), end = graph.flat({component + 1, 0});
    std::vector<ComputingTime> pieces;
    for (std::size_t at = first; at < end; ++at) {
        const double from_s = at == first ? 0 : leave_s[at - 1];
        const double to_s = from_s + factor * graph.computing_before(at);
        if (to_s <= begin_s) continue;
        if (from_s >= end_s) break;
        const ComputingTime piece{std::max(from_s, begin_s) - begin_s, std::min(to_s, end_s) - begin_s};
        if (!pieces.empty() && piece.from_s <= pieces.back().to_s)
            pieces.back().to_s = piece.to_s;
        else
            pieces.push_back(piece);
    }
    return pieces;
}

ReplayedCycles cycles_of(const MeasuredGraph &run, const std::vector<double> &factors,
                         const std::vector<std::size_t> &cuts) {
    const CouplingGraph &graph = *run.graph;
    const std::vector<double> leave_s = run.replay(factors).leave_s;
    const double begin_s = leave_s[cuts.front()], end_s = leave_s[cuts.back()];
    ReplayedCycles cycles;
    for (std::size_t c = 0; c < graph.components(); ++c)
        cycles.computing.push_back(computing_of(graph, leave_s, c, factors[c], begin_s, end_s));
    for (const std::size_t cut : cuts)
        cycles.begin_s.push_back(leave_s[cut] - begin_s);
    return cycles;
}

} // namespace

std::optional<BothCycles> replayed_cycles(const MeasuredGraph &measured, const MeasuredGraph &changed,
                                          const std::vector<double> &factors, std::size_t of_change,
                                          std::size_t most) {
    const std::vector<std::size_t> &cuts = measured.cycle.cuts;
    const std::size_t all = cuts.empty() ? 0 : cuts.size() - 1;
    if (of_change == 0 || all < of_change || measured.parts.size() != 1 ||
        measured.graph->points() != changed.graph->points())
        return std::nullopt;
    const std::size_t of_cycle = std::max<std::size_t>(1, measured.graph->points() / all);
    const std::size_t shown = of_change * std::clamp<std::size_t>(most / (of_cycle * of_change), 1, all / of_change);
    const std::size_t first = (all - shown) / 2;
    const std::vector<std::size_t> some(cuts.begin() + static_cast<std::ptrdiff_t>(first),
                                        cuts.begin() + static_cast<std::ptrdiff_t>(first + shown + 1));
    const auto recorded = measured.cycle.measured_s.begin() + static_cast<std::ptrdiff_t>(first);
    return BothCycles{first + 1, std::accumulate(recorded, recorded + static_cast<std::ptrdiff_t>(shown), 0.0),
                      cycles_of(measured, std::vector<double>(factors.size(), 1.0), some),
                      cycles_of(changed, factors, some)};
}

} // namespace cpl_lb
