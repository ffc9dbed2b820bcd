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
#include "tools/balance/balance_problem.hpp"
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

void Answering::settle(BalanceAnswer &answer) const {
    const CurvesOfMove move = move_to(answer);
    answer.seconds = run.expected_s(move, form);
    enter_costs(problem, run.computing_s(move, form), answer);
}

void Answering::keep_what_is_better(BalanceAnswer &answer, const BalanceAnswer &present) const {
    BalanceAnswer as_now = answer;
    as_now.kind = present.kind;
    as_now.counts = present.counts;
    as_now.threads = present.threads;
    settle(as_now);
    if (is_possible(problem, as_now) && value_of(as_now, objective) <= value_of(answer, objective))
        answer = std::move(as_now);
}

std::vector<BalanceAnswer> Answering::front() const {
    std::vector<BalanceAnswer> front = pareto_front(problem, most_boxes(run));
    for (BalanceAnswer &answer : front)
        settle(answer);
    return front;
}

void enter_answer(AnswerOutput &output, const Answering &a) {
    const CurvesOfMove move = a.move_to(output.answer);
    output.names = a.run.names;
    output.form = a.form;
    output.other = a.form == CurveForm::hslb ? CurveForm::measured : CurveForm::hslb;
    output.computing_s = a.run.computing_s(move, output.form);
    output.other_computing_s = a.run.computing_s(move, output.other);
    output.other_form_s = a.run.expected_s(move, output.other);
    output.uncertainty = a.run.uncertainty(move, output.form);
    output.io_servers = a.run.io_servers;
    output.kept = a.run.kept;
    output.remarks = a.run.remarks;
    output.lengths_not_known = a.run.lengths_not_known;
    if (output.objective == "pareto") output.front = a.front();
}

std::optional<UnmeasuredGap> gap_around(const AnswerOutput &o, std::size_t c, const ScalingCurve &curve,
                                        std::int64_t units) {
    const auto count = static_cast<double>(units * o.answer.counts[c]);
    std::optional<UnmeasuredGap> gap = curve.gap_at(count);
    if (!gap || gap->most_s < (1 + balanced_below) * gap->least_s) return std::nullopt;
    const double of_loop = o.computing_s[c] / curve.seconds(count, o.form); // samples may be of one cycle
    const auto of_count = static_cast<double>(units);
    return UnmeasuredGap{gap->fewer / of_count, gap->more / of_count, gap->least_s * of_loop, gap->most_s * of_loop};
}

std::int64_t measure_next(const AnswerOutput &o, const KindsProblem &problem, std::size_t c,
                          const ScalingCurve &curve, std::int64_t units, std::int64_t whole) {
    if (o.computing_s[c] < balanced_below * o.answer.seconds) return 0;
    if (o.gaps[c]) return o.answer.counts[c];
    const std::int64_t count = o.answer.counts[c];
    const std::int64_t fewest = problem.on_kind(c, o.answer.kind[c])->nodes.front();
    const std::int64_t least = units * std::max(fewest, (count + 1) / 2);
    const std::int64_t most = units * std::min(most_possible(problem, o.answer, c), 2 * count);
    // With fewer than requested, the count may be one that was measured already.
    const std::int64_t asked =
        std::llround(curve.measure_next(static_cast<double>(least), static_cast<double>(most)));
    std::int64_t filled = (asked + whole / 2) / whole * whole;
    if (filled > most) filled -= whole;
    const auto times_measured =
        std::ranges::count(curve.samples(), static_cast<double>(filled), &ScalingSample::processes);
    const bool is_new = filled == asked || times_measured == 0;
    return asked > 0 && filled >= least && is_new ? filled / units : 0;
}

std::string advice_in_words(const AnswerOutput &o, const std::string &moves, double cost, double cost_now,
                            const std::string &cost_words) {
    const double now_s = o.present.seconds, seconds = o.answer.seconds;
    if (moves.empty()) return say(Sentence::nothing_to_move) + "\n";
    if (seconds >= now_s && o.for_time())
        return say(Sentence::no_advice, {{"seconds", number_text(seconds)}, {"now", number_text(now_s)}}) + "\n";
    // Less than balanced_below of the time, of the core time or of the energy is no reason to move.
    const auto is_less = [](double now, double before) { return now <= (1 - balanced_below) * before; };
    const std::string times = decimal_text(now_s / seconds, 2);
    if (!is_less(cost, cost_now) && !(o.power_known && is_less(o.answer.energy_J, o.present.energy_J))) {
        if (!is_less(seconds, now_s)) return say(Sentence::not_worth_to_move) + "\n";
        if (hidden_by_uncertainty(now_s, seconds, o.uncertainty))
            return say(Sentence::not_shown_shorter, {{"times", times}, {"share", share_in_words(o.uncertainty)}}) +
                   "\n";
    }
    const std::string energy =
        o.power_known ? ", " + change_in_words(o.answer.energy_J, o.present.energy_J, "less energy", "more energy")
                      : "";
    // The gain is smaller than its uncertainty.
    const bool may_be_slower = seconds < now_s && seconds * (1 + o.uncertainty) > now_s;
    return say(Sentence::move, {{"moves", moves},
                                {"times", times},
                                {"cost", cost_words},
                                {"energy", energy},
                                {"uncertainty", uncertainty_in_words(o.uncertainty)}}) +
           (may_be_slower ? " " + say(Sentence::may_be_slower) : "") + "\n";
}

