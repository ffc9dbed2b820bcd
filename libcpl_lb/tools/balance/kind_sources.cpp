// What each component may have by the options of --kinds.
#include "tools/balance/kind_sources.hpp"

#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"
#include "tools/balance/curve_sources.hpp"
#include "tools/balance/kind_samples.hpp"
#include "tools/processor_counts.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>

namespace cpl_lb {
namespace {

// Numbers of nodes by --min and --max; 0: not given.
std::vector<std::int64_t> node_limits(const std::string &option, const std::string &text,
                                      const std::vector<std::string> &names) {
    std::vector<std::int64_t> limits(names.size());
    const std::vector<std::vector<double>> given = component_numbers(option, text, names);
    for (std::size_t c = 0; c < names.size(); ++c) {
        if (given[c].empty()) continue;
        if (given[c].size() > 1 || given[c][0] < 1 || given[c][0] > 1e6 || given[c][0] != std::floor(given[c][0]))
            throw std::invalid_argument(option + ": " + names[c] + " needs one number of nodes, from 1");
        limits[c] = std::llround(given[c][0]);
    }
    return limits;
}

// Components outside of the coupling keep their nodes.
void keep_nodes(KindsSource &source, const SampledRun &first, const KindsByComponent &on,
                const std::map<std::string, GivenNodes> &given) {
    KindsModel &model = source.model;
    for (const KeptComponent &kept : model.run.kept) {
        const PlaceInRun &place = first.place_of(kept.name);
        const auto said = on.find(kept.name);
        const auto nodes = given.find(kept.name);
        std::optional<std::size_t> kind;
        for (std::size_t k = 0; k < model.kinds.size(); ++k)
            if (model.kinds[k].name == place.kind) kind = k;
        if (said != on.end() && said->second.size() == 1) kind = said->second.front();
        if (nodes != given.end() && nodes->second.kind) kind = nodes->second.kind;
        if (model.kinds.size() == 1) kind = 0;
        if (!kind) {
            throw PredictionError(kept.name +
                                  " takes no part in the coupling, and on which kind of node it runs is not "
                                  "known: let --on give it one kind");
        }
        std::int64_t number = 0;
        if (nodes != given.end())
            number = nodes->second.nodes;
        else if (kept.own_cores > 0)
            number = (kept.own_cores + model.kinds[*kind].cores - 1) / model.kinds[*kind].cores;
        if (nodes == given.end() && place.beside.empty() && !place.on_nodes.empty())
            number = static_cast<std::int64_t>(place.on_nodes.size());
        model.kept_nodes[*kind] += number;
        source.kept.push_back(counted(number, "node") + " of " + model.kinds[*kind].name);
    }
    for (std::size_t k = 0; k < model.kinds.size(); ++k) {
        if (model.kept_nodes[k] < model.kinds[k].nodes || model.kept_nodes[k] == 0) continue;
        throw PredictionError(
            fmt::format("components outside of the coupling need {} of {}: none are left for the others",
                        counted(model.kept_nodes[k], "node"), model.kinds[k].name));
    }
}

// --nodes, --min, --max, and who keeps what it has: computing nothing, or an I/O server measured with one count.
void allow_nodes(KindsSource &source, const BalanceOptions &options, const std::map<std::string, GivenNodes> &given) {
    KindsModel &model = source.model;
    const std::vector<std::string> &names = model.run.names;
    const std::vector<std::int64_t> least = node_limits("--min", options.min, names);
    const std::vector<std::int64_t> most = node_limits("--max", options.max, names);
    const KindsAnswer present = model.present();
    model.allowed_nodes.assign(names.size(), {});
    source.held.assign(names.size(), false);
    std::size_t fixed = 0;
    for (std::size_t c = 0; c < names.size(); ++c) {
        std::int64_t there_are = 0;
        std::string kinds;
        std::size_t counts = 0;
        bool idle = true;
        for (const CurveOnKind &on : model.curves[c]) {
            counts += on.curve.samples().size();
            idle = idle && on.curve.samples().front().seconds <= idle_s;
            if (!on.may_have) continue;
            there_are = std::max(there_are, model.kinds[on.kind].nodes - model.kept_nodes[on.kind]);
            kinds += (kinds.empty() ? "" : ", ") + model.kinds[on.kind].name;
        }
        const auto said = given.find(names[c]);
        if (said != given.end()) {
            if (said->second.nodes > there_are) {
                throw std::invalid_argument(fmt::format("--nodes: {} cannot have {}: there are {} of {}", names[c],
                                                        said->second.nodes, counted(there_are, "node"), kinds));
            }
            model.allowed_nodes[c] = {said->second.nodes};
            ++fixed;
            continue;
        }
        const bool asked = least[c] > 0 || most[c] > 0;
        if (!asked && !present.nodes.empty() && (idle || (model.run.io_server[c] && counts == 1))) {
            model.allowed_nodes[c] = {present.nodes[c]};
            source.held[c] = true;
            continue;
        }
        for (std::int64_t n = std::max<std::int64_t>(1, least[c]);
             asked && n <= (most[c] > 0 ? std::min(most[c], there_are) : there_are); ++n)
            model.allowed_nodes[c].push_back(n);
        if (asked && model.allowed_nodes[c].empty()) {
            throw PredictionError(fmt::format(
                "{}: no number of nodes is possible: at least {} (--min), at most {} ({})", names[c],
                std::max<std::int64_t>(1, least[c]), most[c] > 0 ? std::min(most[c], there_are) : there_are,
                most[c] > 0 && most[c] <= there_are ? "--max" : "--kinds"));
        }
    }
    source.all_given = fixed == names.size();
}

MayRun who_may_run(const KindsByComponent &on, const std::map<std::string, GivenNodes> &given,
                   const KindsModel &model) {
    const std::vector<std::string> &names = model.run.names;
    MayRun said(names.size());
    for (std::size_t c = 0; c < names.size(); ++c) {
        if (const auto found = on.find(names[c]); found != on.end()) said[c] = found->second;
        const auto nodes = given.find(names[c]);
        if (nodes == given.end() || !nodes->second.kind) continue;
        const std::size_t kind = *nodes->second.kind;
        if (said[c] && std::find(said[c]->begin(), said[c]->end(), kind) == said[c]->end())
            throw std::invalid_argument("--nodes: " + names[c] + " may not run on " + model.kinds[kind].name +
                                        ", by --on");
        said[c] = {kind};
    }
    return said;
}

void add_kind_remarks(KindsSource &source) {
    KindsModel &model = source.model;
    for (const auto &[c, k] : source.not_measured)
        model.run.remarks.push_back(
            say(Sentence::kind_not_measured, {{"name", model.run.names[c]}, {"kind", model.kinds[k].name}}));
    for (std::size_t k = 0; k < model.kinds.size(); ++k) {
        bool used = model.kept_nodes[k] > 0;
        for (std::size_t c = 0; c < model.curves.size(); ++c)
            used = used || model.may_run_on(c, k);
        if (used) continue;
        model.run.remarks.push_back(
            say(Sentence::kind_unused, {{"kind", model.kinds[k].name},
                                        {"nodes", counted(model.kinds[k].nodes, "node")},
                                        {"are", word_for(model.kinds[k].nodes, "is", "are")}}));
    }
}

} // namespace

KindsSource kinds_source(const BalanceOptions &options) {
    KindsSource source;
    KindsModel &model = source.model;
    model.form = curve_form(options.curve);
    model.kinds = kinds_of_nodes(options.kind.kinds);
    model.kept_nodes.assign(model.kinds.size(), 0);
    model.host_cores = std::max<std::int64_t>(1, options.kind.host_cores);
    std::vector<SampledRun> runs;
    if (options.directories.empty())
        enter_table(model.run, options);
    else
        runs = sampled_runs(model.run, options);
    if (options.no_sharing) model.run.pool = cores_of_their_own(model.run.names.size());
    std::vector<std::string> names = model.run.names;
    for (const KeptComponent &kept : model.run.kept)
        names.push_back(kept.name);
    const KindsByComponent on = kinds_by_component(options.kind.on, names, model.kinds);
    const std::map<std::string, GivenNodes> given = given_nodes(options.kind.nodes, names, model.kinds);
    model.halves = node_halves(options.kind.share, model.run.names);
    KindSampleReader reader(options, model, who_may_run(on, given, model));
    for (std::size_t r = 0; r < runs.size(); ++r)
        reader.add_run(runs[r], r == 0);
    if (!options.curves.empty()) reader.add_table();
    enter_curves(model, reader.samples(), reader.may_run(), serial_parts(options.serial, model.run.names),
                 source.not_measured);
    if (!runs.empty()) keep_nodes(source, runs.front(), on, given);
    allow_nodes(source, options, given);
    add_kind_remarks(source);
    return source;
}

} // namespace cpl_lb
