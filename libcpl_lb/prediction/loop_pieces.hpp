// The common coupling loop as one dependency graph, or in a long run as the graphs of a few pieces of it.
#pragma once

#include "prediction/measured_graph.hpp"

#include <cstddef>
#include <vector>

namespace cpl_lb {

struct LoopPiece {
    MeasuredGraph measured; // without its exchanges
    double alpha = 1;       // measured / modelled length
};

struct LoopPieces {
    std::vector<LoopPiece> pieces; // at least one
    Interval loop;                 // the whole of it
    double examined_s = 0;         // length of all pieces

    [[nodiscard]] const MeasuredGraph &first() const { return pieces.front().measured; }
    [[nodiscard]] std::size_t components() const { return first().graph->components(); }
    // The critical path as it was, in model seconds of all pieces.
    [[nodiscard]] CriticalPath path() const;
    // Where it was, in the times of the run; components by their place in the run.
    [[nodiscard]] std::vector<PathStretch> path_stretches() const;

    // In measured seconds of all pieces, that is alpha times the model's; with computing times multiplied by
    // `factors`.
    [[nodiscard]] std::vector<double> computing_s() const;
    [[nodiscard]] double length_s(const std::vector<double> &factors) const;
    [[nodiscard]] std::vector<double> path_s(const std::vector<double> &factors) const;
    // New / measured time of the whole run by the pace of its components: the slowest of them decides. What a short
    // loop has at its ends does not count, as it does in length_s.
    [[nodiscard]] double pace(const std::vector<double> &factors) const;
};

// `loop`: the run's common_stretch(). At most about so many PUTs and GETs in all pieces. Throws PredictionError as
// measured_graph.
[[nodiscard]] LoopPieces pieces_of_loop(const CoupledRun &run, const std::vector<MatchedExchange> &exchanges,
                                        const Interval &loop, std::size_t most_points, const Budget &budget = {});

} // namespace cpl_lb
