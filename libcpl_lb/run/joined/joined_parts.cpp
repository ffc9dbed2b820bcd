// Reads the folders, and refuses runs that cannot be one system, with both names.
// Numbers recorded components first, then unrecorded counterparts; fields are in the order of the runs. Merges the
// lists of nodes, and adds up figures if possible.
#include "run/joined/joined_parts.hpp"

#include "io/files/file_error.hpp"
#include "io/timeline/timeline_reader.hpp"
#include "run/joined/joined_clock.hpp"
#include "run/loaded/load_run.hpp"
#include "run/loaded/run_folder.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

namespace cpl_lb {
namespace {

std::filesystem::path canonical(const std::string &folder) {
    std::error_code error;
    return std::filesystem::weakly_canonical(folder, error);
}

// The last parts of the folders' names, or the whole paths if those are not different.
void enter_labels(JoinedSources &sources) {
    std::set<std::string> different;
    for (JoinedSource &source : sources) {
        source.label = canonical(source.folder).filename().string();
        different.insert(source.label);
    }
    if (different.size() == sources.size()) return;
    for (JoinedSource &source : sources)
        source.label = source.folder;
}

void find_timelines(JoinedSource &source) {
    std::map<std::string, std::string> path_of_component;
    for (const std::string &path : look_into(source.folder).timelines)
        path_of_component.emplace(TimelineReader(path).header().component_name, path);
    for (const Component &c : source.run.components) {
        const auto found = path_of_component.find(c.name);
        if (found == path_of_component.end())
            throw FileError(source.folder, "the timeline of " + c.name + " does not name its component");
        source.timelines.push_back(found->second);
    }
}

void refuse_the_same(const JoinedSources &sources, const std::string &output) {
    for (std::size_t b = 0; b < sources.size(); ++b) {
        if (canonical(sources[b].folder) == canonical(output))
            throw FileError(output, "holds one of the runs: give another folder for the results");
        for (std::size_t a = 0; a < b; ++a) {
            const RunInfo &one = sources[a].run.run, &other = sources[b].run.run;
            const bool same_run =
                one.id == other.id && one.zero.time == other.zero.time && one.started == other.started;
            if (same_run || canonical(sources[a].folder) == canonical(sources[b].folder))
                throw FileError(sources[b].folder, "holds the same run as " + sources[a].folder);
        }
    }
}

void refuse_other_jobs(const JoinedSources &sources) {
    const JoinedSource &first = sources.front();
    for (const JoinedSource &source : sources) {
        const std::string &job = source.run.run.job;
        if (job.empty()) {
            throw FileError(source.folder,
                            "its run named no CPL_LB_JOB: --any-job joins it all the same, if it was a "
                            "part of the same system");
        }
        if (job != first.run.run.job) {
            throw FileError(source.folder,
                            "is of CPL_LB_JOB '" + job + "', and " + first.folder + " of '" + first.run.run.job +
                                "': they are not parts of one system (--any-job joins them all the same)");
        }
    }
}

void refuse_without_begin(const JoinedSources &sources) {
    for (const JoinedSource &source : sources) {
        if (clocks_of_day(source.run.run, source.run.run)) continue;
        throw FileError(source.folder, "does not say when its run began (run.zero or run.started in "
                                       "load_balancing_info.json), so its place in time is not known");
    }
}

} // namespace

JoinedSources read_sources(const std::vector<std::string> &folders, const std::string &output, bool any_job,
                           const ProgressOf &progress_of) {
    JoinedSources sources;
    for (const std::string &folder : folders) {
        sources.push_back({folder, {}, {}, load_run(folder, {}, progress_of)});
        find_timelines(sources.back());
    }
    enter_labels(sources);
    refuse_the_same(sources, output);
    if (!any_job) refuse_other_jobs(sources);
    refuse_without_begin(sources);
    return sources;
}

Interval extent_of(std::span<const Component> components) {
    Interval whole{std::numeric_limits<Nanoseconds>::max(), std::numeric_limits<Nanoseconds>::min()};
    for (const Component &c : components) {
        whole.start = std::min(whole.start, c.first_init);
        whole.stop = std::max(whole.stop, c.last_terminate);
    }
    return whole;
}

void refuse_gaps(const JoinedSources &sources) {
    std::vector<const JoinedSource *> by_begin;
    for (const JoinedSource &source : sources)
        by_begin.push_back(&source);
    std::ranges::sort(by_begin, {}, [](const JoinedSource *source) { return extent_of(source->components).start; });
    Nanoseconds last = extent_of(by_begin.front()->components).stop;
    for (std::size_t n = 1; n < by_begin.size(); ++n) {
        const RunInfo &info = by_begin[n]->run.run;
        const Nanoseconds unsure = info.zero.time.empty() ? from_seconds(1) : 0;
        const Interval extent = extent_of(by_begin[n]->components);
        if (extent.start > last + unsure) {
            throw FileError(by_begin[n]->folder, "its run began (" + begin_in_words(info) + ") when that of " +
                                                     by_begin[n - 1]->folder +
                                                     " had ended: they were not one system at work");
        }
        last = std::max(last, extent.stop);
    }
}

namespace {

using RunsOfName = std::map<std::string, std::vector<std::size_t>>; // the runs that recorded a component of the name

RunsOfName recorded_components(std::span<const CoupledRun *const> runs) {
    RunsOfName where;
    for (std::size_t r = 0; r < runs.size(); ++r)
        for (const Component &c : runs[r]->components)
            where[c.name].push_back(r);
    return where;
}

// The number of a name, which is added if it is new.
std::int32_t number_in(std::vector<std::string> &names, const std::string &name) {
    const auto at = std::ranges::find(names, name);
    const auto number = static_cast<std::int32_t>(at - names.begin()) + 1;
    if (at == names.end()) names.push_back(name);
    return number;
}

std::set<std::int32_t> fields_of_collectives(const CoupledRun &run) {
    std::set<std::int32_t> fields;
    for (const Component &c : run.components)
        for (const EventClass &key : c.table.keys.classes())
            if (key.kind == Kind::sync) fields.insert(key.field);
    return fields;
}

bool any_other_has_field(std::span<const CoupledRun *const> runs, const CoupledRun *own, const std::string &field) {
    return std::ranges::any_of(runs, [&](const CoupledRun *run) {
        return run != own && std::ranges::find(run->field_names, field) != run->field_names.end();
    });
}

void refuse_clashes(const RunsOfName &where, std::span<const std::string> labels) {
    for (const auto &[name, runs] : where) {
        if (runs.size() < 2) continue;
        throw std::runtime_error("both " + labels[runs[0]] + " and " + labels[runs[1]] + " have a component " + name +
                                 ": --prefix puts the folder's name before it");
    }
}

void number_components(std::span<const CoupledRun *const> runs, std::span<const std::string> labels,
                       const RunsOfName &where, JoinedNames &joined) {
    const auto name_of = [&](std::size_t r, const std::string &name) {
        return where.at(name).size() > 1 ? labels[r] + "." + name : name;
    };
    for (std::size_t r = 0; r < runs.size(); ++r)
        for (const Component &c : runs[r]->components)
            joined.component_names.push_back(name_of(r, c.name));
    for (std::size_t r = 0; r < runs.size(); ++r) {
        for (const std::string &name : runs[r]->component_names) {
            const auto recorded = where.find(name);
            std::string in_joined = name; // of an unrecorded one, or one that occurs several times elsewhere
            if (recorded != where.end() && std::ranges::find(recorded->second, r) != recorded->second.end())
                in_joined = name_of(r, name);
            else if (recorded != where.end() && recorded->second.size() == 1)
                in_joined = name_of(recorded->second.front(), name);
            joined.runs[r].components.push_back(number_in(joined.component_names, in_joined));
        }
    }
}

std::int32_t mapped(const std::vector<std::int32_t> &numbers, std::int32_t own) {
    const auto place = static_cast<std::size_t>(own) - 1;
    return own >= 1 && place < numbers.size() ? numbers[place] : 0;
}

std::int32_t place_of_node(RunMeters &joined, std::set<std::int32_t> &shared, const NodeMeters &node) {
    const auto found = std::ranges::find(joined.nodes, node.name, &NodeMeters::name);
    const auto place = static_cast<std::int32_t>(found - joined.nodes.begin());
    if (found == joined.nodes.end()) {
        joined.nodes.push_back(node);
        return place;
    }
    shared.insert(place);
    found->processes += node.processes;
    found->cores = std::max(found->cores, node.cores);
    found->energy = {};
    found->energy_source.clear();
    found->why_no_energy = say(Sentence::part_node_of_several_runs);
    found->memory_used_B = std::max(found->memory_used_B, node.memory_used_B);
    return place;
}

// places: of the nodes of its run, in the joined run; shared: those with processes of several runs.
void settle_component(Component &c, std::span<const std::int32_t> places, const std::set<std::int32_t> &shared) {
    c.meters.rss = {};
    const auto is_no_node = [&](std::int32_t node) {
        return node < 0 || std::cmp_greater_equal(node, places.size());
    };
    std::erase_if(c.on_nodes, is_no_node);
    // The counts move with their nodes; without a count for each there is none.
    std::vector<std::pair<std::int32_t, std::int32_t>> counted;
    const bool has_counts = c.processes_on_nodes.size() == c.on_nodes.size();
    for (std::size_t i = 0; i < c.on_nodes.size(); ++i)
        counted.emplace_back(places[static_cast<std::size_t>(c.on_nodes[i])],
                             has_counts ? c.processes_on_nodes[i] : 0);
    std::ranges::sort(counted);
    c.on_nodes.clear();
    c.processes_on_nodes.clear();
    for (const auto &[node, processes] : counted) {
        c.on_nodes.push_back(node);
        if (has_counts) c.processes_on_nodes.push_back(processes);
    }
    std::erase_if(c.sockets.places, [&](const SocketUse &use) { return is_no_node(use.node); });
    for (SocketUse &use : c.sockets.places)
        use.node = places[static_cast<std::size_t>(use.node)];
    // Whose nodes are not known may be on a shared one.
    const bool may_share = c.on_nodes.empty()
                               ? !shared.empty()
                               : std::ranges::any_of(c.on_nodes, [&](auto node) { return shared.contains(node); });
    if (!is_known(c.meters.energy_J) || !may_share) return;
    c.meters.energy_J = c.meters.gpu_J = unknown;
    c.meters.why_no_energy = say(Sentence::part_node_of_several_runs);
}

void add_sums(RunMeters &joined, const RunMeters &own) {
    joined.memory_wanted = joined.memory_wanted || own.memory_wanted;
    joined.energy_wanted = joined.energy_wanted || own.energy_wanted;
    if (joined.counters_wanted.empty()) joined.counters_wanted = own.counters_wanted;
    joined.hwm_B.add(own.hwm_B);
    joined.executable_B.add(own.executable_B);
    joined.samples.add(own.samples);
    joined.sampling_s.add(own.sampling_s);
    joined.switches_per_s.add(own.switches_per_s);
    joined.no_processor_s.add(own.no_processor_s);
    for (const std::string &line : own.not_there)
        if (std::ranges::find(joined.not_there, line) == joined.not_there.end()) joined.not_there.push_back(line);
}

} // namespace

JoinedNames join_names(std::span<const CoupledRun *const> runs, std::span<const std::string> labels, bool prefix) {
    const RunsOfName where = recorded_components(runs);
    if (!prefix) refuse_clashes(where, labels);
    JoinedNames joined;
    joined.runs.resize(runs.size());
    number_components(runs, labels, where, joined);
    for (std::size_t r = 0; r < runs.size(); ++r) {
        const std::set<std::int32_t> collective = fields_of_collectives(*runs[r]);
        for (std::size_t f = 0; f < runs[r]->field_names.size(); ++f) {
            std::string name = runs[r]->field_names[f];
            const bool apart = collective.contains(static_cast<std::int32_t>(f) + 1);
            if (apart && any_other_has_field(runs, runs[r], name)) name += " (" + labels[r] + ")";
            joined.runs[r].fields.push_back(number_in(joined.field_names, name));
        }
    }
    return joined;
}

void renumber(CoupledRun &run, const JoinedNames &names, const JoinedNames::OfRun &own, std::int32_t first_rank) {
    for (Component &c : run.components) {
        c.id = mapped(own.components, c.id);
        c.name = names.component_names[static_cast<std::size_t>(c.id) - 1];
        for (std::int32_t &rank : c.ranks)
            rank += first_rank;
        for (std::int32_t *rank : {&c.no_processor.most, &c.no_processor.most_outside})
            if (*rank >= 0) *rank += first_rank;
        for (EventClass &key : c.table.keys.classes()) {
            key.field = mapped(own.fields, key.field);
            key.counterpart = mapped(own.components, key.counterpart);
        }
        for (WaitingFor &part : c.balance.waiting_for)
            part.component = mapped(own.components, part.component);
    }
    for (std::int32_t &rank : run.run.missing)
        rank += first_rank;
}

RunMeters join_meters(std::span<CoupledRun *const> runs) {
    RunMeters joined;
    std::set<std::int32_t> shared;                              // nodes
    std::vector<std::vector<std::int32_t>> places(runs.size()); // of each run's nodes
    for (std::size_t r = 0; r < runs.size(); ++r) {
        add_sums(joined, runs[r]->meters);
        for (const NodeMeters &node : runs[r]->meters.nodes)
            places[r].push_back(place_of_node(joined, shared, node));
    }
    double energy_J = 0;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        for (Component &c : runs[r]->components)
            settle_component(c, places[r], shared);
        energy_J += runs[r]->meters.energy_J; // unknown if it is in one of them
        if (shared.empty()) joined.crowding.add(runs[r]->meters.crowding);
    }
    if (shared.empty()) joined.energy_J = energy_J;
    return joined;
}

} // namespace cpl_lb
