// Branch and bound over boxes of node counts. The first boxes are one for each assignment of components to kinds.
#include "prediction/branch_and_bound.hpp"
#include "prediction/coupling_graph.hpp"
#include "prediction/kinds_optimiser.hpp"
#include "prediction/optimiser_tables.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {
namespace {

constexpr std::size_t most_ways = 20'000; // of assigning components to kinds

// A component, or two on halves of the same nodes, on one kind. Counts that need more nodes but save no time are left
// out, so that a shorter time always needs more nodes.
struct Option {
    std::size_t kind = 0;
    std::vector<double> nodes;
    std::vector<std::vector<double>> seconds; // by member and place
    std::vector<RangeMinimum> least_s;        // by member
    std::vector<HullOfTimes> hulls;           // by member
    std::vector<RangeMinimum> extra_J;        // one, with power: beyond idling
};

struct Unit {
    std::vector<std::size_t> members;
    std::vector<Option> options;
};

Option option_of(const KindsProblem &problem, const std::vector<const OnKind *> &members) {
    Option option;
    option.kind = members.front()->kind;
    option.seconds.resize(members.size());
    std::vector<double> least(members.size(), std::numeric_limits<double>::infinity()), extra;
    for (const std::int64_t nodes : members.front()->nodes) {
        if (nodes > problem.kinds[option.kind].nodes) break;
        std::vector<double> seconds;
        for (const OnKind *member : members)
            if (const std::optional<double> s = member->seconds_on(nodes)) seconds.push_back(*s);
        if (seconds.size() != members.size()) continue;
        // With more nodes one member of a pair may be faster and the other slower.
        bool is_faster = false;
        for (std::size_t m = 0; m < seconds.size(); ++m) {
            is_faster = is_faster || seconds[m] < least[m];
            least[m] = std::min(least[m], seconds[m]);
        }
        if (!is_faster) continue;
        option.nodes.push_back(static_cast<double>(nodes));
        double joules = 0;
        for (std::size_t m = 0; m < seconds.size(); ++m) {
            option.seconds[m].push_back(seconds[m]);
            if (problem.power.empty()) continue;
            const NodePower &power = problem.power[option.kind];
            joules += (power.busy_W - power.idle_W) * static_cast<double>(nodes) * seconds[m];
        }
        extra.push_back(joules);
    }
    if (option.nodes.empty()) return option;
    for (const std::vector<double> &seconds : option.seconds) {
        option.least_s.emplace_back(seconds);
        option.hulls.emplace_back(option.nodes, seconds);
    }
    if (!problem.power.empty()) option.extra_J.emplace_back(extra);
    return option;
}

Unit unit_of(const KindsProblem &problem, std::vector<std::size_t> members) {
    Unit unit;
    for (const OnKind &on : problem.components[members.front()]) {
        std::vector<const OnKind *> all = {&on};
        if (members.size() == 2)
            for (const OnKind &other : problem.components[members.back()])
                if (other.kind == on.kind) all.push_back(&other);
        if (all.size() != members.size()) continue;
        Option option = option_of(problem, all);
        if (!option.nodes.empty()) unit.options.push_back(std::move(option));
    }
    if (unit.options.empty()) throw PredictionError("components that share nodes have no count of nodes in common");
    unit.members = std::move(members);
    return unit;
}

class KindsSearch {
public:
    // Throws PredictionError if a pair has no count in common, or if there are too many ways to assign components to
    // kinds.
    KindsSearch(const KindsProblem &problem, KindsGoal goal)
        : problem_(problem), pool_(pool_with_shared(problem.pool, problem.components.size(), problem.shared)),
          goal_(goal), most_s_(problem.most_seconds) {
        for (std::size_t c = 0; c < problem.components.size(); ++c) {
            std::vector<std::size_t> members = {c};
            bool is_second = false;
            for (const auto &[first, second] : problem.shared) {
                if (first == c) members.push_back(second);
                is_second = is_second || second == c;
            }
            if (!is_second) units_.push_back(unit_of(problem, std::move(members)));
        }
    }

