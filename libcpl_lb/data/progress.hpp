// What long work calls on its way: it reports through a Progress how much of it is done. The starter of the work
// decides whether to show it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace cpl_lb {

// May be empty. Called from the thread that works, often: it must cost little.
using Progress = std::function<void(std::int64_t done, std::int64_t all)>;
// The Progress of one piece of work, named in words: "reading timeline_ocean.nc". May be empty.
using ProgressOf = std::function<Progress(const std::string &doing)>;

} // namespace cpl_lb
