// Branch and bound over boxes of processor counts.
#include "prediction/optimiser.hpp"

#include "prediction/branch_and_bound.hpp"
#include "prediction/coupling_graph.hpp"
#include "prediction/optimiser_tables.hpp"
#include "support/counted.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace cpl_lb {
namespace {

constexpr int bound_steps = 6;
// Each two components may exchange cores. With hundreds of components not all pairs are tried, but so many for each
// box that may be examined.
constexpr std::int64_t tries_of_box = 300;

using ByPlace = std::vector<std::vector<double>>; // by component and place in its allowed counts

std::vector<double> at_places(const ByPlace &table, const CountPlaces &places) {
    std::vector<double> each;
    for (std::size_t c = 0; c < places.size(); ++c)
        each.push_back(table[c][places[c]]);
    return each;
}

class Search {
public:
    Search(const BalanceProblem &problem, Objective objective)
        : problem_(problem), objective_(objective), pool_(pool_of_all(problem.pool, problem.allowed.size())) {
        for (std::size_t c = 0; c < problem.allowed.size(); ++c) {
            std::vector<double> seconds, taken;
            for (const std::int64_t n : problem.allowed[c].counts) {
                seconds.push_back(problem.computing_s(c, n));
                taken.push_back(static_cast<double>(whole_nodes(problem, n)));
            }
            curves_.emplace_back(taken, seconds);
            if (objective == Objective::energy) enter_energy(c, seconds, taken);
            seconds_.push_back(std::move(seconds));
            taken_.push_back(std::move(taken));
        }
    }

    [[nodiscard]] double best_value() const { return best_value_; }

    // Keeps the places if they are the best so far.
    bool offer(const CountBox & /*box*/, const CountPlaces &places) { return offer(places); }

    [[nodiscard]] std::optional<std::size_t> widest(const CountBox &box) const {
        std::optional<std::size_t> widest;
        double most = 0;
        for (std::size_t c = 0; c < box.low.size(); ++c) {
            const double spread = std::abs(seconds_[c][box.low[c]] - seconds_[c][box.high[c]]);
            if (box.low[c] == box.high[c] || spread < most) continue;
            most = spread;
            widest = c;
        }
        return widest;
    }

    // A lower bound of the value over the box; false if the box holds nothing that fits.
    bool bound(CountBox &box) {
        const std::size_t components = seconds_.size();
        if (cores(box.low) > problem_.total) return false;
        std::vector<double> fastest(components); // each with all cores that the others leave
        const std::vector<ProcessorPool::WithOthers> others = pool_.with_others(at_places(taken_, box.low));
        for (std::size_t c = 0; c < components; ++c) {
            box.high[c] = largest_that_fits(others[c], c, box.low[c], box.high[c]);
            fastest[c] = std::ranges::min(std::span(seconds_[c]).subspan(box.low[c], box.high[c] - box.low[c] + 1));
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
        CountBox all;
        for (const std::vector<double> &by_place : seconds_) {
            all.low.push_back(0);
            all.high.push_back(by_place.size() - 1);
        }
        if (cores(all.low) > problem_.total)
            throw PredictionError("the smallest counts need " + counted(cores(all.low), "core") + ", and there " +
                                  word_for(problem_.total, "is ", "are ") + std::to_string(problem_.total));
        offer(all.low);
        improve(most_boxes);
        const BoxesSplit done = split_boxes(*this, {all}, most_boxes);
        answer_.evaluated = done.evaluated;
        enter_gap(answer_, done.gap);
        if (objective_ != Objective::energy) fill_nodes();
        for (std::size_t c = 0; c < best_.size(); ++c)
            answer_.counts.push_back(problem_.allowed[c].counts[best_[c]]);
        answer_.energy_J = energy_J(problem_, answer_.counts, answer_.seconds);
        return answer_;
    }

private:
    void enter_energy(std::size_t c, const std::vector<double> &seconds, const std::vector<double> &taken) {
        const CorePower &power = problem_.power[c];
        std::vector<double> extra_J, idle_W;
        for (std::size_t place = 0; place < seconds.size(); ++place) {
            const auto count = static_cast<double>(problem_.allowed[c].counts[place]);
            extra_J.push_back((power.busy_W - power.idle_W) * count * seconds[place]);
            idle_W.push_back(taken[place] * power.idle_W);
        }
        extra_J_.emplace_back(std::move(extra_J));
        idle_W_.push_back(std::move(idle_W));
    }

    [[nodiscard]] std::int64_t cores(const CountPlaces &places) const {
        return std::llround(pool_.of_all(at_places(taken_, places)));
    }

    // The least value of a box that takes at least `seconds`; for one combination (low = high) its value.
    [[nodiscard]] double value(double seconds, const CountBox &box) const {
        if (objective_ == Objective::time) return seconds;
        if (objective_ == Objective::cost) return seconds * static_cast<double>(cores(box.low));
        double joules = seconds * pool_.of_all(at_places(idle_W_, box.low));
        for (std::size_t c = 0; c < box.low.size(); ++c)
            joules += extra_J_[c].least(box.low[c], box.high[c]);
        return joules;
    }

    bool offer(const CountPlaces &places) {
        const std::int64_t n = cores(places);
        if (n > problem_.total) return false;
        const double seconds = problem_.length_s(at_places(seconds_, places));
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
            const CountPlaces from = best_;
            for (std::size_t to = 0; to < components; ++to) {
                for (std::size_t step = seconds_[to].size(); step > 0; step /= 2) {
                    CountPlaces more = from;
                    if (more[to] + step >= seconds_[to].size()) continue;
                    if ((tries += static_cast<std::int64_t>(components)) > tries_of_box * most_boxes) return;
                    more[to] += step;
                    better = offer(more) || better;
                    const std::vector<ProcessorPool::WithOthers> others = pool_.with_others(at_places(taken_, more));
                    for (std::size_t giver = 0; giver < components; ++giver)
                        if (giver != to) better = offer_taking(more, others[giver], giver) || better;
                }
            }
            for (std::size_t giver = 0; giver < components; ++giver) {
                for (std::size_t step = seconds_[giver].size(); step > 0; step /= 2) {
                    CountPlaces fewer = from;
                    if (fewer[giver] < step) continue;
                    fewer[giver] -= step;
                    better = offer(fewer) || better;
                }
            }
        }
    }