std::string proof_in_words(const AnswerOutput &o) {
    if (!o.answer.proven_optimal) return say(Sentence::part_best_found, {{"gap", share_in_words(o.answer.gap)}});
    // Runs of unknown length may not be points of one curve.
    if (o.lengths_not_known) return say(Sentence::part_best_if_same_time);
    if (!o.assumed) return say(Sentence::part_best_of_curves);
    return say(o.any_threads ? Sentence::part_best_if_assumed : Sentence::part_best_if_ideal);
}

std::string in_turn_in_words(const AnswerOutput &o) {
    return o.shared.empty() ? "" : say(Sentence::in_turn, {{"names", safe_name(o.shared)}}) + "\n";
}

std::string kept_in_words(const AnswerOutput &o, const std::string &unit) {
    std::string text;
    for (std::size_t i = 0; i < o.kept.size(); ++i) {
        text += say(Sentence::keeps_its_cores,
                    {{"name", safe_name(o.kept[i].name)}, {"cores", safe_name(o.kept_in_words[i])}}) +
                "\n";
    }
    for (std::size_t c = 0; c < o.names.size(); ++c) {
        if (o.held[c]) {
            text += say(o.idle[c] ? Sentence::idle_keeps : Sentence::server_keeps,
                        {{"name", safe_name(o.names[c])}, {"cores", counted(o.answer.counts[c], unit)}}) +
                    "\n";
        }
    }
    return text;
}

std::string energy_in_words(const AnswerOutput &o) {
    if (!o.power_known) return "";
    return say(Sentence::energy_of_loop,
               {{"joules", number_text(o.answer.energy_J)},
                {"whose", o.power_measured ? "the watts of a core that the run measured, computing or waiting"
                                           : "the watts given"}}) +
           "\n";
}

std::string measure_next_in_words(const AnswerOutput &o, const CountInWords &in_words) {
    std::string text;
    for (std::size_t c = 0; c < o.names.size(); ++c) {
        const std::int64_t next = o.measure_next[c];
        if (next == 0) continue;
        if (const auto &gap = o.gaps[c]) {
            text += say(Sentence::not_measured_between,
                        {{"name", safe_name(o.names[c])},
                         {"fewer", fmt::format("{:g}", gap->fewer)},
                         {"more", in_words(c, 2).replace(0, 1, fmt::format("{:g}", gap->more))},
                         {"count", std::to_string(next)},
                         {"least", rounded_text(gap->least_s)},
                         {"most", rounded_text(gap->most_s)}}) +
                    "\n";
        }
        text += say(Sentence::measure_next, {{"name", safe_name(o.names[c])}, {"cores", in_words(c, next)}}) + "\n";
    }
    return text;
}

void add_answer(JsonTree &root, const AnswerOutput &o) {
    root["curve"] = name_of(o.form);
    root["other_curve"] = name_of(o.other);
    root["other_curve_seconds"] = o.other_form_s;
    root["uncertainty"] = o.uncertainty;
    root["proven_optimal"] = o.answer.proven_optimal && !o.lengths_not_known && !o.assumed;
    root["ideal_scaling"] = o.basis.ideal;
    root["extrapolated"] = o.basis.extrapolated;
    root["gap"] = o.answer.gap;
    root["objective"] = o.objective;
    root["shared"] = JsonTree::text(o.shared);
    root["left_out"] = o.io_servers;
    root["remarks"] = o.remarks;
}

