// Evaluates the blocks and compares them with what was measured.
#include "assertions/quantities.hpp"
#include "projection/tools/assert/assert_output.hpp"
#include "support/fmt.hpp"

#include <cmath>

namespace cpl_lb {
namespace {

double factor_of(const BlockQuantity &q, const ModelBlock &block) {
    const AssertedQuantity *known = asserted_quantity(q.name);
    return known != nullptr && known->is_amount ? block.calls : 1.0;
}

AssertedFigure figure_of(const AssertionModel &model, const ModelBlock &block, const BlockQuantity &q) {
    AssertedFigure figure;
    figure.quantity = &q;
    const Expression::Result result = model.evaluate(q.expression);
    figure.why = result.why;
    // The run has already told what it could not evaluate. A value that the user gives now is bad input.
    if (!result.why.empty() && !(model.of_run && model.as_measured)) {
        throw AssertionModelError(fmt::format("{}: {}region '{}', {}: {}", model.source,
                                              block.component.empty() ? "" : block.component + ", ", block.region,
                                              q.name, result.why));
    }
    const bool of_run = model.as_measured && is_known(q.value);
    figure.value = of_run ? q.value : factor_of(q, block) * result.slope.value;
    if (model.as_measured && is_known(q.measured) && q.measured != 0)
        figure.error = (q.measured - figure.value) / q.measured;
    for (std::size_t p = 0; p < model.parameters.size(); ++p)
        figure.elasticities.push_back(elasticity(model.evaluate(q.expression, p).slope, model.parameters[p].value));
    return figure;
}

PredictedTime time_of(const AssertOutput &output, const AssertedBlock &block, Strategy strategy) {
    PredictedTime time;
    time.prediction = predict_time(block.work, *output.machine, strategy);
    if (output.model.as_measured && block.block->measured_s > 0)
        time.error = (block.block->measured_s - time.prediction.seconds.value) / block.block->measured_s;
    for (std::size_t p = 0; p < output.model.parameters.size(); ++p) {
        const SortedWork work = sorted_work(output.model, *block.block, p);
        const Slope seconds = predict_time(work, *output.machine, strategy).seconds;
        time.elasticities.push_back(elasticity(seconds, output.model.parameters[p].value));
    }
    return time;
}

// Without a machine nothing is known of the time of computing, and so nothing of that of memory.
void observe(const AssertOutput &output, AssertedBlock &block) {
    const double numbers = block.work.vector_numbers.value + block.work.scalar_numbers.value;
    const bool measured = output.model.as_measured && block.block->measured_s > 0;
    if (!output.machine || !measured || !(numbers > 0)) return;
    const ObservedBandwidth observed = observed_bandwidth(block.work, *output.machine, block.block->measured_s);
    block.observed_B_per_s = observed.B_per_s;
    block.observed_memory_s = observed.memory_s;
    block.why_not_observed = observed.why;
    if (!is_known(observed.B_per_s)) return;
    if (const LocalityBandwidth *row = locality_of(*output.machine, block.work.mv))
        block.levels_near_observed = levels_near(*row, observed.B_per_s);
}

} // namespace

std::vector<AssertedBlock> asserted_blocks(const AssertOutput &output) {
    std::vector<AssertedBlock> all;
    for (const ModelBlock &block : output.model.blocks) {
        AssertedBlock &one = all.emplace_back();
        one.block = &block;
        one.work = sorted_work(output.model, block);
        for (const BlockQuantity &q : block.quantities) {
            one.figures.push_back(figure_of(output.model, block, q));
            one.fails = one.fails || std::abs(one.figures.back().error) > output.tolerance;
        }
        observe(output, one);
        if (!output.machine) continue;
        for (const Strategy strategy : all_strategies)
            one.times.push_back(time_of(output, one, strategy));
    }
    return all;
}

} // namespace cpl_lb
