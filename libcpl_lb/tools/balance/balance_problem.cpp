// The problem that balance and tune give to the optimiser: from their options, with the counts that each component
// may have.
#include "tools/balance/balance_problem.hpp"

#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "tools/balance/allowed_rules.hpp"
#include "tools/balance/balance_page.hpp"
#include "tools/balance/curve_sources.hpp"
#include "tools/processor_counts.hpp"
#include "tools/run_options.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>

namespace cpl_lb {
namespace {

void given_power(BalanceModel &model, const std::string &text) {
    model.power.clear();
    const auto given = component_numbers("--power", text, model.names);
    for (std::size_t c = 0; c < model.names.size(); ++c) {
        const std::vector<double> &watts = given[c];
        if (watts.empty() || watts.size() > 2 || !(watts[0] > 0) || watts.back() > watts[0])
            throw std::invalid_argument("--power: " + model.names[c] +
                                        " needs BUSY or BUSY:IDLE watts of a core, idle not above busy");
        model.power.push_back({watts.front(), watts.back()});
    }
}

void read_table(BalanceModel &model, const BalanceOptions &options, SamplesByComponent &samples) {
    samples = read_curves(options.curves);
    for (const auto &[name, list] : samples)
        model.names.push_back(name);
    model.layout.emplace(options.layout, model.names);
    model.pool = model.layout->pool();
    model.memory.resize(model.names.size());
    model.threads.assign(model.names.size(), 1);
    model.io_server.assign(model.names.size(), false);
    model.why_no_power = "a table of times says nothing of energy";
}

// The cores that are left for the components of the coupling: those that run beside them have their own.
std::int64_t cores_left(const BalanceOptions &options, const BalanceModel &model, std::int64_t node_cores) {
    const std::int64_t kept = model.kept_cores(node_cores);
    if (kept < options.total) return options.total - kept;
    std::vector<std::string> names;
    for (const KeptComponent &component : model.kept)
        names.push_back(component.name);
    throw PredictionError(fmt::format("components outside of the coupling ({}) need {}: none are left for the others",
                                      joined(names, ", "), counted(kept, "core")));
}

// --threads: the only ones that the component may have.
void choose_threads(BalanceModel &model, const std::string &text) {
    if (text.empty()) return;
    for (const auto &[name, wanted] : processor_lists("--threads", text, model.names, "THREADS")) {
        const std::size_t c = place_in(model.names, name);
        if (model.measured && model.measured->threads[c] == differing_threads)
            throw PredictionError("--threads: the processes of " + name + " have different numbers of threads");
        std::vector<CurveOfThreads> &others = model.other_threads[c];
        const auto is_wanted = [&list = wanted](std::int64_t t) { return std::ranges::find(list, t) != list.end(); };
        for (const std::int64_t threads : wanted)
            check_threads(name, threads, model.threads[c], others);
        std::erase_if(others, [&](const CurveOfThreads &other) { return !is_wanted(other.threads); });
        model.not_as_now[c] = !is_wanted(model.threads[c]);
    }
}

// Components that run in turn with others on the same cores.
void add_in_turn(const ProcessorPool &pool, bool in_turn, std::vector<bool> &all) {
    if (pool.kind == ProcessorPool::Kind::component) {
        all[pool.component] = in_turn;
        return;
    }
    for (const ProcessorPool &part : pool.parts)
        add_in_turn(part, in_turn || pool.kind == ProcessorPool::Kind::one_after_other, all);
}

// Other threads are excluded for components that keep their cores, for components on the same processes, and if a
// process would not fit on one node.
void limit_threads(BalanceModel &model, const BalanceOptions &options) {
    std::vector<bool> in_turn(model.names.size(), false);
    if (model.measured || !model.present.empty()) add_in_turn(model.pool, false, in_turn);
    for (std::size_t c = 0; c < model.names.size(); ++c) {
        std::vector<CurveOfThreads> &others = model.other_threads[c];
        if (model.held(c) > 0 || in_turn[c] || options.keep_threads) others.clear();
        if (options.cores_per_node > 0)
            std::erase_if(others, [&](const CurveOfThreads &o) { return options.cores_per_node % o.threads != 0; });
        if (!model.keeps_threads(c) && others.empty()) {
            throw PredictionError("--threads: " + model.names[c] +
                                  (model.held(c) > 0 ? " keeps its cores and threads"
                                   : in_turn[c]      ? " keeps its threads: others run in turn on its processes"
                                                     : ": a process with these does not fit into a node"));
        }
    }
}

// If the present threads are not known, those of a table with the fewest count as present.
void take_curves(BalanceModel &model, const BalanceOptions &options, const SamplesByComponent &samples) {
    std::vector<std::int64_t> now = model.present.empty() ? std::vector<std::int64_t>{} : model.threads;
    if (model.measured) now = model.measured->threads;
    for (std::size_t c = now.size(); c < model.names.size(); ++c) {
        std::int64_t fewest = 0;
        for (const ScalingSample &s : samples.at(model.names[c]))
            if (s.threads > 0 && (fewest == 0 || s.threads < fewest)) fewest = s.threads;
        now.push_back(fewest);
        model.threads[c] = std::max<std::int64_t>(1, fewest);
    }
    CurvesOfThreads curves = curves_of_threads(samples, model.names, now, serial_parts(options.serial, model.names));
    model.curves = std::move(curves.now);
    model.other_threads = std::move(curves.others);
    model.not_as_now.assign(model.names.size(), false);
    choose_threads(model, options.threads);
    limit_threads(model, options);
}

const char *samples_are_of(const BalanceModel &model, const BalanceOptions &options) {
    if (!model.present.empty())
        return options.directories.size() > 1 ? "a run as long as the first" : "the run"; // from timers
    return model.cycle.empty() ? "the coupling loop" : "a coupling cycle";
}

} // namespace

BalanceModel balance_model(const BalanceOptions &options, ScalingSources *sources) {
    BalanceModel model;
    SamplesByComponent samples;
    if (options.directories.empty()) {
        read_table(model, options, samples);
    } else {
        read_runs(model, options, samples, sources);
        if (!options.curves.empty()) replace_samples(samples, options.curves, model.names);
    }
    if (sources != nullptr) settle_sources(*sources, samples, options.curves, samples_are_of(model, options));
    take_curves(model, options, samples);
    if (options.node_memory_GB > 0)
        model.core_memory_B = options.node_memory_GB * 1e9 / static_cast<double>(options.cores_per_node);
    if (!options.power.empty()) given_power(model, options.power);
    return model;
}

std::vector<AllowedCounts> allowed_counts(const BalanceOptions &o, const BalanceModel &model, std::int64_t total) {
    const std::vector<std::string> &names = model.names;
    const auto least = limits("--min", o.min, names);
    const auto most = limits("--max", o.max, names);
    const bool names_them = names_components(o.allowed);
    const AllowedRules rules = allowed_rules(o.allowed, names);
    std::vector<AllowedCounts> allowed;
    for (std::size_t c = 0; c < names.size(); ++c) {
        const std::int64_t memory = model.memory_floor(c);
        const std::int64_t low = std::max({std::int64_t{1}, least[c], memory});
        const std::int64_t high = most[c] > 0 ? std::min(most[c], total) : total;
        // With several threads to choose from not each multiple can be filled.
        const bool one_kind = c >= model.other_threads.size() || model.other_threads[c].empty();
        const std::int64_t step = one_kind ? model.threads[c] : 1;
        const auto possible = [&](std::int64_t n) { return n % step == 0 && (one_kind || model.can_fill(c, n)); };
        AllowedCounts counts{names[c], {}};
        const auto rule = rules.find(names[c]);
        const bool asked = (names_them && rule != rules.end()) || least[c] > 0 || most[c] > 0;
        if (model.held(c) > 0 && !asked) {
            if (model.held(c) <= total) counts.counts.push_back(model.held(c));
        } else {
            for (std::int64_t n = (low + step - 1) / step * step; n <= high; n += step)
                if (possible(n) && (rule == rules.end() || rule->second.allows(n))) counts.counts.push_back(n);
        }
        if (counts.counts.empty()) {
            throw PredictionError(fmt::format("{}: no count is possible: at least {} ({}), at most {} ({}){}{}",
                                              names[c], low,
                                              low == memory && low > least[c] && low > 1 ? "its memory" : "--min",
                                              high, most[c] > 0 && most[c] <= total ? "--max" : "--total",
                                              step > 1    ? fmt::format(", a multiple of {}", step)
                                              : !one_kind ? ", whole processes"
                                                          : "",
                                              rule != rules.end() ? ", one of --allowed " + rule->second.words : ""));
        }
        allowed.push_back(std::move(counts));
    }
    return allowed;
}

std::vector<std::int64_t> limits(const std::string &option, const std::string &text,
                                 const std::vector<std::string> &names, const std::string &what) {
    std::vector<std::int64_t> values(names.size());
    if (text.empty()) return values;
    for (const auto &[name, count] : processor_counts(option, for_all_components(text, names), names, what))
        values[place_in(names, name)] = count;
    return values;
}

Objective objective_of(const BalanceOptions &options) {
    if (options.objective == "energy") return Objective::energy;
    return options.objective == "time" || options.objective == "pareto" ? Objective::time : Objective::cost;
}

void check_sources(const BalanceOptions &o) {
    if (o.directories.empty() && (o.curves.empty() || o.layout.empty()))
        throw std::invalid_argument("folders of runs are missing, or --curves with --layout");
    if (!o.directories.empty() && !o.layout.empty() && !are_from_timers(o.directories))
        throw std::invalid_argument("--layout is for tables without a run: a run has its own measured dependencies");
}

std::int64_t most_boxes(const BalanceModel &model) {
    constexpr std::int64_t points_in_some_seconds = 50'000'000;
    const std::int64_t points = model.measured ? static_cast<std::int64_t>(model.measured->graph->points()) : 100;
    return std::clamp<std::int64_t>(points_in_some_seconds / points, 100, 100'000);
}

BalanceProblem problem_of(const BalanceOptions &options, const BalanceModel &model, CurveForm form) {
    const std::int64_t node_cores = std::max<std::int64_t>(1, options.cores_per_node);
    const std::int64_t total = cores_left(options, model, node_cores);
    return {allowed_counts(options, model, total),
            total,
            [&model, form](std::size_t c, std::int64_t n) {
                return model.computing_s(c, n, model.best_threads(c, n, form), form);
            },
            [&model](const std::vector<double> &s) { return model.length_s(s); },
            [&model](const std::vector<double> &s) { return model.path_shares(s); },
            model.pool,
            node_cores,
            model.power,
            model.measured && model.measured->graph->points() > long_loop_points};
}

void add_curves_option(cli::App &command, BalanceOptions &o) {
    command
        .add_option("--curves,--curve,--serial", o.curve_words,
                    "how components scale: a table component,processes,seconds, where processes are cores, or with a "
                    "column threads processes; the form of the curves: measured (the default), hslb, linear; or, for "
                    "components measured with one count, the share of the computing time that more cores do not make "
                    "shorter: 0.1, or ocean=0.2,ice=0.05")
        ->again();
}

void add_part_options(cli::App &command, BalanceOptions &o) {
    command.add_option("--without", o.without, "components that take no part in the coupling")->delimiter(',');
    add_order_option(command, o.order);
}

void add_limit_options(cli::App &command, BalanceOptions &o) {
    command.add_option("--min", o.min, "smallest counts: 8, or atm=8,ocn=16");
    command.add_option("--max", o.max, "largest counts: 8, or atm=8,ocn=16");
    command.add_option("--allowed", o.allowed,
                       "the only counts: atm=64:128:192, a rule: ocean=multiple-of-6, or multiple-of-8 for all, or "
                       "those in a file: wave=@FILE (one a line)");
    command.add_option("--cores-per-node", o.node,
                       "cores of a node; each component then takes whole nodes, and may leave some cores idle. "
                       "128:256: with 256 GB, instead of the measured ones, for its measured memory");
}

namespace {

bool is_file(const std::string &word) {
    std::error_code error;
    return std::filesystem::exists(word, error);
}

// "0.2", whatever files there are, or "ocean=0.2". In "data/x=1/table.csv" the sign belongs to a folder.
bool tells_shares(const std::string &word) {
    if (cli::number_in<double>(word)) return true;
    const std::size_t sign = word.rfind('=');
    return sign != std::string::npos && word.find('/') > sign && !is_file(word);
}

void read_curve_words(BalanceOptions &o) {
    std::string form;
    for (const std::string &word : o.curve_words) {
        if (word == "measured" || word == "hslb" || word == "fit" || word == "linear") {
            if (!form.empty())
                throw cli::WrongUsage(fmt::format("--curves: two forms, {} and {}: give one", form, word));
            o.curve = form = word;
        } else if (tells_shares(word)) {
            o.serial += (o.serial.empty() ? "" : ",") + word;
        } else if (!is_file(word) && word.find_first_of("./=") == std::string::npos) {
            throw cli::WrongUsage(
                fmt::format("--curves: neither a form (measured, hslb, linear), a table nor a share: '{}'", word));
        } else if (o.curves.empty()) {
            o.curves = word;
        } else {
            throw cli::WrongUsage(fmt::format("--curves: two tables, '{}' and '{}': give one", o.curves, word));
        }
    }
}

void read_node(BalanceOptions &o) {
    if (o.node.empty()) return;
    const std::size_t colon = o.node.find(':');
    const bool tells_memory = colon != std::string::npos;
    const auto cores = cli::number_in<std::int64_t>(o.node.substr(0, colon));
    const auto memory = cli::number_in<double>(tells_memory ? o.node.substr(colon + 1) : "1");
    if (!cores || *cores < 1 || *cores > 1'000'000 || !memory || !(*memory > 0) || !std::isfinite(*memory))
        throw cli::WrongUsage("--cores-per-node: not CORES or CORES:GB, such as 128 or 128:256: '" + o.node + "'");
    o.cores_per_node = *cores;
    if (tells_memory) o.node_memory_GB = *memory;
}

} // namespace

void read_words(BalanceOptions &options) {
    read_curve_words(options);
    read_node(options);
    read_words(options.launch);
}

} // namespace cpl_lb
