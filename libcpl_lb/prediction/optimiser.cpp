// Branch and bound over boxes of processor counts, the box with the least bound first.
#include "prediction/optimiser.hpp"

#include "prediction/coupling_graph.hpp"
#include "prediction/optimiser_tables.hpp"
#include "support/counted.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <queue>

namespace cpl_lb {
namespace {

// An answer this close to the bound, as a share, counts as proven: the difference is far below what a clock measures.
constexpr double proven_within = 1e-9;
constexpr int bound_steps = 6;
// Each two components may exchange cores. With hundreds of components not all pairs are tried, but so many for each
// box that may be examined.
constexpr std::int64_t tries_of_box = 300;

using Places = std::vector<std::size_t>; // by component, place in its allowed counts

// All combinations between two places of each component.
struct Box {
    Places low, high;
    double bound = 0;
    friend bool operator<(const Box &a, const Box &b) { return a.bound > b.bound; } // the least bound first
};

class Search {
public:
    Search(const BalanceProblem &problem, Objective objective) : problem_(problem), objective_(objective) {
        if (problem.pool.parts.empty()) own_pool_ = cores_of_their_own(problem.allowed.size());
        for (std::size_t c = 0; c < problem.allowed.size(); ++c) {
            std::vector<double> seconds, taken;
            for (const std::int64_t n : problem.allowed[c].counts) {
                seconds.push_back(problem.computing_s(c, n));
                taken.push_back(static_cast<double>(whole_nodes(problem, n)));
            }
            curves_.emplace_back(taken, seconds);
            seconds_.push_back(std::move(seconds));
            taken_.push_back(std::move(taken));
            if (objective == Objective::energy) extra_J_.emplace_back(extra_energy(c));
        }
    }

    [[nodiscard]] std::int64_t count(std::size_t c, std::size_t place) const {
        return problem_.allowed[c].counts[place];
    }
    [[nodiscard]] const ProcessorPool &pool() const {
        return problem_.pool.parts.empty() ? own_pool_ : problem_.pool;
    }
    [[nodiscard]] std::int64_t cores(const Places &places) const {
        return std::llround(pool().of_all(taken(places)));
    }
    [[nodiscard]] std::vector<double> taken(const Places &places) const {
        std::vector<double> each;
        for (std::size_t c = 0; c < places.size(); ++c)
            each.push_back(taken_[c][places[c]]);
        return each;
    }
    [[nodiscard]] std::vector<double> computing(const Places &places) const {
        std::vector<double> seconds;
        for (std::size_t c = 0; c < places.size(); ++c)
            seconds.push_back(seconds_[c][places[c]]);
        return seconds;
    }
    // Power of the cores taken if no component computes.
    [[nodiscard]] double idle_W(const Places &places) const {
        std::vector<double> each;
        for (std::size_t c = 0; c < places.size(); ++c)
            each.push_back(taken_[c][places[c]] * problem_.power[c].idle_W);
        return pool().of_all(each);
    }
    // The least value of a box that takes at least `seconds`; for one combination (low = high) its value.
    [[nodiscard]] double value(double seconds, const Box &box) const {
        if (objective_ == Objective::time) return seconds;
        if (objective_ == Objective::cost) return seconds * static_cast<double>(cores(box.low));
        double joules = seconds * idle_W(box.low);
        for (std::size_t c = 0; c < box.low.size(); ++c)
            joules += extra_J_[c].least(box.low[c], box.high[c]);
        return joules;
    }

    // Keeps the places if they are the best so far.
    bool offer(const Places &places) {
        const std::int64_t n = cores(places);
        if (n > problem_.total) return false;
        const double seconds = problem_.length_s(computing(places));
        const double v = value(seconds, {places, places});
        if (!(v < best_value_ || (v == best_value_ && n < answer_.cores))) return false;
        best_value_ = v;
        best_ = places;
        answer_.seconds = seconds;
        answer_.cores = n;
        return true;
    }