namespace {

using Json = JsonTree;

std::int64_t all_cores(const BalanceOutput &o) {
    return o.answer.cores() + o.kept_cores;
}

// "give 14 of ocean's 64 cores to atmosphere".
std::string moves(const BalanceOutput &o) {
    std::vector<std::string> gives, gets, getters;
    std::int64_t sum = 0;
    for (std::size_t c = 0; c < o.names.size(); ++c) {
        const std::int64_t change = o.answer.counts[c] - o.present.counts[c];
        const std::string name = safe_name(o.names[c]);
        sum += change;
        if (change < 0) {
            gives.push_back(fmt::format("{} of {}'s {}", -change, name, counted(o.present.counts[c], "core")));
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
        if (o.answer.threads[c] == o.present.threads[c]) continue;
        gives.push_back(fmt::format("each process of {} {} instead of {}", safe_name(o.names[c]),
                                    counted(o.answer.threads[c], "thread"), o.present.threads[c]));
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

std::int64_t cores_now(const BalanceOutput &o) {
    return o.present.cores() + o.kept_cores;
}

std::string advice(const BalanceOutput &o) {
    const double cost = o.answer.seconds * static_cast<double>(all_cores(o));
    const double cost_now = o.present.seconds * static_cast<double>(cores_now(o));
    return advice_in_words(o, moves_and_threads(o), cost, cost_now,
                           change_in_words(cost, cost_now, "cheaper", "more expensive"));
}

// Says with which of several runs the answer is compared.
std::string compared_with(const BalanceOutput &o) {
    if (o.measured_run.empty()) return "";
    const char *best = o.objective == "cost" ? "cheapest" : o.objective == "energy" ? "thriftiest" : "fastest";
    return say(cores_now(o) <= o.total ? Sentence::compared_with_best : Sentence::compared_with_fewest,
               {{"run", safe_name(o.measured_run)},
                {"best", best},
                {"total", counted(o.total, "core")},
                {"cores", counted(cores_now(o), "core")},
                {"seconds", number_text(o.present.seconds)}}) +
           "\n";
}

// The limits that bound the answer (shared cores, nodes, memory), and the cores that it takes.
std::string terms_text(const BalanceOutput &o) {
    std::string text = in_turn_in_words(o);
    if (o.node_cores > 1) {
        text += say(Sentence::whole_nodes, {{"nodes", counted(all_cores(o) / o.node_cores, "node")},
                                            {"cores", std::to_string(o.node_cores)}}) +
                "\n";
    }
    text += kept_in_words(o, "core");
    for (std::size_t c = 0; c < o.names.size(); ++c) {
        if (o.memory_floor[c] > 1) {
            text += say(Sentence::memory_floor,
                        {{"name", safe_name(o.names[c])}, {"cores", std::to_string(o.memory_floor[c])}}) +
                    "\n";
        }
    }
    return text + energy_in_words(o);
}

std::string front_text(const BalanceOutput &o) {
    if (o.front.empty()) return "";
    TextTable table;
    RowOfCells head = {"cores", "time [{s}]", "core hours"};
    for (const std::string &name : o.names)
        head.emplace_back(short_name(name, 20));
    table.row(head);
    for (const BalanceAnswer &answer : o.front) {
        RowOfCells row = {count_text(answer.cores() + o.kept_cores), InSeconds{answer.seconds},
                          Decimal{answer.seconds * static_cast<double>(answer.cores() + o.kept_cores) / 3600}};
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
    std::string text = measure_next_in_words(o, [&](std::size_t c, std::int64_t count) {
        return counted(count, "core") +
               (o.any_threads ? " (" + counted(o.answer.threads[c], "thread") + " for each process)" : "");
    });
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
    std::string text = say(Sentence::best_counts, {{"cores", std::to_string(all_cores(o))},
                                                   {"total", counted(o.total, "core")},
                                                   {"seconds", number_text(o.answer.seconds)},
                                                   {"uncertainty", uncertainty_in_words(o.uncertainty)},
                                                   {"proof", proof_in_words(o)}}) +
                       "\n" + terms_text(o);
    if (!o.present.counts.empty()) text += compared_with(o) + advice(o);
    return text + measure_next_text(o) + remarks_in_words(o.remarks);
}

std::string balance_as_text(const BalanceOutput &o) {
    return o.basis.text + counts_table(o).text() + "\n" + answer_in_words(o) + front_text(o) +
           (o.launch.text.empty() ? "" : "\n" + o.launch.text);
}

std::string balance_as_json(const BalanceOutput &o) {
    const bool measured = !o.present.counts.empty();
    Json root = {{"seconds", o.answer.seconds},
                 {"cores", all_cores(o)},
                 {"processes", numbers_json(o, o.answer.counts, &KeptComponent::cores)},
                 {"threads", numbers_json(o, o.answer.threads, &KeptComponent::threads)},
                 {"energy_J", o.power_known ? Json(o.answer.energy_J) : Json()},
                 {"measured_J", o.power_known && measured ? Json(o.present.energy_J) : Json()},
                 {"memory_floor", Json::object()},
                 {"measured_s", measured ? Json(o.present.seconds) : Json()},
                 {"measured_run", Json::text(o.measured_run)},
                 {"measure_next", Json::object()},
                 {"pareto", Json::array()}};
    add_answer(root, o);
    for (std::size_t c = 0; c < o.names.size(); ++c) {
        root["memory_floor"][o.names[c]] = o.memory_floor[c];
        root["measure_next"][o.names[c]] = o.measure_next[c] > 0 ? Json(o.measure_next[c]) : Json();
    }
    for (const BalanceAnswer &answer : o.front) {
        root["pareto"].push_back({{"cores", answer.cores() + o.kept_cores},
                                  {"seconds", answer.seconds},
                                  {"processes", numbers_json(o, answer.counts, &KeptComponent::cores)},
                                  {"threads", numbers_json(o, answer.threads, &KeptComponent::threads)}});
    }
    if (o.launch_asked) root["launch"] = launch_json(o.launch);
    return root.dump(2) + "\n";
}

} // namespace cpl_lb
