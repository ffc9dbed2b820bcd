#include "prediction/optimiser.hpp"

#include "prediction/coupling_graph.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <queue>

namespace cpl_lb {
namespace {

// An answer this close to the bound, as a share, counts as proven: far below what any clock measures.
constexpr double proven_within = 1e-9;
constexpr int bound_steps = 6;

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
        for (std::size_t c = 0; c < problem.allowed.size(); ++c) {
            std::vector<double> seconds;
            for (const std::int64_t count : problem.allowed[c].counts)
                seconds.push_back(problem.computing_s(c, count));
            seconds_.push_back(std::move(seconds));
            add_hull(c);
        }
    }

    [[nodiscard]] std::int64_t count(std::size_t c, std::size_t place) const {
        return problem_.allowed[c].counts[place];
    }
    [[nodiscard]] std::int64_t cores(const Places &places) const {
        std::int64_t sum = 0;
        for (std::size_t c = 0; c < places.size(); ++c)
            sum += count(c, places[c]);
        return sum;
    }
    [[nodiscard]] double value(double seconds, double cores) const {
        return objective_ == Objective::time ? seconds : seconds * cores;
    }
    [[nodiscard]] std::vector<double> computing(const Places &places) const {
        std::vector<double> seconds;
        for (std::size_t c = 0; c < places.size(); ++c)
            seconds.push_back(seconds_[c][places[c]]);
        return seconds;
    }

    // Keeps the places if they are the best so far.
    bool offer(const Places &places) {
        const std::int64_t n = cores(places);
        if (n > problem_.total) return false;
        const double seconds = problem_.length_s(computing(places));
        const double v = value(seconds, static_cast<double>(n));
        if (!(v < best_value_ || (v == best_value_ && n < answer_.cores))) return false;
        best_value_ = v;
        best_ = places;
        answer_.seconds = seconds;
        answer_.cores = n;
        return true;
    }

