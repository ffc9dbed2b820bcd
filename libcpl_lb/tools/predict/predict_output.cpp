// The tables and lines of cpl-lb predict.
#include "tools/predict/predict_output.hpp"

#include "analysis/exchanges.hpp"
#include "analysis/waiting_share.hpp"
#include "io/json/json_tree.hpp"
#include "report/format.hpp"
#include "report/words.hpp"
#include "support/counted.hpp"
#include "support/decimal_text.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"
#include "tools/balance/curve_sources.hpp"
#include "tools/processor_counts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cpl_lb {
namespace {

using Json = JsonTree;

// As a share of the loop. If alpha corrects more than this, the model leaves out something that matters.
constexpr double large_correction = 0.1;

std::string name_of_field(const CoupledRun &run, std::int32_t field) {
    const auto at = static_cast<std::size_t>(field) - 1;
    return at < run.field_names.size() ? run.field_names[at] : "field " + std::to_string(field);
}

std::int64_t in_cycle(const MeasuredGraph &m, std::size_t e) {
    return m.cycle.exchanges.empty() ? 0 : m.cycle.exchanges[e];
}

// How long the receivers waited in it, over the whole run. What an I/O server waits holds up nobody.
double waited_s(const CoupledRun &run, const MatchedExchange &m) {
    const std::size_t target = ComponentPlaces(run).of(m.exchange.target);
    double seconds = 0;
    if (!who_decides_the_end(run)[target]) return seconds;
    for (const EventPair &pair : m.pairs)
        seconds += to_seconds(run.components[target].table.spans[pair.get].waiting());
    return seconds;
}

// What is in the cycle, the longest waits first. The rest, of set-ups and now and then, is one line.
std::string exchanges_text(const PredictOutput &o) {
    TextTable table({1, 2, 6});
    table.row({"field", "from", "to", "in a cycle", "lag", "matched", "transfer"});
    const bool any_cycle = !o.measured.cycle.exchanges.empty();
    std::vector<std::pair<double, std::size_t>> shown;
    std::size_t others = 0;
    std::int64_t matched = 0;
    for (std::size_t e = 0; e < o.measured.exchanges.size(); ++e) {
        const MatchedExchange &m = o.measured.exchanges[e];
        if (!any_cycle || in_cycle(o.measured, e) > 0) {
            shown.emplace_back(-waited_s(o.part.run, m), e);
        } else {
            ++others;
            matched += static_cast<std::int64_t>(m.pairs.size());
        }
    }
    std::ranges::sort(shown);
    for (const auto &[waited, e] : shown) {
        const MatchedExchange &m = o.measured.exchanges[e];
        const bool assumed = m.transfer == Transfer::not_seen;
        table.row({short_name(name_of_field(o.part.run, m.exchange.field), 30),
                   short_name(o.part.run.component_name(m.exchange.source), 20),
                   short_name(o.part.run.component_name(m.exchange.target), 20), count_text(in_cycle(o.measured, e)),
                   count_text(m.exchange.lag), count_text(static_cast<std::int64_t>(m.pairs.size())),
                   assumed ? "not seen, taken as " + name_of(o.measured.transfers[e]) : name_of(m.transfer)});
    }
    if (others == 0) return table.text();
    return table.text() +
           say(Sentence::beside_cycle,
               {{"exchanges", counted(others, "exchange")}, {"times", counted(matched, "time")}}) +
           "\n";
}

std::string cycle_text(const MeasuredGraph &m) {
    if (!m.why_no_cycle.empty()) return say(Sentence::no_cycle, {{"why", m.why_no_cycle}}) + "\n";
    const std::vector<double> &cycles = m.cycle.measured_s;
    std::string period;
    if (is_known(m.cycle.period_s))
        period = say(Sentence::part_model_time, {{"period", decimal_text(m.cycle.period_s, 0)}});
    return say(Sentence::cycle, {{"mean", number_text(mean(cycles))},
                                 {"deviation", number_text(standard_deviation(cycles))},
                                 {"least", number_text(*std::ranges::min_element(cycles))},
                                 {"most", number_text(*std::ranges::max_element(cycles))},
                                 {"cycles", counted(cycles.size(), "cycle")},
                                 {"model_time", period}}) +
           "\n";
}

// Seconds on the critical path, and their share of it. With the measured counts it is the path that was followed in
// the run, as in the summary. With others it is that of the model, in which data take no time.
std::pair<double, double> on_path(const PredictOutput &o, std::size_t c) {
    const RunBalance &b = o.part.run.balance;
    const double measured = o.part.run.components[c].balance.critical_share;
    if (!o.other_counts && is_known(measured)) return {measured * b.loop_s, measured};
    const double all = std::accumulate(o.now.path.seconds.begin(), o.now.path.seconds.end(), 0.0);
    return {o.now.path.seconds[c], o.now.path.seconds[c] / all};
}

// With the counts of the answer.
double computing_s(const PredictOutput &o, std::size_t c) {
    return o.measured.graph->computing_s()[c] * o.now.factors[c];
}

double waiting_s(const PredictOutput &o, std::size_t c) {
    return o.other_counts ? rest_of(o.now.predicted_s, computing_s(o, c), o.measured, c) : o.measured.waiting_s[c];
}

std::string components_text(const PredictOutput &o) {
    TextTable table;
    table.row({"component", "processes", "computing [{s}]", "waiting [{s}]", "on critical path [{s}]", "[%]"});
    const std::vector<std::string> &names = o.measured.graph->names();
    for (std::size_t c = 0; c < names.size(); ++c) {
        const auto [seconds, share] = on_path(o, c);
        const double waiting = waiting_s(o, c);
        const bool idle = o.part.run.components[c].balance.is_io_server && is_known(waiting);
        table.row({short_name(names[c], 30), count_text(o.processes[c]), InSeconds{computing_s(o, c)},
                   InSeconds{waiting, idle ? "idle " : ""}, InSeconds{seconds}, per_cent_text(share)});
    }
    const double loop_s = o.other_counts ? o.now.predicted_s : o.now.measured_s;
    return say(o.other_counts ? Sentence::in_predicted_loop : Sentence::in_common_loop,
               {{"seconds", number_text(loop_s)}}) +
           "\n" + table.text();
}

// The summary gives each component's own loop, too; here it is the part that all of them have in common. Those of I/O
// servers do not count for it.
std::string loops_text(const PredictOutput &o) {
    std::string loops;
    const std::vector<bool> decides = who_decides_the_end(o.part.run);
    for (std::size_t i = 0; i < decides.size(); ++i) {
        const Component &c = o.part.run.components[i];
        if (!is_known(c.balance.loop_s) || !decides[i]) continue;
        loops +=
            fmt::format("{}{} {} s", loops.empty() ? "" : ", ", safe_name(c.name), number_text(c.balance.loop_s));
    }
    return loops.empty() ? "" : say(Sentence::own_loops, {{"loops", loops}}) + "\n";
}

// What is known of the time that the model leaves out. It is not the transfers' only because the model lacks them.
std::string correction_text(const PredictOutput &o) {
    if (!(std::abs(o.now.alpha - 1) > large_correction)) return "";
    std::string text = say(Sentence::correction, {{"share", share_in_words(std::abs(o.now.alpha - 1))}}) + "\n";
    const CoupledRun &run = o.part.run;
    if (const auto disturbed = disturbed_components(run); !disturbed.empty())
        return text + disturbed_in_words(run, *disturbed.front()) + "\n";
    const double under_way = 1 - run.balance.on_path_s / run.balance.loop_s;
    if (under_way >= 0.5 * (1 - 1 / o.now.alpha) && o.now.alpha > 1)
        text += say(Sentence::under_way, {{"share", share_in_words(under_way)}}) + "\n";
    return text;
}

std::string prediction_text(const PredictOutput &o) {
    std::string text = "\n" +
                       say(Sentence::common_loop, {{"measured", number_text(o.now.measured_s)},
                                                   {"model", number_text(o.now.model_s)},
                                                   {"alpha", decimal_text(o.now.alpha, 4)}}) +
                       "\n" + loops_text(o);
    text += correction_text(o);
    if (is_known(o.now.residual_s))
        text += say(Sentence::model_misses, {{"seconds", number_text(o.now.residual_s)}}) + "\n";
    if (!o.other_counts) return text;
    const std::string range = is_known(o.range.least_s)
                                  ? say(Sentence::part_range, {{"least", number_text(o.range.least_s)},
                                                               {"most", number_text(o.range.most_s)}})
                                  : say(Sentence::part_no_range);
    text += "\n" +
            say(Sentence::predicted, {{"seconds", number_text(o.now.predicted_s)},
                                      {"times", decimal_text(o.now.measured_s / o.now.predicted_s, 3)},
                                      {"range", range}}) +
            "\n";
    if (!o.now.cycles_s.empty()) {
        const auto [least, most] = std::ranges::minmax_element(o.now.cycles_s);
        text += say(Sentence::one_cycle, {{"mean", number_text(o.now.cycle_mean_s)},
                                          {"deviation", number_text(o.now.cycle_spread_s)},
                                          {"least", number_text(*least)},
                                          {"most", number_text(*most)},
                                          {"cycles", counted(o.now.cycles_s.size(), "cycle")}}) +
                "\n";
    }
    return text;
}

} // namespace

