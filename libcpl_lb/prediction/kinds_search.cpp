// Branches over boxes of node counts.
#include "prediction/kinds_search.hpp"

#include "prediction/coupling_graph.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {
namespace {

constexpr std::size_t most_ways = 20'000; // of assigning components to kinds

} // namespace

KindsSearch::KindsSearch(const KindsProblem &problem)
    : problem_(problem), pool_(pool_with_shared(problem.pool, problem.components.size(), problem.shared)) {
    for (std::size_t c = 0; c < problem.components.size(); ++c) {
        std::vector<std::size_t> members = {c};
        bool is_second = false;
        for (const auto &[first, second] : problem.shared) {
            if (first == c) members.push_back(second);
            is_second = is_second || second == c;
        }
        if (!is_second) add_unit(std::move(members));
    }
}

void KindsSearch::add_unit(std::vector<std::size_t> members) {
    Unit unit;
    const std::vector<OnKind> &first = problem_.components[members.front()];
    for (const OnKind &on : first) {
        std::vector<const OnKind *> all = {&on};
        if (members.size() == 2)
            for (const OnKind &other : problem_.components[members.back()])
                if (other.kind == on.kind) all.push_back(&other);
        if (all.size() != members.size()) continue;
        Option option = option_of(all);
        if (!option.nodes.empty()) unit.options.push_back(std::move(option));
    }
    if (unit.options.empty()) throw PredictionError("components that share nodes have no count of nodes in common");
    unit.members = std::move(members);
    units_.push_back(std::move(unit));
}

KindsSearch::Option KindsSearch::option_of(const std::vector<const OnKind *> &members) const {
    Option option;
    option.kind = members.front()->kind;
    option.seconds.resize(members.size());
    std::vector<double> least(members.size(), std::numeric_limits<double>::infinity()), extra;
    for (std::size_t place = 0; place < members.front()->nodes.size(); ++place) {
        const std::int64_t nodes = members.front()->nodes[place];
        if (nodes > problem_.kinds[option.kind].nodes) break;
        std::vector<double> seconds;
        for (const OnKind *member : members) {
            const auto at = std::lower_bound(member->nodes.begin(), member->nodes.end(), nodes);
            if (at == member->nodes.end() || *at != nodes) break;
            seconds.push_back(member->seconds[static_cast<std::size_t>(at - member->nodes.begin())]);
        }
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
            if (problem_.power.empty()) continue;
            const NodePower &power = problem_.power[option.kind];
            joules += (power.busy_W - power.idle_W) * static_cast<double>(nodes) * seconds[m];
        }
        extra.push_back(joules);
    }
    if (option.nodes.empty()) return option;
    for (const std::vector<double> &seconds : option.seconds) {
        option.least_s.emplace_back(seconds);
        option.hulls.emplace_back(option.nodes, seconds);
    }
    if (!problem_.power.empty()) option.extra_J.emplace_back(extra);
    return option;
}

std::vector<KindsSearch::Box> KindsSearch::all_boxes() const {
    std::vector<Box> boxes(1);
    for (const Unit &unit : units_) {
        std::vector<Box> more;
        for (const Box &box : boxes) {
            for (std::size_t o = 0; o < unit.options.size(); ++o) {
                more.push_back(box);
                more.back().option.push_back(o);
                more.back().low.push_back(0);
                more.back().high.push_back(unit.options[o].nodes.size() - 1);
            }
        }
        if (more.size() > most_ways) {
            throw PredictionError(fmt::format("more than {} ways to lay the components on kinds of nodes: let fewer "
                                              "components run on several kinds",
                                              most_ways));
        }
        boxes = std::move(more);
    }
    return boxes;
}

std::vector<double> KindsSearch::computing(const Box &box, const Places &places) const {
    std::vector<double> seconds(problem_.components.size());
    for (std::size_t u = 0; u < units_.size(); ++u)
        for (std::size_t m = 0; m < units_[u].members.size(); ++m)
            seconds[units_[u].members[m]] = chosen(box, u).seconds[m][places[u]];
    return seconds;
}

std::vector<double> KindsSearch::nodes_on(const Box &box, std::size_t kind, const Places &places) const {
    std::vector<double> each(problem_.components.size());
    for (std::size_t u = 0; u < units_.size(); ++u)
        for (const std::size_t member : units_[u].members)
            if (chosen(box, u).kind == kind) each[member] = chosen(box, u).nodes[places[u]];
    return each;
}

// The weight of all nodes taken, or their power if none computes.
double KindsSearch::weighted(const Box &box, const Places &places, bool idle_W) const {
    double sum = 0;
    for (std::size_t k = 0; k < problem_.kinds.size(); ++k) {
        const double of_each = idle_W ? problem_.power[k].idle_W : problem_.weights.empty() ? 1 : problem_.weights[k];
        sum += pool_.of_all(nodes_on(box, k, places)) * of_each;
    }
    return sum;
}

bool KindsSearch::fits(const Box &box, const Places &places) const {
    for (std::size_t k = 0; k < problem_.kinds.size(); ++k)
        if (std::llround(pool_.of_all(nodes_on(box, k, places))) > problem_.kinds[k].nodes) return false;
    return true;
}

