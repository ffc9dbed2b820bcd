// Gives the rows of a timeline one after the other; a thread reads the next block while the caller works on the last.
#pragma once

#include "data/events.hpp"
#include "data/progress.hpp"
#include "io/timeline/timeline_reader.hpp"

#include <functional>

namespace cpl_lb {

// Calls `each` for every process's row, in order, on the calling thread, and tells `progress` how many are read.
void for_each_row(TimelineReader &reader, const Progress &progress, const std::function<void(const Row &)> &each);

} // namespace cpl_lb
