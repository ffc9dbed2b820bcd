// Opens the timelines, one after the other, and reads their rows for the first time, side by side.
#include "run/loaded/open_timelines.hpp"

#include "analysis/decomposition.hpp"
#include "analysis/intervals.hpp"
#include "run/loaded/timeline_passes.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

namespace cpl_lb {
namespace {

// "timeline_ocean.nc" -> "ocean", for files that do not say.
std::string name_from(const std::string &path) {
    return std::filesystem::path(path).stem().string().substr(std::string("timeline_").size());
}

Component component_of(const TimelineHeader &header, const std::string &path, EventTable table) {
    Component c;
    c.table = std::move(table);
    c.name = header.component_name.empty() ? name_from(path) : header.component_name;
    c.id = header.component_id;
    c.threads = header.threads;
    c.dropped_events = header.dropped_events;
    c.events = static_cast<std::int64_t>(c.table.keys.size());
    c.ranks = header.ranks;
    c.first_init = header.first_init;
    c.last_terminate = header.last_terminate;
    if (header.window_first != absent) c.window_first = header.window_first;
    if (header.window_last != absent) c.window_last = header.window_last;
    c.figures = header.figures;
    check_parts(c.figures);
    return c;
}

OpenTimeline open_timeline(const std::string &path, const ProgressOf &progress_of) {
    OpenTimeline timeline;
    if (progress_of) timeline.progress = progress_of("reading " + path.substr(path.rfind('/') + 1));
    timeline.reader = std::make_unique<TimelineReader>(path);
    timeline.header = timeline.reader->header();
    EventTable table;
    table.keys = std::move(timeline.header.keys);
    timeline.reader->forget_keys();
    table.spans.resize(table.keys.size());
    TimesAway away;
    for (std::int64_t process = 0; process < timeline.reader->processes(); ++process)
        add_away(away, timeline.reader->away_of(process));
    timeline.component = component_of(timeline.header, path, std::move(table));
    timeline.component.away = std::move(away.times);
    timeline.component.away_differs = away.differ;
    return timeline;
}

// OASIS's own files lack the times of init and terminate: the events' own extent stands for them.
void fill_in_extent(Component &component) {
    const bool init = component.first_init == absent;
    const bool terminate = component.last_terminate == absent;
    Nanoseconds first = std::numeric_limits<Nanoseconds>::max();
    Nanoseconds last = std::numeric_limits<Nanoseconds>::min();
    for (const EventSpan &span : component.table.spans) {
        if (span.empty()) continue;
        first = std::min(first, span.first_start);
        last = std::max(last, span.last_stop);
    }
    if (init) component.first_init = first <= last ? std::min<Nanoseconds>(first, 0) : 0;
    if (terminate) component.last_terminate = std::max(first <= last ? last : 0, component.first_init);
}

} // namespace

std::vector<OpenTimeline> open_timelines(const std::vector<std::string> &paths, const ProgressOf &progress_of) {
    std::vector<OpenTimeline> timelines;
    timelines.reserve(paths.size());
    for (const std::string &path : paths)
        timelines.push_back(open_timeline(path, progress_of));
    std::vector<SpansPass> passes;
    passes.reserve(paths.size());
    for (OpenTimeline &timeline : timelines)
        passes.push_back({timeline.reader.get(), timeline.component.table.spans, timeline.progress});
    reduce_rows(passes);
    for (OpenTimeline &timeline : timelines)
        fill_in_extent(timeline.component);
    return timelines;
}

} // namespace cpl_lb
