// Counts and weighs nodes, and compares them with those that were measured.
#include "tools/balance/kinds_figures.hpp"

#include "support/fmt.hpp"
#include "support/utf8.hpp"
#include "tools/balance/balance_output.hpp"

#include <cmath>
#include <optional>

namespace cpl_lb {

std::int64_t all_nodes(const KindsOutput &output, const KindsAnswer &answer, std::size_t kind) {
    return answer.taken[kind] + output.source.model.kept_nodes[kind];
}

double hours(const KindsOutput &output, const KindsAnswer &answer, std::int64_t KindOfNode::*of_node) {
    double sum = 0;
    for (std::size_t k = 0; k < answer.taken.size(); ++k) {
        const auto each = of_node != nullptr ? static_cast<double>(output.source.model.kinds[k].*of_node) : 1;
        sum += static_cast<double>(all_nodes(output, answer, k)) * each;
    }
    return sum * answer.seconds / 3600;
}

double price(const KindsOutput &output, const KindsAnswer &answer) {
    double sum = 0;
    for (std::size_t k = 0; k < output.prices.size(); ++k)
        sum += static_cast<double>(all_nodes(output, answer, k)) * output.prices[k];
    return sum * answer.seconds / 3600;
}

CostBesideRun cost_beside_run(const KindsOutput &output) {
    const bool by_cores = output.objective == "cost";
    const bool by_price = !by_cores && output.objective != "node-hours" && !output.prices.empty();
    const auto cost = [&](const KindsAnswer &answer) {
        return by_price ? price(output, answer) : hours(output, answer, by_cores ? &KindOfNode::cores : nullptr);
    };
    CostBesideRun beside{cost(output.answer), cost(output.present), ""};
    const std::string unit = by_cores ? "core hours" : "node hours";
    beside.words = by_price ? change_in_words(beside.now, beside.before, "cheaper", "more expensive")
                            : change_in_words(beside.now, beside.before, "fewer " + unit, "more " + unit);
    return beside;
}

std::string node_number(double nodes) {
    if (std::abs(nodes - std::round(nodes)) < 1e-6) return fmt::format("{:.0f}", nodes);
    return nodes < 0.1 ? fmt::format("{:.2g}", nodes) : fmt::format("{:.2f}", nodes);
}

MeasuredReach reach_of(const KindsOutput &output, const KindsAnswer &answer, std::size_t component) {
    const CurveOnKind &on = output.source.model.curve_on(component, answer.kind[component]);
    const std::vector<ScalingSample> &samples = on.curve.samples();
    MeasuredReach reach;
    reach.one_count = samples.size() == 1;
    reach.beyond = !on.curve.measured_range_holds(static_cast<double>(answer.nodes[component] * on.units));
    reach.measured = node_number(on.nodes(samples.front().processes));
    if (!reach.one_count) reach.measured += " to " + node_number(on.nodes(samples.back().processes));
    return reach;
}

std::vector<std::string> names_beyond(const KindsOutput &output, const KindsAnswer &answer, bool one_count) {
    std::vector<std::string> names;
    for (std::size_t c = 0; c < answer.nodes.size(); ++c) {
        const MeasuredReach reach = reach_of(output, answer, c);
        if (reach.beyond && (reach.one_count || !one_count)) names.push_back(output.source.model.run.names[c]);
    }
    return names;
}

std::string parts_of_nodes(const KindsOutput &output) {
    const KindsModel &model = output.source.model;
    std::string words;
    for (std::size_t c = 0; c < model.curves.size(); ++c) {
        const std::optional<NodesOfRun> &had = output.source.first_run[c];
        if (!had || std::abs(had->nodes - std::round(had->nodes)) < 1e-6) continue;
        words += fmt::format("{}{} {} nodes of {}", words.empty() ? "" : ", ", safe_name(model.run.names[c]),
                             node_number(had->nodes), safe_name(model.kinds[had->kind].name));
    }
    return words;
}

} // namespace cpl_lb
