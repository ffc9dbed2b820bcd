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
std::int64_t all_nodes(const KindsOutput &o, const BalanceAnswer &answer, std::size_t kind) {
    return answer.taken[kind] + model_of(o).kept_nodes[kind];
}

// Hours of nodes (null), or of their cores, or of their GPUs.
double hours(const KindsOutput &o, const BalanceAnswer &answer, std::int64_t KindOfNode::*of_node) {
    double sum = 0;
    for (std::size_t k = 0; k < answer.taken.size(); ++k) {
        const auto each = of_node != nullptr ? static_cast<double>(model_of(o).kinds[k].*of_node) : 1;
        sum += static_cast<double>(all_nodes(o, answer, k)) * each;
    }
    return sum * answer.seconds / 3600;
}

double price(const KindsOutput &o, const BalanceAnswer &answer) {
    double sum = 0;
    for (std::size_t k = 0; k < o.prices.size(); ++k)
        sum += static_cast<double>(all_nodes(o, answer, k)) * o.prices[k];
    return sum * answer.seconds / 3600;
}

// "1 node of gpu", "0.50 nodes of cpu".
std::string nodes_in_first_run(const KindsOutput &o, std::size_t c) {
    const NodesOfRun &had = *o.source.first_run[c];
    return fmt::format("{} {} of {}", count_or_part(had.nodes), word_for(had.nodes, "node"),
                       safe_name(name_of_kind(o, had.kind)));
}