    // Throws PredictionError if nothing fits.
    KindsAnswer run(std::int64_t most_boxes) {
        for (const CountBox &box : all_boxes())
            if (offer(box, box.low)) improve(box, most_boxes);
        const BoxesSplit done = split_boxes(*this, all_boxes(), most_boxes);
        if (!best_.empty()) return answer(done);
        std::vector<std::string> words;
        for (const KindOfNode &kind : problem_.kinds)
            words.push_back(counted(kind.nodes, "node") + " of " + kind.name);
        throw PredictionError("the fewest nodes that the components may have do not fit: there are " +
                              joined(words, ", "));
    }

    // After run(): finds the least weight that keeps the time.
    KindsAnswer save_nodes(std::int64_t most_boxes) {
        saves_nodes_ = true;
        most_s_ = best_s_ * (1 + 1e-12);
        best_value_ = best_weight_;
        // Reduces one unit after the other as far as the time allows: a good begin, and the end if the time is a
        // maximum.
        const CountBox box = best_box_;
        for (std::size_t u = 0; u < units_.size(); ++u) {
            CountPlaces fewer = best_;
            const std::size_t least = first_place(0, best_[u], [&](std::size_t place) {
                fewer[u] = place;
                return problem_.length_s(computing(box, fewer)) <= most_s_;
            });
            fewer[u] = least;
            offer(box, fewer);
        }
        return answer(split_boxes(*this, all_boxes(), most_boxes));
    }

    [[nodiscard]] double best_value() const { return best_value_; }

    bool offer(const CountBox &box, const CountPlaces &places) {
        if (!fits(box, places)) return false;
        const double seconds = problem_.length_s(computing(box, places));
        if (seconds > most_s_) return false;
        const double v = value(seconds, {places, places, box.option}), weight = weighted(box, places, false);
        if (!(v < best_value_ || (v == best_value_ && weight < best_weight_))) return false;
        best_value_ = v;
        best_s_ = seconds;
        best_weight_ = weight;
        best_box_ = box;
        best_ = places;
        return true;
    }

    [[nodiscard]] std::optional<std::size_t> widest(const CountBox &box) const {
        std::optional<std::size_t> widest;
        double most = -1;
        for (std::size_t u = 0; u < units_.size(); ++u) {
            if (box.low[u] == box.high[u]) continue;
            double spread = 0;
            for (const std::vector<double> &seconds : chosen(box, u).seconds)
                spread = std::max(spread, std::abs(seconds[box.low[u]] - seconds[box.high[u]]));
            if (spread <= most) continue;
            most = spread;
            widest = u;
        }
        return widest;
    }

