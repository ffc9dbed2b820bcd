// The answer of cpl-lb balance nodes as text and as json.
#include "tools/balance/kinds.hpp"

#include "io/json/json_tree.hpp"
#include "report/format.hpp"
#include "support/counted.hpp"
#include "support/decimal_text.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"
#include "tools/balance/balance_output.hpp"
#include "tools/balance/curve_sources.hpp"
#include "tools/processor_counts.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace cpl_lb {
namespace {

using Json = JsonTree;

const KindsModel &model_of(const KindsOutput &o) {
    return o.source.model;
}
const std::string &name_of_kind(const KindsOutput &o, std::size_t k) {
    return model_of(o).kinds[k].name;
}
const CurveOnKind &curve_of(const KindsOutput &o, std::size_t c) {
    return model_of(o).curve_on(c, o.answer.kind[c]);
}

// With those of who is outside of the coupling.
std::int64_t all_nodes(const KindsOutput &o, const KindsAnswer &answer, std::size_t kind) {
    return answer.taken[kind] + model_of(o).kept_nodes[kind];
}

// Hours of nodes (null), or of their cores, or of their GPUs.
double hours(const KindsOutput &o, const KindsAnswer &answer, std::int64_t KindOfNode::*of_node) {
    double sum = 0;
    for (std::size_t k = 0; k < answer.taken.size(); ++k) {
        const auto each = of_node != nullptr ? static_cast<double>(model_of(o).kinds[k].*of_node) : 1;
        sum += static_cast<double>(all_nodes(o, answer, k)) * each;
    }
    return sum * answer.seconds / 3600;
}

double price(const KindsOutput &o, const KindsAnswer &answer) {
    double sum = 0;
    for (std::size_t k = 0; k < o.prices.size(); ++k)
        sum += static_cast<double>(all_nodes(o, answer, k)) * o.prices[k];
    return sum * answer.seconds / 3600;
}

// "8", "0.67".
std::string node_number(double nodes) {
    if (std::abs(nodes - std::round(nodes)) < 1e-6) return decimal_text(nodes, 0);
    return nodes < 0.1 ? fmt::format("{:.2g}", nodes) : decimal_text(nodes, 2);
}

// How far the measurements of a component reach to an answer.
struct MeasuredReach {
    bool one_count = false, beyond = false;
    std::string measured; // "10 to 84", in nodes
};
MeasuredReach reach_of(const KindsOutput &o, const KindsAnswer &answer, std::size_t component) {
    const CurveOnKind &on = model_of(o).curve_on(component, answer.kind[component]);
    const std::vector<ScalingSample> &samples = on.curve.samples();
    MeasuredReach reach;
    reach.one_count = samples.size() == 1;
    reach.beyond = !on.curve.measured_range_holds(static_cast<double>(answer.nodes[component] * on.units));
    reach.measured = node_number(on.nodes(samples.front().processes));
    if (!reach.one_count) reach.measured += " to " + node_number(on.nodes(samples.back().processes));
    return reach;
}

// Those with nodes outside of what was measured; `one_count`: only those that were measured with one count.
std::vector<std::string> names_beyond(const KindsOutput &o, const KindsAnswer &answer, bool one_count) {
    std::vector<std::string> names;
    for (std::size_t c = 0; c < answer.nodes.size(); ++c) {
        const MeasuredReach reach = reach_of(o, answer, c);
        if (reach.beyond && (reach.one_count || !one_count)) names.push_back(model_of(o).run.names[c]);
    }
    return names;
}

// "1 node of gpu", "0.50 nodes of cpu".
std::string nodes_in_first_run(const KindsOutput &o, std::size_t c) {
    const NodesOfRun &had = *o.source.first_run[c];
    return fmt::format("{} {} of {}", node_number(had.nodes), word_for(had.nodes, "node"),
                       safe_name(name_of_kind(o, had.kind)));
}

// Components that had no whole nodes in the first run: "ocean 0.67 nodes of gpu, ice 0.5 nodes of cpu"; empty: none.
std::string parts_of_nodes(const KindsOutput &o) {
    std::vector<std::string> parts;
    for (std::size_t c = 0; c < o.source.first_run.size(); ++c) {
        const std::optional<NodesOfRun> &had = o.source.first_run[c];
        if (had && std::abs(had->nodes - std::round(had->nodes)) >= 1e-6)
            parts.push_back(safe_name(model_of(o).run.names[c]) + " " + nodes_in_first_run(o, c));
    }
    return joined(parts, ", ");
}

std::string basis_text(const KindsOutput &o) {
    OutsideMeasured outside;
    for (std::size_t c = 0; c < o.answer.nodes.size(); ++c) {
        const MeasuredReach reach = reach_of(o, o.answer, c);
        if (!reach.beyond) continue;
        outside.serial = outside.serial || curve_of(o, c).curve.has_serial_part();
        (reach.one_count ? outside.ideal : outside.beyond)
            .push_back(outside_measured(model_of(o).run.names[c], reach.measured, "node", o.answer.nodes[c]));
    }
    return outside.text();
}

// Another kind or count might be better by a curve that one measured count cannot show.
bool any_assumed(const KindsOutput &o) {
    for (std::size_t c = 0; c < model_of(o).curves.size(); ++c)
        for (const CurveOnKind &on : model_of(o).curves[c])
            if (on.may_have && on.curve.samples().size() < 2 && model_of(o).allowed_nodes[c].size() != 1) return true;
    return false;
}
bool is_proven(const KindsOutput &o) {
    return o.answer.proven_optimal && !any_assumed(o) && !model_of(o).run.lengths_not_known;
}

std::string proof_in_words(const KindsOutput &o) {
    if (is_proven(o)) return say(Sentence::part_best_of_curves);
    if (!o.answer.proven_optimal) return say(Sentence::part_best_found, {{"gap", share_in_words(o.answer.gap)}});
    return say(any_assumed(o) ? Sentence::part_best_if_ideal : Sentence::part_best_if_same_time);
}

// "84 of 100 nodes of gpu, 80 of 200 nodes of cpu".
std::string nodes_in_words(const KindsOutput &o) {
    std::vector<std::string> words;
    for (std::size_t k = 0; k < o.answer.taken.size(); ++k) {
        if (const std::int64_t taken = all_nodes(o, o.answer, k); taken > 0)
            words.push_back(fmt::format("{} of {} of {}", taken, counted(model_of(o).kinds[k].nodes, "node"),
                                        safe_name(name_of_kind(o, k))));
    }
    return joined(words, ", ");
}

// The cores that come with its nodes: beside another half only the own ones.
std::int64_t cores_of(const KindsOutput &o, std::size_t c, const KindsAnswer &answer) {
    const KindsModel &model = model_of(o);
    const CurveOnKind &on = model.curve_on(c, answer.kind[c]);
    if (!on.counts_gpus) return answer.nodes[c] * on.units;
    for (const NodeHalves &pair : model.halves)
        if (pair.first == c) return answer.nodes[c] * on.units * model.host_cores;
    return answer.nodes[c] * model.kinds[on.kind].cores;
}

std::string units_in_words(const KindsOutput &o, std::size_t c) {
    const CurveOnKind &on = curve_of(o, c);
    return (on.counts_gpus ? counted(o.answer.nodes[c] * on.units, "GPU") + ", " : "") +
           counted(cores_of(o, c, o.answer), "core");
}

std::string counts_table(const KindsOutput &o) {
    TextTable table({1});
    table.row({"component", "kind", "nodes", "these are", "measured with", "computing [{s}]",
               "by " + name_of(o.other) + " [{s}]"});
    for (std::size_t c = 0; c < o.answer.nodes.size(); ++c) {
        table.row({short_name(model_of(o).run.names[c], 30), short_name(name_of_kind(o, o.answer.kind[c]), 30),
                   count_text(o.answer.nodes[c]), units_in_words(o, c), reach_of(o, o.answer, c).measured,
                   InSeconds{o.computing_s[c]}, InSeconds{o.other_computing_s[c]}});
    }
    return table.text();
}

std::string halves_text(const KindsOutput &o) {
    std::string text;
    const KindsModel &model = model_of(o);
    for (const NodeHalves &pair : model.halves) {
        const KindOfNode &kind = model.kinds[o.answer.kind[pair.first]];
        const std::int64_t host = model.host_cores * kind.gpus;
        const bool measured = curve_of(o, pair.first).of_sharing && curve_of(o, pair.second).of_sharing;
        const std::string cost = measured                ? say(Sentence::part_sharing_measured)
                                 : is_known(pair.factor) ? say(Sentence::part_sharing_given,
                                                               {{"factor", fmt::format("{:g}", pair.factor)}})
                                                         : say(Sentence::part_sharing_unknown);
        text += say(Sentence::kinds_halves, {{"first", safe_name(model.run.names[pair.first])},
                                             {"second", safe_name(model.run.names[pair.second])},
                                             {"host", counted(host, "core")},
                                             {"rest", counted(kind.cores - host, "core")},
                                             {"cost", cost}}) +
                "\n";
    }
    return text;
}

std::string terms_text(const KindsOutput &o) {
    const KindsModel &model = model_of(o);
    std::string text;
    const auto line = [&](Sentence sentence, SentenceFigures figures) { text += say(sentence, figures) + "\n"; };
    line(Sentence::kinds_cost, {{"node_hours", number_text(hours(o, o.answer, nullptr))},
                                {"core_hours", number_text(hours(o, o.answer, &KindOfNode::cores))},
                                {"gpu_hours", number_text(hours(o, o.answer, &KindOfNode::gpus))}});
    if (!o.prices.empty())
        line(Sentence::kinds_price, {{"price", number_text(price(o, o.answer))}, {"prices", o.price_words}});
    if (const std::string shared = model.in_turn_in_words(o.answer); !shared.empty())
        line(Sentence::in_turn, {{"names", safe_name(shared)}});
    text += halves_text(o);
    for (std::size_t i = 0; i < o.source.kept.size(); ++i)
        line(Sentence::keeps_its_cores,
             {{"name", safe_name(model.run.kept[i].name)}, {"cores", safe_name(o.source.kept[i])}});
    for (std::size_t c = 0; c < o.source.held.size(); ++c) {
        if (!o.source.held[c]) continue;
        const bool idle = curve_of(o, c).curve.samples().front().seconds <= idle_s;
        line(idle ? Sentence::idle_keeps : Sentence::server_keeps,
             {{"name", safe_name(model.run.names[c])}, {"cores", counted(o.answer.nodes[c], "node")}});
    }
    if (o.power_known)
        line(Sentence::energy_of_loop, {{"joules", number_text(o.answer.energy_J)}, {"whose", "the watts given"}});
    return text;
}

// "Give ocean 63 nodes of cpu instead of 80, atmosphere 84 of gpu instead of 60 of cpu".
std::string moves(const KindsOutput &o) {
    std::string words;
    for (std::size_t c = 0; c < o.answer.nodes.size(); ++c) {
        const bool other_kind = o.answer.kind[c] != o.present.kind[c];
        if (!other_kind && o.answer.nodes[c] == o.present.nodes[c]) continue;
        words += fmt::format("{}{} {} of {} instead of {}{}", words.empty() ? "Give " : ", ",
                             safe_name(model_of(o).run.names[c]), counted(o.answer.nodes[c], "node"),
                             safe_name(name_of_kind(o, o.answer.kind[c])), o.present.nodes[c],
                             other_kind ? " of " + safe_name(name_of_kind(o, o.present.kind[c])) : "");
    }
    return words;
}

std::string change_of_time(const KindsOutput &o) {
    const double faster = o.measured_s / o.answer.seconds;
    const std::string times = decimal_text(std::max(faster, 1 / faster), 2);
    if (times == "1.00") return "takes as long";
    const bool hidden = hidden_by_uncertainty(std::max(o.measured_s, o.answer.seconds),
                                              std::min(o.measured_s, o.answer.seconds), o.uncertainty);
    return (faster > 1 ? "is " + times + " times as fast" : "takes " + times + " times as long") +
           (hidden ? ", which may be no difference: it is uncertain by more" : "");
}

// Beside the first run, for nodes that were given; who has others now, and who has the same because nobody says more.
std::string compared_text(const KindsOutput &o) {
    if (!o.source.all_given || !is_known(o.measured_s)) return "";
    std::string others;
    std::vector<std::string> kept;
    for (std::size_t c = 0; c < o.answer.nodes.size(); ++c) {
        const std::string name = safe_name(model_of(o).run.names[c]);
        if (!o.source.as_in_run.empty() && o.source.as_in_run[c]) {
            kept.push_back(name);
            continue;
        }
        const std::optional<NodesOfRun> &had = o.source.first_run[c];
        if (!had || (had->kind == o.answer.kind[c] && had->nodes == static_cast<double>(o.answer.nodes[c]))) continue;
        others += (others.empty() ? ", with " : ", ") + name + " on " + nodes_in_first_run(o, c);
    }
    std::string text =
        say(Sentence::kinds_compared,
            {{"measured", number_text(o.measured_s)}, {"with", others}, {"change", change_of_time(o)}}) +
        "\n";
    if (!kept.empty()) {
        text += say(Sentence::kinds_as_in_run,
                    {{"names", joined(kept, ", ")}, {"keep", word_for(kept.size(), "keeps", "keep")}}) +
                "\n";
    }
    return text;
}

// In core hours, in the price or in node hours, by which the answer was chosen.
void enter_cost(Advice &advice, const KindsOutput &o) {
    const bool by_cores = o.objective == "cost";
    const bool by_price = !by_cores && o.objective != "node-hours" && !o.prices.empty();
    const auto cost = [&](const KindsAnswer &answer) {
        return by_price ? price(o, answer) : hours(o, answer, by_cores ? &KindOfNode::cores : nullptr);
    };
    advice.cost = cost(o.answer);
    advice.cost_now = cost(o.present);
    const std::string unit = by_cores ? "core hours" : "node hours";
    advice.cost_words = by_price ? change_in_words(advice.cost, advice.cost_now, "cheaper", "more expensive")
                                 : change_in_words(advice.cost, advice.cost_now, "fewer " + unit, "more " + unit);
}

std::string advice(const KindsOutput &o) {
    if (o.present.nodes.empty() || o.source.all_given) return "";
    if (const std::string parts = parts_of_nodes(o); !parts.empty())
        return say(Sentence::kinds_not_compared, {{"names", parts}}) + "\n";
    Advice a{moves(o), o.objective == "time" || o.objective == "pareto", o.present.seconds, o.answer.seconds,
             o.uncertainty};
    enter_cost(a, o);
    a.power_known = o.power_known;
    a.energy_J = o.answer.energy_J;
    a.now_J = o.present_J;
    return advice_in_words(a);
}

std::string measure_next_text(const KindsOutput &o) {
    std::string text;
    for (std::size_t c = 0; c < o.measure_next.size(); ++c) {
        if (o.measure_next[c] == 0) continue;
        text += say(Sentence::measure_next, {{"name", safe_name(model_of(o).run.names[c])},
                                             {"cores", counted(o.measure_next[c], "node") + " of " +
                                                           safe_name(name_of_kind(o, o.answer.kind[c]))}}) +
                "\n";
    }
    return text;
}

std::string front_text(const KindsOutput &o) {
    if (o.front.empty()) return "";
    TextTable table;
    RowOfCells head = {"node hours", "time [{s}]"};
    if (!o.prices.empty()) head.emplace_back("price");
    for (const std::string &name : model_of(o).run.names)
        head.emplace_back(short_name(name, 20));
    table.row(std::move(head));
    bool any_beyond = false;
    for (const KindsAnswer &answer : o.front) {
        RowOfCells row = {Decimal{hours(o, answer, nullptr)}, InSeconds{answer.seconds}};
        if (!o.prices.empty()) row.emplace_back(Decimal{price(o, answer)});
        for (std::size_t c = 0; c < answer.nodes.size(); ++c) {
            const bool beyond = reach_of(o, answer, c).beyond;
            row.emplace_back(fmt::format("{} {}{}", answer.nodes[c], short_name(name_of_kind(o, answer.kind[c]), 20),
                                         beyond ? " *" : ""));
            any_beyond = any_beyond || beyond;
        }
        table.row(std::move(row));
    }
    return fmt::format("\nTime against {}:\n{}{}", o.prices.empty() ? "node hours" : "price", table.text(),
                       any_beyond ? say(Sentence::kinds_extrapolated) + "\n" : "");
}

Json answer_json(const KindsOutput &o, const KindsAnswer &answer) {
    Json components = Json::object(), kinds = Json::object();
    for (std::size_t c = 0; c < answer.nodes.size(); ++c) {
        const CurveOnKind &on = model_of(o).curve_on(c, answer.kind[c]);
        components[model_of(o).run.names[c]] = {{"kind", name_of_kind(o, answer.kind[c])},
                                                {"nodes", answer.nodes[c]},
                                                {"gpus", on.counts_gpus ? answer.nodes[c] * on.units : 0},
                                                {"cores", cores_of(o, c, answer)}};
    }
    for (std::size_t k = 0; k < answer.taken.size(); ++k)
        kinds[name_of_kind(o, k)] = {{"taken", all_nodes(o, answer, k)}, {"nodes", model_of(o).kinds[k].nodes}};
    return {{"seconds", answer.seconds},
            {"node_hours", hours(o, answer, nullptr)},
            {"core_hours", hours(o, answer, &KindOfNode::cores)},
            {"gpu_hours", hours(o, answer, &KindOfNode::gpus)},
            {"price", o.prices.empty() ? Json() : Json(price(o, answer))},
            {"energy_J", o.power_known ? Json(answer.energy_J) : Json()},
            {"components", std::move(components)},
            {"kinds", std::move(kinds)}};
}

} // namespace

