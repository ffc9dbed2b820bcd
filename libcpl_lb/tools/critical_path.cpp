#include "tools/critical_path.hpp"

#include "prediction/measured_graph.hpp"
#include "tools/curve_sources.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

std::vector<std::string> uncoupled(const CoupledRun &run) {
    const std::vector<MatchedExchange> exchanges = match_events(run);
    std::vector<std::string> names;
    for (const Component &c : run.components) {
        const bool exchanges_any = std::any_of(exchanges.begin(), exchanges.end(), [&](const MatchedExchange &m) {
            return !m.pairs.empty() && (m.exchange.source == c.id || m.exchange.target == c.id);
        });
        if (!exchanges_any) names.push_back(c.name);
    }
    return names;
}

PageCriticalPath critical_path_in(const CoupledRun &run) {
    const MeasuredGraph measured = measured_graph(run);
    const CouplingGraph &graph = *measured.graph;
    const std::vector<double> as_measured(graph.components(), 1.0);
    const CriticalPath path = graph.critical_path(graph.schedule(as_measured), as_measured);
    PageCriticalPath result;
    result.loop_s = measured.measured_s();
    result.changes = static_cast<std::int64_t>(path.hops);
    for (std::size_t c = 0; c < graph.components(); ++c)
        result.shares.push_back({graph.names()[c], path.seconds[c]});
    return result;
}

} // namespace

PageCriticalPath critical_path_of(const CoupledRun &run) {
    PageCriticalPath result;
    try {
        const std::vector<std::string> left_out = uncoupled(run);
        // Not a copy of the tables where nothing is left out: they may be large.
        result = left_out.empty() ? critical_path_in(run) : critical_path_in(leave_out(run, left_out));
        result.left_out = left_out;
    } catch (const PredictionError &error) {
        result.why_not = error.what();
    }
    return result;
}

} // namespace cpl_lb
