// The two passes over the rows of a timeline (analysis/load_balance.hpp): by several threads where the rows lie one
// after the other in the file, else read by netCDF ahead of the analysis.
#pragma once

#include "analysis/load_balance.hpp"
#include "data/progress.hpp"
#include "io/timeline/timeline_reader.hpp"

#include <cstdint>
#include <span>

namespace cpl_lb {

// Pass 1: adds all rows to the spans, one for each event. Throws FileError.
void reduce_rows(TimelineReader &reader, std::span<EventSpan> spans, const Progress &progress = {});

// Pass 2: the sum of the shares of all processes, see share_of(). Throws FileError.
[[nodiscard]] Share sum_of_shares(TimelineReader &reader, const EventTable &table, const Window &window, Interval run,
                                  std::int32_t counterparts, const Progress &progress = {});

} // namespace cpl_lb
