// The answer of cpl-lb balance as text and as json.
#include "tools/balance/balance_output.hpp"

#include "data/balance.hpp"
#include "io/json/json_tree.hpp"
#include "prediction/balance_model.hpp"
#include "report/format.hpp"
#include "support/counted.hpp"
#include "support/decimal_text.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"
#include "tools/balance/curve_sources.hpp"
#include "tools/processor_counts.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {

std::string change_in_words(double now, double before, const std::string &less, const std::string &more) {
    return share_in_words(std::abs(1 - now / before)) + " " + (now <= before ? less : more);
}

std::string uncertainty_in_words(double uncertainty) {
    return is_known(uncertainty) ? say(Sentence::part_uncertain, {{"share", share_in_words(uncertainty)}})
                                 : say(Sentence::part_not_uncertain);
}

std::string advice_in_words(const Advice &a) {
    if (a.moves.empty()) return say(Sentence::nothing_to_move) + "\n";
    if (a.seconds >= a.now_s && a.for_time)
        return say(Sentence::no_advice, {{"seconds", number_text(a.seconds)}, {"now", number_text(a.now_s)}}) + "\n";
    // Less than balanced_below of the time, of the core time or of the energy is no reason to move.
    const auto is_less = [](double now, double before) { return now <= (1 - balanced_below) * before; };
    const std::string times = decimal_text(a.now_s / a.seconds, 2);
    if (!is_less(a.cost, a.cost_now) && !(a.power_known && is_less(a.energy_J, a.now_J))) {
        if (!is_less(a.seconds, a.now_s)) return say(Sentence::not_worth_to_move) + "\n";
        if (hidden_by_uncertainty(a.now_s, a.seconds, a.uncertainty))
            return say(Sentence::not_shown_shorter, {{"times", times}, {"share", share_in_words(a.uncertainty)}}) +
                   "\n";
    }
    const std::string energy =
        a.power_known ? ", " + change_in_words(a.energy_J, a.now_J, "less energy", "more energy") : "";
    // The gain is smaller than its uncertainty.
    const bool may_be_slower = a.seconds < a.now_s && a.seconds * (1 + a.uncertainty) > a.now_s;
    return say(Sentence::move, {{"moves", a.moves},
                                {"times", times},
                                {"cost", a.cost_words},
                                {"energy", energy},
                                {"uncertainty", uncertainty_in_words(a.uncertainty)}}) +
           (may_be_slower ? " " + say(Sentence::may_be_slower) : "") + "\n";
}

