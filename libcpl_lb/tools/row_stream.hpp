// The rows of a timeline one after the other; the next block is read while the last one is analysed.
#pragma once

#include "data/events.hpp"
#include "io/timeline_reader.hpp"

#include <functional>

namespace cpl_lb {

// Calls `each` for every process's row, in order, on the calling thread.
void for_each_row(TimelineReader &reader, const std::function<void(const Row &)> &each);

} // namespace cpl_lb