    // Improves the best answer so far: gives cores to one component and takes them from another, in steps that halve.
    void improve(std::int64_t most_boxes) {
        const std::size_t components = seconds_.size();
        std::int64_t tries = 0;
        for (bool better = true; better;) {
            better = false;
            const Places from = best_;
            for (std::size_t to = 0; to < components; ++to) {
                for (std::size_t step = seconds_[to].size(); step > 0; step /= 2) {
                    Places more = from;
                    if (more[to] + step >= seconds_[to].size()) continue;
                    if ((tries += static_cast<std::int64_t>(components)) > tries_of_box * most_boxes) return;
                    more[to] += step;
                    better = offer(more) || better;
                    const std::vector<ProcessorPool::WithOthers> others = pool().with_others(taken(more));
                    for (std::size_t giver = 0; giver < components; ++giver)
                        if (giver != to) better = offer_taking(more, others[giver], giver) || better;
                }
            }
            for (std::size_t giver = 0; giver < components; ++giver) {
                for (std::size_t step = seconds_[giver].size(); step > 0; step /= 2) {
                    Places fewer = from;
                    if (fewer[giver] < step) continue;
                    fewer[giver] -= step;
                    better = offer(fewer) || better;
                }
            }
        }
    }

    // A lower bound of the value over the box; false if the box holds nothing that fits.
    bool bound(Box &box) {
        const std::size_t components = seconds_.size();
        if (cores(box.low) > problem_.total) return false;
        std::vector<double> fastest(components); // each with all cores that the others leave
        const std::vector<ProcessorPool::WithOthers> others = pool().with_others(taken(box.low));
        for (std::size_t c = 0; c < components; ++c) {
            box.high[c] = largest_that_fits(others[c], c, box.low[c], box.high[c]);
            fastest[c] = *std::min_element(seconds_[c].begin() + static_cast<std::ptrdiff_t>(box.low[c]),
                                           seconds_[c].begin() + static_cast<std::ptrdiff_t>(box.high[c]) + 1);
        }
        double seconds = problem_.length_s(fastest);
        // Every path through the graph is a lower bound of the length: sum of shares x tau. So is the mean of the
        // shares of a few paths, and its least sum with the available cores separates by component.
        std::vector<double> shares(components);
        std::vector<double> at = fastest;
        for (int step = 0; step < bound_steps && value(seconds, box) < best_value_; ++step) {
            const std::vector<double> path = problem_.path_shares(at);
            for (std::size_t c = 0; c < components; ++c)
                shares[c] += (path[c] - shares[c]) / (step + 1);
            seconds = std::max(seconds, separated(box, shares, at));
        }
        box.bound = std::max(box.bound, value(seconds, box));
        return true;
    }

    BalanceAnswer run(std::int64_t most_boxes) {
        Box all;
        for (const std::vector<double> &by_place : seconds_) {
            all.low.push_back(0);
            all.high.push_back(by_place.size() - 1);
        }
        if (cores(all.low) > problem_.total)
            throw PredictionError("the smallest counts need " + counted(cores(all.low), "core") + ", and there " +
                                  word_for(problem_.total, "is ", "are ") + std::to_string(problem_.total));
        offer(all.low);
        improve(most_boxes);
        std::priority_queue<Box> open;
        if (bound(all)) open.push(all);
        double left = best_value_; // the least bound of the boxes that were not examined
        while (!open.empty()) {
            Box box = open.top();
            if (box.bound >= best_value_ * (1 - proven_within)) break;
            if (answer_.evaluated >= most_boxes) {
                left = box.bound;
                break;
            }
            open.pop();
            ++answer_.evaluated;
            split(box, open);
        }
        answer_.gap = std::max(0.0, 1 - left / best_value_);
        answer_.proven_optimal = answer_.gap <= proven_within;
        if (answer_.proven_optimal) answer_.gap = 0;
        if (objective_ != Objective::energy) fill_nodes();
        for (std::size_t c = 0; c < best_.size(); ++c)
            answer_.counts.push_back(count(c, best_[c]));
        answer_.energy_J = energy_J(problem_, answer_.counts, answer_.seconds);
        return answer_;
    }

private:
    // Takes the fastest count among those with the same cores, also for components off the critical path.
    void fill_nodes() {
        for (std::size_t c = 0; c < best_.size(); ++c) {
            for (std::size_t place = best_[c] + 1;
                 place < seconds_[c].size() && taken_[c][place] == taken_[c][best_[c]]; ++place)
                if (seconds_[c][place] < seconds_[c][best_[c]]) best_[c] = place;
        }
        answer_.seconds = problem_.length_s(computing(best_));
    }

