// What each component may have by the options of the words `nodes`.
#include "tools/balance/kinds.hpp"

#include "support/counted.hpp"
#include "support/decimal_text.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"
#include "support/shell_words.hpp"
#include "tools/balance/curve_sources.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>

namespace cpl_lb {
namespace {

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
        std::int64_t number = (kept.own_cores + model.kinds[*kind].cores - 1) / model.kinds[*kind].cores;
        if (place.beside.empty() && !place.on_nodes.empty()) number = std::ssize(place.on_nodes);
        if (nodes != given.end()) number = nodes->second.nodes;
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

// Nobody knows how it scales: it computes nothing, or is an I/O server that was measured with one count.
bool keeps_its_nodes(const KindsModel &model, std::size_t c) {
    std::size_t counts = 0;
    bool idle = true;
    for (const CurveOnKind &on : model.curves[c]) {
        counts += on.curve.samples().size();
        idle = idle && on.curve.samples().front().seconds <= idle_s;
    }
    return idle || (model.run.io_server[c] && counts == 1);
}

// The kind on which a component is when --nodes does not name one: that of the first run, or the only one.
std::optional<std::size_t> kind_as_given(const KindsSource &source, std::size_t c) {
    std::optional<std::size_t> only;
    std::size_t kinds = 0;
    for (const CurveOnKind &on : source.model.curves[c]) {
        if (!on.may_have) continue;
        if (source.first_run[c] && source.first_run[c]->kind == on.kind) return on.kind;
        only = on.kind;
        ++kinds;
    }
    return kinds == 1 ? only : std::nullopt;
}

std::string kinds_it_may_have(const KindsModel &model, std::size_t c, const std::string &between) {
    std::vector<std::string> kinds;
    for (const CurveOnKind &on : model.curves[c])
        if (on.may_have) kinds.push_back(model.kinds[on.kind].name);
    return joined(kinds, between);
}

GivenNodes nodes_of_first_run(const KindsSource &source, std::size_t c, const std::optional<std::size_t> &kind) {
    const KindsModel &model = source.model;
    const std::string &name = model.run.names[c];
    const NodesOfRun &had = *source.first_run[c];
    const std::string &its_kind = model.kinds[had.kind].name;
    if (kind != had.kind) {
        throw PredictionError(fmt::format(
            "{} had nodes of {} in the first run, and is to run on {} now: say on how many with "
            "{}",
            name, its_kind, kinds_it_may_have(model, c, " or "), shell_option("--nodes", name + "=NODES")));
    }
    const double whole = std::round(had.nodes);
    if (std::abs(had.nodes - whole) > 1e-6 && !keeps_its_nodes(model, c)) {
        throw PredictionError(fmt::format("{} had {} nodes of {} in the first run, and here components have whole "
                                          "nodes: say how many with {}",
                                          name, decimal_text(had.nodes, 2), its_kind,
                                          shell_option("--nodes", name + "=NODES")));
    }
    return {static_cast<std::int64_t>(std::ceil(had.nodes - 1e-6)), kind};
}

// For predict: one kind and one number of nodes for each. Who has the other halves of a component's nodes has as
// many.
void give_to_all(KindsSource &source, std::map<std::string, GivenNodes> &given) {
    KindsModel &model = source.model;
    const std::vector<std::string> &names = model.run.names;
    source.as_in_run.assign(names.size(), false);
    for (const NodeHalves &pair : model.halves) {
        const auto first = given.find(names[pair.first]), second = given.find(names[pair.second]);
        if (first != given.end() && second == given.end()) given[names[pair.second]] = first->second;
        if (first == given.end() && second != given.end()) given[names[pair.first]] = second->second;
    }
    std::vector<std::string> missing;
    for (std::size_t c = 0; c < names.size(); ++c) {
        const auto said = given.find(names[c]);
        if (said == given.end() && !source.first_run[c]) {
            missing.push_back(names[c] + "=NODES");
            continue;
        }
        const std::optional<std::size_t> kind =
            said != given.end() && said->second.kind ? said->second.kind : kind_as_given(source, c);
        if (said == given.end()) {
            given[names[c]] = nodes_of_first_run(source, c, kind);
            source.as_in_run[c] = true;
        }
        if (!kind) {
            throw std::invalid_argument(fmt::format("--nodes: {} may run on {}: say on which with {}=KIND:{}",
                                                    names[c], kinds_it_may_have(model, c, " or "), names[c],
                                                    said->second.nodes));
        }
        given[names[c]].kind = kind;
        for (CurveOnKind &on : model.curves[c])
            on.may_have = on.may_have && on.kind == *kind;
    }
    if (!missing.empty()) {
        throw std::invalid_argument("--nodes: a table does not tell how many nodes each component has: add " +
                                    joined(missing, ","));
    }
    for (const NodeHalves &pair : model.halves) {
        const std::string &a = names[pair.first], &b = names[pair.second];
        if (given[a].nodes == given[b].nodes && given[a].kind == given[b].kind) continue;
        throw std::invalid_argument(fmt::format("--share: {} and {} are on the same nodes, but have {} of {} and {} "
                                                "of {}: give both the same with --nodes",
                                                a, b, counted(given[a].nodes, "node"),
                                                model.kinds[*given[a].kind].name, counted(given[b].nodes, "node"),
                                                model.kinds[*given[b].kind].name));
    }
}

// --nodes, --min, --max, and who keeps what it has: computing nothing, or an I/O server measured with one count.
void allow_nodes(KindsSource &source, const BalanceOptions &options, const std::map<std::string, GivenNodes> &given) {
    KindsModel &model = source.model;
    const std::vector<std::string> &names = model.run.names;
    const std::vector<std::int64_t> least = limits("--min", options.min, names, "NODES");
    const std::vector<std::int64_t> most = limits("--max", options.max, names, "NODES");
    const BalanceAnswer present = model.present();
    model.allowed_nodes.assign(names.size(), {});
    source.held.assign(names.size(), false);
    std::size_t fixed = 0;
    for (std::size_t c = 0; c < names.size(); ++c) {
        std::int64_t there_are = 0;
        for (const CurveOnKind &on : model.curves[c])
            if (on.may_have) there_are = std::max(there_are, model.kinds[on.kind].nodes - model.kept_nodes[on.kind]);
        const auto said = given.find(names[c]);
        if (said != given.end()) {
            if (said->second.nodes > there_are) {
                const bool as_in_run = options.as_given && source.as_in_run[c];
                throw std::invalid_argument(fmt::format(
                    "{}: {} cannot have {}{}: there {} {} of {}", as_in_run ? "--kinds" : "--nodes", names[c],
                    said->second.nodes, as_in_run ? " as in the first run" : "", word_for(there_are, "is", "are"),
                    counted(there_are, "node"), kinds_it_may_have(model, c, ", ")));
            }
            model.allowed_nodes[c] = {said->second.nodes};
            ++fixed;
            continue;
        }
        const bool asked = least[c] > 0 || most[c] > 0;
        if (!asked && !present.counts.empty() && keeps_its_nodes(model, c)) {
            model.allowed_nodes[c] = {present.counts[c]};
            source.held[c] = true;
            continue;
        }
        if (!asked) continue;
        const std::int64_t low = std::max<std::int64_t>(1, least[c]);
        const std::int64_t high = most[c] > 0 ? std::min(most[c], there_are) : there_are;
        for (std::int64_t n = low; n <= high; ++n)
            model.allowed_nodes[c].push_back(n);
        if (low > high) {
            throw PredictionError(
                fmt::format("{}: no number of nodes is possible: at least {} (--min), at most {} ({})", names[c], low,
                            high, most[c] > 0 && most[c] <= there_are ? "--max" : "--kinds"));
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
        if (said[c] && std::ranges::find(*said[c], kind) == said[c]->end())
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
    std::vector<SampledRun> runs;
    if (options.directories.empty())
        enter_table(model.run, options);
    else
        runs = sampled_runs(model.run, options);
    std::vector<std::string> names = model.run.names;
    for (const KeptComponent &kept : model.run.kept)
        names.push_back(kept.name);
    const KindsByComponent on = kinds_by_component(options.kind.on, names, model.kinds);
    std::map<std::string, GivenNodes> given = given_nodes(options.kind.nodes, names, model.kinds);
    const SharedNodes shared = shared_nodes(options.kind.share, model.run.names);
    model.halves = shared.halves;
    model.host_cores = shared.host_cores;
    KindSampleReader reader(options, model, who_may_run(on, given, model));
    for (std::size_t r = 0; r < runs.size(); ++r)
        reader.add_run(runs[r], r == 0);
    source.first_run.resize(model.run.names.size());
    for (const NodeSample &s : reader.samples())
        if (s.first) source.first_run[s.component] = {s.kind, s.nodes};
    if (!options.curves.empty()) reader.add_table();
    enter_curves(model, reader.samples(), reader.may_run(), serial_parts(options.serial, model.run.names),
                 source.not_measured);
    if (!runs.empty()) keep_nodes(source, runs.front(), on, given);
    add_kind_remarks(source);
    if (options.as_given) give_to_all(source, given);
    allow_nodes(source, options, given);
    return source;
}

} // namespace cpl_lb