std::string kinds_as_text(const KindsOutput &o) {
    const std::string best = say(o.source.all_given ? Sentence::kinds_given : Sentence::kinds_best,
                                 {{"nodes", nodes_in_words(o)},
                                  {"seconds", number_text(o.answer.seconds)},
                                  {"uncertainty", uncertainty_in_words(o.uncertainty)},
                                  {"proof", proof_in_words(o)}});
    return basis_text(o) + counts_table(o) + "\n" + best + "\n" + compared_text(o) + terms_text(o) + advice(o) +
           measure_next_text(o) + remarks_in_words(model_of(o).run.remarks) + front_text(o);
}

std::string kinds_as_json(const KindsOutput &o) {
    const KindsModel &model = model_of(o);
    Json root = answer_json(o, o.answer);
    for (std::size_t c = 0; c < o.answer.nodes.size(); ++c) {
        Json &component = root["components"][model.run.names[c]];
        component["computing_s"] = o.computing_s[c];
        const std::optional<NodesOfRun> &had = o.source.first_run[c];
        component["measured_kind"] = had ? Json(name_of_kind(o, had->kind)) : Json();
        component["measured_nodes"] = had ? Json(had->nodes) : Json();
        component["measure_next"] = o.measure_next[c] > 0 ? Json(o.measure_next[c]) : Json();
    }
    root["objective"] = o.objective;
    root["curve"] = name_of(model.form);
    root["other_curve"] = name_of(o.other);
    root["other_curve_seconds"] = o.other_form_s;
    root["uncertainty"] = o.uncertainty;
    root["proven_optimal"] = !o.source.all_given && is_proven(o);
    root["gap"] = o.source.all_given ? Json() : Json(o.answer.gap);
    root["ideal_scaling"] = names_beyond(o, o.answer, true);
    root["extrapolated"] = names_beyond(o, o.answer, false);
    root["measured_s"] = o.measured_s;
    root["shared"] = Json::text(model.in_turn_in_words(o.answer));
    root["left_out"] = model.run.io_servers;
    root["remarks"] = model.run.remarks;
    root["pareto"] = Json::array();
    for (const KindsAnswer &answer : o.front) {
        Json point = answer_json(o, answer);
        point["extrapolated"] = names_beyond(o, answer, false);
        root["pareto"].push_back(std::move(point));
    }
    return root.dump(2) + "\n";
}

} // namespace cpl_lb
