// Tells what changes bring.
#include "tools/predict/what_if.hpp"

#include "analysis/cpmip.hpp"
#include "prediction/run_balance.hpp"
#include "report/format.hpp"
#include "report/verdict_parts.hpp"
#include "support/decimal_text.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"
#include "support/shell_words.hpp"
#include "tools/balance/curve_sources.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>

namespace cpl_lb {
namespace {

constexpr double seconds_of_hour = 3600;
constexpr double shown_from = 0.0005; // of the time: less is nothing

} // namespace

std::string words_of(const SingleChange &c) {
    const std::string component = safe_name(c.component), region = safe_name(c.region), field = safe_name(c.field);
    switch (c.kind) {
    case SingleChange::Kind::faster:
        return c.region.empty() ? fmt::format("10 % off {}", component)
                                : fmt::format("10 % off {}: {}", component, region);
    case SingleChange::Kind::twice:
        return component + " twice as fast";
    case SingleChange::Kind::lag:
        return fmt::format("{} with a lag of {}", field, c.lag);
    case SingleChange::Kind::every:
        return field + " half as often";
    case SingleChange::Kind::no_output:
        return "no output";
    case SingleChange::Kind::balanced:
        return "no imbalance in " + component;
    case SingleChange::Kind::transfer:
        return "transfers that take half";
    case SingleChange::Kind::best_split:
        return "the best split of the same cores";
    }
    return "";
}

bool is_worth_nothing(const SingleChange &change) {
    return std::abs(change.gain) < shown_from;
}

std::string gain_text(const SingleChange &change) {
    return is_worth_nothing(change) ? "0.0" : change_text(-100 * change.gain, 1);
}

namespace {

// How to ask for it alone: words for a shell.
std::string option_of(const SingleChange &c) {
    switch (c.kind) {
    case SingleChange::Kind::faster:
    case SingleChange::Kind::twice:
        return shell_option("--faster", fmt::format("{}{}{}={}", c.component, c.region.empty() ? "" : ":", c.region,
                                                    c.kind == SingleChange::Kind::twice ? "2" : "1.1111"));
    case SingleChange::Kind::lag:
        return shell_option("--lag", fmt::format("{}={}", c.field, c.lag));
    case SingleChange::Kind::every:
        return shell_option("--every", c.field + "=2");
    case SingleChange::Kind::no_output:
        return "--output-every 0";
    case SingleChange::Kind::balanced:
        return shell_option("--balanced", c.component);
    case SingleChange::Kind::transfer:
        return "--transfer 0.5";
    case SingleChange::Kind::best_split:
        return "";
    }
    return "";
}

// One job that simulates a year: start-up and shut-down take the time they took. NaN: not known.
struct Year {
    double measured_s = unknown, changed_s = unknown;
    double measured_core_hours = unknown, changed_core_hours = unknown;
};
Year year_of(const ChangedRun &run) {
    const LongRun measured = long_run_of(run.part.run);
    const double beside_loop_s = measured.startup_s + measured.shutdown_s, cores = component_cores(run.part.run);
    const auto more_cores = static_cast<double>(
        std::accumulate(run.cores.begin(), run.cores.end(), std::int64_t{0}) -
        std::accumulate(run.measured.processes.begin(), run.measured.processes.end(), std::int64_t{0}));
    Year year;
    year.measured_s = measured.year_s;
    year.changed_s = beside_loop_s + (measured.year_s - beside_loop_s) * run.answer.ratio;
    year.measured_core_hours = cores * year.measured_s / seconds_of_hour;
    year.changed_core_hours = (cores + more_cores) * year.changed_s / seconds_of_hour;
    return year;
}

// Who decides how long the loop takes.
struct Slow {
    std::vector<std::size_t> who; // one; several that are about equally slow; empty: none clearly
    std::vector<double> shares;   // of the critical path, by component
};

std::vector<double> shares_of(const CriticalPath &path) {
    const double all = std::accumulate(path.seconds.begin(), path.seconds.end(), 0.0);
    std::vector<double> shares;
    for (const double seconds : path.seconds)
        shares.push_back(all > 0 ? seconds / all : 0);
    return shares;
}

// The components, the largest share first.
std::vector<std::size_t> by_share(const std::vector<double> &shares) {
    std::vector<std::size_t> order(shares.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t c) { return shares[c]; });
    return order;
}

// As the verdict of a run finds it (report/slow_side_words.cpp), from the path of a graph.
Slow slow_of(const CoupledRun &run, const MeasuredGraph &graph, std::vector<double> shares,
             const std::vector<double> &factors) {
    constexpr double clearly = 0.05;
    const std::vector<std::size_t> order = by_share(shares);
    Slow slow{equally_slow(run, graph, shares, order[0], factors), std::move(shares)};
    if (slow.who.empty() && slow.shares[order[0]] - slow.shares[order[1]] > clearly) slow.who = {order[0]};
    return slow;
}

// The path that was followed in the run, as in the summary, where it is known.
Slow slow_as_measured(const CoupledRun &run, const MeasuredGraph &graph, const CriticalPath &path) {
    std::vector<double> shares;
    for (const Component &component : run.components)
        shares.push_back(component.balance.critical_share);
    const bool known = std::ranges::all_of(shares, is_known);
    return slow_of(run, graph, known ? std::move(shares) : shares_of(path),
                   std::vector<double>(graph.graph->components(), 1.0));
}

// Without changes, and without a replay that has the path already.
Slow slow_now(const CoupledRun &run, const MeasuredGraph &measured) {
    const std::vector<double> ones(measured.graph->components(), 1.0);
    return slow_as_measured(run, measured, measured.graph->critical_path(measured.graph->schedule(ones), ones));
}

std::string words_of(const CoupledRun &run, const Slow &slow) {
    const auto name = [&](std::size_t c) { return safe_name(run.components[c].name); };
    const auto share = [&](std::size_t c) { return share_in_words(slow.shares[c]); };
    if (slow.who.size() == 1)
        return say(Sentence::part_slow_one, {{"name", name(slow.who[0])}, {"share", share(slow.who[0])}});
    std::vector<std::string> names;
    for (const std::size_t c : slow.who)
        names.push_back(name(c));
    if (!names.empty()) return say(Sentence::part_slow_equally, {{"names", listed(names)}});
    const std::vector<std::size_t> order = by_share(slow.shares);
    return say(Sentence::part_slow_none, {{"one", name(order[0])},
                                          {"share", share(order[0])},
                                          {"other", name(order[1])},
                                          {"second", share(order[1])}});
}

JsonTree json_of(const CoupledRun &run, const Slow &slow) {
    JsonTree names = JsonTree::array();
    for (const std::size_t c : slow.who)
        names.push_back(run.components[c].name);
    return names;
}

// Half of the interval, as a share of the time; NaN: not known.
double uncertainty_of(const ChangedRun &run) {
    const double cycles = run.answer.ratio_error / run.answer.ratio;
    if (!run.other_counts) return cycles;
    return std::hypot(cycles, run.range.uncertainty_s(run.counts_s) / run.counts_s);
}

std::string range_of(const ChangedRun &run) {
    const double uncertain = uncertainty_of(run);
    if (is_known(uncertain)) {
        const Sentence what = run.other_counts ? Sentence::part_range : Sentence::part_what_if_range;
        return say(what, {{"least", number_text((1 - uncertain) * run.answer.predicted_s)},
                          {"most", number_text((1 + uncertain) * run.answer.predicted_s)}});
    }
    return say(is_known(run.answer.ratio_error) ? Sentence::part_no_range : Sentence::part_what_if_no_range);
}

std::string year_text(const ChangedRun &run) {
    const Year year = year_of(run);
    if (!is_known(year.changed_s)) return say(Sentence::what_if_no_year) + "\n";
    return say(Sentence::what_if_year, {{"changed", duration_in_words(year.changed_s)},
                                        {"measured", duration_in_words(year.measured_s)},
                                        {"core_hours", number_text(year.changed_core_hours)},
                                        {"measured_core_hours", number_text(year.measured_core_hours)}}) +
           "\n";
}

// Components in turn, and those that no longer are.
std::string other_cores_text(const ChangedRun &run) {
    const std::vector<std::string> &names = run.changed.graph->names();
    std::string text;
    std::set<std::string> told;
    for (const std::vector<std::string> &group : run.changed.in_turn) {
        std::vector<std::string> safe;
        std::int64_t cores = 0;
        for (std::size_t c = 0; c < names.size(); ++c)
            if (std::ranges::find(group, names[c]) != group.end()) cores = run.changed.other_cores[c];
        for (const std::string &name : group) {
            safe.push_back(safe_name(name));
            told.insert(name);
        }
        text += say(Sentence::what_if_in_turn, {{"names", listed(safe)}, {"cores", count_text(cores)}}) + "\n";
    }
    std::vector<std::string> split;
    for (std::size_t c = 0; c < run.changed.other_cores.size(); ++c)
        if (run.changed.other_cores[c] != run.measured.processes[c] && !told.contains(names[c]))
            split.push_back(fmt::format("{}={}", safe_name(names[c]), run.changed.other_cores[c]));
    if (!split.empty()) text += say(Sentence::what_if_side_by_side, {{"split", listed(split)}}) + "\n";
    return text;
}

} // namespace

