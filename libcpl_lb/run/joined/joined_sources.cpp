// Reads the folders, and refuses runs that cannot be one system, with both names.
#include "run/joined/joined_sources.hpp"

#include "io/files/file_error.hpp"
#include "io/timeline/timeline_reader.hpp"
#include "run/joined/joined_clock.hpp"
#include "run/loaded/load_run.hpp"
#include "run/loaded/run_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <set>

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

} // namespace cpl_lb
