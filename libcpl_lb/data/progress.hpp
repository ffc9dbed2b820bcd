// What long work calls on its way: it reports through a Progress how much of it is done, and gives what it reads to a
// guest. The starter of the work decides whether to show it.
#pragma once

#include "data/coupled_run.hpp"
#include "data/events.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace cpl_lb {

// May be empty. Called from the thread that works, often: it must cost little.
using Progress = std::function<void(std::int64_t done, std::int64_t all)>;
// The Progress of one piece of work, named in words: "reading timeline_ocean.nc". May be empty.
using ProgressOf = std::function<Progress(const std::string &doing)>;

// A reader of all rows of a run's timelines may have a guest that needs each row, too: then large files are read
// once for both.
struct RowGuest {
    // Called for each row, in any order. Several threads may call it at once, numbered from 0 to most_workers - 1;
    // each has one call at a time. `component`: the component's place in CoupledRun::components.
    std::function<void(std::size_t worker, std::size_t component, std::int64_t process, const Row &row)> take;
    std::size_t most_workers = 1;
};

// Reads all rows of all components for its own purpose and gives each to the guest once. The run has no figures
// yet. False: it did not read all rows, and those that the guest got do not count.
using ReadAllRows = std::function<bool(const CoupledRun &run, const RowGuest &guest)>;

} // namespace cpl_lb
