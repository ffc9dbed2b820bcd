// The parts of its grid that the processes of a component compute, and what each of them did: the input of the map.
#pragma once

#include "data/time.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace cpl_lb {

// A block of a grid in two directions, i and j; the first point has the number 1.
struct GridPiece {
    std::array<std::int64_t, 2> first{}, count{};
};
// Limit for one process. If there are more, several become the box around them: a part takes at most 512 bytes more.
inline constexpr std::size_t most_pieces = 16;

// The part of one process: a block is one piece.
struct GridPart {
    std::array<std::int64_t, 2> size{}; // of the whole grid; 0: the process gave no part
    std::int64_t points = 0;            // of the part; 0: none of the grid
    std::vector<GridPiece> pieces;      // those with points

    [[nodiscard]] bool given() const { return size[0] > 0; }
    // Whether several of its pieces became one box: these hold points of other processes, too.
    [[nodiscard]] bool is_coarse() const {
        std::int64_t held = 0;
        for (const GridPiece &p : pieces)
            held += p.count[0] * p.count[1];
        return held > points;
    }
};

// The time of each process in a region, from its init to its terminate; 0: it did not enter it.
struct RegionTimes {
    std::string region;
    std::vector<double> seconds;
};
// If a component has more, those with the most time over all its processes are kept.
inline constexpr std::size_t most_region_times = 32;

// Figures of each process of a component, in the order of its ranks. A list is empty if nobody knows its figure; NaN:
// it is not known of that process.
struct ProcessFigures {
    std::vector<double> computing_s;  // in the coupling loop, outside of exchanges and of other components
    std::vector<double> mpi_inside_s; // the part of it in MPI
    std::vector<double> late_s;       // mean arrival at exchanges, after the process that comes first on the average
    std::vector<double> memory_B;     // high-water mark
    std::vector<RegionTimes> regions; // the most time first
    std::vector<GridPart> parts;      // a decomposition that holds
    std::string why_no_parts;         // in words, if the model gave some that do not; empty: it gave none
    std::int64_t left_out = 0;        // points of the grid that no process has, as the model says

    [[nodiscard]] bool empty() const {
        return computing_s.empty() && mpi_inside_s.empty() && late_s.empty() && memory_B.empty() && regions.empty() &&
               parts.empty() && why_no_parts.empty();
    }
};

} // namespace cpl_lb
