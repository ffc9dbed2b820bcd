// What the optimisers of cores and of nodes have in common: they split boxes of counts, the one with the least bound
// first, and replay a long loop only for the counts that a few of its paths recommend.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

namespace cpl_lb {

// An answer this close to the bound, as a share, counts as proven: the difference is far below what a clock measures.
inline constexpr double proven_within = 1e-9;

// The first place in [first, last) from which on `is_enough` holds; `last` if none is.
template <class IsEnough>
std::size_t first_place(std::size_t first, std::size_t last, const IsEnough &is_enough) {
    while (first < last) {
        const std::size_t middle = first + (last - first) / 2;
        if (is_enough(middle))
            last = middle;
        else
            first = middle + 1;
    }
    return first;
}

// `gap`: how much better the best possible may be, as a share.
template <class Answer>
void enter_gap(Answer &answer, double gap) {
    answer.proven_optimal = gap <= proven_within;
    answer.gap = answer.proven_optimal ? 0 : gap;
}

using CountPlaces = std::vector<std::size_t>; // by component or unit, a place in its counts

// All combinations between two places of each.
struct CountBox {
    CountPlaces low, high;
    CountPlaces option{}; // by unit, the kind of node; empty for cores
    double bound = 0;
    friend bool operator<(const CountBox &a, const CountBox &b) { return a.bound > b.bound; } // the least bound first
};

struct BoxesSplit {
    double gap = 0;
    std::int64_t evaluated = 0; // boxes
};

// Splits `boxes` until none can hold a better answer, or `most_boxes` were split. The search has: bound(box), which
// enters a lower bound of the values in a box, or returns false if nothing in it fits; widest(box), the place along
// which it is split, if any; offer(box, places), which keeps the best places; and their best_value().
template <class Search>
BoxesSplit split_boxes(Search &search, std::vector<CountBox> boxes, std::int64_t most_boxes) {
    std::priority_queue<CountBox> open;
    const auto may_be_better = [&](const CountBox &box) {
        return box.bound < search.best_value() * (1 - proven_within);
    };
    for (CountBox &box : boxes)
        if (search.bound(box) && may_be_better(box)) open.push(std::move(box));
    BoxesSplit done;
    double left = search.best_value(); // the least bound of the boxes that were not examined
    while (!open.empty() && may_be_better(open.top())) {
        const CountBox box = open.top();
        if (done.evaluated >= most_boxes) {
            left = box.bound;
            break;
        }
        open.pop();
        ++done.evaluated;
        const std::optional<std::size_t> widest = search.widest(box);
        if (!widest) {
            search.offer(box, box.low);
            continue;
        }
        CountBox lower = box, upper = box;
        lower.high[*widest] = (box.low[*widest] + box.high[*widest]) / 2;
        upper.low[*widest] = lower.high[*widest] + 1;
        for (CountBox *half : {&lower, &upper}) {
            if (!search.bound(*half) || !may_be_better(*half)) continue;
            search.offer(*half, half->low);
            search.offer(*half, half->high);
            open.push(std::move(*half));
        }
    }
    done.gap = std::max(0.0, 1 - std::min(left, search.best_value()) / search.best_value());
    return done;
}

// A lower bound of the length: the longest of the known paths. It is cheap, however long the loop.
class KnownPaths {
public:
    void add(std::vector<double> shares) { paths_.push_back(std::move(shares)); }
    [[nodiscard]] double length_s(const std::vector<double> &seconds) const { return at(longest(seconds), seconds); }
    [[nodiscard]] const std::vector<double> &longest(const std::vector<double> &seconds) const {
        return *std::ranges::max_element(paths_, {}, [&](const auto &shares) { return at(shares, seconds); });
    }

private:
    static double at(const std::vector<double> &shares, const std::vector<double> &seconds) {
        return std::inner_product(shares.begin(), shares.end(), seconds.begin(), 0.0);
    }
    std::vector<std::vector<double>> paths_;
};

// Cutting planes (Kelley 1960): the best counts by the known paths are tried with the whole loop, which gives one
// path more, until a path agrees with the loop. So the loop is replayed some ten times, not for each box.
// solve(problem, boxes): the answer if only these paths count. computing_of(answer): its computing times.
// enter_costs(answer, computing times): after its seconds have changed. value_of(answer): what is to be least.
template <class Problem, class Solve, class ComputingOf, class EnterCosts, class ValueOf>
auto best_by_paths(const Problem &problem, const std::vector<double> &first_s, std::int64_t most_boxes,
                   const Solve &solve, const ComputingOf &computing_of, const EnterCosts &enter_costs,
                   const ValueOf &value_of) {
    constexpr std::int64_t least_rounds = 16;
    KnownPaths paths;
    Problem by_paths = problem;
    by_paths.length_s = [&](const std::vector<double> &seconds) { return paths.length_s(seconds); };
    by_paths.path_shares = [&](const std::vector<double> &seconds) { return paths.longest(seconds); };
    paths.add(problem.path_shares(first_s));
    const std::int64_t boxes = std::max<std::int64_t>(1, most_boxes / least_rounds);
    decltype(solve(by_paths, boxes)) best;
    double best_value = std::numeric_limits<double>::infinity(), possible = 0;
    std::int64_t evaluated = 0;
    for (bool go_on = true; go_on;) {
        auto answer = solve(by_paths, boxes);
        evaluated += std::max<std::int64_t>(1, answer.evaluated);
        possible = std::max(possible, value_of(answer) * (1 - answer.gap));
        const std::vector<double> seconds = computing_of(answer);
        const double length = problem.length_s(seconds);
        go_on = length > answer.seconds * (1 + proven_within) && evaluated < most_boxes;
        answer.seconds = length;
        enter_costs(answer, seconds);
        if (go_on) paths.add(problem.path_shares(seconds));
        const double value = value_of(answer);
        if (value < best_value) {
            best_value = value;
            best = std::move(answer);
        }
    }
    best.evaluated = evaluated;
    enter_gap(best, std::max(0.0, 1 - possible / best_value));
    return best;
}

} // namespace cpl_lb
