// Evaluates the blocks, compares them with what was measured, and puts it out as text and as json.
#include "projection/tools/assert/assert_output.hpp"

#include "assertions/quantities.hpp"
#include "io/json/json_tree.hpp"
#include "report/format.hpp"
#include "report/text_sections.hpp"
#include "support/counted.hpp"
#include "support/decimal_text.hpp"
#include "support/fmt.hpp"

#include <cmath>
#include <map>
#include <set>

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
    if (std::isinf(figure.value)) {
        figure.value = unknown;
        figure.why = "the sum over all calls is not a finite number";
    }
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
    block.observed = observed_bandwidth(block.work, *output.machine, block.block->measured_s);
    const LocalityBandwidth *const row = locality_of(*output.machine, block.work.mv);
    if (is_known(block.observed.B_per_s) && row != nullptr)
        block.levels_near_observed = levels_near(*row, block.observed.B_per_s);
}

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
                 {"observed_B_per_s", b.observed.B_per_s},
                 {"observed_memory_s", b.observed.memory_s},
                 {"why_not_observed", JsonTree::text(b.observed.why)},
                 {"levels_near_observed", Json::array()}};
    for (const AssertedFigure &f : b.figures)
        json["quantities"][f.quantity->name] = figure_json(output, f);
    for (const LocalityLevels &l : b.levels_near_observed)
        json["levels_near_observed"].push_back({{"sl", l.sl}, {"tl", l.tl}});
    for (std::size_t s = 0; s < b.times.size(); ++s)
        json["times"][std::string(name_of(all_strategies[s]))] = time_json(output, b.times[s]);
    return json;
}

constexpr std::size_t name_columns = 24, expression_columns = 48;

std::string where(const ModelBlock &block) {
    return block.component.empty() ? safe_name(block.region) : safe_name(block.component + ": " + block.region);
}

std::string property_text(const BlockQuantity &q, double value) {
    if (q.name == "mv" && value >= 0 && value < 100 && value == std::round(value))
        return fmt::format("{:02.0f}", value);
    return amount_text(value);
}

// Reasons for n/a, each once, with what they are of.
class Reasons {
public:
    void add(const std::string &why, const std::string &what) {
        if (!why.empty() && of_[why].known.insert(what).second) of_[why].names.push_back(what);
    }
    [[nodiscard]] std::string text() const {
        std::string all;
        for (const auto &[why, of] : of_)
            all += wrapped("n/a: " + joined(of.names, ", ") + ": " + safe_text(why), 80);
        return all;
    }

private:
    struct Of {
        std::vector<std::string> names; // in the order in which they came
        std::set<std::string> known;
    };
    std::map<std::string, Of> of_;
};

std::string expressions(const AssertOutput &output, const std::vector<AssertedBlock> &blocks, Reasons &reasons) {
    TextTable table({1, 2, 6});
    table.row({"Region", "what", "expression (of one call)", "says", "measured", "error %", ""});
    for (const AssertedBlock &b : blocks) {
        for (const AssertedFigure &f : b.figures) {
            const BlockQuantity &q = *f.quantity;
            const double measured = output.model.as_measured ? q.measured : unknown;
            table.row({short_name(where(*b.block), name_columns), q.name,
                       short_name(q.expression.text(), expression_columns), property_text(q, f.value),
                       property_text(q, measured), per_cent_text(f.error),
                       std::abs(f.error) > output.tolerance ? "outside" : ""});
            reasons.add(f.why, q.name);
            if (!is_known(measured))
                reasons.add(!output.model.as_measured ? "measured with other parameters" : q.why_not_measured,
                            q.name);
        }
    }
    return "\nWhat the expressions say (all calls of one process)\n" + table.text();
}

std::string verdict(const AssertOutput &output, const std::vector<AssertedBlock> &blocks) {
    std::string outside;
    std::size_t said = 0, compared = 0;
    for (const AssertedBlock &b : blocks) {
        said += b.figures.size();
        for (const AssertedFigure &f : b.figures)
            compared += is_known(f.error) ? 1 : 0;
        if (b.fails) outside += (outside.empty() ? "" : ", ") + where(*b.block);
    }
    if (compared == 0) return "Nothing to compare: no quantity was measured.\n";
    const std::string bar = fmt::format("{:g} %", 100 * output.tolerance);
    const std::string first = fmt::format("{} of {} could be compared: ", compared, counted(said, "expression"));
    return wrapped(first + (outside.empty() ? "all within " + bar : "outside " + bar + ": " + outside), 80);
}

