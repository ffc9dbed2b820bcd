// Makes the model of a code from a run or from a table.
#include "projection/predictors/assertion_model.hpp"

#include "assertions/quantities.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {
namespace {

BlockQuantity quantity_of(const Annotation &a, const std::string &where) {
    BlockQuantity q;
    q.name = a.quantity;
    try {
        q.expression = Expression(a.expression);
    } catch (const ExpressionError &e) {
        throw AssertionModelError(fmt::format("{}, {} = '{}': {}", where, a.quantity, a.expression, e.what()));
    }
    q.value = a.value.mean();
    q.measured = a.measured;
    q.measured_by = a.measured_by;
    q.why_not_measured = a.why_no_value.empty() ? a.why_not_measured : a.why_no_value;
    return q;
}

// Sorts quantities into the order in which they are always listed.
std::size_t place(const BlockQuantity &q) {
    const auto all = asserted_quantities();
    return static_cast<std::size_t>(std::ranges::find(all, q.name, &AssertedQuantity::name) - all.begin());
}

// Components share the names of parameters; those with different values are told apart by nobody: the mean holds.
void add_parameters(std::vector<ModelParameter> &all, const Component &c) {
    for (const AssertedParameter &p : c.parameters) {
        const auto at = std::ranges::find(all, p.name, &ModelParameter::name);
        const bool varies = p.value.min != p.value.max || p.changes > 0;
        if (at == all.end())
            all.push_back({p.name, p.value.mean(), varies});
        else
            at->varies = at->varies || varies || at->value != p.value.mean();
    }
}

} // namespace

const BlockQuantity *ModelBlock::find(std::string_view quantity) const {
    const auto at = std::ranges::find(quantities, quantity, &BlockQuantity::name);
    return at == quantities.end() ? nullptr : &*at;
}

void AssertionModel::set(std::string_view name, double value) {
    if (!std::isfinite(value))
        throw AssertionModelError(fmt::format("parameter '{}': the value is not a finite number", name));
    const auto at = std::ranges::find(parameters, name, &ModelParameter::name);
    if (at == parameters.end()) {
        std::vector<std::string> names;
        for (const ModelParameter &p : parameters)
            names.push_back(p.name);
        throw AssertionModelError(fmt::format("{}: no parameter '{}'; there are: {}", source, name,
                                              names.empty() ? "none" : joined(names, ", ")));
    }
    // A table says nothing of the parameters it was measured with: what is given is taken for them.
    if (is_known(at->value) && (at->value != value || at->varies)) as_measured = false;
    at->value = value;
    at->varies = false;
}

Expression::Result AssertionModel::evaluate(const Expression &expression, std::size_t by) const {
    std::vector<double> values;
    std::size_t slope_by = Expression::none;
    for (const std::string &name : expression.names()) {
        const auto at = std::ranges::find(parameters, name, &ModelParameter::name);
        if (at != parameters.end() && static_cast<std::size_t>(at - parameters.begin()) == by)
            slope_by = values.size();
        values.push_back(at == parameters.end() ? unknown : at->value);
    }
    return expression.evaluate(values, slope_by);
}

AssertionModel assertion_model_of(const CoupledRun &run, const std::string &source) {
    AssertionModel model;
    model.source = source;
    model.of_run = true;
    for (const Component &c : run.components) {
        add_parameters(model.parameters, c);
        for (const RegionSummary &region : c.regions) {
            if (region.annotations.empty()) continue;
            ModelBlock &block = model.blocks.emplace_back();
            block.component = c.name;
            block.region = region.name;
            if (region.processes > 0) block.calls = static_cast<double>(region.calls) / region.processes;
            block.measured_s = region.mean_s;
            for (const Annotation &a : region.annotations)
                block.quantities.push_back(
                    quantity_of(a, fmt::format("{}: {}, region '{}'", source, c.name, region.name)));
            std::ranges::stable_sort(block.quantities, {}, place);
        }
    }
    return model;
}

} // namespace cpl_lb
