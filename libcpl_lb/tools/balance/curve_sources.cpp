// --curves, --without, and runs of one model, with timelines or from timers.
#include "tools/balance/curve_sources.hpp"

#include "io/files/csv_table.hpp"
#include "prediction/run_balance.hpp"
#include "report/format.hpp"
#include "report/verdict_parts.hpp"
#include "run/loaded/load_run.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"
#include "tools/balance/balance_page.hpp"
#include "tools/balance/balance_problem.hpp"
#include "tools/commands.hpp"
#include "tools/processor_counts.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

namespace cpl_lb {

SamplesByComponent read_curves(const std::string &path) {
    const CsvTable table = CsvTable::from_file(path);
    table.require({"component", "processes", "seconds"});
    SamplesByComponent samples;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        ScalingSample s{table.positive(row, "processes"), table.positive(row, "seconds")};
        if (s.processes > 1e9) throw table.wrong(row, "processes", "more than 1e9");
        if (s.seconds > 1e12) throw table.wrong(row, "seconds", "more than 1e12");
        if (table.has("threads")) {
            const double threads = table.positive(row, "threads");
            if (threads > 1e6 || threads != std::floor(threads))
                throw table.wrong(row, "threads", "no whole number from 1 to 1e6");
            s.threads = static_cast<std::int64_t>(threads);
            s.processes *= threads;
        }
        samples[table.text(row, "component")].push_back(s);
    }
    return samples;
}

void replace_samples(SamplesByComponent &samples, const std::string &path, const std::vector<std::string> &names) {
    for (auto &[name, list] : read_curves(path)) {
        if (place_in(names, name) == names.size()) throw PredictionError(no_such_component(path, name, names));
        samples[name] = list;
    }
}

void check_threads(const std::string &component, std::int64_t threads, std::int64_t now,
                   const std::vector<CurveOfThreads> &others) {
    std::set<std::int64_t> measured = {now};
    for (const CurveOfThreads &other : others)
        measured.insert(other.threads);
    if (measured.contains(threads)) return;
    std::vector<std::string> had;
    had.reserve(measured.size());
    for (const std::int64_t each : measured)
        had.push_back(std::to_string(each));
    throw PredictionError(
        fmt::format("no run or table has {} with {} threads for each process: it was measured with {}", component,
                    threads, listed(had)));
}

CoupledPart coupled_part(const std::string &directory, const std::vector<std::string> &without,
                         const std::vector<std::string> &order) {
    return coupled_part(load_run(directory, {order, unknown}, progress_of), without);
}

void refuse_unknown_cores(const std::string &directory, const CoupledRun &run) {
    if (const std::string why = why_cores_not_known(run); !why.empty()) throw PredictionError(directory + ": " + why);
}

void add_remarks(std::vector<std::string> &remarks, const CoupledRun &run) {
    for (const std::string &remark : run.remarks)
        if (std::ranges::find(remarks, remark) == remarks.end()) remarks.push_back(remark);
    for (const std::string &sentence : change_words(run))
        remarks.push_back(sentence);
}

std::string remarks_in_words(const std::vector<std::string> &remarks) {
    std::string text;
    for (const std::string &remark : remarks)
        text += "Remark: " + safe_name(remark) + "\n";
    return text;
}

void check_same_model(const CoupledPart &first, const CoupledPart &other, const std::string &directory) {
    const std::string difference = another_model(first.run, other.run);
    if (!difference.empty())
        throw PredictionError(directory + " holds a run of another model than the first: " + difference);
}

std::string left_out_in_words(const std::vector<std::string> &io_servers) {
    if (io_servers.empty()) return "";
    std::string names;
    for (const std::string &name : io_servers)
        names += (names.empty() ? "" : ", ") + safe_name(name);
    return say(Sentence::left_out, {{"names", names}}) + "\n";
}

std::vector<double> serial_parts(const std::string &text, const std::vector<std::string> &names) {
    std::vector<double> serial(names.size(), unknown);
    const auto given = component_numbers("--curves", text, names);
    for (std::size_t c = 0; c < names.size(); ++c) {
        if (given[c].empty()) continue;
        if (given[c].size() != 1 || given[c][0] > 1)
            throw std::invalid_argument("--curves: " + names[c] + " needs a share from 0 to 1 of its computing time");
        serial[c] = given[c][0];
    }
    return serial;
}