std::string levels_text(const std::vector<LocalityLevels> &levels) {
    std::string text;
    for (const LocalityLevels &l : levels)
        text += fmt::format("{}{},{}", text.empty() ? "" : " or ", l.sl, l.tl);
    return text.empty() ? "n/a" : text;
}

std::string level_text(int level) {
    return level < 0 ? "n/a" : std::to_string(level);
}

std::string times(const AssertOutput &output, const std::vector<AssertedBlock> &blocks, Reasons &reasons) {
    TextTable table;
    std::vector<std::string> head = {"Region", "MV", "SL,TL", "GB/s", "observed", "near SL,TL", "measured s"};
    for (const Strategy s : all_strategies) {
        head.emplace_back(name_of(s));
        head.emplace_back("error %");
    }
    table.row_of_words(head);
    for (const AssertedBlock &b : blocks) {
        const ModelBlock &said = *b.block;
        if (said.find("flops") == nullptr && said.find("vflops") == nullptr && said.find("mv") == nullptr) continue;
        const TimePrediction &first = b.times.front().prediction;
        std::vector<std::string> row = {short_name(where(*b.block), name_columns),
                                        b.work.mv.empty() ? "n/a" : b.work.mv,
                                        level_text(b.work.sl) + "," + level_text(b.work.tl),
                                        amount_text(1e-9 * first.bandwidth_B_per_s),
                                        amount_text(1e-9 * b.observed.B_per_s),
                                        levels_text(b.levels_near_observed),
                                        output.model.as_measured ? amount_text(b.block->measured_s) : "n/a"};
        reasons.add(b.observed.why, where(*b.block));
        for (const PredictedTime &t : b.times) {
            row.push_back(amount_text(t.prediction.seconds.value));
            row.push_back(per_cent_text(t.error));
            reasons.add(t.prediction.why, where(*b.block));
        }
        table.row_of_words(row);
    }
    return "\nTime on " + safe_name(output.machine->name) +
           " (s, all calls of one process; error above 0: predicted too short)\n" + table.text() +
           (output.locality_from.empty() ? "" : wrapped("Its bandwidths are " + output.locality_from, 80));
}

std::string sensitivities(const AssertOutput &output, const std::vector<AssertedBlock> &blocks) {
    if (output.model.parameters.empty()) return "";
    TextTable table({1});
    std::vector<std::string> head = {"Region", "what"};
    for (const ModelParameter &p : output.model.parameters)
        head.push_back(p.name + " = " + amount_text(p.value));
    table.row_of_words(head);
    const auto row = [&](const AssertedBlock &b, std::string_view what, const std::vector<double> &elasticities) {
        std::vector<std::string> cells = {short_name(where(*b.block), name_columns), std::string(what)};
        for (const double e : elasticities)
            cells.push_back(change_text(e, 2));
        table.row_of_words(cells);
    };
    for (const AssertedBlock &b : blocks) {
        for (const AssertedFigure &f : b.figures)
            if (!f.quantity->expression.names().empty()) row(b, f.quantity->name, f.elasticities);
        if (!b.times.empty() && b.times.front().prediction.why.empty())
            row(b, "time (pred)", b.times.front().elasticities);
    }
    std::string text = "\nChange in % when a parameter grows by 1 %\n" + table.text();
    for (const ModelParameter &p : output.model.parameters) {
        if (p.varies)
            text += wrapped(
                fmt::format("{} differs between processes or changed in the run: this is its mean", p.name), 80);
    }
    return text;
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

std::string assert_as_json(const AssertOutput &output) {
    Json json = {{"tolerance", output.tolerance},
                 {"as_measured", output.model.as_measured},
                 {"machine", output.machine ? Json(output.machine->name) : Json()},
                 {"locality_from", JsonTree::text(output.locality_from)},
                 {"parameters", Json::object()},
                 {"blocks", Json::array()}};
    for (const ModelParameter &p : output.model.parameters)
        json["parameters"][p.name] = p.value;
    for (const AssertedBlock &b : asserted_blocks(output))
        json["blocks"].push_back(block_json(output, b));
    return json.dump(2) + "\n";
}

std::string assert_as_text(const AssertOutput &output) {
    const std::vector<AssertedBlock> blocks = asserted_blocks(output);
    Reasons reasons;
    std::string text = verdict(output, blocks) + expressions(output, blocks, reasons);
    if (output.machine) text += times(output, blocks, reasons);
    text += sensitivities(output, blocks);
    const std::string why = reasons.text();
    return why.empty() ? text : text + "\n" + why;
}

} // namespace cpl_lb
