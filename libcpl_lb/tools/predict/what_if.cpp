// Reads changes from the command line, and tells what they bring.
#include "tools/predict/what_if.hpp"

#include "analysis/cpmip.hpp"
#include "analysis/long_run.hpp"
#include "report/format.hpp"
#include "report/long_run_words.hpp"
#include "report/words.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>

namespace cpl_lb {
namespace {

struct NamedNumber {
    std::string name, number;
};

NamedNumber split(const std::string &option, const std::string &text) {
    const std::size_t at = text.rfind('=');
    if (at == std::string::npos || at == 0 || at + 1 == text.size())
        throw cli::WrongUsage(fmt::format("{}: not NAME=NUMBER: '{}'", option, text));
    return {text.substr(0, at), text.substr(at + 1)};
}

template <class T>
T number_in(const std::string &option, const std::string &text, T least, const char *what) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !(value >= least) || !(value <= T{1'000'000}))
        throw cli::WrongUsage(fmt::format("{}: not {}: '{}'", option, what, text));
    return value;
}

SpeedChange speed_of(const std::string &text) {
    constexpr double slowest = 1e-3;
    const NamedNumber given = split("--faster", text);
    SpeedChange change{given.name, "", number_in("--faster", given.number, slowest, "a positive number")};
    const std::size_t at = given.name.find(':');
    if (at == std::string::npos) return change;
    change.component = given.name.substr(0, at);
    change.region = given.name.substr(at + 1);
    return change;
}

BalanceChange balance_of(const std::string &text) {
    constexpr std::array<const char *, 5> parts = {"all", "static", "moving", "steps", "random"};
    BalanceChange change{text};
    const std::size_t at = text.rfind('=');
    if (at == std::string::npos) return change;
    const std::string part = text.substr(at + 1);
    const auto *const found = std::find(parts.begin(), parts.end(), part);
    if (found == parts.end())
        throw cli::WrongUsage(fmt::format("--balanced: not all, static, moving, steps or random: '{}'", part));
    return {text.substr(0, at), static_cast<BalanceChange::Part>(found - parts.begin())};
}

template <class List, class Name>
void refuse_doubles(const char *option, const List &list, Name name) {
    for (std::size_t i = 0; i < list.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (name(list[i]) == name(list[j]))
                throw cli::WrongUsage(fmt::format("{}: {} is given twice", option, name(list[i])));
}

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
    case SingleChange::Kind::best_split:
        return "the best split of the same cores";
    }
    return "";
}

constexpr double shown_from = 0.0005; // of the time: less is nothing

// One job that simulates a year: start-up and shut-down take the time they took.
struct Year {
    double measured_s = unknown, changed_s = unknown;
    double measured_core_hours = unknown, changed_core_hours = unknown;
};
Year year_of(const CoupledRun &run, const WhatIf &answer) {
    constexpr double seconds_of_hour = 3600;
    const LongRun measured = long_run_of(run);
    const double beside_loop_s = measured.startup_s + measured.shutdown_s, cores = component_cores(run);
    Year year;
    year.measured_s = measured.year_s;
    year.changed_s = beside_loop_s + (measured.year_s - beside_loop_s) * answer.ratio;
    year.measured_core_hours = cores * year.measured_s / seconds_of_hour;
    year.changed_core_hours = cores * year.changed_s / seconds_of_hour;
    return year;
}

// Who decides how long the changed run takes, the largest share first.
std::string path_text(const MeasuredGraph &measured, const WhatIf &answer) {
    const std::vector<double> &seconds = answer.path.seconds;
    const double all = std::accumulate(seconds.begin(), seconds.end(), 0.0);
    std::vector<std::size_t> order(seconds.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return seconds[a] > seconds[b]; });
    std::string text;
    for (const std::size_t c : order)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", safe_name(measured.graph->names()[c]),
                            share_in_words(all > 0 ? seconds[c] / all : 0));
    return text;
}

} // namespace

bool ChangeOptions::any() const {
    return !faster.empty() || !lags.empty() || !every.empty() || !balanced.empty() || output_every != 1 ||
           no_output || quiet;
}

void add_change_options(cli::App &command, const std::shared_ptr<ChangeOptions> &options) {
    command
        .add_option("--faster", options->faster,
                    "a component or one of its regions that computes so many times as fast: ocean=2 or "
                    "ocean:dynamics=1.5")
        ->again();
    command.add_option("--lag", options->lags, "the receiver gets what was sent so many exchanges before: SST=1")
        ->again();
    command.add_option("--every", options->every, "the field is exchanged in every so many of its exchanges: QNET=2")
        ->again();
    command
        .add_option(
            "--balanced", options->balanced,
            "no imbalance inside a component, or a part of it: atmosphere, atmosphere=static, =moving, =steps, "
            "=random")
        ->again();
    command.add_flag("--quiet", options->quiet,
                     "no noise: the random part of the imbalance of all components is gone");
    auto *const rare =
        command.add_option("--output-every", options->output_every, "one of so many outputs (OUT) stays")
            ->check(cli::count());
    command.add_flag("--no-output", options->no_output, "nobody writes output or restarts")->excludes(rare);
    command.add_flag("--what-if", options->what_if,
                     "what each change of a usual size would bring, the largest first");
}

