// The work W and the traffic Q of regions, from a run or from a table.
#pragma once

#include "data/coupled_run.hpp"
#include "projection/roofline/roofline.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cpl_lb {

// Columns region, flops, bytes, seconds; or bytes by level: L1_bytes, L2_bytes, L3_bytes, DRAM_bytes. `seconds` may
// be absent. Throws FileError with line and column.
[[nodiscard]] std::vector<RegionWork> work_in_table(const std::string &path);

// The cores of a node that were at work, and the regions as if each ran on all of them at once.
struct RunWork {
    int threads = 0;
    std::vector<RegionWork> regions;
    std::string remark; // in words: what `threads` is; empty: as the user said
};
// What the user says of them; 0: nothing.
struct CoresAtWork {
    std::int64_t threads = 0;    // of the node
    std::int64_t of_process = 0; // that worked in the regions
    int most = 0;                // that the machine's file has; 0: no limit
};

// Whether a source of work is a run (a folder, or its json) and not a table; its figures, then. Throws FileError.
[[nodiscard]] bool is_run(const std::string &source);
[[nodiscard]] CoupledRun run_of(const std::string &source);

// A roofline has the regions. A model of the whole code (fit, power, joules) has before them each component's
// coupling loop without its waiting, by the counters over the loop; it makes use of operations alone, a roofline
// needs bytes, too.
enum class WorkFor : std::uint8_t { roofline, models };

// Work by counters, which are of the thread that calls, else by what the author says of a process (annotations).
// Where the user says nothing the node's processes were at work, each with one thread; regions of processes that
// could have run more (OMP_NUM_THREADS) are then n/a, because nobody knows whether they did. Regions without either
// come with no work.
[[nodiscard]] RunWork work_in(const CoupledRun &run, const CoresAtWork &said, WorkFor whom);
// Sources in a message: "runs/a and others".
[[nodiscard]] std::string first_of(const std::vector<std::string> &sources);

} // namespace cpl_lb