namespace {

CoupledRun timed_run_in(const std::string &directory) {
    std::optional<CoupledRun> run = run_from_timers(directory);
    if (!run) {
        throw PredictionError(directory +
                              ": holds a run with timelines; it cannot be mixed with runs from timers, whose "
                              "computing time is another one");
    }
    return std::move(*run);
}

std::vector<std::string> names_in(const CoupledRun &run, const std::vector<std::string> &without) {
    std::vector<std::string> names;
    for (const Component &c : run.components)
        if (std::ranges::find(without, c.name) == without.end()) names.push_back(c.name);
    for (const std::string &name : without)
        if (std::ranges::find(run.component_names, name) == run.component_names.end())
            throw PredictionError("--without " + name + ": the run has no such component");
    return names;
}

void check_components(const BalanceModel &model, const std::vector<std::string> &names,
                      const std::string &directory) {
    const std::set<std::string> first(model.names.begin(), model.names.end()), these(names.begin(), names.end());
    if (first == these) return;
    throw PredictionError(fmt::format("{}: a run of {}, and the first is one of {}", directory, joined(names, ", "),
                                      joined(model.names, ", ")));
}

void begin(BalanceModel &model, const BalanceOptions &options, const CoupledRun &run,
           const std::vector<std::string> &names, const std::string &directory) {
    model.names = names;
    const std::string &layout = options.layout.empty() ? run.run.layout : options.layout;
    if (layout.empty()) {
        throw PredictionError(
            directory +
            ": timers do not tell who computes beside whom: tell it with --layout (cpl-lb balance table), such as "
            "'max(max(ice,lnd)+atm,ocn)'");
    }
    model.layout.emplace(layout, model.names);
    model.pool = model.layout->pool();
    model.memory.resize(model.names.size());
    for (const std::string &name : names) {
        const auto c = std::ranges::find(run.components, name, &Component::name);
        model.ids.push_back(c->id);
        model.threads.push_back(c->threads);
        model.io_server.push_back(c->properties.is_io_server);
    }
    model.why_no_power = "timers of a model say nothing of energy";
}

} // namespace

bool are_from_timers(const std::vector<std::string> &directories) {
    return !directories.empty() && run_from_timers(directories.front()).has_value();
}

namespace {

using NoteRun = std::function<void(const CoupledRun &)>;

void read_timed_runs(BalanceModel &model, const BalanceOptions &options, SamplesByComponent &samples,
                     ScalingSources *sources, const NoteRun &note) {
    double simulated_s = unknown;
    for (const std::string &directory : options.directories) {
        const CoupledRun run = timed_run_in(directory);
        if (note) note(run);
        const std::vector<std::string> names = names_in(run, options.without);
        const bool first = model.names.empty();
        if (first) {
            begin(model, options, run, names, directory);
            simulated_s = run.run.simulated_s;
        }
        check_components(model, names, directory);
        if (is_known(simulated_s) != is_known(run.run.simulated_s)) {
            throw PredictionError(directory +
                                  ": how long this run or the first one simulated is not known: import it "
                                  "with --simulated");
        }
        model.lengths_not_known = !is_known(simulated_s) && options.directories.size() > 1;
        if (first && model.lengths_not_known) model.remarks.push_back(say(Sentence::timers_other_length));
        const double scale = is_known(simulated_s) ? simulated_s / run.run.simulated_s : 1;
        add_remarks(model.remarks, run);
        const std::vector<std::int64_t> of_all(model.names.size());
        PresentRun present{directory, of_all, of_all, std::vector<double>(model.names.size())};
        for (const Component &c : run.components) {
            const std::size_t at = place_in(model.names, c.name);
            if (at == model.names.size()) continue;
            if (c.ranks.empty() || !(c.balance.computing_s > 0))
                throw PredictionError(fmt::format(
                    "{}: its timers do not tell the processes and the computing time of {}", directory, c.name));
            ScalingSample sample{static_cast<double>(c.cores()), c.balance.computing_s * scale};
            sample.threads = c.threads;
            samples[c.name].push_back(sample);
            present.cores[at] = c.cores();
            present.threads[at] = c.threads;
            present.computing_s[at] = sample.seconds;
        }
        model.present.push_back(std::move(present));
        if (sources != nullptr) add_sources(*sources, samples, directory, run);
    }
}

void read_recorded_runs(BalanceModel &model, const BalanceOptions &options, SamplesByComponent &samples,
                        ScalingSources *sources, const NoteRun &note) {
    std::optional<CoupledPart> first;
    for (const std::string &directory : options.directories) {
        CoupledRun run = load_run(directory, {options.order, unknown}, progress_of);
        if (note) note(run);
        CoupledPart part = coupled_part(std::move(run), options.without);
        refuse_unknown_cores(directory, part.run);
        add_remarks(model.remarks, part.run);
        if (first) check_same_model(*first, part, directory);
        add_run(model, part, samples);
        if (sources != nullptr) add_sources(*sources, samples, directory, part.run);
        if (!first) first = std::move(part);
    }
    if (options.directories.size() > 1) settle_graph(model, *first);
}

} // namespace

void read_runs(BalanceModel &model, const BalanceOptions &options, SamplesByComponent &samples,
               ScalingSources *sources, const NoteRun &note) {
    const auto read = are_from_timers(options.directories) ? read_timed_runs : read_recorded_runs;
    read(model, options, samples, sources, note);
}

} // namespace cpl_lb