namespace {

using Json = JsonTree;

// Nothing is proven if a component was measured with one count, because its scaling is assumed. A component that
// keeps its cores needs no curve. Runs of unknown length may not be points of one curve.
bool is_proven(const BalanceOutput &o, const AnswerBasis &basis) {
    return o.answer.proven_optimal && !o.lengths_not_known && basis.ideal.empty() &&
           std::ranges::none_of(o.assumed, [](bool assumed) { return assumed; });
}

std::string proof_in_words(const BalanceOutput &o, const AnswerBasis &basis) {
    if (is_proven(o, basis)) return say(Sentence::part_best_of_curves);
    if (o.answer.proven_optimal && o.lengths_not_known) return say(Sentence::part_best_if_same_time);
    if (o.answer.proven_optimal && o.any_threads) return say(Sentence::part_best_if_assumed);
    if (o.answer.proven_optimal) return say(Sentence::part_best_if_ideal);
    return say(Sentence::part_best_found, {{"gap", share_in_words(o.answer.gap)}});
}

std::int64_t all_cores(const BalanceOutput &o) {
    return o.answer.cores + o.kept_cores;
}

// "give 14 of ocean's 64 cores to atmosphere".
std::string moves(const BalanceOutput &o) {
    std::vector<std::string> gives, gets, getters;
    std::int64_t sum = 0;
    for (std::size_t c = 0; c < o.names.size(); ++c) {
        const std::int64_t change = o.answer.counts[c] - o.measured_processes[c];
        const std::string name = safe_name(o.names[c]);
        sum += change;
        if (change < 0) {
            gives.push_back(fmt::format("{} of {}'s {}", -change, name, counted(o.measured_processes[c], "core")));
        }
        if (change > 0) {
            getters.push_back(name);
            gets.push_back(fmt::format("{} ({} more)", name, change));
        }
    }
    if (gives.empty() && gets.empty()) return "";
    if (gets.empty()) return "Remove " + joined(gives, " and ");
    if (gives.empty()) return "Give new cores to " + joined(gets, " and ");
    return "Give " + joined(gives, " and ") + " to " +
           (sum == 0 && getters.size() == 1 ? getters.front() : joined(gets, " and "));
}

// "give each process of ocean 2 threads instead of 1".
std::string other_threads(const BalanceOutput &o) {
    std::vector<std::string> gives;
    for (std::size_t c = 0; c < o.names.size(); ++c) {
        if (o.answer.threads[c] == o.threads_now[c]) continue;
        gives.push_back(fmt::format("each process of {} {} instead of {}", safe_name(o.names[c]),
                                    counted(o.answer.threads[c], "thread"), o.threads_now[c]));
    }
    return gives.empty() ? "" : "give " + joined(gives, ", ");
}

// What to do, as the begin of a sentence; empty if there is nothing to do.
std::string moves_and_threads(const BalanceOutput &o) {
    std::string cores = moves(o);
    std::string threads = other_threads(o);
    if (threads.empty()) return cores;
    if (!cores.empty()) return cores + ", and " + threads;
    threads.front() = 'G';
    return threads;
}

std::string advice(const BalanceOutput &o) {
    Advice a{moves_and_threads(o), o.objective == "time" || o.objective == "pareto", o.measured_s, o.answer.seconds,
             o.uncertainty};
    a.cost = o.answer.seconds * static_cast<double>(all_cores(o));
    a.cost_now = o.measured_s * static_cast<double>(o.measured_cores + o.kept_cores);
    a.cost_words = change_in_words(a.cost, a.cost_now, "cheaper", "more expensive");
    a.power_known = o.power_known;
    a.energy_J = o.answer.energy_J;
    a.now_J = o.measured_J;
    return advice_in_words(a);
}

// Says with which of several runs the answer is compared.
std::string compared_with(const BalanceOutput &o) {
    if (o.measured_run.empty()) return "";
    const char *best = o.objective == "cost" ? "cheapest" : o.objective == "energy" ? "thriftiest" : "fastest";
    const bool fits = o.measured_cores + o.kept_cores <= o.total;
    return say(fits ? Sentence::compared_with_best : Sentence::compared_with_fewest,
               {{"run", safe_name(o.measured_run)},
                {"best", best},
                {"total", counted(o.total, "core")},
                {"cores", counted(o.measured_cores + o.kept_cores, "core")},
                {"seconds", number_text(o.measured_s)}}) +
           "\n";
}

// The limits that bound the answer (shared cores, nodes, memory), and the cores that it takes.
std::string terms_text(const BalanceOutput &o) {
    std::string text;
    const auto line = [&](Sentence sentence, SentenceFigures figures) { text += say(sentence, figures) + "\n"; };
    if (!o.shared.empty()) line(Sentence::in_turn, {{"names", safe_name(o.shared)}});
    if (o.node_cores > 1)
        line(Sentence::whole_nodes,
             {{"nodes", counted(all_cores(o) / o.node_cores, "node")}, {"cores", std::to_string(o.node_cores)}});
    for (const KeptComponent &kept : o.kept)
        line(Sentence::keeps_its_cores, {{"name", safe_name(kept.name)}, {"cores", counted(kept.cores, "core")}});
    for (std::size_t c = 0; c < o.names.size(); ++c) {
        if (o.held[c] > 0 && o.held[c] == o.answer.counts[c])
            line(o.idle[c] ? Sentence::idle_keeps : Sentence::server_keeps,
                 {{"name", safe_name(o.names[c])}, {"cores", counted(o.held[c], "core")}});
    }
    for (std::size_t c = 0; c < o.names.size(); ++c) {
        if (o.memory_floor[c] > 1)
            line(Sentence::memory_floor,
                 {{"name", safe_name(o.names[c])}, {"cores", std::to_string(o.memory_floor[c])}});
    }
    if (o.power_known) {
        line(Sentence::energy_of_loop,
             {{"joules", number_text(o.answer.energy_J)},
              {"whose", o.power_measured ? "the watts of a core that the run measured, computing or waiting"
                                         : "the watts given"}});
    }
    return text;
}

std::string front_text(const BalanceOutput &o) {
    if (o.front.empty()) return "";
    TextTable table;
    RowOfCells head = {"cores", "time [{s}]", "core hours"};
    for (const std::string &name : o.names)
        head.emplace_back(short_name(name, 20));
    table.row(head);
    for (const BalanceAnswer &answer : o.front) {
        RowOfCells row = {count_text(answer.cores + o.kept_cores), InSeconds{answer.seconds},
                          Decimal{answer.seconds * static_cast<double>(answer.cores + o.kept_cores) / 3600}};
        for (std::size_t c = 0; c < answer.counts.size(); ++c) {
            row.emplace_back(o.any_threads
                                 ? fmt::format("{} x {}", answer.counts[c] / answer.threads[c], answer.threads[c])
                                 : count_text(answer.counts[c]));
        }
        table.row(row);
    }
    return fmt::format("\nTime against cores{}:\n{}", o.any_threads ? " (processes x threads)" : "", table.text());
}

// Each count is a proposal for a run of its own; all of them in one run may need more cores than there are.
std::string measure_next_text(const BalanceOutput &o) {
    std::string text;
    for (std::size_t c = 0; c < o.names.size(); ++c) {
        if (!(o.measure_next[c] > 0)) continue;
        std::string cores = counted(std::llround(o.measure_next[c]), "core");
        if (o.any_threads) cores += " (" + counted(o.answer.threads[c], "thread") + " for each process)";
        text += say(Sentence::measure_next, {{"name", safe_name(o.names[c])}, {"cores", cores}}) + "\n";
    }
    if (!text.empty() && o.cores_to_measure > o.total) {
        text += say(Sentence::measure_apart,
                    {{"cores", counted(o.cores_to_measure, "core")}, {"total", std::to_string(o.total)}}) +
                "\n";
    }
    return text;
}

// A number for each component, also for those outside the coupling, because a script starts the whole job.
Json numbers_json(const BalanceOutput &o, const std::vector<std::int64_t> &numbers,
                  std::int64_t KeptComponent::*of_kept) {
    Json all = Json::object();
    for (const KeptComponent &kept : o.kept)
        all[kept.name] = kept.*of_kept;
    for (std::size_t c = 0; c < o.names.size(); ++c)
        all[o.names[c]] = numbers[c];
    return all;
}

} // namespace

