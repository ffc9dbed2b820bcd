// Decides on the next counts, and puts the reason into words.
#include "tools/tune/tune_decision.hpp"

#include "report/format.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "tools/balance/allowed_rules.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace cpl_lb {
namespace {

constexpr std::ptrdiff_t refused_at_most = 2; // in a row

// A model that knows only the names, for the limits of the counts before there is a run.
BalanceModel nothing_but(const std::vector<std::string> &names) {
    BalanceModel model;
    model.names = names;
    model.memory.resize(names.size());
    model.threads.assign(names.size(), 1);
    model.io_server.assign(names.size(), false);
    return model;
}

// Gives all components the same number of cores, as far as the allowed counts and whole nodes permit.
NamedCounts even_start(const BalanceOptions &options, const std::vector<std::string> &names) {
    const std::int64_t node = std::max<std::int64_t>(1, options.cores_per_node);
    const std::int64_t each = options.total / static_cast<std::int64_t>(names.size()) / node * node;
    NamedCounts counts;
    for (const AllowedCounts &allowed : allowed_counts(options, nothing_but(names), options.total)) {
        std::int64_t count = allowed.counts.front();
        for (const std::int64_t n : allowed.counts)
            if (n <= each) count = n;
        counts.emplace_back(allowed.name, count);
    }
    return counts;
}

// How many threads a process has is not known before there is a run. Limits may name components that have no start.
void check_start(const BalanceOptions &options, const NamedCounts &start) {
    std::vector<std::string> names;
    for (const auto &[name, count] : start)
        names.push_back(name);
    std::istringstream limits(options.allowed);
    for (std::string part; std::getline(limits, part, ',');)
        names.push_back(part.substr(0, part.rfind('=')));
    const AllowedRules rules = allowed_rules(options.allowed, names);
    for (const auto &[name, count] : start)
        check_allowed("--start", name, count, {1}, rules);
}

TuneDecision first_run(const TuneOptions &options, const std::vector<std::string> &varied) {
    TuneDecision decision;
    if (options.start.empty() && varied.empty())
        throw std::invalid_argument("there is no run yet: give the folder of one, or --start ocean=32,atmosphere=32");
    decision.processes =
        options.start.empty() ? even_start(options.balance, varied) : named_counts("--start", options.start);
    std::int64_t all = 0;
    for (const auto &[name, count] : decision.processes)
        all += count;
    if (all > options.balance.total)
        throw std::invalid_argument(
            fmt::format("the first run would take {} cores, and --total is {}", all, options.balance.total));
    if (!options.start.empty()) check_start(options.balance, decision.processes);
    decision.words = options.start.empty() ? "the first run: as many for each" : "the first run: as --start says";
    decision.plan = launch_plan(decision.processes, std::max<std::int64_t>(1, options.balance.cores_per_node));
    enter_tiles(decision.plan, options.balance.allowed);
    return decision;
}

// Components that the command line does not vary keep their measured counts.
void hold_others(BalanceOptions &options, const BalanceModel &model, const std::vector<std::string> &varied) {
    if (varied.empty()) return;
    for (const std::string &name : varied) {
        const bool coupled = std::ranges::find(model.names, name) != model.names.end();
        const bool kept = std::ranges::find(model.kept, name, &KeptComponent::name) != model.kept.end();
        if (coupled || kept) continue;
        throw std::invalid_argument("{" + name + "}: there is no component '" + name + "' in the run; there are " +
                                    joined(model.names, ", "));
    }
    for (std::size_t c = 0; c < model.names.size(); ++c) {
        if (std::ranges::find(varied, model.names[c]) != varied.end()) continue;
        if (("," + options.allowed).find("," + model.names[c] + "=") != std::string::npos) continue;
        options.allowed +=
            fmt::format("{}{}={}", options.allowed.empty() ? "" : ",", model.names[c], model.measured->processes[c]);
    }
}

// The process counts of the whole job, in the order of the components.
NamedCounts whole_job(const BalanceModel &model, const std::vector<std::int64_t> &cores) {
    std::vector<std::pair<std::int32_t, std::pair<std::string, std::int64_t>>> by_id;
    for (std::size_t c = 0; c < cores.size(); ++c)
        by_id.push_back({model.ids[c], {model.names[c], std::max<std::int64_t>(1, cores[c] / model.threads[c])}});
    for (const KeptComponent &kept : model.kept)
        by_id.push_back({kept.id, {kept.name, std::max<std::int64_t>(1, kept.cores / kept.threads)}});
    std::ranges::sort(by_id, {}, [](const auto &one) { return one.first; });
    NamedCounts counts;
    for (auto &[id, count] : by_id)
        counts.push_back(std::move(count));
    return counts;
}

std::string left_in_words(const TuningStep &step) {
    return fmt::format("at best a cycle could be {} shorter", share_in_words(step.left));
}

std::string bounds_in_words(const TuningStep &step) {
    return step.scales_within_bounds
               ? ", if no component is faster with fewer cores, or more than ideally faster with more"
               : "";
}

std::string why(const TuningStep &step, const TuneOptions &options) {
    const std::string left = left_in_words(step);
    switch (step.end) {
    case TuningEnd::small:
        return fmt::format("what is left to gain is small: {}, less than the {:.3g} % that are enough{}", left,
                           options.enough_percent, bounds_in_words(step));
    case TuningEnd::within_noise:
        return is_known(step.noise) ? fmt::format("what is left to gain is within the noise: {}, and runs differ by "
                                                  "up to {} by themselves",
                                                  left, share_in_words(step.noise))
                                    : "the best counts that the curves allow were run: " + left;
    case TuningEnd::most_runs:
        return fmt::format("{}, as many as --runs allows: {}", counted(options.most_runs, "run"), left);
    case TuningEnd::go_on:
        break;
    }
    return (step.to_learn ? "where the curves could be wrong by most: " : "the best by the runs so far: ") + left;
}

} // namespace

