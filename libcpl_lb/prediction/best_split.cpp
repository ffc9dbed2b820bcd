// Searches the split with the optimiser, each component computing in inverse proportion to its cores.
#include "prediction/best_split.hpp"

#include "prediction/optimiser.hpp"
#include "prediction/predictor.hpp"

#include <algorithm>
#include <utility>

namespace cpl_lb {
namespace {

// On large machines not every count is tried, only evenly spread ones and the present one. With hundreds of
// components each gets fewer, because the search reads the tables of all components repeatedly.
constexpr std::int64_t most_counts = 1024, most_counts_of_all = 65'536, fewest_counts = 16;

std::int64_t counts_of_each(std::size_t components) {
    return std::clamp(most_counts_of_all / static_cast<std::int64_t>(components), fewest_counts, most_counts);
}

AllowedCounts counts_of(const std::string &name, std::int64_t present, std::int64_t threads, std::int64_t total,
                        std::int64_t most) {
    AllowedCounts allowed{name, {threads, present}};
    const std::int64_t each = (total / threads + most - 1) / most * threads;
    for (std::int64_t count = each; count <= total; count += each)
        allowed.counts.push_back(count);
    std::ranges::sort(allowed.counts);
    allowed.counts.erase(std::unique(allowed.counts.begin(), allowed.counts.end()), allowed.counts.end());
    return allowed;
}

// The graph ends with the component that ends its loop first. Factors by which the components last longer at their
// own pace: a component that sends and goes on counts less than those that still work on what it sent. They multiply
// the end of the graph.
class WholeRun {
public:
    WholeRun(const MeasuredGraph &run, const std::vector<bool> &keeps) : run_(run), graph_(*run.graph) {
        const std::vector<double> ones(graph_.components(), 1.0);
        const double length_s = graph_.length_s(ones);
        const Replay now = run.replay(ones);
        for (const bool k : keeps)
            longer_.push_back(k ? 0 : 1); // a component that exchanges too rarely for a pace ends with the graph
        for (const Pace &pace : run.paces) {
            const double between = now.leave_s[graph_.flat(pace.to)] - now.leave_s[graph_.flat(pace.from)];
            longer_[pace.to.component] = pace.times * between / length_s;
        }
    }

    [[nodiscard]] double length_s(const std::vector<double> &factors) const {
        const Schedule schedule = graph_.schedule(factors);
        const std::size_t c = slowest(schedule);
        return std::max(longer_[c] * schedule.leave_s[end_of(c)], busiest(factors).seconds);
    }
    [[nodiscard]] std::vector<double> path_shares(const std::vector<double> &factors,
                                                  const std::vector<double> &computing_s) const {
        const Schedule schedule = graph_.schedule(factors);
        const std::size_t of = slowest(schedule);
        const Busiest busiest_one = busiest(factors);
        std::vector<double> shares(factors.size());
        if (busiest_one.seconds > longer_[of] * schedule.leave_s[end_of(of)]) {
            shares[busiest_one.component] = busiest_one.seconds;
        } else {
            shares = graph_.path_to(end_of(of), schedule, factors).seconds;
            for (double &share : shares)
                share *= longer_[of];
        }
        for (std::size_t c = 0; c < shares.size(); ++c)
            shares[c] = shares[c] > 0 ? shares[c] / computing_s[c] : 0;
        return shares;
    }

private:
    struct Busiest {
        std::size_t component = 0;
        double seconds = 0;
    };
    [[nodiscard]] Busiest busiest(const std::vector<double> &factors) const {
        Busiest busiest;
        for (std::size_t c = 0; c < run_.busiest_s.size(); ++c)
            if (const double s = run_.busiest_s[c] * factors[c]; s > busiest.seconds) busiest = {c, s};
        return busiest;
    }
    [[nodiscard]] std::size_t end_of(std::size_t component) const { return graph_.flat({component + 1, 0}) - 1; }
    [[nodiscard]] std::size_t slowest(const Schedule &schedule) const {
        std::size_t slow = 0;
        for (std::size_t c = 1; c < longer_.size(); ++c)
            if (longer_[c] * schedule.leave_s[end_of(c)] > longer_[slow] * schedule.leave_s[end_of(slow)]) slow = c;
        return slow;
    }

    const MeasuredGraph &run_;
    const CouplingGraph &graph_;
    std::vector<double> longer_; // by component; 0: its end does not count
};

} // namespace

BestSplit best_split(const MeasuredGraph &run, const WhoSplits &who, std::int64_t boxes, const Budget &budget) {
    check_answerable(run);
    const CouplingGraph &graph = *run.graph;
    const WholeRun whole(run, who.keeps);
    const std::vector<double> &measured = graph.computing_s();
    const std::vector<double> present(run.processes.begin(), run.processes.end());
    BalanceProblem problem;
    problem.pool = run.pool;
    problem.total = static_cast<std::int64_t>(run.pool.of_all(present));
    problem.long_loop = graph.points() > long_loop_points;
    for (std::size_t c = 0; c < measured.size(); ++c) {
        const std::string &name = graph.names()[c];
        problem.allowed.push_back(who.keeps[c] ? AllowedCounts{name, {run.processes[c]}}
                                               : counts_of(name, run.processes[c], who.threads[c], problem.total,
                                                           counts_of_each(measured.size())));
    }
    problem.computing_s = [&](std::size_t c, std::int64_t count) {
        return measured[c] * present[c] / static_cast<double>(count);
    };
    problem.length_s = [&](const std::vector<double> &seconds) {
        budget.check();
        return whole.length_s(graph.factors_of(seconds));
    };
    problem.path_shares = [&](const std::vector<double> &seconds) {
        return whole.path_shares(graph.factors_of(seconds), seconds);
    };
    BestSplit best;
    best.cores = balance(problem, Objective::time, boxes).counts;
    best.pace = pace(run, graph.factors_of(computing_of(problem, best.cores)));
    if (best.pace < 1) return best;
    return {1, run.processes};
}

} // namespace cpl_lb
