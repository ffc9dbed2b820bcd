// Counts in how many runs the same node, and the same place, was late.
#include "history/late_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace cpl_lb {
namespace {

constexpr double least_of_loop = 0.01;
constexpr double least_of_imbalance = 0.1;
constexpr double nearly_always = 0.8;
constexpr double chance = 0.01 * (1 + 1e-9); // 1 in 100, however the sum is rounded
constexpr std::size_t least_elsewhere = 2;

using Runs = std::vector<const ComponentRecord *>;

bool was_compared(const ComponentRecord &c) {
    return c.step_s > 0 && is_known(c.imbalance.nodes_s);
}

// The last runs, and only those that are laid out as the last one is: in others a place is another one.
Runs runs_of(const std::string &name, const std::vector<RunRecord> &all) {
    Runs runs;
    for (auto run = all.rbegin(); run != all.rend() && runs.size() < most_runs_of_nodes; ++run) {
        for (const ComponentRecord &c : run->components) {
            if (c.name != name || !was_compared(c)) continue;
            const bool alike = runs.empty() || (c.imbalance.processes == runs.front()->imbalance.processes &&
                                                c.imbalance.nodes == runs.front()->imbalance.nodes);
            if (alike) runs.push_back(&c);
            break;
        }
    }
    return runs;
}

// Where the names of the nodes are not known, it may have taken part.
bool took_part(const ImbalanceRecord &c, const std::string &node) {
    return c.node_names.empty() || std::ranges::find(c.node_names, node) != c.node_names.end();
}

// That one of n nodes, whichever, is late in k of all runs or more, if in each run one is late at random.
double by_chance(std::size_t k, std::size_t all, std::int64_t n) {
    const double p = 1 / static_cast<double>(n);
    double sum = 0;
    for (std::size_t i = k; i <= all; ++i) {
        const auto of = static_cast<double>(all), late = static_cast<double>(i);
        const double log_choose = std::lgamma(of + 1) - std::lgamma(late + 1) - std::lgamma(of - late + 1);
        sum += std::exp(log_choose + late * std::log(p) + (of - late) * std::log1p(-p));
    }
    return static_cast<double>(n) * sum;
}

// Numbers of late runs.
template <class What>
using Counts = std::map<What, std::size_t>;

template <class What>
std::size_t sum_of(const Counts<What> &counts) {
    std::size_t sum = 0;
    for (const auto &[what, count] : counts)
        sum += count;
    return sum;
}

// What is late most often, with how many late runs it has with each of its others.
template <class What, class Other>
std::pair<What, Counts<Other>> most_often(const std::map<What, Counts<Other>> &counts) {
    return *std::ranges::max_element(counts, {}, [](const auto &one) { return sum_of(one.second); });
}

// So many late runs are not with the most frequent other.
template <class Other>
std::size_t elsewhere(const Counts<Other> &counts) {
    return sum_of(counts) - std::ranges::max_element(counts, {}, &Counts<Other>::value_type::second)->second;
}

bool is_nearly_all(std::size_t late, std::size_t all) {
    return late >= least_late_runs && static_cast<double>(late) >= nearly_always * static_cast<double>(all);
}

LateNodes answer(const std::string &name, const Runs &runs, const Runs &late) {
    std::map<std::string, Counts<std::int64_t>> by_node;
    std::map<std::int64_t, Counts<std::string>> by_place;
    LateNodes found;
    found.share = 0;
    for (const ComponentRecord *c : late) {
        ++by_node[c->imbalance.late_node][c->imbalance.late_node_process];
        ++by_place[c->imbalance.late_node_process][c->imbalance.late_node];
        found.share += c->imbalance.nodes_s / c->step_s / static_cast<double>(late.size());
    }
    const auto [node, places] = most_often(by_node);
    const auto [place, nodes] = most_often(by_place);
    found.component = name;
    found.runs = runs.size();
    found.late_runs = late.size();
    found.node = node;
    found.place = place;
    found.places_of_node = places.size();
    found.nodes_at_place = nodes.size();
    found.of_node = sum_of(places);
    found.at_place = sum_of(nodes);
    for (const ComponentRecord *c : runs)
        if (took_part(c->imbalance, node)) ++found.runs_of_node;
    const std::int64_t count = runs.front()->imbalance.nodes;
    const bool is_node = is_nearly_all(found.of_node, found.runs_of_node) && elsewhere(places) >= least_elsewhere;
    const bool is_place = is_nearly_all(found.at_place, found.runs) && elsewhere(nodes) >= least_elsewhere;
    const auto rare = [&](std::size_t of, std::size_t all) { return by_chance(of, all, count) <= chance; };
    if (late.size() < least_late_runs || !rare(late.size(), late.size()))
        found.cause = LateCause::too_few;
    else if (is_node && !is_place && rare(found.of_node, found.runs_of_node))
        found.cause = LateCause::node;
    else if (is_place && !is_node && rare(found.at_place, found.runs))
        found.cause = LateCause::place;
    return found;
}

} // namespace

bool has_late_node(const ComponentRecord &c) {
    return was_compared(c) && !c.imbalance.late_node.empty() && c.imbalance.late_node_process >= 0 &&
           c.imbalance.nodes >= 2 && c.imbalance.nodes_s >= least_of_loop * c.step_s &&
           c.imbalance.nodes_s >= least_of_imbalance * c.imbalance.total_s;
}

std::vector<LateNodes> late_nodes(const std::vector<RunRecord> &all) {
    std::set<std::string> names;
    for (const RunRecord &run : all)
        for (const ComponentRecord &c : run.components)
            if (has_late_node(c)) names.insert(c.name);
    std::vector<LateNodes> answers;
    for (const std::string &name : names) {
        const Runs runs = runs_of(name, all);
        Runs late = runs;
        std::erase_if(late, [](const ComponentRecord *c) { return !has_late_node(*c); });
        if (!late.empty()) answers.push_back(answer(name, runs, late));
    }
    return answers;
}

} // namespace cpl_lb