// Components that had no whole nodes in the first run: "ocean 0.67 nodes of gpu, ice 0.5 nodes of cpu"; empty: none.
std::string parts_of_nodes(const KindsOutput &o) {
    std::vector<std::string> parts;
    for (std::size_t c = 0; c < o.source.first_run.size(); ++c) {
        const std::optional<NodesOfRun> &had = o.source.first_run[c];
        if (had && std::abs(had->nodes - std::round(had->nodes)) >= 1e-6)
            parts.push_back(safe_name(o.names[c]) + " " + nodes_in_first_run(o, c));
    }
    return joined(parts, ", ");
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
std::int64_t cores_of(const KindsOutput &o, std::size_t c, const BalanceAnswer &answer) {
    const KindsModel &model = model_of(o);
    const CurveOnKind &on = model.curve_on(c, answer.kind[c]);
    if (!on.counts_gpus) return answer.counts[c] * on.units;
    for (const NodeHalves &pair : model.halves)
        if (pair.first == c) return answer.counts[c] * on.units * model.host_cores;
    return answer.counts[c] * model.kinds[on.kind].cores;
}

std::string units_in_words(const KindsOutput &o, std::size_t c) {
    const CurveOnKind &on = curve_of(o, c);
    return (on.counts_gpus ? counted(o.answer.counts[c] * on.units, "GPU") + ", " : "") +
           counted(cores_of(o, c, o.answer), "core");
}

std::string counts_table(const KindsOutput &o) {
    TextTable table({1});
    table.row({"component", "kind", "nodes", "these are", "measured with", "computing [{s}]",
               "by " + name_of(o.other) + " [{s}]"});
    for (std::size_t c = 0; c < o.answer.counts.size(); ++c) {
        table.row({short_name(o.names[c], 30), short_name(name_of_kind(o, o.answer.kind[c]), 30),
                   count_text(o.answer.counts[c]), units_in_words(o, c),
                   measured_counts(curve_of(o, c).curve, curve_of(o, c).units), InSeconds{o.computing_s[c]},
                   InSeconds{o.other_computing_s[c]}});
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
    std::string text =
        say(Sentence::kinds_cost, {{"node_hours", number_text(hours(o, o.answer, nullptr))},
                                   {"core_hours", number_text(hours(o, o.answer, &KindOfNode::cores))},
                                   {"gpu_hours", number_text(hours(o, o.answer, &KindOfNode::gpus))}}) +
        "\n";
    if (!o.prices.empty()) {
        text += say(Sentence::kinds_price, {{"price", number_text(price(o, o.answer))}, {"prices", o.price_words}}) +
                "\n";
    }
    return text + in_turn_in_words(o) + halves_text(o) + kept_in_words(o, "node") + energy_in_words(o);
}

// "Give ocean 63 nodes of cpu instead of 80, atmosphere 84 of gpu instead of 60 of cpu".
std::string moves(const KindsOutput &o) {
    std::string words;
    for (std::size_t c = 0; c < o.answer.counts.size(); ++c) {
        const bool other_kind = o.answer.kind[c] != o.present.kind[c];
        if (!other_kind && o.answer.counts[c] == o.present.counts[c]) continue;
        words += fmt::format("{}{} {} of {} instead of {}{}", words.empty() ? "Give " : ", ", safe_name(o.names[c]),
                             counted(o.answer.counts[c], "node"), safe_name(name_of_kind(o, o.answer.kind[c])),
                             o.present.counts[c],
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
    for (std::size_t c = 0; c < o.answer.counts.size(); ++c) {
        const std::string name = safe_name(o.names[c]);
        if (!o.source.as_in_run.empty() && o.source.as_in_run[c]) {
            kept.push_back(name);
            continue;
        }
        const std::optional<NodesOfRun> &had = o.source.first_run[c];
        if (!had || (had->kind == o.answer.kind[c] && had->nodes == static_cast<double>(o.answer.counts[c])))
            continue;
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

std::string advice(const KindsOutput &o) {
    if (o.present.counts.empty() || o.source.all_given) return "";
    if (const std::string parts = parts_of_nodes(o); !parts.empty())
        return say(Sentence::kinds_not_compared, {{"names", parts}}) + "\n";
    // In core hours, in the price or in node hours, by which the answer was chosen.
    const bool by_cores = o.objective == "cost";
    const bool by_price = !by_cores && o.objective != "node-hours" && !o.prices.empty();
    const auto cost_of = [&](const BalanceAnswer &answer) {
        return by_price ? price(o, answer) : hours(o, answer, by_cores ? &KindOfNode::cores : nullptr);
    };
    const double cost = cost_of(o.answer), now = cost_of(o.present);
    const std::string unit = by_cores ? "core hours" : "node hours";
    return advice_in_words(o, moves(o), cost, now,
                           by_price ? change_in_words(cost, now, "cheaper", "more expensive")
                                    : change_in_words(cost, now, "fewer " + unit, "more " + unit));
}

std::string front_text(const KindsOutput &o) {
    if (o.front.empty()) return "";
    TextTable table;
    RowOfCells head = {"node hours", "time [{s}]"};
    if (!o.prices.empty()) head.emplace_back("price");
    for (const std::string &name : o.names)
        head.emplace_back(short_name(name, 20));
    table.row(std::move(head));
    bool any_beyond = false;
    for (const BalanceAnswer &answer : o.front) {
        const std::vector<std::string> beyond = basis_of(model_of(o), answer).extrapolated;
        RowOfCells row = {Decimal{hours(o, answer, nullptr)}, InSeconds{answer.seconds}};
        if (!o.prices.empty()) row.emplace_back(Decimal{price(o, answer)});
        for (std::size_t c = 0; c < answer.counts.size(); ++c) {
            const bool is_beyond = place_in(beyond, o.names[c]) < beyond.size();
            row.emplace_back(fmt::format("{} {}{}", answer.counts[c], short_name(name_of_kind(o, answer.kind[c]), 20),
                                         is_beyond ? " *" : ""));
        }
        any_beyond = any_beyond || !beyond.empty();
        table.row(std::move(row));
    }
    return fmt::format("\nTime against {}:\n{}{}", o.prices.empty() ? "node hours" : "price", table.text(),
                       any_beyond ? say(Sentence::kinds_extrapolated) + "\n" : "");
}

Json answer_json(const KindsOutput &o, const BalanceAnswer &answer) {
    Json components = Json::object(), kinds = Json::object();
    for (std::size_t c = 0; c < answer.counts.size(); ++c) {
        const CurveOnKind &on = model_of(o).curve_on(c, answer.kind[c]);
        components[o.names[c]] = {{"kind", name_of_kind(o, answer.kind[c])},
                                  {"nodes", answer.counts[c]},
                                  {"gpus", on.counts_gpus ? answer.counts[c] * on.units : 0},
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

AnswerBasis basis_of(const KindsModel &model, const BalanceAnswer &answer) {
    std::vector<ScalingCurve> curves;
    std::vector<std::int64_t> units;
    for (std::size_t c = 0; c < answer.counts.size(); ++c) {
        const CurveOnKind &on = model.curve_on(c, answer.kind[c]);
        curves.push_back(on.curve);
        units.push_back(on.units);
    }
    return answer_basis(model.run.names, curves, answer.counts, units);
}

std::string kinds_as_text(const KindsOutput &o) {
    const std::string best = say(o.source.all_given ? Sentence::kinds_given : Sentence::kinds_best,
                                 {{"nodes", nodes_in_words(o)},
                                  {"seconds", number_text(o.answer.seconds)},
                                  {"uncertainty", uncertainty_in_words(o.uncertainty)},
                                  {"proof", proof_in_words(o)}});
    const std::string next = measure_next_in_words(o, [&](std::size_t c, std::int64_t count) {
        return counted(count, "node") + " of " + safe_name(name_of_kind(o, o.answer.kind[c]));
    });
    return o.basis.text + counts_table(o) + "\n" + best + "\n" + compared_text(o) + terms_text(o) + advice(o) + next +
           remarks_in_words(o.remarks) + front_text(o);
}

std::string kinds_as_json(const KindsOutput &o) {
    Json root = answer_json(o, o.answer);
    for (std::size_t c = 0; c < o.answer.counts.size(); ++c) {
        Json &component = root["components"][o.names[c]];
        component["computing_s"] = o.computing_s[c];
        const std::optional<NodesOfRun> &had = o.source.first_run[c];
        component["measured_kind"] = had ? Json(name_of_kind(o, had->kind)) : Json();
        component["measured_nodes"] = had ? Json(had->nodes) : Json();
        component["measure_next"] = o.measure_next[c] > 0 ? Json(o.measure_next[c]) : Json();
    }
    add_answer(root, o);
    root["measured_s"] = o.measured_s;
    root["pareto"] = Json::array();
    for (const BalanceAnswer &answer : o.front) {
        Json point = answer_json(o, answer);
        point["extrapolated"] = basis_of(o.source.model, answer).extrapolated;
        root["pareto"].push_back(std::move(point));
    }
    return root.dump(2) + "\n";
}

} // namespace cpl_lb
