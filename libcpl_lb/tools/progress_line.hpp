// "cpl-lb: reading timeline_ocean.nc 45 %": one line on standard error while a command works for more than a second,
// erased at the end. Only where standard error is a terminal.
#pragma once

#include "data/progress.hpp"

#include <string>

namespace cpl_lb {

// doing: in words, "reading timeline_ocean.nc".
void show_progress(const std::string &doing, std::int64_t done, std::int64_t all);
// Call it before any other output. It does nothing if no line is shown.
void erase_progress();

[[nodiscard]] Progress progress_of(const std::string &doing);

} // namespace cpl_lb
