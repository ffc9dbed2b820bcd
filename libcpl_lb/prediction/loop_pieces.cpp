// Cuts the common coupling loop into pieces that together hold a bounded number of exchanges.
#include "prediction/loop_pieces.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cpl_lb {
namespace {

constexpr std::size_t most_pieces = 4;
// The ends of a piece cut through coupling steps: a piece is worth it only if it holds many of them.
constexpr std::size_t fewest_points_in_piece = 1000;

// Exchanges of all components in the interval.
std::size_t points_in(const CoupledRun &run, const Interval &interval) {
    std::size_t points = 0;
    for (const Component &component : run.components) {
        const EventTable &table = component.table;
        for (std::size_t k = 0; k < table.keys.size(); ++k) {
            const EventSpan &span = table.spans[k];
            if (!span.empty() && span.last_stop > interval.start && span.last_start < interval.stop &&
                is_exchange(table.keys.what(k).kind))
                ++points;
        }
    }
    return points;
}

std::vector<Interval> cut(const Interval &loop, std::size_t points, std::size_t most_points) {
    if (points <= most_points) return {loop};
    const std::size_t count = std::clamp<std::size_t>(most_points / fewest_points_in_piece, 1, most_pieces);
    const auto length = static_cast<double>(loop.length());
    const double each =
        length * static_cast<double>(most_points) / static_cast<double>(points) / static_cast<double>(count);
    std::vector<Interval> result;
    for (std::size_t i = 0; i < count; ++i) {
        const double middle = length * (static_cast<double>(i) + 0.5) / static_cast<double>(count);
        result.push_back(
            {loop.start + std::llround(middle - each / 2), loop.start + std::llround(middle + each / 2)});
    }
    return result;
}

double alpha_of(const MeasuredGraph &piece) {
    const double model_s = piece.graph->length_s(std::vector<double>(piece.graph->components(), 1.0));
    return model_s > 0 ? piece.measured_s() / model_s : 1;
}

CriticalPath path_in(const CouplingGraph &graph, const std::vector<double> &factors) {
    return graph.critical_path(graph.schedule(factors), factors);
}

// The path of one piece, in the order of time.
std::vector<PathStretch> stretches_of(const MeasuredGraph &piece) {
    const CouplingGraph &graph = *piece.graph;
    const std::vector<double> as_measured(graph.components(), 1.0);
    std::vector<std::size_t> places;
    static_cast<void>(graph.critical_path(graph.schedule(as_measured), as_measured, &places));
    std::vector<PathStretch> result; // the latest first
    for (const std::size_t at : places) {
        const auto component = static_cast<std::int32_t>(graph.component_of(at));
        const Nanoseconds from = graph.is_first(at) ? piece.stretch.start : piece.measured[at - 1].stop;
        const Nanoseconds to = piece.measured[at].start;
        if (!result.empty() && result.back().component == component)
            result.back().time.start = std::min(from, to);
        else
            result.push_back({component, {std::min(from, to), to}, false});
    }
    std::reverse(result.begin(), result.end());
    if (!result.empty()) result.front().is_first = true;
    return result;
}

// Time of the whole run of the slowest component; of the piece where nobody exchanges often enough.
double slowest(const MeasuredGraph &piece, const std::vector<double> &factors) {
    const Schedule schedule = piece.graph->schedule(factors);
    if (piece.paces.empty()) return schedule.length_s;
    double longest = 0;
    for (const Pace &pace : piece.paces) {
        const double between =
            schedule.leave_s[piece.graph->flat(pace.to)] - schedule.leave_s[piece.graph->flat(pace.from)];
        longest = std::max(longest, between * pace.times);
    }
    return longest;
}

} // namespace

CriticalPath LoopPieces::path() const {
    const std::vector<double> as_measured(components(), 1.0);
    CriticalPath all{std::vector<double>(components()), 0};
    for (const LoopPiece &piece : pieces) {
        const CriticalPath path = path_in(*piece.measured.graph, as_measured);
        for (std::size_t c = 0; c < components(); ++c)
            all.seconds[c] += path.seconds[c];
        all.hops += path.hops;
    }
    return all;
}

std::vector<PathStretch> LoopPieces::path_stretches() const {
    std::vector<PathStretch> all;
    for (const LoopPiece &piece : pieces) {
        const std::vector<PathStretch> path = stretches_of(piece.measured);
        all.insert(all.end(), path.begin(), path.end());
    }
    return all;
}

std::vector<double> LoopPieces::computing_s() const {
    std::vector<double> seconds(components());
    for (const LoopPiece &piece : pieces)
        for (std::size_t c = 0; c < seconds.size(); ++c)
            seconds[c] += piece.alpha * piece.measured.graph->computing_s()[c];
    return seconds;
}

double LoopPieces::length_s(const std::vector<double> &factors) const {
    double seconds = 0;
    for (const LoopPiece &piece : pieces)
        seconds += piece.alpha * piece.measured.graph->length_s(factors);
    return seconds;
}

std::vector<double> LoopPieces::path_s(const std::vector<double> &factors) const {
    std::vector<double> seconds(components());
    for (const LoopPiece &piece : pieces) {
        const CriticalPath path = path_in(*piece.measured.graph, factors);
        for (std::size_t c = 0; c < seconds.size(); ++c)
            seconds[c] += piece.alpha * path.seconds[c];
    }
    return seconds;
}

double LoopPieces::pace(const std::vector<double> &factors) const {
    double before = 0;
    double after = 0;
    for (const LoopPiece &piece : pieces) {
        before += slowest(piece.measured, std::vector<double>(components(), 1.0));
        after += slowest(piece.measured, factors);
    }
    return before > 0 ? after / before : 1;
}

LoopPieces pieces_of_loop(const CoupledRun &run, const std::vector<MatchedExchange> &exchanges, const Interval &loop,
                          std::size_t most_points, const Budget &budget) {
    LoopPieces result;
    result.loop = loop;
    std::vector<MatchedExchange> lent = exchanges;
    for (const Interval &piece : cut(result.loop, points_in(run, result.loop), most_points)) {
        result.pieces.push_back({graph_within(run, std::move(lent), piece, budget), 1});
        lent = std::exchange(result.pieces.back().measured.exchanges, {});
        result.pieces.back().alpha = alpha_of(result.pieces.back().measured);
        result.examined_s += to_seconds(piece.length());
    }
    return result;
}

} // namespace cpl_lb