TextTable counts_table(const BalanceOutput &o) {
    TextTable table;
    RowOfCells head = {"component", "cores"};
    if (o.any_threads) head.emplace_back("threads");
    head.insert(head.end(), {"measured with", "computing [{s}]", "by " + name_of(o.other) + " [{s}]"});
    table.row(std::move(head));
    for (std::size_t c = 0; c < o.names.size(); ++c) {
        RowOfCells row = {short_name(o.names[c], 30), count_text(o.answer.counts[c])};
        if (o.any_threads) row.emplace_back(count_text(o.answer.threads[c]));
        row.insert(row.end(),
                   {measured_counts(o.curves[c]), InSeconds{o.computing_s[c]}, InSeconds{o.other_computing_s[c]}});
        table.row(std::move(row));
    }
    return table;
}

std::string answer_in_words(const BalanceOutput &o) {
    const AnswerBasis basis = answer_basis(o.names, o.curves, o.answer.counts);
    std::string text = say(Sentence::best_counts, {{"cores", std::to_string(all_cores(o))},
                                                   {"total", counted(o.total, "core")},
                                                   {"seconds", number_text(o.answer.seconds)},
                                                   {"uncertainty", uncertainty_in_words(o.uncertainty)},
                                                   {"proof", proof_in_words(o, basis)}}) +
                       "\n" + terms_text(o);
    if (!o.measured_processes.empty()) text += compared_with(o) + advice(o);
    return text + measure_next_text(o) + remarks_in_words(o.remarks);
}

std::string balance_as_text(const BalanceOutput &o) {
    return answer_basis(o.names, o.curves, o.answer.counts).text + counts_table(o).text() + "\n" +
           answer_in_words(o) + front_text(o) + (o.launch.text.empty() ? "" : "\n" + o.launch.text);
}

std::string balance_as_json(const BalanceOutput &o) {
    const AnswerBasis basis = answer_basis(o.names, o.curves, o.answer.counts);
    Json root = {{"seconds", o.answer.seconds},
                 {"cores", all_cores(o)},
                 {"processes", numbers_json(o, o.answer.counts, &KeptComponent::cores)},
                 {"threads", numbers_json(o, o.answer.threads, &KeptComponent::threads)},
                 {"curve", name_of(o.form)},
                 {"other_curve", name_of(o.other)},
                 {"other_curve_seconds", o.other_form_s},
                 {"uncertainty", o.uncertainty},
                 {"proven_optimal", is_proven(o, basis)},
                 {"ideal_scaling", basis.ideal},
                 {"extrapolated", basis.extrapolated},
                 {"gap", o.answer.gap},
                 {"objective", o.objective},
                 {"energy_J", o.power_known ? Json(o.answer.energy_J) : Json()},
                 {"measured_J", o.power_known && !o.measured_processes.empty() ? Json(o.measured_J) : Json()},
                 {"shared", o.shared.empty() ? Json() : Json(o.shared)},
                 {"left_out", o.io_servers},
                 {"remarks", o.remarks},
                 {"memory_floor", Json::object()},
                 {"measured_s", o.measured_processes.empty() ? Json() : Json(o.measured_s)},
                 {"measured_run", Json::text(o.measured_run)},
                 {"measure_next", Json::object()},
                 {"pareto", Json::array()}};
    for (std::size_t c = 0; c < o.names.size(); ++c) {
        root["memory_floor"][o.names[c]] = o.memory_floor[c];
        root["measure_next"][o.names[c]] = o.measure_next[c] > 0 ? Json(o.measure_next[c]) : Json();
    }
    for (const BalanceAnswer &answer : o.front) {
        root["pareto"].push_back({{"cores", answer.cores + o.kept_cores},
                                  {"seconds", answer.seconds},
                                  {"processes", numbers_json(o, answer.counts, &KeptComponent::cores)},
                                  {"threads", numbers_json(o, answer.threads, &KeptComponent::threads)}});
    }
    if (o.launch_asked) root["launch"] = launch_json(o.launch);
    return root.dump(2) + "\n";
}

} // namespace cpl_lb
