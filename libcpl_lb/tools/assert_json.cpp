#include "tools/assert_figures.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace cpl_lb {
namespace {

using Json = nlohmann::ordered_json;

Json finite(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}
Json words(const std::string &value) {
    return value.empty() ? Json(nullptr) : Json(value);
}

Json elasticity_json(const AssertionModel &model, const std::vector<double> &elasticities) {
    Json json = Json::object();
    for (std::size_t p = 0; p < elasticities.size(); ++p)
        json[model.parameters[p].name] = finite(elasticities[p]);
    return json;
}

Json figure_json(const AssertOutput &output, const AssertedFigure &f) {
    const BlockQuantity &q = *f.quantity;
    const bool as_measured = output.model.as_measured;
    return {{"expression", q.expression.text()},
            {"value", finite(f.value)},
            {"why_no_value", words(f.why)},
            {"measured", as_measured ? finite(q.measured) : Json(nullptr)},
            {"measured_by", words(q.measured_by)},
            {"why_not_measured", as_measured ? words(q.why_not_measured) : Json("measured with other parameters")},
            {"error", finite(f.error)},
            {"outside", std::abs(f.error) > output.tolerance},
            {"elasticity", elasticity_json(output.model, f.elasticities)}};
}

Json time_json(const AssertOutput &output, const PredictedTime &t) {
    const TimePrediction &p = t.prediction;
    return {{"seconds", finite(p.seconds.value)},
            {"error", finite(t.error)},
            {"bandwidth_B_per_s", finite(p.bandwidth_B_per_s)},
            {"vector_compute_s", finite(p.vector_compute_s)},
            {"vector_memory_s", finite(p.vector_memory_s)},
            {"scalar_compute_s", finite(p.scalar_compute_s)},
            {"scalar_memory_s", finite(p.scalar_memory_s)},
            {"why", words(p.why)},
            {"elasticity", elasticity_json(output.model, t.elasticities)}};
}

Json block_json(const AssertOutput &output, const AssertedBlock &b) {
    Json json = {{"component", words(b.block->component)},
                 {"region", b.block->region},
                 {"calls", finite(b.block->calls)},
                 {"measured_s", output.model.as_measured ? finite(b.block->measured_s) : Json(nullptr)},
                 {"outside", b.fails},
                 {"quantities", Json::object()},
                 {"observed_B_per_s", finite(b.observed_B_per_s)},
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
        json["parameters"][p.name] = finite(p.value);
    for (const AssertedBlock &b : asserted_blocks(output))
        json["blocks"].push_back(block_json(output, b));
    for (const auto &[component, e] : output.control_flow)
        json["control_flow"].push_back(
            {{"component", component}, {"from", words(e.from)}, {"region", e.region}, {"times", e.times}});
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace cpl_lb
