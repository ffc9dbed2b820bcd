// A reader of all rows of a run's timelines may have a guest that needs each row, too: then large files are read
// once for both.
#pragma once

#include "data/coupled_run.hpp"
#include "data/events.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>

namespace cpl_lb {

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
