#include "tools/assert_figures.hpp"

#include "io/json_value.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace cpl_lb {
namespace {

using Json = nlohmann::ordered_json;

Json elasticity_json(const AssertionModel &model, const std::vector<double> &elasticities) {
    Json json = Json::object();
    for (std::size_t p = 0; p < elasticities.size(); ++p)
        json[model.parameters[p].name] = json_number(elasticities[p]);
    return json;
}

Json figure_json(const AssertOutput &output, const AssertedFigure &f) {
    const BlockQuantity &q = *f.quantity;
    const bool as_measured = output.model.as_measured;
    return {
        {"expression", q.expression.text()},
        {"value", json_number(f.value)},
        {"why_no_value", json_text(f.why)},
        {"measured", as_measured ? json_number(q.measured) : Json(nullptr)},
        {"measured_by", json_text(q.measured_by)},
        {"why_not_measured", as_measured ? json_text(q.why_not_measured) : Json("measured with other parameters")},
        {"error", json_number(f.error)},
        {"outside", std::abs(f.error) > output.tolerance},
        {"elasticity", elasticity_json(output.model, f.elasticities)}};
}

Json time_json(const AssertOutput &output, const PredictedTime &t) {
    const TimePrediction &p = t.prediction;
    return {{"seconds", json_number(p.seconds.value)},
            {"error", json_number(t.error)},
            {"bandwidth_B_per_s", json_number(p.bandwidth_B_per_s)},
            {"vector_compute_s", json_number(p.vector_compute_s)},
            {"vector_memory_s", json_number(p.vector_memory_s)},
            {"scalar_compute_s", json_number(p.scalar_compute_s)},
            {"scalar_memory_s", json_number(p.scalar_memory_s)},
            {"why", json_text(p.why)},
            {"elasticity", elasticity_json(output.model, t.elasticities)}};
}

Json block_json(const AssertOutput &output, const AssertedBlock &b) {
    Json json = {{"component", json_text(b.block->component)},
                 {"region", b.block->region},
                 {"calls", json_number(b.block->calls)},
                 {"measured_s", output.model.as_measured ? json_number(b.block->measured_s) : Json(nullptr)},
                 {"outside", b.fails},
                 {"quantities", Json::object()},
                 {"observed_B_per_s", json_number(b.observed_B_per_s)},
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
                 {"machine", output.machine ? Json(output.machine->name) : Json(nullptr)},
                 {"parameters", Json::object()},
                 {"blocks", Json::array()},
                 {"control_flow", Json::array()}};
    for (const ModelParameter &p : output.model.parameters)
        json["parameters"][p.name] = json_number(p.value);
    for (const AssertedBlock &b : asserted_blocks(output))
        json["blocks"].push_back(block_json(output, b));
    for (const auto &[component, e] : output.control_flow)
        json["control_flow"].push_back(
            {{"component", component}, {"from", json_text(e.from)}, {"region", e.region}, {"times", e.times}});
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace cpl_lb
