// Sets up the optimiser for one measured run with ideal scaling.
#include "prediction/best_split.hpp"

#include "prediction/optimiser.hpp"
#include "prediction/predictor.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

// On large machines not every count is tried, only so many evenly spread ones and the present one. With hundreds of
// components there are fewer for each: the search reads the tables of all components again and again.
constexpr std::int64_t most_counts = 1024, most_counts_of_all = 65'536, least_counts = 16;

std::int64_t counts_of_each(std::size_t components) {
    return std::clamp(most_counts_of_all / static_cast<std::int64_t>(components), least_counts, most_counts);
}

AllowedCounts counts_of(const std::string &name, std::int64_t present, std::int64_t threads, std::int64_t total,
                        std::int64_t most) {
    AllowedCounts allowed{name, {threads, present}};
    const std::int64_t each = (total / threads + most - 1) / most * threads;
    for (std::int64_t count = each; count <= total; count += each)
        allowed.counts.push_back(count);
    std::sort(allowed.counts.begin(), allowed.counts.end());
    allowed.counts.erase(std::unique(allowed.counts.begin(), allowed.counts.end()), allowed.counts.end());
    return allowed;
}

// The graph ends with the component that ends its loop first. How much longer each is at its own pace, so that one
// that sends and goes on does not count as much as those that still work on what it sent: the end of the graph times
// this.
class WholeRun {
public:
    WholeRun(const MeasuredGraph &run, const std::vector<bool> &keeps) : run_(run), graph_(*run.graph) {
        const std::vector<double> ones(graph_.components(), 1.0);
        const double length_s = graph_.length_s(ones);
        const Replay now = run.replay(ones);
        for (const bool k : keeps)
            longer_.push_back(k ? 0 : 1); // who exchanges too rarely for a pace ends with the graph
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
    std::vector<double> longer_; // by component; 0: does not decide
};

} // namespace

BestSplit best_split(const MeasuredGraph &run, const std::vector<bool> &keeps,
                     const std::vector<std::int64_t> &threads, std::int64_t boxes, const Budget &budget) {
    check_answerable(run);
    const CouplingGraph &graph = *run.graph;
    const std::vector<double> &measured = graph.computing_s();
    const std::vector<double> present(run.processes.begin(), run.processes.end());
    const WholeRun whole(run, keeps);
    BalanceProblem problem;
    problem.pool = run.pool;
    problem.total = static_cast<std::int64_t>(run.pool.of_all(present));
    problem.long_loop = graph.points() > long_loop_points;
    for (std::size_t c = 0; c < measured.size(); ++c) {
        const std::string &name = graph.names()[c];
        problem.allowed.push_back(
            keeps[c] ? AllowedCounts{name, {run.processes[c]}}
                     : counts_of(name, run.processes[c], threads[c], problem.total, counts_of_each(measured.size())));
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
    std::vector<double> seconds;
    BestSplit best;
    best.cores = balance(problem, Objective::time, boxes).counts;
    for (std::size_t c = 0; c < measured.size(); ++c)
        seconds.push_back(problem.computing_s(c, best.cores[c]));
    best.pace = pace(run, graph.factors_of(seconds));
    if (best.pace < 1) return best;
    return {1, run.processes};
}

} // namespace cpl_lb
