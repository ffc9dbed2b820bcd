// How the start-up of an ensemble grows from run to run with the number of its members (docs/definitions.md, section
// 5, "Start-up of more members").
#pragma once

#include "data/time.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cpl_lb {

struct StartupOfRun {
    std::string name; // its folder, or as a history calls it
    std::int64_t members = 0;
    double startup_s = unknown; // of the member whose start-up takes longest; NaN: of a member it is not known
};

struct StartupOfRuns {
    std::vector<StartupOfRun> runs;    // those with the fewest members first
    std::vector<std::int64_t> members; // the different numbers of runs whose start-up is known, ascending
    double growth_s = unknown;         // with each member; NaN: fewer than three numbers, or no line shows it
};
inline constexpr std::size_t least_member_counts = 3;

[[nodiscard]] StartupOfRuns startup_of_runs(std::vector<StartupOfRun> runs);

} // namespace cpl_lb
