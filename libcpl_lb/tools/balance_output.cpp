#include "tools/balance_output.hpp"

#include "report/format.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace cpl_lb {
namespace {

using Json = nlohmann::ordered_json;

bool one_sample_somewhere(const BalanceOutput &o) {
    return std::any_of(o.curves.begin(), o.curves.end(),
                       [](const ScalingCurve &curve) { return curve.samples().size() == 1; });
}

double spread(const BalanceOutput &o) {
    return std::abs(o.other_form_s - o.answer.seconds) / o.answer.seconds;
}

std::string proof_in_words(const BalanceAnswer &answer) {
    if (answer.proven_optimal) return "proven: no other counts are better with these curves";
    return fmt::format("the best found; the best possible is better by {} at most", share_in_words(answer.gap));
}

// "give 14 of ocean's 64 cores to atmosphere: 1.12 times faster, 9 % cheaper".
std::string advice(const BalanceOutput &o) {
    std::string gives, gets;
    std::int64_t before = 0;
    for (std::size_t c = 0; c < o.names.size(); ++c) {
        const std::int64_t change = o.answer.counts[c] - o.measured_processes[c];
        before += o.measured_processes[c];
        if (change < 0)
            gives += fmt::format("{}{} of {}'s {} cores", gives.empty() ? "" : " and ", -change,
                                 safe_name(o.names[c]), o.measured_processes[c]);
        if (change > 0)
            gets += fmt::format("{}{} ({} more)", gets.empty() ? "" : " and ", safe_name(o.names[c]), change);
    }
    if (gives.empty() && gets.empty()) return "Nothing to move: the measured counts are the best.\n";
    std::string text = gets.empty()    ? "Leave away " + gives
                       : gives.empty() ? "Give new cores to " + gets
                                       : "Give " + gives + " to " + gets;
    const double cost =
        o.answer.seconds * static_cast<double>(o.answer.cores) / (o.measured_s * static_cast<double>(before));
    return text + fmt::format(": {:.2f} times as fast, {} {}.\n", o.measured_s / o.answer.seconds,
                              share_in_words(std::abs(1 - cost)), cost <= 1 ? "cheaper" : "more expensive");
}

// Counts that no measured time stands for.
std::string beyond_measured(const BalanceOutput &o) {
    std::string text;
    for (std::size_t c = 0; c < o.names.size(); ++c) {
        const std::vector<ScalingSample> &samples = o.curves[c].samples();
        if (o.curves[c].measured_range_holds(static_cast<double>(o.answer.counts[c]))) continue;
        text += fmt::format(
            "{}: {} processes lie outside of what was measured, {:.0f} to {:.0f}: an extrapolation.\n",
            safe_name(o.names[c]), o.answer.counts[c], samples.front().processes, samples.back().processes);
    }
    return text;
}

std::string launcher_lines(const BalanceOutput &o) {
    std::string mpirun, srun;
    for (std::size_t c = 0; c < o.names.size(); ++c) {
        const std::string program = "./" + safe_name(o.names[c]);
        mpirun += fmt::format("{}-np {} {}", c == 0 ? "mpirun " : " : ", o.answer.counts[c], program);
        srun += fmt::format("{}--het-group={} -n {} {}", c == 0 ? "srun " : " : ", c, o.answer.counts[c], program);
    }
    return mpirun + "\n" + srun + "\n";
}

std::string counts_text(const BalanceOutput &o) {
    TextTable table;
    table.row({"component", "processes", "measured with", "computing [s]", "other curve [s]"});
    const CurveForm other = o.form == CurveForm::fit ? CurveForm::linear : CurveForm::fit;
    for (std::size_t c = 0; c < o.names.size(); ++c) {
        const auto p = static_cast<double>(o.answer.counts[c]);
        const std::vector<ScalingSample> &samples = o.curves[c].samples();
        table.row({short_name(o.names[c], 30), count_text(o.answer.counts[c]),
                   samples.size() == 1
                       ? fmt::format("{:.0f}", samples.front().processes)
                       : fmt::format("{:.0f} to {:.0f}", samples.front().processes, samples.back().processes),
                   number_text(o.curves[c].seconds(p, o.form)), number_text(o.curves[c].seconds(p, other))});
    }
    return table.text();
}

std::string front_text(const BalanceOutput &o) {
    if (o.front.empty()) return "";
    TextTable table;
    std::vector<std::string> head = {"cores", "time [s]", "core hours"};
    head.insert(head.end(), o.names.begin(), o.names.end());
    for (std::string &name : head)
        name = short_name(name, 20);
    table.row(head);
    for (const BalanceAnswer &answer : o.front) {
        std::vector<std::string> row = {count_text(answer.cores), number_text(answer.seconds),
                                        number_text(answer.seconds * static_cast<double>(answer.cores) / 3600)};
        for (const std::int64_t count : answer.counts)
            row.push_back(count_text(count));
        table.row(row);
    }
    return "\nTime against cores:\n" + table.text();
}

Json counts_json(const BalanceOutput &o, const BalanceAnswer &answer) {
    Json counts = Json::object();
    for (std::size_t c = 0; c < o.names.size(); ++c)
        counts[o.names[c]] = answer.counts[c];
    return counts;
}

} // namespace

std::string balance_as_text(const BalanceOutput &o) {
    std::string text = counts_text(o) + fmt::format("\n{} of {} cores, {} s; {}.\n", o.answer.cores, o.total,
                                                    number_text(o.answer.seconds), proof_in_words(o.answer));
    if (one_sample_somewhere(o)) {
        text += "Uncertainty n/a: ideal scaling is taken where a component was measured with one count only.\n";
    } else {
        text += fmt::format("The other form of the scaling curves differs by {}.\n", share_in_words(spread(o)));
    }
    text += beyond_measured(o);
    if (!o.measured_processes.empty()) text += advice(o);
    for (std::size_t c = 0; c < o.names.size(); ++c)
        if (o.measure_next[c] > 0)
            text += fmt::format("Measure {} next with {:.0f} processes.\n", safe_name(o.names[c]), o.measure_next[c]);
    return text + front_text(o) + "\n" + launcher_lines(o);
}

std::string balance_as_json(const BalanceOutput &o) {
    Json root = {{"seconds", o.answer.seconds},
                 {"cores", o.answer.cores},
                 {"processes", counts_json(o, o.answer)},
                 {"curve", o.form == CurveForm::fit ? "fit" : "linear"},
                 {"other_curve_seconds", o.other_form_s},
                 {"uncertainty", one_sample_somewhere(o) ? Json(nullptr) : Json(spread(o))},
                 {"proven_optimal", o.answer.proven_optimal},
                 {"gap", o.answer.gap},
                 {"measured_s", o.measured_processes.empty() ? Json(nullptr) : Json(o.measured_s)},
                 {"measure_next", Json::object()},
                 {"pareto", Json::array()}};
    for (std::size_t c = 0; c < o.names.size(); ++c)
        root["measure_next"][o.names[c]] = o.measure_next[c] > 0 ? Json(o.measure_next[c]) : Json(nullptr);
    for (const BalanceAnswer &answer : o.front)
        root["pareto"].push_back(
            {{"cores", answer.cores}, {"seconds", answer.seconds}, {"processes", counts_json(o, answer)}});
    return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace cpl_lb
