// Opens the timelines one after the other, and meanwhile reads the rows of the opened ones.
#include "run/loaded/open_timelines.hpp"

#include "analysis/decomposition.hpp"
#include "analysis/intervals.hpp"
#include "run/loaded/timeline_passes.hpp"
#include "support/threads.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <span>
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

// The rest, which needs no netCDF.
void enter_header(OpenTimeline &timeline, const std::string &path) {
    EventTable table;
    table.keys = timeline.reader->take_keys();
    table.spans.resize(table.keys.size());
    TimesAway away;
    for (std::int64_t process = 0; process < timeline.reader->processes(); ++process)
        add_away(away, timeline.reader->away_of(process));
    timeline.component = component_of(timeline.reader->header(), path, std::move(table));
    timeline.component.away = std::move(away.times);
    timeline.component.away_differs = away.differ;
}

// OASIS's own files lack the times of init and terminate, so the extent of the events stands for them.
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
    std::vector<OpenTimeline> timelines(paths.size());
    for (std::size_t i = 0; i < paths.size() && progress_of; ++i)
        timelines[i].progress = progress_of("reading " + paths[i].substr(paths[i].rfind('/') + 1));
    const auto count = static_cast<std::int64_t>(paths.size());
    std::vector<ClassicRows::Buffer> buffers(row_workers(count, 0));
    std::vector<std::uint8_t> reduced(paths.size());
    std::vector<std::optional<ClassicLayout>> small(paths.size());
    std::atomic<std::size_t> opened = 0;
    const auto open_all = [&] {
        const auto tell = [&](std::size_t up_to) {
            opened = up_to;
            opened.notify_all();
        };
        try {
            for (std::size_t i = 0; i < paths.size(); tell(++i)) {
                timelines[i].reader = std::make_unique<TimelineReader>(paths[i]);
                if (paths.size() > 1) small[i] = layout_of_small(*timelines[i].reader);
            }
        } catch (...) {
            tell(paths.size()); // nobody waits for those that are missing
            throw;
        }
    };
    // Only this thread opens files: another one would print HDF5's messages, which netCDF silences for one thread.
    // Only this thread reports progress, too. Each of the others waits for at most one file, so at least one is left
    // for this thread.
    const auto reduce = [&](std::size_t worker, std::size_t i) {
        if (worker == 0 && opened == 0) open_all();
        for (std::size_t up_to = opened; up_to <= i; up_to = opened)
            opened.wait(up_to);
        OpenTimeline &timeline = timelines[i];
        if (!timeline.reader) return;
        enter_header(timeline, paths[i]);
        const Progress progress = worker == 0 ? timeline.progress : Progress();
        const std::span<EventSpan> spans = timeline.component.table.spans;
        if (small[i] && reduce_small(*timeline.reader, *small[i], spans, progress, buffers[worker])) reduced[i] = 1;
    };
    share_rows(count, 1, buffers.size(), {}, [&](std::size_t worker, std::int64_t first, std::int64_t /*one*/) {
        reduce(worker, static_cast<std::size_t>(first));
    });
    for (std::size_t i = 0; i < paths.size(); ++i) {
        OpenTimeline &timeline = timelines[i];
        if (reduced[i] == 0) reduce_rows(*timeline.reader, timeline.component.table.spans, timeline.progress);
        fill_in_extent(timeline.component);
    }
    return timelines;
}

} // namespace cpl_lb
