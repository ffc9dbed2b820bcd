// Makes the model of a code from a run, and predicts a block's time by four strategies.
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

constexpr double bytes_of_a_number = 8;

Slope operator+(Slope a, Slope b) {
    return {a.value + b.value, a.by_parameter + b.by_parameter};
}
Slope operator-(Slope a, Slope b) {
    return {a.value - b.value, a.by_parameter - b.by_parameter};
}
Slope operator*(double factor, Slope a) {
    return {factor * a.value, factor * a.by_parameter};
}
Slope operator/(Slope a, Slope b) {
    return {a.value / b.value, (a.by_parameter - a.value / b.value * b.by_parameter) / b.value};
}
constexpr Slope zero{0, 0};

// Evaluates the quantities of one block; remembers the first that has no value.
class BlockValues {
public:
    BlockValues(const AssertionModel &model, const ModelBlock &block, std::size_t by)
        : model_(model), block_(block), by_(by) {}

    [[nodiscard]] bool has(std::string_view quantity) const { return block_.find(quantity) != nullptr; }
    // The value of one call, or a property.
    Slope of_a_call(std::string_view quantity) {
        const BlockQuantity *q = block_.find(quantity);
        if (q == nullptr) return {};
        Expression::Result result = model_.evaluate(q->expression, by_);
        if (!result.why.empty() && why_.empty()) why_ = fmt::format("{}: {}", quantity, result.why);
        return result.slope;
    }
    // The value of all calls. The run's value holds, and the slope is scaled with it.
    Slope amount(std::string_view quantity) {
        const BlockQuantity *q = block_.find(quantity);
        if (q == nullptr) return zero;
        const Slope all = block_.calls * of_a_call(quantity);
        if (!model_.as_measured || !is_known(q->value) || all.value == 0) return all;
        return {q->value, all.by_parameter * q->value / all.value};
    }
    // Vector and scalar part of an amount.
    struct Parts {
        Slope vector = zero, scalar = zero;
    };
    Parts parts(std::string_view whole, std::string_view part, bool vectorised) {
        if (!vectorised) return {zero, amount(has(whole) ? whole : part)};
        if (!has(part)) return {amount(whole), zero};
        return {amount(part), has(whole) ? amount(whole) - amount(part) : zero};
    }
    [[nodiscard]] const std::string &why() const { return why_; }

private:
    const AssertionModel &model_;
    const ModelBlock &block_;
    std::size_t by_;
    std::string why_;
};

int level(double value) {
    return value == 0 || value == 1 || value == 2 ? static_cast<int>(value) : -1;
}

std::string score(double value) {
    for (const int mv : {0, 1, 10, 11})
        if (value == mv) return fmt::format("{:02d}", mv);
    return {};
}

void sort_memory(BlockValues &values, SortedWork &work) {
    const bool vectorised = work.is_vectorised();
    const auto loads = values.parts("loads", "vloads", vectorised);
    const auto stores = values.parts("stores", "vstores", vectorised);
    work.vector_numbers = loads.vector + stores.vector;
    work.scalar_numbers = loads.scalar + stores.scalar;
    const bool said = values.has("loads") || values.has("stores") || values.has("vloads") || values.has("vstores");
    if (said) return;
    if (!values.has("bytes")) {
        work.why_no_time = "needs loads and stores, or bytes";
        return;
    }
    Slope &numbers = vectorised ? work.vector_numbers : work.scalar_numbers;
    numbers = 1 / bytes_of_a_number * values.amount("bytes");
}

// Amount / rate; nothing takes no time, whatever the rate.
Slope over(Slope amount, double rate) {
    return amount.value == 0 ? zero : 1 / rate * amount;
}

// Tvm is longer where vectors are shorter than the register, never shorter (figure 1: AVL <= 64).
Slope stretched(Slope vector_memory, const SortedWork &work, const Machine &machine) {
    const bool is_short = work.is_vectorised() && work.avl.value < machine.vector_length;
    return is_short ? machine.vector_length * vector_memory / work.avl : vector_memory;
}

// Says which rate the machine's file lacks for the operations of a block. Empty if it has all.
const char *missing_rate(const SortedWork &work, const LocalityBandwidth &row) {
    if (work.vector_flops.value > 0 && !(row.vector_flop_per_s > 0))
        return "the machine has no vector rate for this mv";
    if (work.scalar_flops.value > 0 && !(row.scalar_flop_per_s > 0))
        return "the machine has no scalar rate for this mv";
    return "";
}

