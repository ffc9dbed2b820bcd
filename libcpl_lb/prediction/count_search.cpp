// Bounds of boxes, and the best counts so far.
#include "prediction/count_search.hpp"

#include "prediction/coupling_graph.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <cmath>
#include <queue>
#include <utility>

namespace cpl_lb {
namespace {

constexpr std::size_t most_ways = 20'000; // of laying units on kinds
// Each two units may exchange cores. With hundreds of components not all pairs are tried, but so many for each box
// that may be examined.
constexpr std::int64_t tries_of_box = 300;

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

} // namespace

CountSearch::CountSearch(CountProblem problem) : problem_(std::move(problem)), most_s_(problem_.most_seconds) {
    problem_.pool = pool_of_all(problem_.pool, problem_.components);
    for (const CountUnit &unit : problem_.units) {
        std::vector<Tables> &of_unit = tables_.emplace_back();
        for (const CountOption &option : unit.options) {
            Tables &one = of_unit.emplace_back();
            for (const std::vector<double> &seconds : option.seconds) {
                one.least_s.emplace_back(seconds);
                one.hulls.emplace_back(option.taken, seconds);
            }
            if (problem_.objective == Objective::energy) one.extra_J.emplace_back(option.extra_J);
        }
    }
}

bool CountSearch::run(std::int64_t most_boxes) {
    for (const CountBox &box : all_boxes())
        if (offer(box, box.low)) improve(box, most_boxes);
    split_boxes(most_boxes);
    return !best_.empty();
}

void CountSearch::save(std::int64_t most_boxes) {
    saves_ = true;
    most_s_ = best_s_ * (1 + 1e-12);
    best_value_ = best_weight_;
    // Reduces one unit after the other as far as the time allows: a good begin, and the end if the time is a maximum.
    const CountBox box = best_box_;
    for (std::size_t u = 0; u < problem_.units.size(); ++u) {
        CountPlaces fewer = best_;
        const std::size_t least = first_place(0, best_[u], [&](std::size_t place) {
            fewer[u] = place;
            return problem_.length_s(computing(box, fewer)) <= most_s_;
        });
        fewer[u] = least;
        offer(box, fewer);
    }
    split_boxes(most_boxes);
}

// Splits all boxes, the one with the least bound first, until none can hold a better answer, or `most_boxes` were
// split.
void CountSearch::split_boxes(std::int64_t most_boxes) {
    std::priority_queue<CountBox> open;
    const auto may_be_better = [&](const CountBox &box) { return box.bound < best_value_ * (1 - proven_within); };
    for (CountBox &box : all_boxes())
        if (bound(box) && may_be_better(box)) open.push(std::move(box));
    double left = best_value_; // the least bound of the boxes that were not examined
    for (std::int64_t split = 0; !open.empty() && may_be_better(open.top()); ++split, ++evaluated_) {
        const CountBox box = open.top();
        if (split >= most_boxes) {
            left = box.bound;
            break;
        }
        open.pop();
        const std::optional<std::size_t> unit = widest(box);
        if (!unit) {
            offer(box, box.low);
            continue;
        }
        CountBox lower = box, upper = box;
        lower.high[*unit] = (box.low[*unit] + box.high[*unit]) / 2;
        upper.low[*unit] = lower.high[*unit] + 1;
        for (CountBox *half : {&lower, &upper}) {
            if (!bound(*half) || !may_be_better(*half)) continue;
            offer(*half, half->low);
            offer(*half, half->high);
            open.push(std::move(*half));
        }
    }
    gap_ = std::max(0.0, 1 - std::min(left, best_value_) / best_value_);
}

bool CountSearch::offer(const CountBox &box, const CountPlaces &places) {
    if (!fits(box, places)) return false;
    const double seconds = problem_.length_s(computing(box, places));
    if (seconds > most_s_) return false;
    const double v = value(seconds, {places, places, box.option}), weight = weighted(box, places);
    if (!(v < best_value_ || (v == best_value_ && weight < best_weight_))) return false;
    best_value_ = v;
    best_s_ = seconds;
    best_weight_ = weight;
    best_box_ = box;
    best_ = places;
    return true;
}

std::optional<std::size_t> CountSearch::widest(const CountBox &box) const {
    std::optional<std::size_t> widest;
    double most = 0;
    for (std::size_t u = 0; u < problem_.units.size(); ++u) {
        double spread = 0;
        for (const std::vector<double> &seconds : chosen(box, u).seconds)
            spread = std::max(spread, std::abs(seconds[box.low[u]] - seconds[box.high[u]]));
        if (box.low[u] == box.high[u] || spread < most) continue;
        most = spread;
        widest = u;
    }
    return widest;
}

// A lower bound of the value over the box; false if the box holds nothing better that fits.
bool CountSearch::bound(CountBox &box) const {
    constexpr int bound_steps = 6;
    std::vector<double> fastest(problem_.components); // each with all that the others leave
    for (int round = 0; round < (problem_.raises_low ? 2 : 1); ++round) {
        if (!fits(box, box.low)) return false;
        const Others others = with_others(box, box.low);
        for (std::size_t u = 0; u < problem_.units.size(); ++u) {
            box.high[u] = largest_that_fits(others, box, u, box.low[u], box.high[u]);
            enter_fastest(box, u, box.low[u], box.high[u], fastest);
        }
        if (!problem_.raises_low || !std::isfinite(useful_below_s(box))) break;
        if (round == 0 && !raise_low(box, fastest)) return false;
    }
    double seconds = problem_.length_s(fastest);
    // Every path through the graph is a lower bound of the length: sum of shares x tau. So is the mean of the shares
    // of a few paths, and its least sum with what is there separates by component: with a price for a core, or a node
    // of each kind, every component chooses for itself.
    std::vector<double> shares(fastest.size()), at = fastest;
    for (int step = 0; step < bound_steps && seconds <= useful_below_s(box); ++step) {
        const std::vector<double> path = problem_.path_shares(at);
        for (std::size_t c = 0; c < shares.size(); ++c)
            shares[c] += (path[c] - shares[c]) / (step + 1);
        seconds = std::max(seconds, separated(box, shares, at));
    }
    box.bound = std::max(box.bound, value(seconds, box));
    return seconds <= most_s_ * (1 + proven_within);
}

std::vector<CountBox> CountSearch::all_boxes() const {
    std::vector<CountBox> boxes(1);
    for (const CountUnit &unit : problem_.units) {
        std::vector<CountBox> more;
        for (const CountBox &box : boxes) {
            for (std::size_t o = 0; o < unit.options.size(); ++o) {
                more.push_back(box);
                more.back().option.push_back(o);
                more.back().low.push_back(0);
                more.back().high.push_back(unit.options[o].taken.size() - 1);
            }
        }
        if (more.size() > most_ways) {
            throw PredictionError(fmt::format("more than {} ways to lay the components on kinds of nodes: let "
                                              "fewer components run on several kinds",
                                              most_ways));
        }
        boxes = std::move(more);
    }
    return boxes;
}

std::vector<double> CountSearch::computing(const CountBox &box, const CountPlaces &places) const {
    std::vector<double> seconds(problem_.components);
    for (std::size_t u = 0; u < problem_.units.size(); ++u)
        for (std::size_t m = 0; m < problem_.units[u].members.size(); ++m)
            seconds[problem_.units[u].members[m]] = chosen(box, u).seconds[m][places[u]];
    return seconds;
}

// By component, what it has of one kind: cores or nodes taken, or their power.
std::vector<double> CountSearch::on_kind(const CountBox &box, std::size_t kind, const CountPlaces &places,
                                         const std::vector<double> CountOption::*what) const {
    std::vector<double> each(problem_.components);
    for (std::size_t u = 0; u < problem_.units.size(); ++u)
        for (const std::size_t member : problem_.units[u].members)
            if (chosen(box, u).kind == kind) each[member] = (chosen(box, u).*what)[places[u]];
    return each;
}

double CountSearch::weighted(const CountBox &box, const CountPlaces &places) const {
    double sum = 0;
    for (std::size_t k = 0; k < problem_.there.size(); ++k)
        sum += problem_.pool.of_all(on_kind(box, k, places, &CountOption::taken)) * problem_.weights[k];
    return sum;
}

// The power of all that is taken if none computes.
double CountSearch::idle_W(const CountBox &box, const CountPlaces &places) const {
    double sum = 0;
    for (std::size_t k = 0; k < problem_.there.size(); ++k)
        sum += problem_.pool.of_all(on_kind(box, k, places, &CountOption::idle_W));
    return sum;
}

bool CountSearch::fits(const CountBox &box, const CountPlaces &places) const {
    for (std::size_t k = 0; k < problem_.there.size(); ++k)
        if (std::llround(problem_.pool.of_all(on_kind(box, k, places, &CountOption::taken))) > problem_.there[k])
            return false;
    return true;
}

CountSearch::Others CountSearch::with_others(const CountBox &box, const CountPlaces &places) const {
    Others others;
    for (std::size_t k = 0; k < problem_.there.size(); ++k)
        others.push_back(problem_.pool.with_others(on_kind(box, k, places, &CountOption::taken)));
    return others;
}

// Whether all fit with another count of one unit. Two components on halves of the same nodes count once, so that the
// first of them tells.
bool CountSearch::fits_beside(const Others &others, const CountBox &box, std::size_t unit, std::size_t place) const {
    const CountOption &option = chosen(box, unit);
    const ProcessorPool::WithOthers &with = others[option.kind][problem_.units[unit].members.front()];
    return std::llround(std::max(with.least, with.beside + option.taken[place])) <= problem_.there[option.kind];
}

// The last place between `least`, which fits, and `most` with which all fit.
std::size_t CountSearch::largest_that_fits(const Others &others, const CountBox &box, std::size_t unit,
                                           std::size_t least, std::size_t most) const {
    const auto too_many = [&](std::size_t place) { return !fits_beside(others, box, unit, place); };
    return first_place(least + 1, most + 1, too_many) - 1;
}

// The least value of a box that takes at least `seconds`; for one combination (low = high) its value.
double CountSearch::value(double seconds, const CountBox &box) const {
    if (saves_) return weighted(box, box.low);
    if (problem_.objective == Objective::time) return seconds;
    if (problem_.objective == Objective::cost) return seconds * weighted(box, box.low);
    double joules = seconds * idle_W(box, box.low);
    for (std::size_t u = 0; u < problem_.units.size(); ++u)
        joules += tables(box, u).extra_J.front().least(box.low[u], box.high[u]);
    return joules;
}

// A longer time cannot improve the answer in this box.
double CountSearch::useful_below_s(const CountBox &box) const {
    if (saves_) return most_s_;
    if (problem_.objective == Objective::time) return std::min(best_value_, most_s_);
    const double without = value(0, box), second = value(1, box) - without;
    return second > 0 ? std::min((best_value_ - without) / second, most_s_) : most_s_;
}

// Improves the best answer so far: gives cores or nodes to one unit and takes them from another, in steps that halve.
void CountSearch::improve(const CountBox &box, std::int64_t most_boxes) {
    const std::size_t units = problem_.units.size();
    std::int64_t tries = 0;
    for (bool better = true; better;) {
        better = false;
        const CountPlaces from = best_;
        for (std::size_t to = 0; to < units; ++to) {
            for (std::size_t step = chosen(box, to).taken.size(); step > 0; step /= 2) {
                CountPlaces more = from;
                if (more[to] + step >= chosen(box, to).taken.size()) continue;
                if ((tries += static_cast<std::int64_t>(units)) > tries_of_box * most_boxes) return;
                more[to] += step;
                better = offer(box, more) || better;
                const Others others = with_others(box, more);
                for (std::size_t giver = 0; giver < units; ++giver)
                    if (giver != to) better = offer_taking(box, more, others, giver) || better;
            }
        }
        for (std::size_t giver = 0; giver < units; ++giver) {
            for (std::size_t step = chosen(box, giver).taken.size(); step > 0; step /= 2) {
                CountPlaces fewer = from;
                if (fewer[giver] < step) continue;
                fewer[giver] -= step;
                better = offer(box, fewer) || better;
            }
        }
    }
}

bool CountSearch::offer_taking(const CountBox &box, CountPlaces places, const Others &others, std::size_t giver) {
    if (fits_beside(others, box, giver, places[giver]) || !fits_beside(others, box, giver, 0)) return false;
    places[giver] = largest_that_fits(others, box, giver, 0, places[giver]);
    return offer(box, places);
}

void CountSearch::enter_fastest(const CountBox &box, std::size_t unit, std::size_t low, std::size_t high,
                                std::vector<double> &seconds) const {
    for (std::size_t m = 0; m < problem_.units[unit].members.size(); ++m)
        seconds[problem_.units[unit].members[m]] = tables(box, unit).least_s[m].least(low, high);
}

// The least counts with a useful time if all others are as fast as the box allows. Smaller counts are in no better
// layout, because the length does not fall when a time rises.
bool CountSearch::raise_low(CountBox &box, std::vector<double> &fastest) const {
    const double limit_s = useful_below_s(box) * (1 + proven_within);
    for (std::size_t u = 0; u < problem_.units.size(); ++u) {
        const auto reaches = [&](std::size_t place) {
            enter_fastest(box, u, box.low[u], place, fastest);
            return problem_.length_s(fastest) <= limit_s;
        };
        const std::size_t first = first_place(box.low[u], box.high[u], reaches);
        const bool any = reaches(box.high[u]);
        enter_fastest(box, u, first, box.high[u], fastest);
        if (!any) return false;
        box.low[u] = first;
    }
    return true;
}

// A lower bound of the least sum of shares x tau over the box with what is there. `at`: the computing times of the
// chosen counts.
double CountSearch::separated(const CountBox &box, const std::vector<double> &shares, std::vector<double> &at) const {
    constexpr int halvings = 40;
    const bool is_of_best = box.option == best_box_.option;
    double sum_of_kinds = 0;
    for (std::size_t k = 0; k < problem_.there.size(); ++k) {
        std::vector<double> gains(shares.size());
        std::vector<PricedChoice> choices;
        for (std::size_t u = 0; u < problem_.units.size(); ++u) {
            const CountOption &option = chosen(box, u);
            for (std::size_t m = 0; option.kind == k && m < problem_.units[u].members.size(); ++m) {
                const std::size_t c = problem_.units[u].members[m];
                const HullOfTimes &hull = tables(box, u).hulls[m];
                gains[c] = shares[c] * hull.gain(is_of_best ? best_[u] : (box.low[u] + box.high[u]) / 2);
                choices.push_back({c, &hull, box.low[u], box.high[u], option.seconds[m][box.low[u]]});
            }
        }
        sum_of_kinds += least_sum(choices, shares, problem_.pool.weights(gains),
                                  static_cast<double>(problem_.there[k]), halvings, at);
    }
    return sum_of_kinds;
}

} // namespace cpl_lb