std::size_t KindsSearch::largest_that_fits(const Box &box, Places places, std::size_t unit, std::size_t least,
                                           std::size_t most) const {
    std::size_t beyond = most + 1;
    while (beyond - least > 1) {
        places[unit] = least + (beyond - least) / 2;
        (fits(box, places) ? least : beyond) = places[unit];
    }
    return least;
}

// The least value of a box that takes at least `seconds`; for one combination (low = high) its value.
double KindsSearch::value(double seconds, const Box &box) const {
    if (goal_ == Goal::time) return seconds;
    if (goal_ == Goal::weight) return weighted(box, box.low, false);
    if (goal_ == Goal::price) return seconds * weighted(box, box.low, false);
    double joules = seconds * weighted(box, box.low, true);
    for (std::size_t u = 0; u < units_.size(); ++u)
        joules += chosen(box, u).extra_J.front().least(box.low[u], box.high[u]);
    return joules;
}

bool KindsSearch::offer(const Box &box, const Places &places) {
    if (!fits(box, places)) return false;
    const double seconds = problem_.length_s(computing(box, places));
    if (seconds > most_s_) return false;
    Box one = box;
    one.low = one.high = places;
    const double v = value(seconds, one), weight = weighted(box, places, false);
    if (!(v < best_value_ || (v == best_value_ && weight < best_weight_))) return false;
    best_value_ = v;
    best_s_ = seconds;
    best_weight_ = weight;
    best_box_ = box;
    best_ = places;
    return true;
}

// Improves the best answer so far: gives nodes to one unit and takes them from another, in steps that halve.
void KindsSearch::improve(const Box &box, std::int64_t most_tries) {
    std::int64_t tries = 0;
    for (bool better = true; better && tries < most_tries;) {
        better = false;
        const Places from = best_;
        for (std::size_t to = 0; to < units_.size(); ++to) {
            for (std::size_t step = chosen(box, to).nodes.size(); step > 0; step /= 2, ++tries) {
                Places places = from;
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
                    Places fewer = places;
                    fewer[giver] = largest_that_fits(box, places, giver, 0, places[giver]);
                    better = offer(box, fewer) || better;
                }
            }
        }
    }
}

void KindsSearch::split(const Box &box, std::priority_queue<Box> &open) {
    std::size_t widest = 0;
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
    if (most < 0) {
        offer(box, box.low);
        return;
    }
    Box lower = box, upper = box;
    lower.high[widest] = (box.low[widest] + box.high[widest]) / 2;
    upper.low[widest] = lower.high[widest] + 1;
    for (Box *half : {&lower, &upper}) {
        if (!bound(*half) || half->bound >= best_value_ * (1 - proven_within)) continue;
        offer(*half, half->low);
        offer(*half, half->high);
        open.push(std::move(*half));
    }
}

void KindsSearch::search(std::int64_t most_boxes) {
    std::priority_queue<Box> open;
    for (Box &box : all_boxes())
        if (bound(box) && box.bound < best_value_ * (1 - proven_within)) open.push(std::move(box));
    double left = best_value_; // the least bound of the boxes that were not examined
    evaluated_ = 0;
    while (!open.empty()) {
        Box box = open.top();
        if (box.bound >= best_value_ * (1 - proven_within)) break;
        if (evaluated_ >= most_boxes) {
            left = box.bound;
            break;
        }
        open.pop();
        ++evaluated_;
        split(box, open);
    }
    gap_ = std::max(0.0, 1 - std::min(left, best_value_) / best_value_);
}

void KindsSearch::run(KindsGoal goal, std::int64_t most_boxes) {
    goal_ = goal == KindsGoal::time ? Goal::time : goal == KindsGoal::price ? Goal::price : Goal::energy;
    most_s_ = problem_.most_seconds;
    for (const Box &box : all_boxes())
        if (offer(box, box.low)) improve(box, most_boxes);
    search(most_boxes);
    if (!best_.empty()) return;
    std::string words;
    for (const KindOfNode &kind : problem_.kinds)
        words += (words.empty() ? "" : ", ") + counted(kind.nodes, "node") + " of " + kind.name;
    throw PredictionError("the fewest nodes that the components may have do not fit: there are " + words);
}

void KindsSearch::save_nodes(std::int64_t most_boxes) {
    goal_ = Goal::weight;
    most_s_ = best_s_ * (1 + 1e-12);
    best_value_ = best_weight_;
    // Reduces one unit after the other as far as the time allows: a good begin, and the end if the time is a maximum.
    const Box box = best_box_;
    for (std::size_t u = 0; u < units_.size(); ++u) {
        const Places from = best_;
        std::size_t first = 0, last = from[u];
        while (first < last) {
            Places fewer = from;
            fewer[u] = first + (last - first) / 2;
            if (problem_.length_s(computing(box, fewer)) <= most_s_)
                last = fewer[u];
            else
                first = fewer[u] + 1;
        }
        Places fewer = from;
        fewer[u] = last;
        offer(box, fewer);
    }
    search(most_boxes);
}

KindsAnswer KindsSearch::best() const {
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
    return answer;
}

std::vector<double> KindsSearch::best_computing_s() const {
    return computing(best_box_, best_);
}

} // namespace cpl_lb
