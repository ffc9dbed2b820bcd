// Finds spool files in folders and sorts them by run. Reads those of a run, component by component, and writes its
// results.
#include "run/recovered/recovery.hpp"

#include "analysis/exchanges.hpp"
#include "io/files/file_error.hpp"
#include "io/files/file_handle.hpp"
#include "io/files/result_file.hpp"
#include "io/json/info_json.hpp"
#include "report/text_summary.hpp"
#include "run/assemble.hpp"
#include "run/recovered/recovered_component.hpp"
#include "run/united/unite_component.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"
#include "support/utc.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <filesystem>
#include <limits>
#include <map>
#include <utility>

namespace cpl_lb {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> paths_in(const std::vector<std::string> &places) {
    std::vector<std::string> paths;
    for (const std::string &place : places) {
        std::error_code error;
        if (!fs::is_directory(place, error)) {
            if (!fs::exists(place, error)) throw FileError(place, "no such file or folder");
            paths.push_back(place);
            continue;
        }
        for (const std::string &name : names_in(place, error))
            if (fs::path(name).extension() == ".spool") paths.push_back((fs::path(place) / name).string());
        if (error) throw FileError(place, "cannot read: " + error.message());
    }
    std::ranges::sort(paths);
    paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
    return paths;
}

std::int64_t start_of(const SpoolFile &file) {
    return file.identity().started_realtime_ns;
}

std::string in_words(const SpoolFile &f) {
    return fmt::format("{} (token {}, started {})", text_of(f.identity().run_id), f.token(),
                       text_of(f.identity().started));
}

using Runs = std::map<std::string, std::vector<SpoolFile>>; // by token

Runs::iterator choose(Runs &runs, const std::string &wanted, const std::string &where) {
    const auto newest_start = [](const auto &run) {
        return start_of(*std::ranges::max_element(run.second, {}, start_of));
    };
    if (wanted.empty()) return std::ranges::max_element(runs, {}, newest_start);
    const auto found = std::ranges::find_if(runs, [&](const auto &run) {
        return run.first == wanted || text_of(run.second.front().identity().run_id) == wanted;
    });
    if (found == runs.end()) throw FileError(where, "no spool files of the run " + wanted);
    return found;
}

// Takes one file for each rank; if there are copies, the longest.
void one_for_each_rank(SpoolRun &run) {
    std::ranges::stable_sort(run.files, [](const SpoolFile &a, const SpoolFile &b) {
        return std::pair(a.identity().rank, b.bytes()) < std::pair(b.identity().rank, a.bytes());
    });
    const auto same_rank = [](const SpoolFile &a, const SpoolFile &b) {
        return a.identity().rank == b.identity().rank;
    };
    const auto copies = std::unique(run.files.begin(), run.files.end(), same_rank);
    if (copies != run.files.end())
        run.remarks.push_back(say(Sentence::remark_copies, {{"count", std::to_string(run.files.end() - copies)}}));
    run.files.erase(copies, run.files.end());
    // A process of a run of another size does not belong to this run, even if its token matches.
    const std::int32_t size = run.files.front().identity().size;
    std::erase_if(run.files, [&](const SpoolFile &f) { return f.identity().size != size; });
}

} // namespace

SpoolRun find_spools(const std::vector<std::string> &places, const std::string &wanted) {
    const std::string where = joined(places, ", ");
    Runs runs;
    SpoolRun run;
    for (const std::string &path : paths_in(places)) {
        try {
            SpoolFile file(path);
            runs[file.token()].push_back(std::move(file));
        } catch (const FileError &e) {
            run.remarks.push_back(say(Sentence::remark_left_out, {{"why", e.what()}}));
        }
    }
    if (runs.empty())
        throw FileError(where, run.remarks.empty() ? "no spool files (*.spool)"
                                                   : "no usable spool file; " + run.remarks.front());
    const auto chosen = choose(runs, wanted, where);
    run.token = chosen->first;
    run.files = std::move(chosen->second);
    runs.erase(chosen);
    run.id = text_of(run.files.front().identity().run_id);
    run.started = text_of(run.files.front().identity().started);
    for (const auto &[token, files] : runs)
        run.remarks.push_back(say(Sentence::remark_other_spools,
                                  {{"run", in_words(files.front())}, {"files", counted(files.size(), "file")}}));
    one_for_each_rank(run);
    return run;
}