    [[nodiscard]] bool fits(const ProcessorPool::WithOthers &others, double cores) const {
        return std::llround(std::max(others.least, others.beside + cores)) <= problem_.total;
    }
    // Component c's last place between `least`, which fits, and `most` with which all components fit into the total.
    [[nodiscard]] std::size_t largest_that_fits(const ProcessorPool::WithOthers &others, std::size_t c,
                                                std::size_t least, std::size_t most) const {
        std::size_t beyond = most + 1;
        while (beyond - least > 1) {
            const std::size_t place = least + (beyond - least) / 2;
            (fits(others, taken_[c][place]) ? least : beyond) = place;
        }
        return least;
    }

    bool offer_taking(Places places, const ProcessorPool::WithOthers &others, std::size_t giver) {
        const std::vector<double> &taken = taken_[giver];
        if (fits(others, taken[places[giver]]) || !fits(others, taken[0])) return false;
        places[giver] = largest_that_fits(others, giver, 0, places[giver]);
        return offer(places);
    }

    // A lower bound of the least sum of shares x tau over the box with the available cores: with a price for a core
    // each component chooses for itself. `at`: the computing times of the chosen counts.
    double separated(const Box &box, const std::vector<double> &shares, std::vector<double> &at) const {
        std::vector<double> gains;
        for (std::size_t c = 0; c < shares.size(); ++c)
            gains.push_back(shares[c] * curves_[c].gain(best_[c]));
        const std::vector<double> weights = pool().weights(gains);
        const auto total = static_cast<double>(problem_.total);
        double low = 0, high = 0, best = 0;
        for (std::size_t c = 0; c < shares.size(); ++c)
            if (weights[c] > 0) high = std::max(high, shares[c] * seconds_[c][box.low[c]] / weights[c]);
        for (int halving = 0; halving < 40; ++halving) {
            const double price = halving == 0 ? 0 : (low + high) / 2;
            double used = 0;
            double sum = -price * total;
            for (std::size_t c = 0; c < shares.size(); ++c) {
                const auto chosen = curves_[c].cheapest(box.low[c], box.high[c], shares[c], price * weights[c]);
                used += weights[c] * chosen.taken;
                sum += shares[c] * chosen.seconds + price * weights[c] * chosen.taken;
                at[c] = chosen.seconds;
            }
            best = std::max(best, sum); // any price gives a lower bound
            if (used <= total && halving == 0) break;
            (used > total ? low : high) = price;
        }
        return best;
    }

    // The energy of a component beyond idling, at each of its places [J].
    [[nodiscard]] std::vector<double> extra_energy(std::size_t c) const {
        const CorePower &power = problem_.power[c];
        std::vector<double> joules;
        for (std::size_t place = 0; place < seconds_[c].size(); ++place)
            joules.push_back((power.busy_W - power.idle_W) * static_cast<double>(count(c, place)) *
                             seconds_[c][place]);
        return joules;
    }