std::string what_if_text(const ChangedRun &run) {
    const CoupledRun &part = run.part.run;
    std::string text = run.basis +
                       say(Sentence::what_if, {{"predicted", number_text(run.answer.predicted_s)},
                                               {"measured", number_text(run.answer.measured_s)},
                                               {"times", decimal_text(1 / run.answer.ratio, 3)},
                                               {"range", range_of(run)}}) +
                       "\n" + other_cores_text(run) + year_text(run);
    const Slow before = slow_as_measured(part, run.measured, run.answer.measured_path);
    const Slow after = slow_of(part, run.changed, shares_of(run.answer.path), run.answer.factors);
    text += say(Sentence::what_if_slow, {{"then", words_of(part, after)}, {"now", words_of(part, before)}}) + "\n";
    return text + left_out_in_words(run.part.io_servers) + remarks_in_words(run.remarks);
}

JsonTree what_if_json(const ChangedRun &run) {
    const WhatIf &answer = run.answer;
    const CoupledRun &part = run.part.run;
    const Year year = year_of(run);
    const Slow before = slow_as_measured(part, run.measured, answer.measured_path);
    const Slow after = slow_of(part, run.changed, shares_of(answer.path), answer.factors);
    JsonTree json = {{"changes", run.changes},
                     {"measured_s", answer.measured_s},
                     {"predicted_s", answer.predicted_s},
                     {"ratio", answer.ratio},
                     {"ratio_error", uncertainty_of(run) * answer.ratio},
                     {"year_s", year.changed_s},
                     {"measured_year_s", year.measured_s},
                     {"chsy", year.changed_core_hours},
                     {"measured_chsy", year.measured_core_hours},
                     {"slow_side", json_of(part, after)},
                     {"measured_slow_side", json_of(part, before)},
                     {"in_turn", run.changed.in_turn},
                     {"components", JsonTree::array()},
                     {"left_out", run.part.io_servers},
                     {"remarks", run.remarks}};
    const CouplingGraph &graph = *run.measured.graph;
    // Seconds of the whole common loop: what is not computed is waited for.
    for (std::size_t c = 0; c < graph.components(); ++c) {
        const double computing = graph.computing_s()[c];
        const double changed = run.changed.graph->computing_s()[c] * answer.factors[c];
        json["components"].push_back(
            {{"name", graph.names()[c]},
             {"cores", run.cores[c]},
             {"measured_cores", run.measured.processes[c]},
             {"computes_on_cores", run.changed.other_cores.empty() ? run.cores[c] : run.changed.other_cores[c]},
             {"computing_s", changed},
             {"measured_computing_s", computing},
             {"waiting_s", std::max(0.0, answer.predicted_s - changed)},
             {"measured_waiting_s", run.measured.waiting_s[c]},
             {"critical_share", after.shares[c]},
             {"measured_critical_share", before.shares[c]}});
    }
    return json;
}

