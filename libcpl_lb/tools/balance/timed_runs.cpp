// Curves and layout for balance from runs that were made from timers.
#include "tools/balance/timed_runs.hpp"

#include "run/loaded/load_run.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"
#include "tools/balance/balance_page.hpp"
#include "tools/balance/curve_sources.hpp"

#include <algorithm>
#include <set>

namespace cpl_lb {
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
        if (std::find(without.begin(), without.end(), c.name) == without.end()) names.push_back(c.name);
    for (const std::string &name : without)
        if (std::find(run.component_names.begin(), run.component_names.end(), name) == run.component_names.end())
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
    if (layout.empty())
        throw PredictionError(directory + ": timers do not tell who computes beside whom: give --layout, such as "
                                          "'max(max(ice,lnd)+atm,ocn)'");
    model.layout.emplace(layout, model.names);
    model.pool = model.layout->pool();
    model.memory.resize(model.names.size());
    for (const std::string &name : names) {
        const auto c = std::find_if(run.components.begin(), run.components.end(),
                                    [&](const Component &component) { return component.name == name; });
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

void read_timed_runs(BalanceModel &model, const BalanceOptions &options, SamplesByComponent &samples,
                     ScalingSources *sources) {
    double simulated_s = unknown;
    for (const std::string &directory : options.directories) {
        const CoupledRun run = timed_run_in(directory);
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
        PresentRun present{directory, {}, {}, {}};
        for (std::vector<std::int64_t> *of_all : {&present.cores, &present.threads})
            of_all->resize(model.names.size());
        present.computing_s.resize(model.names.size());
        for (const Component &c : run.components) {
            if (std::find(names.begin(), names.end(), c.name) == names.end()) continue;
            if (c.ranks.empty() || !(c.balance.computing_s > 0))
                throw PredictionError(fmt::format(
                    "{}: its timers do not tell the processes and the computing time of {}", directory, c.name));
            ScalingSample sample{static_cast<double>(c.cores()), c.balance.computing_s * scale};
            sample.threads = c.threads;
            samples[c.name].push_back(sample);
            const auto at = static_cast<std::size_t>(std::find(model.names.begin(), model.names.end(), c.name) -
                                                     model.names.begin());
            present.cores[at] = c.cores();
            present.threads[at] = c.threads;
            present.computing_s[at] = sample.seconds;
        }
        model.present.push_back(std::move(present));
        if (sources != nullptr) add_sources(*sources, samples, directory, run);
    }
}

} // namespace cpl_lb