// The machine's figures for a block; null: `why` says why it has no time.
const LocalityBandwidth *row_for(const SortedWork &work, const Machine &machine, std::string &why) {
    why = work.why_no_time;
    if (!why.empty()) return nullptr;
    const LocalityBandwidth *row = locality_of(machine, work.mv);
    if (row == nullptr) why = fmt::format("{} has no [[locality]] for mv {}", machine.name, work.mv);
    return row;
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

std::string_view name_of(Strategy strategy) {
    constexpr std::array<std::string_view, 4> names = {"pred", "pred_novl", "pred_lb", "pred_hb"};
    return names[static_cast<std::size_t>(strategy)];
}

SortedWork sorted_work(const AssertionModel &model, const ModelBlock &block, std::size_t by) {
    SortedWork work;
    BlockValues values(model, block, by);
    work.mv = score(values.of_a_call("mv").value);
    work.sl = level(values.of_a_call("sl").value);
    work.tl = level(values.of_a_call("tl").value);
    work.avl = values.of_a_call("avl");
    if (work.mv.empty()) {
        work.why_no_time = "needs mv: 00, 10, 01 or 11, as the compiler's report says";
        return work;
    }
    if (!values.has("flops") && !values.has("vflops")) {
        work.why_no_time = "needs flops";
        return work;
    }
    const auto flops = values.parts("flops", "vflops", work.is_vectorised());
    work.vector_flops = flops.vector;
    work.scalar_flops = flops.scalar;
    sort_memory(values, work);
    if (!values.why().empty()) work.why_no_time = values.why();
    const double flop = work.vector_flops.value + work.scalar_flops.value;
    const double moved = work.vector_numbers.value + work.scalar_numbers.value;
    if ((flop < 0 || moved < 0) && work.why_no_time.empty())
        work.why_no_time = "its work is negative at these values of the parameters";
    for (const Slope *part : {&work.vector_flops, &work.scalar_flops, &work.vector_numbers, &work.scalar_numbers})
        if (part->value < 0 && work.why_no_time.empty())
            work.why_no_time = "vflops, vloads and vstores are parts of flops, loads and stores, and one is larger";
    return work;
}

double bandwidth_for(const LocalityBandwidth &row, int sl, int tl, Strategy strategy) {
    if (strategy == Strategy::pred || strategy == Strategy::pred_novl) {
        if (sl < 0 || sl > 2 || tl < 0 || tl > 2) return unknown;
        return row.B_per_s[static_cast<std::size_t>(tl)][static_cast<std::size_t>(sl)];
    }
    double found = unknown;
    for (const auto &levels : row.B_per_s) {
        for (const double B_per_s : levels) {
            if (!is_known(B_per_s)) continue;
            const bool better = strategy == Strategy::pred_lb ? B_per_s < found : B_per_s > found;
            if (!is_known(found) || better) found = B_per_s;
        }
    }
    return found;
}

TimePrediction predict_time(const SortedWork &work, const Machine &machine, Strategy strategy) {
    TimePrediction p;
    const LocalityBandwidth *row = row_for(work, machine, p.why);
    if (row == nullptr) return p;
    p.bandwidth_B_per_s = bandwidth_for(*row, work.sl, work.tl, strategy);
    const auto needs = [&](bool needed, double value, const char *what) {
        if (needed && !(value > 0) && p.why.empty()) p.why = what;
    };
    const bool moves = work.vector_numbers.value > 0 || work.scalar_numbers.value > 0;
    const bool levels_known = work.sl >= 0 && work.tl >= 0;
    needs(moves, p.bandwidth_B_per_s,
          levels_known ? "the machine has no bandwidth for these levels" : "needs sl and tl: 0, 1 or 2");
    if (p.why.empty()) p.why = missing_rate(work, *row);
    const bool takes_length = strategy == Strategy::pred && is_known(work.avl.value) && work.is_vectorised();
    needs(takes_length, machine.vector_length, "the machine has no vector_length, and the block has an avl");
    if (!p.why.empty()) return p;

    const Slope vector_compute = over(work.vector_flops, row->vector_flop_per_s);
    const Slope scalar_compute = over(work.scalar_flops, row->scalar_flop_per_s);
    const Slope scalar_memory = over(bytes_of_a_number * work.scalar_numbers, p.bandwidth_B_per_s);
    Slope vector_memory = over(bytes_of_a_number * work.vector_numbers, p.bandwidth_B_per_s);
    if (takes_length) vector_memory = stretched(vector_memory, work, machine);
    p.vector_compute_s = vector_compute.value;
    p.scalar_compute_s = scalar_compute.value;
    p.vector_memory_s = vector_memory.value;
    p.scalar_memory_s = scalar_memory.value;
    p.seconds = vector_compute + vector_memory + scalar_compute + scalar_memory;
    return p;
}

ObservedBandwidth observed_bandwidth(const SortedWork &work, const Machine &machine, double measured_s) {
    ObservedBandwidth observed;
    const LocalityBandwidth *row = row_for(work, machine, observed.why);
    if (row == nullptr) return observed;
    observed.why = missing_rate(work, *row);
    if (!observed.why.empty()) return observed;
    const double computing_s =
        over(work.vector_flops, row->vector_flop_per_s).value + over(work.scalar_flops, row->scalar_flop_per_s).value;
    observed.memory_s = measured_s - computing_s;
    const double bytes =
        bytes_of_a_number * (stretched(work.vector_numbers, work, machine).value + work.scalar_numbers.value);
    if (observed.memory_s > 0)
        observed.B_per_s = bytes / observed.memory_s;
    else
        observed.why = "its operations alone take longer at the machine's rates than was measured";
    return observed;
}

std::vector<LocalityLevels> levels_near(const LocalityBandwidth &row, double observed_B_per_s) {
    std::vector<LocalityLevels> nearest;
    double least = unknown;
    for (int tl = 0; tl < 3; ++tl) {
        for (int sl = 0; sl < 3; ++sl) {
            const double B_per_s = bandwidth_for(row, sl, tl, Strategy::pred);
            const double distance = std::abs(B_per_s - observed_B_per_s);
            if (!is_known(distance) || distance > least) continue;
            if (distance < least || !is_known(least)) nearest.clear();
            least = distance;
            nearest.push_back({sl, tl});
        }
    }
    return nearest;
}

double elasticity(Slope value, double parameter) {
    return value.value != 0 ? value.by_parameter * parameter / value.value : unknown;
}

} // namespace cpl_lb