    bool offer_taking(CountPlaces places, const ProcessorPool::WithOthers &others, std::size_t giver) {
        const std::vector<double> &taken = taken_[giver];
        if (fits(others, taken[places[giver]]) || !fits(others, taken[0])) return false;
        places[giver] = largest_that_fits(others, giver, 0, places[giver]);
        return offer(places);
    }

    // Takes the fastest count among those with the same cores, also for components off the critical path.
    void fill_nodes() {
        for (std::size_t c = 0; c < best_.size(); ++c) {
            for (std::size_t place = best_[c] + 1;
                 place < seconds_[c].size() && taken_[c][place] == taken_[c][best_[c]]; ++place)
                if (seconds_[c][place] < seconds_[c][best_[c]]) best_[c] = place;
        }
        answer_.seconds = problem_.length_s(at_places(seconds_, best_));
    }

    [[nodiscard]] bool fits(const ProcessorPool::WithOthers &others, double cores) const {
        return std::llround(std::max(others.least, others.beside + cores)) <= problem_.total;
    }
    // Component c's last place between `least`, which fits, and `most` with which all components fit into the total.
    [[nodiscard]] std::size_t largest_that_fits(const ProcessorPool::WithOthers &others, std::size_t c,
                                                std::size_t least, std::size_t most) const {
        const auto too_many = [&](std::size_t place) { return !fits(others, taken_[c][place]); };
        return first_place(least + 1, most + 1, too_many) - 1;
    }

    // A lower bound of the least sum of shares x tau over the box with the available cores. `at`: the computing times
    // of the chosen counts.
    double separated(const CountBox &box, const std::vector<double> &shares, std::vector<double> &at) const {
        constexpr int halvings = 40;
        std::vector<double> gains;
        std::vector<PricedChoice> choices;
        for (std::size_t c = 0; c < shares.size(); ++c) {
            gains.push_back(shares[c] * curves_[c].gain(best_[c]));
            choices.push_back({c, &curves_[c], box.low[c], box.high[c], seconds_[c][box.low[c]]});
        }
        return least_sum(choices, shares, pool_.weights(gains), static_cast<double>(problem_.total), halvings, at);
    }

    const BalanceProblem &problem_;
    Objective objective_;
    ProcessorPool pool_;
    ByPlace seconds_, taken_, idle_W_; // taken: cores, whole nodes; idle: of these, for Objective::energy
    std::vector<HullOfTimes> curves_;
    std::vector<RangeMinimum> extra_J_; // beyond idling, for Objective::energy
    CountPlaces best_;
    double best_value_ = std::numeric_limits<double>::infinity();
    BalanceAnswer answer_;
};

double value_of(Objective objective, const BalanceAnswer &answer) {
    if (objective == Objective::time) return answer.seconds;
    if (objective == Objective::cost) return answer.seconds * static_cast<double>(answer.cores);
    return answer.energy_J;
}

} // namespace

BalanceAnswer balance(const BalanceProblem &problem, Objective objective, std::int64_t most_boxes) {
    const auto solve = [&](const BalanceProblem &one, std::int64_t boxes) {
        return Search(one, objective).run(boxes);
    };
    if (!problem.long_loop) return solve(problem, most_boxes);
    return best_by_paths(
        problem, computing_of(problem, least_counts(problem)), most_boxes, solve,
        [&](const BalanceAnswer &answer) { return computing_of(problem, answer.counts); },
        [&](BalanceAnswer &answer, const std::vector<double> &computing_s) {
            answer.energy_J = energy_J(problem, answer.counts, computing_s, answer.seconds);
        },
        [&](const BalanceAnswer &answer) { return value_of(objective, answer); });
}

} // namespace cpl_lb