std::string single_changes_text(const CoupledPart &part, const MeasuredGraph &measured,
                                const std::vector<SingleChange> &changes, const std::vector<std::string> &remarks) {
    std::string text = say(Sentence::what_if_each, {{"measured", number_text(measured.measured_s())},
                                                    {"now", words_of(part.run, slow_now(part.run, measured))}}) +
                       "\n\n";
    TextTable table({1});
    table.row({"change", "time of the loop [%]", "uncertain by [%]"});
    std::string not_told;
    bool any_certain = false;
    for (const SingleChange &c : changes) {
        if (!is_known(c.gain)) {
            not_told += fmt::format("{}: n/a, {}\n", words_of(c), c.why_not);
            continue;
        }
        any_certain = any_certain || is_known(c.gain_error);
        table.row({words_of(c), gain_text(c), is_known(c.gain_error) ? decimal_text(100 * c.gain_error, 1) : "n/a"});
    }
    text += table.text() + not_told;
    if (!any_certain) text += say(Sentence::what_if_not_certain) + "\n";
    return text + left_out_in_words(part.io_servers) + remarks_in_words(remarks);
}

JsonTree single_changes_json(const CoupledPart &part, const MeasuredGraph &measured,
                             const std::vector<SingleChange> &changes, const std::vector<std::string> &remarks) {
    constexpr std::array<const char *, 8> kinds = {"faster",    "twice",      "lag",      "every",
                                                   "no_output", "best_split", "balanced", "transfer"};
    JsonTree json = {{"measured_s", measured.measured_s()},
                     {"measured_slow_side", json_of(part.run, slow_now(part.run, measured))},
                     {"changes", JsonTree::array()},
                     {"left_out", part.io_servers},
                     {"remarks", remarks}};
    for (const SingleChange &c : changes) {
        json["changes"].push_back({{"change", kinds[static_cast<std::size_t>(c.kind)]},
                                   {"words", words_of(c)},
                                   {"option", JsonTree::text(option_of(c))},
                                   {"component", JsonTree::text(c.component)},
                                   {"region", JsonTree::text(c.region)},
                                   {"field", JsonTree::text(c.field)},
                                   {"lag", c.kind == SingleChange::Kind::lag ? JsonTree(c.lag) : JsonTree(nullptr)},
                                   {"gain", c.gain},
                                   {"gain_error", c.gain_error},
                                   {"why_not", JsonTree::text(c.why_not)}});
    }
    return json;
}

} // namespace cpl_lb