double rest_of(double loop_s, double computing_s, const MeasuredGraph &measured, std::size_t component) {
    constexpr double rounding = 1e-9; // smaller differences of seconds are none
    if (measured.away_s[component] > 0) return unknown;
    return std::max(0.0, loop_s - computing_s - rounding);
}

std::string predict_as_text(const PredictOutput &o) {
    std::string text = answer_basis(o.measured.graph->names(), o.curves, o.processes).text + exchanges_text(o) +
                       "\n" + cycle_text(o.measured) +
                       say(Sentence::path_changes, {{"counts", o.other_counts ? " with the new counts" : ""},
                                                    {"changes", counted(o.now.path.hops, "change")}}) +
                       "\n\n";
    return text + components_text(o) + prediction_text(o) + left_out_in_words(o.part.io_servers) +
           remarks_in_words(o.remarks);
}

std::string predict_as_json(const PredictOutput &o) {
    const MeasuredGraph &m = o.measured;
    const AnswerBasis basis = answer_basis(m.graph->names(), o.curves, o.processes);
    Json root = {{"measured_s", o.now.measured_s},
                 {"model_s", o.now.model_s},
                 {"alpha", o.now.alpha},
                 {"predicted_s", o.other_counts ? Json(o.now.predicted_s) : Json()},
                 {"curve", o.other_counts ? Json(name_of(o.form)) : Json()},
                 {"predicted_linear_s", o.other_counts ? Json(o.by_form.at(CurveForm::linear)) : Json()},
                 {"predicted_by", Json::object()},
                 {"predicted_least_s", o.range.least_s},
                 {"predicted_most_s", o.range.most_s},
                 {"uncertainty_s", o.range.uncertainty_s(o.now.predicted_s)},
                 {"ideal_scaling", basis.ideal},
                 {"extrapolated", basis.extrapolated},
                 {"cycle_mean_s", o.now.cycle_mean_s},
                 {"cycle_spread_s", o.now.cycle_spread_s},
                 {"cycle_residual_s", o.now.residual_s},
                 {"cycles_s", o.now.cycles_s},
                 {"cycle",
                  {{"measured_s", m.cycle.measured_s},
                   {"measured_mean_s", mean(m.cycle.measured_s)},
                   {"measured_spread_s", standard_deviation(m.cycle.measured_s)},
                   {"period_s", m.cycle.period_s},
                   {"why_not", JsonTree::text(m.why_no_cycle)}}},
                 {"left_out", o.part.io_servers},
                 {"remarks", o.remarks},
                 {"components", Json::array()},
                 {"exchanges", Json::array()}};
    for (const auto &[form, seconds] : o.by_form)
        root["predicted_by"][name_of(form)] = seconds;
    for (std::size_t c = 0; c < m.graph->components(); ++c) {
        root["components"].push_back({{"name", m.graph->names()[c]},
                                      {"processes", o.processes[c]},
                                      {"measured_processes", m.processes[c]},
                                      {"computing_s", computing_s(o, c)},
                                      {"measured_computing_s", m.graph->computing_s()[c]},
                                      {"waiting_s", waiting_s(o, c)},
                                      {"measured_waiting_s", m.waiting_s[c]},
                                      {"measured_away_s", m.away_s[c]},
                                      {"factor", o.now.factors[c]},
                                      {"critical_s", on_path(o, c).first}});
    }
    for (std::size_t e = 0; e < m.exchanges.size(); ++e) {
        root["exchanges"].push_back({{"field", name_of_field(o.part.run, m.exchanges[e].exchange.field)},
                                     {"from", o.part.run.component_name(m.exchanges[e].exchange.source)},
                                     {"to", o.part.run.component_name(m.exchanges[e].exchange.target)},
                                     {"in_cycle", in_cycle(m, e)},
                                     {"lag", m.exchanges[e].exchange.lag},
                                     {"matched", m.exchanges[e].pairs.size()},
                                     {"transfer", name_of(m.exchanges[e].transfer)},
                                     {"taken_as", name_of(m.transfers[e])}});
    }
    return root.dump(2) + "\n";
}

} // namespace cpl_lb