    // A lower bound of the value over the box; false if the box holds nothing better that fits.
    bool bound(CountBox &box) const {
        constexpr int bound_steps = 6;
        std::vector<double> fastest(problem_.components.size());
        for (int round = 0; round < 2; ++round) {
            if (!fits(box, box.low)) return false;
            for (std::size_t u = 0; u < units_.size(); ++u) {
                box.high[u] = largest_that_fits(box, box.low, u, box.low[u], box.high[u]);
                enter_fastest(box, u, box.low[u], box.high[u], fastest);
            }
            if (round == 0 && std::isfinite(useful_below_s(box)) && !raise_low(box, fastest)) return false;
        }
        double seconds = problem_.length_s(fastest);
        // As in the optimiser of cores: each path is a lower bound, and so is the mean of some paths. With a price
        // for a node of each kind, every component chooses for itself.
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

private:
    [[nodiscard]] std::vector<CountBox> all_boxes() const {
        std::vector<CountBox> boxes(1);
        for (const Unit &unit : units_) {
            std::vector<CountBox> more;
            for (const CountBox &box : boxes) {
                for (std::size_t o = 0; o < unit.options.size(); ++o) {
                    more.push_back(box);
                    more.back().option.push_back(o);
                    more.back().low.push_back(0);
                    more.back().high.push_back(unit.options[o].nodes.size() - 1);
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

    [[nodiscard]] const Option &chosen(const CountBox &box, std::size_t unit) const {
        return units_[unit].options[box.option[unit]];
    }

    [[nodiscard]] std::vector<double> computing(const CountBox &box, const CountPlaces &places) const {
        std::vector<double> seconds(problem_.components.size());
        for (std::size_t u = 0; u < units_.size(); ++u)
            for (std::size_t m = 0; m < units_[u].members.size(); ++m)
                seconds[units_[u].members[m]] = chosen(box, u).seconds[m][places[u]];
        return seconds;
    }

    [[nodiscard]] double nodes_on(const CountBox &box, std::size_t kind, const CountPlaces &places) const {
        std::vector<double> each(problem_.components.size());
        for (std::size_t u = 0; u < units_.size(); ++u)
            for (const std::size_t member : units_[u].members)
                if (chosen(box, u).kind == kind) each[member] = chosen(box, u).nodes[places[u]];
        return pool_.of_all(each);
    }

    // The weight of all nodes taken, or their power if none computes.
    [[nodiscard]] double weighted(const CountBox &box, const CountPlaces &places, bool idle_W) const {
        double sum = 0;
        for (std::size_t k = 0; k < problem_.kinds.size(); ++k)
            sum += nodes_on(box, k, places) * (idle_W ? problem_.power[k].idle_W : problem_.weight_of(k));
        return sum;
    }

    [[nodiscard]] bool fits(const CountBox &box, const CountPlaces &places) const {
        for (std::size_t k = 0; k < problem_.kinds.size(); ++k)
            if (std::llround(nodes_on(box, k, places)) > problem_.kinds[k].nodes) return false;
        return true;
    }

    [[nodiscard]] std::size_t largest_that_fits(const CountBox &box, CountPlaces places, std::size_t unit,
                                                std::size_t least, std::size_t most) const {
        const std::size_t beyond = first_place(least + 1, most + 1, [&](std::size_t place) {
            places[unit] = place;
            return !fits(box, places);
        });
        return beyond - 1;
    }

    // The least value of a box that takes at least `seconds`; for one combination (low = high) its value.
    [[nodiscard]] double value(double seconds, const CountBox &box) const {
        if (saves_nodes_) return weighted(box, box.low, false);
        if (goal_ == KindsGoal::time) return seconds;
        if (goal_ == KindsGoal::price) return seconds * weighted(box, box.low, false);
        double joules = seconds * weighted(box, box.low, true);
        for (std::size_t u = 0; u < units_.size(); ++u)
            joules += chosen(box, u).extra_J.front().least(box.low[u], box.high[u]);
        return joules;
    }

    // Improves the best answer so far: gives nodes to one unit and takes them from another, in steps that halve.
    void improve(const CountBox &box, std::int64_t most_tries) {
        std::int64_t tries = 0;
        for (bool better = true; better && tries < most_tries;) {
            better = false;
            const CountPlaces from = best_;
            for (std::size_t to = 0; to < units_.size(); ++to) {
                for (std::size_t step = chosen(box, to).nodes.size(); step > 0; step /= 2, ++tries) {
                    CountPlaces places = from;
                    if (places[to] >= step) {
                        places[to] -= step;
                        better = offer(box, places) || better;
                    }
                    places = from;
                    places[to] += step;
                    if (places[to] >= chosen(box, to).nodes.size()) continue;
                    better = offer(box, places) || better;
                    if (fits(box, places)) continue;
                    for (std::size_t giver = 0; giver < units_.size(); ++giver) {
                        if (giver == to) continue;
                        CountPlaces fewer = places;
                        fewer[giver] = largest_that_fits(box, places, giver, 0, places[giver]);
                        better = offer(box, fewer) || better;
                    }
                }
            }
        }
    }

    // A longer time cannot improve the answer in this box.
    [[nodiscard]] double useful_below_s(const CountBox &box) const {
        if (saves_nodes_) return most_s_;
        if (goal_ == KindsGoal::time) return std::min(best_value_, most_s_);
        const double without = value(0, box), second = value(1, box) - without;
        return second > 0 ? std::min((best_value_ - without) / second, most_s_) : most_s_;
    }

    void enter_fastest(const CountBox &box, std::size_t unit, std::size_t low, std::size_t high,
                       std::vector<double> &seconds) const {
        for (std::size_t m = 0; m < units_[unit].members.size(); ++m)
            seconds[units_[unit].members[m]] = chosen(box, unit).least_s[m].least(low, high);
    }

    // The least counts with a useful time if all others are as fast as the box allows. Smaller counts are in no
    // better layout, because the length does not fall when a time rises.
    bool raise_low(CountBox &box, std::vector<double> &fastest) const {
        const double limit_s = useful_below_s(box) * (1 + proven_within);
        for (std::size_t u = 0; u < units_.size(); ++u) {
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

    [[nodiscard]] double separated(const CountBox &box, const std::vector<double> &shares,
                                   std::vector<double> &at) const {
        constexpr int halvings = 30;
        double sum_of_kinds = 0;
        for (std::size_t k = 0; k < problem_.kinds.size(); ++k) {
            std::vector<double> gains(shares.size());
            std::vector<PricedChoice> choices;
            for (std::size_t u = 0; u < units_.size(); ++u) {
                const Option &option = chosen(box, u);
                for (std::size_t m = 0; option.kind == k && m < units_[u].members.size(); ++m) {
                    const std::size_t c = units_[u].members[m];
                    gains[c] = shares[c] * option.hulls[m].gain((box.low[u] + box.high[u]) / 2);
                    choices.push_back({c, &option.hulls[m], box.low[u], box.high[u], option.seconds[m][box.low[u]]});
                }
            }
            sum_of_kinds += least_sum(choices, shares, pool_.weights(gains),
                                      static_cast<double>(problem_.kinds[k].nodes), halvings, at);
        }
        return sum_of_kinds;
    }

    [[nodiscard]] KindsAnswer answer(const BoxesSplit &done) const {
        KindsAnswer answer;
        answer.kind.resize(problem_.components.size());
        answer.nodes.resize(problem_.components.size());
        for (std::size_t u = 0; u < units_.size(); ++u) {
            for (const std::size_t member : units_[u].members) {
                answer.kind[member] = chosen(best_box_, u).kind;
                answer.nodes[member] = std::llround(chosen(best_box_, u).nodes[best_[u]]);
            }
        }
        answer.seconds = best_s_;
        answer.evaluated = done.evaluated;
        enter_gap(answer, done.gap);
        enter_costs(problem_, computing(best_box_, best_), answer);
        return answer;
    }

    const KindsProblem &problem_;
    ProcessorPool pool_;
    std::vector<Unit> units_;
    KindsGoal goal_;
    double most_s_;
    bool saves_nodes_ = false; // the value is the weight
    CountBox best_box_;
    CountPlaces best_;
    double best_value_ = std::numeric_limits<double>::infinity();
    double best_s_ = 0, best_weight_ = 0;
};

} // namespace

KindsAnswer searched_kinds(const KindsProblem &problem, KindsGoal goal, std::int64_t most_boxes) {
    KindsSearch search(problem, goal);
    KindsAnswer answer = search.run(most_boxes);
    if (goal != KindsGoal::time) return answer;
    KindsAnswer fewer = search.save_nodes(most_boxes);
    fewer.proven_optimal = answer.proven_optimal;
    fewer.gap = answer.gap;
    fewer.evaluated += answer.evaluated;
    return fewer;
}

} // namespace cpl_lb
