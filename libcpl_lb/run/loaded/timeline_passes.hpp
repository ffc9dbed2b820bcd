// The two passes over the rows of a timeline (analysis/load_balance.hpp): by several threads if the rows are
// contiguous in the file, else read by netCDF ahead of the analysis. Between them stand the components of the run.
#pragma once

#include "analysis/imbalance_parts.hpp"
#include "analysis/load_balance.hpp"
#include "analysis/process_waiting.hpp"
#include "data/progress.hpp"
#include "io/timeline/timeline_reader.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace cpl_lb {

// Pass 1: all rows are added to the spans, one for each event. Throws FileError.
void reduce_rows(TimelineReader &reader, std::span<EventSpan> spans, const Progress &progress = {});

struct OpenTimeline {
    std::unique_ptr<TimelineReader> reader; // its header lacks the keys, which are in the component's table
    Component component;
    Progress progress; // of reading its rows
};

// Opens all, and makes pass 1 of each: with the events reduced over the processes. Throws FileError.
[[nodiscard]] std::vector<OpenTimeline> open_timelines(const std::vector<std::string> &paths,
                                                       const ProgressOf &progress_of);

// The input of pass 2 for one component. Everything that it points to outlives it.
struct SharePass {
    TimelineReader *reader = nullptr;
    const EventTable *table = nullptr;
    Window window;
    Interval run;
    std::int32_t counterparts = 0;
    bool process_waiting = true;       // wanted; if not, and all processes wait alike, not all rows are read
    ArrivalsOfAll *arrivals = nullptr; // of all processes, if wanted; null: they are not
    Progress progress;
};

// Sums over all processes.
struct ProcessSums {
    Share share; // see share_of()
    ProcessWaitingSum waiting;

    friend bool operator==(const ProcessSums &, const ProcessSums &) = default;
};

// Pass 2 of each component. If a file is too small for several threads, and needs no netCDF, each thread takes the
// next one: with hundreds of components these are most of them. Throws FileError.
[[nodiscard]] std::vector<ProcessSums> sums_over_processes(std::span<const SharePass> passes);

} // namespace cpl_lb
