// The parts of its grid that the processes of a component compute, and what each of them did: the input of the map.
#pragma once

#include "data/time.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace cpl_lb {

enum class GridForm : std::int64_t { none, block, points, pieces };

// A block of a grid in two directions, i and j; the first point has the number 1.
struct GridPiece {
    std::array<std::int64_t, 2> first{}, count{};
};
// Limit for one process. If there are more, several become the box around them: a part takes at most 512 bytes more.
inline constexpr std::size_t most_pieces = 16;

// The part of one process, as a map needs it: its size in memory is the same for any number of points. It is sent: no
// padding.
struct GridPart {
    GridForm form = GridForm::none;
    std::int64_t points = 0;                      // of the part, in all forms; 0: the process has no part of the grid
    std::array<std::int64_t, 2> size{};           // of the whole grid, of blocks and pieces
    std::array<std::int64_t, 2> first{}, count{}; // of a block: the first point, from 1, and points
    // Points with coordinates [degrees], also of blocks whose grid has them: their mean on the sphere, and the box
    // around them, whose middle stands for a mean outside of it. East is not below west, and exceeds 180 where the
    // box crosses the date line.
    double longitude = unknown, latitude = unknown;
    double west = unknown, east = unknown, south = unknown, north = unknown;
};

// What a process gave: its part, and of the form `pieces` its pieces.
struct OwnPart {
    GridPart part;
    std::vector<GridPiece> pieces;
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
    std::vector<GridPart> parts;      // a decomposition that holds; all of one form
    std::vector<std::vector<GridPiece>> pieces; // of parts of the form `pieces`, at most most_pieces of each process
    std::string why_no_parts;                   // in words, if the model gave some that do not; empty: it gave none
    std::int64_t left_out = 0;                  // points of the grid that no process has, as the model says
    std::string grid;         // OASIS's name of the grid of these blocks, as in grids.nc; empty: none
    std::string why_no_globe; // in words, where the coordinates of that grid were asked for

    [[nodiscard]] bool empty() const {
        return computing_s.empty() && mpi_inside_s.empty() && late_s.empty() && memory_B.empty() && regions.empty() &&
               parts.empty() && why_no_parts.empty();
    }
};

} // namespace cpl_lb