Changes changes_of(const ChangeOptions &options, const std::vector<std::string> &components) {
    Changes changes;
    for (const std::string &one : options.faster)
        changes.speeds.push_back(speed_of(one));
    for (const std::string &one : options.lags) {
        const NamedNumber given = split("--lag", one);
        changes.lags.push_back(
            {given.name, number_in<std::int64_t>("--lag", given.number, 0, "a whole number from 0")});
    }
    for (const std::string &one : options.every) {
        const NamedNumber given = split("--every", one);
        changes.periods.push_back(
            {given.name, number_in<std::int64_t>("--every", given.number, 1, "a whole number from 1")});
    }
    for (const std::string &one : options.balanced)
        changes.balanced.push_back(balance_of(one));
    refuse_doubles("--lag", changes.lags, [](const LagChange &c) { return c.field; });
    refuse_doubles("--every", changes.periods, [](const PeriodChange &c) { return c.field; });
    refuse_doubles("--faster", changes.speeds, [](const SpeedChange &c) {
        return c.region.empty() ? c.component : c.component + ":" + c.region;
    });
    for (const std::string &component : components)
        if (options.quiet) changes.balanced.push_back({component, BalanceChange::Part::random});
    changes.output_every = options.no_output ? 0 : options.output_every;
    return changes;
}

std::string what_if_text(const CoupledRun &run, const MeasuredGraph &measured, const WhatIf &answer) {
    const std::string range =
        is_known(answer.ratio_error)
            ? say(Sentence::part_what_if_range,
                  {{"least", number_text((answer.ratio - answer.ratio_error) * answer.measured_s)},
                   {"most", number_text((answer.ratio + answer.ratio_error) * answer.measured_s)}})
            : say(Sentence::part_what_if_no_range);
    std::string text = say(Sentence::what_if, {{"predicted", number_text(answer.predicted_s)},
                                               {"measured", number_text(answer.measured_s)},
                                               {"times", fmt::format("{:.3f}", 1 / answer.ratio)},
                                               {"range", range}}) +
                       "\n";
    const Year year = year_of(run, answer);
    if (is_known(year.changed_s)) {
        text += say(Sentence::what_if_year, {{"changed", duration_in_words(year.changed_s)},
                                             {"measured", duration_in_words(year.measured_s)},
                                             {"core_hours", number_text(year.changed_core_hours)},
                                             {"measured_core_hours", number_text(year.measured_core_hours)}}) +
                "\n";
    }
    return text + say(Sentence::what_if_path, {{"shares", path_text(measured, answer)}}) + "\n";
}

JsonTree what_if_json(const CoupledRun &run, const MeasuredGraph &measured, const WhatIf &answer) {
    const Year year = year_of(run, answer);
    JsonTree json = {{"measured_s", answer.measured_s}, {"predicted_s", answer.predicted_s},
                     {"ratio", answer.ratio},           {"ratio_error", answer.ratio_error},
                     {"year_s", year.changed_s},        {"measured_year_s", year.measured_s},
                     {"chsy", year.changed_core_hours}, {"measured_chsy", year.measured_core_hours},
                     {"critical_s", JsonTree::object()}};
    for (std::size_t c = 0; c < answer.path.seconds.size(); ++c)
        json["critical_s"][measured.graph->names()[c]] = answer.path.seconds[c];
    return json;
}

std::string single_changes_text(const std::vector<SingleChange> &changes) {
    TextTable table({1});
    table.row({"change", "time of the run [%]"});
    std::string not_told;
    for (const SingleChange &c : changes) {
        if (!is_known(c.gain)) {
            not_told += fmt::format("{}: n/a, {}\n", words_of(c), c.why_not);
            continue;
        }
        table.row({words_of(c), std::abs(c.gain) < shown_from ? "0.0" : fmt::format("{:+.1f}", -100 * c.gain)});
    }
    return table.text() + not_told;
}

JsonTree single_changes_json(const std::vector<SingleChange> &changes) {
    constexpr std::array<const char *, 7> kinds = {"faster",    "twice",      "lag",     "every",
                                                   "no_output", "best_split", "balanced"};
    JsonTree all = JsonTree::array();
    for (const SingleChange &c : changes) {
        all.push_back({{"change", kinds[static_cast<std::size_t>(c.kind)]},
                       {"component", JsonTree::text(c.component)},
                       {"region", JsonTree::text(c.region)},
                       {"field", JsonTree::text(c.field)},
                       {"lag", c.kind == SingleChange::Kind::lag ? JsonTree(c.lag) : JsonTree(nullptr)},
                       {"gain", c.gain},
                       {"why_not", JsonTree::text(c.why_not)}});
    }
    return all;
}

} // namespace cpl_lb