std::vector<std::string> placeholders(const std::string &text) {
    std::vector<std::string> names;
    for (std::size_t open = text.find('{'); open != std::string::npos; open = text.find('{', open + 1)) {
        const std::size_t close = text.find_first_of("{}", open + 1);
        if (close == std::string::npos || text[close] != '}' || close == open + 1) continue;
        const std::string name = text.substr(open + 1, close - open - 1);
        if (name != "dir" && std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
    return names;
}

void check_failures(const std::vector<TuneRow> &rows) {
    const auto refused = [](const TuneRow &row) { return row.state == TuneState::refused; };
    if (std::ssize(rows) < refused_at_most || !std::all_of(rows.end() - refused_at_most, rows.end(), refused)) return;
    throw PredictionError(fmt::format("two runs in a row gave no usable result; the last, {}: {}", rows.back().folder,
                                      rows.back().words));
}

TuneDecision decide(const TuneOptions &options, const std::vector<TuneRow> &rows,
                    const std::vector<std::string> &varied) {
    std::vector<const TuneRow *> taken;
    for (const TuneRow &row : rows)
        if (row.state == TuneState::taken) taken.push_back(&row);
    if (taken.empty()) return first_run(options, varied);
    // The fastest first, because its dependencies are used where the next counts are sought.
    std::ranges::stable_sort(taken, {}, &TuneRow::cycle_s);
    BalanceOptions balance_options = options.balance;
    balance_options.keep_threads = true;
    for (const TuneRow *row : taken)
        balance_options.directories.push_back(row->folder);
    const BalanceModel model = balance_model(balance_options);
    hold_others(balance_options, model, varied);
    std::vector<TunedRun> runs;
    for (const TuneRow *row : taken) {
        TunedRun run{{}, row->cycle_s, row->error_s};
        for (std::size_t c = 0; c < model.names.size(); ++c)
            for (const auto &[name, processes] : row->processes)
                if (name == model.names[c]) run.counts.push_back(processes * model.threads[c]);
        runs.push_back(std::move(run));
    }
    TuneDecision decision;
    decision.step =
        tuning_step(model, problem_of(balance_options, model, CurveForm::measured), runs,
                    {options.enough_percent / 100, static_cast<std::size_t>(options.most_runs), most_boxes(model)});
    decision.stop = decision.step.end != TuningEnd::go_on;
    decision.processes = whole_job(model, decision.step.counts);
    decision.words = why(decision.step, options);
    decision.best_row = static_cast<std::size_t>(taken.front() - rows.data());
    decision.best_cycle_s = taken.front()->cycle_s;
    decision.remarks = model.remarks;
    for (std::string &sentence : not_allowed_now(options.balance.allowed, model))
        decision.remarks.push_back(std::move(sentence));
    decision.plan = launch_plan(model, decision.step.counts, model.threads,
                                std::max<std::int64_t>(1, options.balance.cores_per_node));
    enter_tiles(decision.plan, options.balance.allowed);
    return decision;
}

} // namespace cpl_lb
