// The two passes over the rows of a timeline (analysis/load_balance.hpp): by several threads if the rows are
// contiguous in the file, else read by netCDF ahead of the analysis.
#pragma once

#include "analysis/imbalance_parts.hpp"
#include "analysis/load_balance.hpp"
#include "analysis/process_waiting.hpp"
#include "data/progress.hpp"
#include "io/timeline/timeline_reader.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace cpl_lb {

// Pass 1: all rows are added to the spans, one for each event. Throws FileError.
void reduce_rows(TimelineReader &reader, std::span<EventSpan> spans, const Progress &progress = {});

// Pass 1 of files that are too small for several threads, side by side with others. The layout is none if the file is
// larger or needs netCDF, which is asked here. reduce_small() does without; false: reduce_rows() must look at the
// rows.
[[nodiscard]] std::optional<ClassicLayout> layout_of_small(const TimelineReader &reader);
[[nodiscard]] bool reduce_small(const TimelineReader &reader, const ClassicLayout &layout, std::span<EventSpan> spans,
                                const Progress &progress, ClassicRows::Buffer &buffer);

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

// Pass 2 for each component of `run`. A caller that reads all rows anyway may do it here. Throws FileError.
[[nodiscard]] std::vector<ProcessSums> sums_over_processes(std::span<const SharePass> passes, const CoupledRun &run,
                                                           const ReadAllRows &read_all);

} // namespace cpl_lb