    void split(const Box &box, std::priority_queue<Box> &open) {
        std::size_t widest = 0;
        double ratio = 0;
        for (std::size_t c = 0; c < box.low.size(); ++c) {
            if (box.low[c] == box.high[c]) continue;
            const double r = seconds_[c][box.low[c]] - seconds_[c][box.high[c]];
            if (std::abs(r) >= ratio) {
                ratio = std::abs(r);
                widest = c;
            }
        }
        if (box.low[widest] == box.high[widest]) {
            offer(box.low);
            return;
        }
        Box lower = box, upper = box;
        lower.high[widest] = (box.low[widest] + box.high[widest]) / 2;
        upper.low[widest] = lower.high[widest] + 1;
        for (Box *half : {&lower, &upper}) {
            if (!bound(*half) || half->bound >= best_value_ * (1 - proven_within)) continue;
            offer(half->low);
            offer(half->high);
            open.push(std::move(*half));
        }
    }

    const BalanceProblem &problem_;
    Objective objective_;
    std::vector<std::vector<double>> seconds_; // by component and place
    std::vector<std::vector<double>> taken_;   // cores, whole nodes
    std::vector<HullOfTimes> curves_;
    std::vector<RangeMinimum> extra_J_; // for Objective::energy
    ProcessorPool own_pool_;
    Places best_;
    double best_value_ = std::numeric_limits<double>::infinity();
    BalanceAnswer answer_;
};

double value_of(Objective objective, const BalanceAnswer &answer) {
    if (objective == Objective::time) return answer.seconds;
    if (objective == Objective::cost) return answer.seconds * static_cast<double>(answer.cores);
    return answer.energy_J;
}

std::vector<double> computing_of(const BalanceProblem &problem, const std::vector<std::int64_t> &counts) {
    std::vector<double> seconds;
    for (std::size_t c = 0; c < counts.size(); ++c)
        seconds.push_back(problem.computing_s(c, counts[c]));
    return seconds;
}

// Cutting planes (Kelley 1960): the best counts by the known paths are tried with the whole loop, which gives one
// path more, until a path agrees with the loop. So the loop is replayed some ten times, not for each box.
BalanceAnswer balance_by_paths(const BalanceProblem &problem, Objective objective, std::int64_t most_boxes) {
    constexpr std::int64_t least_rounds = 16;
    KnownPaths paths;
    BalanceProblem by_paths = problem;
    by_paths.length_s = [&](const std::vector<double> &seconds) { return paths.length_s(seconds); };
    by_paths.path_shares = [&](const std::vector<double> &seconds) { return paths.longest(seconds); };
    std::vector<std::int64_t> least;
    for (const AllowedCounts &allowed : problem.allowed)
        least.push_back(allowed.counts.front());
    paths.add(problem.path_shares(computing_of(problem, least)));
    const std::int64_t boxes = std::max<std::int64_t>(1, most_boxes / least_rounds);
    BalanceAnswer best;
    double best_value = std::numeric_limits<double>::infinity(), possible = 0;
    std::int64_t evaluated = 0;
    for (bool go_on = true; go_on;) {
        BalanceAnswer answer = Search(by_paths, objective).run(boxes);
        evaluated += std::max<std::int64_t>(1, answer.evaluated);
        possible = std::max(possible, value_of(objective, answer) * (1 - answer.gap));
        const std::vector<double> seconds = computing_of(problem, answer.counts);
        const double length = problem.length_s(seconds);
        go_on = length > answer.seconds * (1 + proven_within) && evaluated < most_boxes;
        answer.seconds = length;
        answer.energy_J = energy_J(problem, answer.counts, length);
        if (go_on) paths.add(problem.path_shares(seconds));
        const double value = value_of(objective, answer);
        if (value < best_value) {
            best_value = value;
            best = std::move(answer);
        }
    }
    best.evaluated = evaluated;
    best.gap = std::max(0.0, 1 - possible / best_value);
    best.proven_optimal = best.gap <= proven_within;
    if (best.proven_optimal) best.gap = 0;
    return best;
}

} // namespace

BalanceAnswer balance(const BalanceProblem &problem, Objective objective, std::int64_t most_boxes) {
    if (problem.long_loop) return balance_by_paths(problem, objective, most_boxes);
    return Search(problem, objective).run(most_boxes);
}

} // namespace cpl_lb