    // From the best so far: gives to one component, takes from another, in steps that halve.
    void improve() {
        const std::size_t components = seconds_.size();
        for (bool better = true; better;) {
            better = false;
            const Places from = best_;
            for (std::size_t to = 0; to < components; ++to) {
                for (std::size_t step = seconds_[to].size(); step > 0; step /= 2) {
                    Places more = from;
                    if (more[to] + step >= seconds_[to].size()) continue;
                    more[to] += step;
                    better = offer(more) || better;
                    for (std::size_t giver = 0; giver < components; ++giver)
                        if (giver != to) better = offer_taking(more, giver) || better;
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

    // A lower bound of the value over the box; false where the box holds nothing that fits.
    bool bound(Box &box) {
        const std::size_t components = seconds_.size();
        const std::int64_t least = cores(box.low);
        if (least > problem_.total) return false;
        std::vector<double> fastest(components); // each with all that the others leave
        for (std::size_t c = 0; c < components; ++c) {
            const std::int64_t room = problem_.total - (least - count(c, box.low[c]));
            while (box.high[c] > box.low[c] && count(c, box.high[c]) > room)
                --box.high[c];
            fastest[c] = *std::min_element(seconds_[c].begin() + static_cast<std::ptrdiff_t>(box.low[c]),
                                           seconds_[c].begin() + static_cast<std::ptrdiff_t>(box.high[c]) + 1);
        }
        double seconds = problem_.length_s(fastest);
        // Every path through the graph is a lower bound of the length: sum of shares x tau. The shares of a few
        // paths, averaged, bound it too, and the least sum with the cores at hand separates by component.
        std::vector<double> shares(components);
        std::vector<double> at = fastest;
        for (int step = 0; step < bound_steps && value(seconds, static_cast<double>(least)) < best_value_; ++step) {
            const std::vector<double> path = problem_.path_shares(at);
            for (std::size_t c = 0; c < components; ++c)
                shares[c] += (path[c] - shares[c]) / (step + 1);
            seconds = std::max(seconds, separated(box, shares, at));
        }
        box.bound = std::max(box.bound, value(seconds, static_cast<double>(least)));
        return true;
    }

    BalanceAnswer run(std::int64_t most_boxes) {
        Box all;
        for (const std::vector<double> &by_place : seconds_) {
            all.low.push_back(0);
            all.high.push_back(by_place.size() - 1);
        }
        if (cores(all.low) > problem_.total)
            throw PredictionError("the least counts need " + std::to_string(cores(all.low)) +
                                  " cores, and there are " + std::to_string(problem_.total));
        offer(all.low);
        improve();
        std::priority_queue<Box> open;
        if (bound(all)) open.push(all);
        double left = best_value_; // the least bound of what was not looked at
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
        for (std::size_t c = 0; c < best_.size(); ++c)
            answer_.counts.push_back(count(c, best_[c]));
        return answer_;
    }

private:
    bool offer_taking(Places places, std::size_t giver) {
        const std::int64_t over = cores(places) - problem_.total;
        if (over <= 0) return false;
        const std::int64_t wanted = count(giver, places[giver]) - over;
        while (places[giver] > 0 && count(giver, places[giver]) > wanted)
            --places[giver];
        return offer(places);
    }

    // A lower bound of the least sum of shares x tau over the box with the cores at hand, by a price for a core:
    // each component then chooses for itself. `at`: the computing times of what was chosen.
    double separated(const Box &box, const std::vector<double> &shares, std::vector<double> &at) const {
        double low = 0, high = 0, best = 0;
        for (std::size_t c = 0; c < shares.size(); ++c)
            high = std::max(high, shares[c] * seconds_[c][box.low[c]]);
        for (int halving = 0; halving < 40; ++halving) {
            const double price = halving == 0 ? 0 : (low + high) / 2;
            std::int64_t used = 0;
            double sum = -price * static_cast<double>(problem_.total);
            for (std::size_t c = 0; c < shares.size(); ++c) {
                const std::size_t place = cheapest(c, box, shares[c], price);
                used += count(c, place);
                sum += shares[c] * hull_[c][place] + price * static_cast<double>(count(c, place));
                at[c] = hull_[c][place];
            }
            best = std::max(best, sum); // any price gives a lower bound
            if (used <= problem_.total && halving == 0) break;
            (used > problem_.total ? low : high) = price;
        }
        return best;
    }

    // The place in the box with the least share x tau + price x count: where the hull's slope reaches the price.
    [[nodiscard]] std::size_t cheapest(std::size_t c, const Box &box, double share, double price) const {
        const auto begin = slopes_[c].begin();
        const auto found = std::lower_bound(begin + static_cast<std::ptrdiff_t>(box.low[c]),
                                            begin + static_cast<std::ptrdiff_t>(box.high[c]), price,
                                            [share](double slope, double p) { return -share * slope > p; });
        return static_cast<std::size_t>(found - begin);
    }

    // The lower convex hull of tau over the counts: a fit with b p^c is not convex, and its hull bounds it from
    // below.
    void add_hull(std::size_t c) {
        const std::vector<double> &y = seconds_[c];
        const auto slope = [&](std::size_t a, std::size_t b) {
            return (y[b] - y[a]) / static_cast<double>(count(c, b) - count(c, a));
        };
        std::vector<std::size_t> corners;
        for (std::size_t k = 0; k < y.size(); ++k) {
            while (corners.size() >= 2 &&
                   slope(corners[corners.size() - 2], corners.back()) >= slope(corners.back(), k))
                corners.pop_back();
            corners.push_back(k);
        }
        std::vector<double> hull(y), slopes;
        for (std::size_t i = 0; i + 1 < corners.size(); ++i) {
            const double s = slope(corners[i], corners[i + 1]);
            for (std::size_t k = corners[i]; k < corners[i + 1]; ++k) {
                hull[k] = y[corners[i]] + s * static_cast<double>(count(c, k) - count(c, corners[i]));
                slopes.push_back(s);
            }
        }
        hull_.push_back(std::move(hull));
        slopes_.push_back(std::move(slopes));
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
    std::vector<std::vector<double>> hull_;    // their lower convex hulls
    std::vector<std::vector<double>> slopes_;  // of the hull, from each place to the next [s for a core]
    Places best_;
    double best_value_ = std::numeric_limits<double>::infinity();
    BalanceAnswer answer_;
};

} // namespace

AllowedCounts multiples(const std::string &name, std::int64_t least, std::int64_t most, std::int64_t block) {
    AllowedCounts allowed{name, {}};
    for (std::int64_t count = (std::max<std::int64_t>(least, 1) + block - 1) / block * block; count <= most;
         count += block)
        allowed.counts.push_back(count);
    if (allowed.counts.empty())
        throw PredictionError(name + ": no multiple of " + std::to_string(block) + " from " + std::to_string(least) +
                              " to " + std::to_string(most));
    return allowed;
}

BalanceAnswer balance(const BalanceProblem &problem, Objective objective, std::int64_t most_boxes) {
    return Search(problem, objective).run(most_boxes);
}

std::vector<BalanceAnswer> pareto_front(BalanceProblem problem, std::int64_t most_boxes, int points) {
    std::int64_t least = 0;
    for (const AllowedCounts &allowed : problem.allowed)
        least += allowed.counts.front();
    const std::int64_t most = problem.total;
    std::vector<BalanceAnswer> front;
    std::int64_t before = 0;
    for (int i = 0; i < points; ++i) {
        const double share = points > 1 ? static_cast<double>(i) / (points - 1) : 1;
        problem.total = std::llround(static_cast<double>(least) *
                                     std::pow(static_cast<double>(most) / static_cast<double>(least), share));
        if (problem.total == before && i > 0) continue;
        before = problem.total;
        BalanceAnswer answer = balance(problem, Objective::time, most_boxes);
        if (front.empty() || answer.seconds < front.back().seconds) front.push_back(std::move(answer));
    }
    return front;
}

} // namespace cpl_lb
