// The output of cpl-lb assert as json.
#include "projection/tools/assert/assert_output.hpp"

#include "io/json/json_tree.hpp"

#include <cmath>

namespace cpl_lb {
namespace {

using Json = JsonTree;

Json elasticity_json(const AssertionModel &model, const std::vector<double> &elasticities) {
    Json json = Json::object();
    for (std::size_t p = 0; p < elasticities.size(); ++p)
        json[model.parameters[p].name] = elasticities[p];
    return json;
}

Json figure_json(const AssertOutput &output, const AssertedFigure &f) {
    const BlockQuantity &q = *f.quantity;
    const bool as_measured = output.model.as_measured;
    return {{"expression", q.expression.text()},
            {"value", f.value},
            {"why_no_value", JsonTree::text(f.why)},
            {"measured", as_measured ? JsonTree(q.measured) : Json()},
            {"measured_by", JsonTree::text(q.measured_by)},
            {"why_not_measured",
             as_measured ? JsonTree::text(q.why_not_measured) : Json("measured with other parameters")},
            {"error", f.error},
            {"outside", std::abs(f.error) > output.tolerance},
            {"elasticity", elasticity_json(output.model, f.elasticities)}};
}

Json time_json(const AssertOutput &output, const PredictedTime &t) {
    const TimePrediction &p = t.prediction;
    return {{"seconds", p.seconds.value},
            {"error", t.error},
            {"bandwidth_B_per_s", p.bandwidth_B_per_s},
            {"vector_compute_s", p.vector_compute_s},
            {"vector_memory_s", p.vector_memory_s},
            {"scalar_compute_s", p.scalar_compute_s},
            {"scalar_memory_s", p.scalar_memory_s},
            {"why", JsonTree::text(p.why)},
            {"elasticity", elasticity_json(output.model, t.elasticities)}};
}

Json block_json(const AssertOutput &output, const AssertedBlock &b) {
    Json json = {{"component", JsonTree::text(b.block->component)},
                 {"region", b.block->region},
                 {"calls", b.block->calls},
                 {"measured_s", output.model.as_measured ? JsonTree(b.block->measured_s) : Json()},
                 {"outside", b.fails},
                 {"quantities", Json::object()},
                 {"observed_B_per_s", b.observed_B_per_s},
                 {"observed_memory_s", b.observed_memory_s},
                 {"why_not_observed", JsonTree::text(b.why_not_observed)},
                 {"levels_near_observed", Json::array()}};
    for (const AssertedFigure &f : b.figures)
        json["quantities"][f.quantity->name] = figure_json(output, f);
    for (const LocalityLevels &l : b.levels_near_observed)
        json["levels_near_observed"].push_back({{"sl", l.sl}, {"tl", l.tl}});
    for (std::size_t s = 0; s < b.times.size(); ++s)
        json["times"][std::string(name_of(all_strategies[s]))] = time_json(output, b.times[s]);
    return json;
}

} // namespace

std::string assert_as_json(const AssertOutput &output) {
    Json json = {{"tolerance", output.tolerance},
                 {"as_measured", output.model.as_measured},
                 {"machine", output.machine ? Json(output.machine->name) : Json()},
                 {"locality_from", JsonTree::text(output.locality_from)},
                 {"parameters", Json::object()},
                 {"blocks", Json::array()},
                 {"control_flow", Json::array()}};
    for (const ModelParameter &p : output.model.parameters)
        json["parameters"][p.name] = p.value;
    for (const AssertedBlock &b : asserted_blocks(output))
        json["blocks"].push_back(block_json(output, b));
    for (const auto &[component, e] : output.control_flow)
        json["control_flow"].push_back(
            {{"component", component}, {"from", JsonTree::text(e.from)}, {"region", e.region}, {"times", e.times}});
    return json.dump(2) + "\n";
}

} // namespace cpl_lb
