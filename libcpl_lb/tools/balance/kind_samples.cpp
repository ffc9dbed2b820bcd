// Reads where components of runs were, and rows of tables with kinds.
#include "tools/balance/kinds.hpp"

#include "io/files/csv_table.hpp"
#include "support/fmt.hpp"
#include "support/word_distance.hpp"
#include "tools/balance/curve_sources.hpp"
#include "tools/processor_counts.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace cpl_lb {
namespace {

std::size_t kind_in_row(const CsvTable &table, std::size_t row, const std::vector<KindOfNode> &kinds,
                        const std::optional<std::size_t> &only) {
    if (!table.has("kind") || table.is_empty(row, "kind")) {
        if (only) return *only;
        throw table.has("kind")
            ? table.wrong(row, "kind", "it is empty, and several kinds are possible")
            : FileError(table.source(), "there is no column kind, and a component may have several "
                                        "kinds of nodes: add it, or let --on give each one kind");
    }
    const std::string &kind = table.text(row, "kind");
    const std::vector<std::string> names = names_of(kinds);
    if (const std::size_t k = place_in(names, kind); k < names.size()) return k;
    const std::string nearest = nearest_word(kind, names);
    throw table.wrong(row, "kind",
                      "--kinds has no '" + kind + "'" + (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
}

// The nodes of a row, from the one of nodes, gpus and processes that it has.
double nodes_in_row(const CsvTable &table, std::size_t row, const KindOfNode &kind) {
    double nodes = unknown;
    for (const char *column : {"nodes", "gpus", "processes"}) {
        if (!table.has(column) || table.is_empty(row, column)) continue;
        const std::string name = column;
        if (is_known(nodes)) throw table.wrong(row, column, "a row has one of nodes, gpus and processes");
        double amount = table.positive(row, column);
        if (amount > 1e9) throw table.wrong(row, column, "more than 1e9");
        if (name == "gpus" && kind.gpus == 0) throw table.wrong(row, column, kind.name + " has no GPUs");
        if (name == "processes" && kind.gpus > 0)
            throw table.wrong(row, column, "processes are cores, and " + kind.name + " has GPUs: give nodes or gpus");
        if (name == "processes" && table.has("threads") && !table.is_empty(row, "threads"))
            amount *= table.positive(row, "threads");
        nodes = name == "gpus"        ? amount / static_cast<double>(kind.gpus)
                : name == "processes" ? amount / static_cast<double>(kind.cores)
                                      : amount;
    }
    if (!is_known(nodes)) throw table.wrong(row, "seconds", "the row has none of nodes, gpus and processes");
    return nodes;
}

} // namespace

const PlaceInRun &SampledRun::place_of(const std::string &component) const {
    return *std::ranges::find(places, component, &PlaceInRun::component);
}

std::vector<SampledRun> sampled_runs(BalanceModel &model, const BalanceOptions &options) {
    std::vector<SampledRun> all;
    SamplesByComponent samples;
    read_runs(model, options, samples, nullptr, [&](const CoupledRun &run) {
        all.push_back({options.directories[all.size()], places_in(run), {}});
    });
    for (std::size_t d = 0; d < all.size(); ++d)
        for (const auto &[name, list] : samples)
            all[d].samples[name] = {list[d]};
    return all;
}

void enter_table(BalanceModel &model, const BalanceOptions &options) {
    const CsvTable table = CsvTable::from_file(options.curves);
    table.require({"component", "seconds"});
    for (std::size_t row = 0; row < table.rows(); ++row)
        if (place_in(model.names, table.text(row, "component")) == model.names.size())
            model.names.push_back(table.text(row, "component"));
    std::ranges::sort(model.names);
    model.layout.emplace(options.layout, model.names);
    model.pool = model.layout->pool();
    model.io_server.assign(model.names.size(), false);
}

bool KindSampleReader::are_partners(const std::string &a, const std::string &b) const {
    const std::vector<std::string> &names = model_.run.names;
    return std::ranges::any_of(model_.halves, [&](const NodeHalves &pair) {
        const std::string &first = names[pair.first], &second = names[pair.second];
        return (first == a && second == b) || (first == b && second == a);
    });
}

// The only kind on which a component can have been; nothing: there are several.
std::optional<std::size_t> KindSampleReader::only_kind(std::size_t c) const {
    if (said_[c] && said_[c]->size() == 1) return said_[c]->front();
    return model_.kinds.size() == 1 ? std::optional<std::size_t>(0) : std::nullopt;
}

std::size_t KindSampleReader::kind_of(const PlaceInRun &place, std::size_t c, const std::string &directory) const {
    if (const std::size_t k = place_in(names_of(model_.kinds), place.kind); k < model_.kinds.size()) return k;
    const auto only = only_kind(c);
    if (only && !place.several_kinds) return *only;
    std::string why = ": its nodes are of several kinds";
    if (!place.several_kinds && place.kind.empty()) why = ": let --on give it one kind";
    if (!place.kind.empty())
        why = ": its nodes are '" + place.kind + "'; give a kind of --kinds this name, or let --on give it one kind";
    throw PredictionError(directory + ": on which kind of node " + place.component + " ran is not known" + why);
}

void KindSampleReader::add_run(const SampledRun &run, bool first) {
    for (const auto &[name, list] : run.samples) {
        const std::size_t c = place_in(model_.run.names, name);
        const PlaceInRun &place = run.place_of(name);
        const std::size_t k = kind_of(place, c, run.directory);
        NodeSample sample{c, k, 0, false, first, list.front()};
        if (place.beside.size() == 1 && are_partners(name, place.beside.front()))
            sample.sharing = run.place_of(place.beside.front()).on_nodes == place.on_nodes;
        sample.nodes = nodes_had(place, model_.kinds[k], sample.sharing);
        if (!is_known(sample.nodes)) {
            throw PredictionError(fmt::format("{}: how many nodes of {} {} had is not known: the run tells neither "
                                              "its nodes nor its GPUs",
                                              run.directory, model_.kinds[k].name, name));
        }
        if (model_.run.measured && first) {
            const auto units = static_cast<double>(units_on(model_, c, k).first);
            model_.run.measured->processes[c] = std::llround(sample.nodes * units);
        }
        samples_.push_back(sample);
    }
}

void KindSampleReader::add_table() {
    const CsvTable table = CsvTable::from_file(options_.curves);
    table.require({"component", "seconds"});
    const std::vector<std::string> &names = model_.run.names;
    std::vector<std::optional<std::size_t>> kind_now(names.size()); // of the first run
    for (const NodeSample &s : samples_)
        if (s.first) kind_now[s.component] = s.kind;
    std::vector<NodeSample> rows;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const std::string &name = table.text(row, "component");
        const std::size_t c = place_in(names, name);
        if (c == names.size()) throw table.wrong(row, "component", "there is no component '" + name + "'");
        NodeSample s;
        s.component = c;
        s.kind = kind_in_row(table, row, model_.kinds, only_kind(c));
        s.nodes = nodes_in_row(table, row, model_.kinds[s.kind]);
        s.time.processes = 1;
        s.time.seconds = table.positive(row, "seconds");
        if (s.time.seconds > 1e12) throw table.wrong(row, "seconds", "more than 1e12");
        s.first = kind_now[c] == s.kind;
        rows.push_back(s);
    }
    // A table says how a component scales, in any unit of time: its rows count alone.
    for (std::size_t c = 0; c < names.size(); ++c) {
        const auto is_c = [c](const NodeSample &s) { return s.component == c; };
        if (std::ranges::none_of(rows, is_c)) continue;
        if (kind_now[c] && model_.run.measured &&
            std::ranges::none_of(rows, [&](const NodeSample &s) { return is_c(s) && s.first; })) {
            throw FileError(options_.curves, "there is no time of " + names[c] + " on " +
                                                 model_.kinds[*kind_now[c]].name + ", where the first run had it");
        }
        std::erase_if(samples_, is_c);
    }
    samples_.insert(samples_.end(), rows.begin(), rows.end());
}

bool KindSampleReader::has_halves(std::size_t k) const {
    const KindOfNode &kind = model_.kinds[k];
    return kind.gpus > 0 && kind.cores > model_.host_cores * kind.gpus;
}

void KindSampleReader::refuse_no_halves(const NodeHalves &pair,
                                        const std::vector<std::vector<std::size_t>> &may_run) const {
    std::vector<std::string> kinds;
    for (std::size_t k = 0; k < model_.kinds.size(); ++k)
        if (has_halves(k)) kinds.push_back(model_.kinds[k].name);
    if (kinds.empty())
        throw PredictionError("--share: no kind of --kinds has GPUs, and cores beside those that go with the GPUs");
    for (const std::size_t c : {pair.first, pair.second}) {
        if (std::ranges::any_of(may_run[c], [&](std::size_t k) { return has_halves(k); })) continue;
        const std::string &name = model_.run.names[c];
        throw PredictionError(fmt::format("--share: {} {} {}{}", name,
                                          said_[c] ? "may not run on" : "was not measured on", joined(kinds, " or "),
                                          said_[c] ? ", by --on or --nodes" : ""));
    }
}

std::vector<std::vector<std::size_t>> KindSampleReader::may_run() const {
    const std::vector<std::string> &names = model_.run.names;
    std::vector<std::vector<std::size_t>> all(names.size());
    for (std::size_t c = 0; c < names.size(); ++c) {
        if (said_[c]) {
            all[c] = *said_[c];
            continue;
        }
        for (const NodeSample &s : samples_)
            if (s.component == c && std::ranges::find(all[c], s.kind) == all[c].end()) all[c].push_back(s.kind);
        std::ranges::sort(all[c]);
    }
    for (const NodeHalves &pair : model_.halves) {
        refuse_no_halves(pair, all);
        std::vector<std::size_t> both;
        std::ranges::set_intersection(all[pair.first], all[pair.second], std::back_inserter(both));
        std::erase_if(both, [&](std::size_t k) { return !has_halves(k); });
        if (both.empty()) {
            throw PredictionError("--share: " + names[pair.first] + " and " + names[pair.second] +
                                  " may not run on the same kind of node with GPUs");
        }
        all[pair.first] = all[pair.second] = both;
    }
    return all;
}

std::vector<PlaceInRun> places_in(const CoupledRun &run) {
    std::vector<PlaceInRun> places;
    for (const Component &component : run.components) {
        PlaceInRun place;
        place.component = component.name;
        place.cores = component.cores();
        place.gpus = component.gpus.count;
        place.on_nodes = component.on_nodes;
        for (const std::int32_t at : component.on_nodes) {
            const auto n = static_cast<std::size_t>(at);
            const std::string kind = n < run.meters.nodes.size() ? run.meters.nodes[n].kind : "";
            place.several_kinds = place.several_kinds || (at != component.on_nodes.front() && kind != place.kind);
            place.kind = kind;
        }
        if (place.several_kinds) place.kind.clear();
        for (const Component &other : run.components) {
            const auto is_there = [&](std::int32_t node) {
                return std::ranges::find(other.on_nodes, node) != other.on_nodes.end();
            };
            if (&other != &component && std::ranges::any_of(place.on_nodes, is_there))
                place.beside.push_back(other.name);
        }
        places.push_back(std::move(place));
    }
    return places;
}

double nodes_had(const PlaceInRun &place, const KindOfNode &kind, bool with_partner) {
    if (!place.on_nodes.empty() && (place.beside.empty() || with_partner))
        return static_cast<double>(place.on_nodes.size());
    if (kind.gpus > 0)
        return place.gpus > 0 ? static_cast<double>(place.gpus) / static_cast<double>(kind.gpus) : unknown;
    return place.cores > 0 ? static_cast<double>(place.cores) / static_cast<double>(kind.cores) : unknown;
}

} // namespace cpl_lb