namespace {

// Decoded processes stay in memory while all files together are no larger than this.
constexpr std::uint64_t most_cached_bytes = std::uint64_t{256} << 20U;

class Processes {
public:
    Processes(const SpoolRun &run, const Progress &progress)
        : run_(run), progress_(progress), kept_(run.files.size()) {
        std::uint64_t bytes = 0;
        for (const SpoolFile &f : run.files)
            bytes += f.chunks() * f.words_of_chunk() * sizeof(Mark);
        keep_ = bytes <= most_cached_bytes;
    }
    std::shared_ptr<const RecoveredProcess> get(std::size_t i) {
        // Facts, three passes for the alignment, limits, two passes over the events, their rows: most processes have
        // one component.
        if (progress_) progress_(++looks_, 8 * static_cast<std::int64_t>(kept_.size()));
        if (kept_[i]) return kept_[i];
        auto process = std::make_shared<const RecoveredProcess>(recover_process(run_.files[i]));
        if (keep_) kept_[i] = process;
        return process;
    }

private:
    const SpoolRun &run_;
    const Progress &progress_;
    std::int64_t looks_ = 0;
    std::vector<std::shared_ptr<const RecoveredProcess>> kept_;
    bool keep_ = false;
};

ProcessFacts facts_of(const SpoolFile &file, const RecoveredProcess &process) {
    ProcessFacts facts{process, process.decoded.problems, {}};
    for (std::size_t c = 0; c < process.decoded.components.size(); ++c)
        facts.parts.push_back(part_of(file, process, c));
    return facts;
}

Catalogue catalogue_of(const SpoolRun &run, const std::vector<ProcessFacts> &facts) {
    std::vector<CatalogueEntry> entries;
    Members members;
    for (std::size_t i = 0; i < run.files.size(); ++i) {
        for (const ComponentPart &part : facts[i].parts) {
            entries.insert(entries.end(), part.entries.begin(), part.entries.end());
            if (part.took_part) members[part.component].insert(run.files[i].identity().rank);
        }
    }
    return make_catalogue(std::move(entries), members);
}

// Enters what the processes wrote during the run. A process that wrote nothing is unknown.
void enter_disturbance(RunMeters &meters, const SpoolRun &spools) {
    for (const SpoolFile &f : spools.files) {
        const SpoolStatus &s = f.status();
        if (s.threads_per_processor > 0) meters.crowding.add(s.threads_per_processor);
        if ((s.flags & spool_flag_switches) != 0) meters.switches_per_s.add(s.switches_per_s);
    }
}

// Processes without a file, by rank.
void enter_missing(RunInfo &info, const SpoolRun &spools) {
    info.missing_count = spools.files.front().identity().size - static_cast<std::int64_t>(spools.files.size());
    auto file = spools.files.begin();
    const auto named =
        std::min(most_missing_named, static_cast<std::size_t>(std::max<std::int64_t>(info.missing_count, 0)));
    for (std::int32_t rank = 0; info.missing.size() < named; ++rank) {
        if (file != spools.files.end() && file->identity().rank == rank)
            ++file;
        else
            info.missing.push_back(rank);
    }
}

KnownRun look_at_all(const SpoolRun &spools, Processes &processes) {
    KnownRun known;
    for (std::size_t i = 0; i < spools.files.size(); ++i) {
        const ProcessFacts &facts = known.facts.emplace_back(facts_of(spools.files[i], *processes.get(i)));
        known.zero = std::min(known.zero, facts.first_init);
        known.last = std::max(known.last, facts.last_mark);
    }
    known.catalogue = catalogue_of(spools, known.facts);
    return known;
}

RunParts parts_without_components(const SpoolRun &spools, const KnownRun &known) {
    RunParts parts;
    CoupledRun &run = parts.run;
    const SpoolIdentity &first = spools.files.front().identity();
    run.run.id = spools.id;
    run.run.submitted = text_of(first.submitted);
    run.run.started = spools.started;
    constexpr std::int64_t farthest = std::int64_t{1} << 61;
    run.run.ended = utc_text((std::clamp(first.started_realtime_ns, -farthest, farthest) +
                              std::clamp(known.length(), Nanoseconds{0}, farthest)) /
                             1'000'000'000);
    run.run.wall_s = to_seconds(known.length());
    run.run.year_days = first.year_days;
    run.run.processes = static_cast<std::int64_t>(spools.files.size());
    run.run.origin = Origin::recovered;
    enter_missing(run.run, spools);
    run.run.cores = std::max<std::int64_t>(first.cores, 0);
    run.run.cores_from = text_of(first.cores_from);
    for (const SpoolFile &f : spools.files)
        parts.threads_of_processes += f.identity().threads;
    Nanoseconds bound = 0;
    for (const ProcessFacts &f : known.facts)
        bound = std::max(bound, f.clock_bound);
    run.clock.error_bound_s = to_seconds(bound);
    run.clock.nodes = first.nodes;
    run.clock.source = name_of(static_cast<ClockSource>(first.clock_source));
    enter_disturbance(run.meters, spools);
    run.component_names = known.catalogue.component_names;
    run.field_names = known.catalogue.field_names;
    run.remarks = recovery_remarks(spools, run.run, known.facts);
    return parts;
}

void refuse_more_than_files_support(const SpoolRun &spools, const TimelineHeader &header) {
    std::uint64_t bytes = 0;
    for (const SpoolFile &f : spools.files)
        bytes += f.bytes();
    refuse_more_than_input_supports("the spool files of the run " + spools.id, header, bytes);
}

// Gathers each component and writes its timeline; returns the names of the timelines.
std::vector<std::string> add_components(const SpoolRun &spools, const KnownRun &known, Processes &processes,
                                        const RecoveryOptions &options, CoupledRun &run) {
    const UnitedTimelines timelines{options.output, options.compress, header_of_run(run, known.length())};
    const Catalogue &catalogue = known.catalogue;
    const auto recovered = [&](std::size_t c) {
        const auto process = [&processes](std::size_t i) { return processes.get(i); };
        return recover_component(spools, known, process, static_cast<std::int32_t>(c) + 1);
    };
    std::deque<ComponentUnion> components; // the next ones
    if (std::ranges::any_of(catalogue.classes, [](const auto &c) { return c.what.kind == Kind::sync; })) {
        // Who came last to collective operations: only this needs the events of all components at the same time.
        std::vector<Component *> with_events;
        for (std::size_t c = 0; c < catalogue.members.size(); ++c)
            with_events.push_back(&components.emplace_back(recovered(c)).component());
        name_sync_counterparts(with_events, from_seconds(run.clock.error_bound_s));
    }
    std::vector<std::string> names;
    for (std::size_t c = 0; c < catalogue.members.size(); ++c) {
        if (components.empty()) components.push_back(recovered(c));
        names.push_back(timelines.add(std::move(components.front()), run));
        components.pop_front();
    }
    enter_missing_of_components(run.components, spools);
    return names;
}

void write_summaries(const std::string &folder, Recovery &result) {
    write_result_file(path_in(folder, "load_balancing_info.txt"), text_summary(result.run));
    write_result_file(path_in(folder, "load_balancing_info.json"), info_json(result.run));
    result.files.insert(result.files.begin(), {"load_balancing_info.txt", "load_balancing_info.json"});
}

} // namespace

Recovery recover(const SpoolRun &spools, const RecoveryOptions &options) {
    const auto began = std::chrono::steady_clock::now();
    Processes processes(spools, options.progress);
    const KnownRun known = look_at_all(spools, processes);
    RunParts parts = parts_without_components(spools, known);
    refuse_more_than_files_support(spools, header_of_run(parts.run, known.length()));
    if (!options.output.empty()) create_directory(options.output);
    Recovery result;
    result.files = add_components(spools, known, processes, options, parts.run);
    result.run = assemble(std::move(parts));
    result.run.analysis_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    if (!options.output.empty()) write_summaries(options.output, result);
    return result;
}

} // namespace cpl_lb
