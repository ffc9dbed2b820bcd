// From the segments of an OASIS partition (serial, apple, box, orange and points are all lists of them) to the block
// of the grid that a process has. Part of cpl_lb_oasis.cpp; a pure function.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace cpl_lb::adapter {

struct Segment {
    long long first = 0, points = 0; // the first from 1, row after row
    int rank = 0;
};

struct Block {
    std::array<long long, 2> size{}, first{}, count{}; // as cpl_lb_set_domain takes them; a size of 0: there is none
};

namespace partition {

// The points of one process: how many, and the box around them.
struct Extent {
    long long points = 0;
    std::array<long long, 2> least{}, most{}; // from 0, in the directions i and j

    void add(const Segment &s, long long nx) {
        const long long begin = s.first - 1, last = begin + s.points - 1;
        const std::array<long long, 2> rows = {begin / nx, last / nx};
        const bool in_one_row = rows[0] == rows[1];
        const std::array<long long, 2> low = {in_one_row ? begin % nx : 0, rows[0]};
        const std::array<long long, 2> high = {in_one_row ? last % nx : nx - 1, rows[1]};
        for (std::size_t d = 0; d < 2; ++d) {
            least[d] = points == 0 ? low[d] : std::min(least[d], low[d]);
            most[d] = points == 0 ? high[d] : std::max(most[d], high[d]);
        }
        points += s.points;
    }
    [[nodiscard]] bool is_block() const {
        return points == 0 || points == (most[0] - least[0] + 1) * (most[1] - least[1] + 1);
    }
};

// Empty if a process's points are no block of a grid of this size.
inline std::vector<Extent> blocks(const std::vector<Segment> &segments, long long nx, long long ny) {
    std::vector<Extent> all;
    for (const Segment &s : segments) {
        if (s.points < 1) continue;
        if (s.rank < 0 || s.first < 1 || s.first - 1 + s.points > nx * ny) return {};
        if (static_cast<std::size_t>(s.rank) >= all.size()) all.resize(static_cast<std::size_t>(s.rank) + 1);
        all[static_cast<std::size_t>(s.rank)].add(s, nx);
    }
    const bool good = std::all_of(all.begin(), all.end(), [](const Extent &e) { return e.is_block(); });
    return good ? all : std::vector<Extent>();
}

} // namespace partition

// The block of process `rank`, in a grid of nx x ny where the points of all processes are blocks of it, else along a
// grid of one direction. All processes come to the same answer, because they know the segments of all.
inline Block block_of_process(const std::vector<Segment> &segments, long long points, long long nx, long long ny,
                              int rank) {
    for (const std::array<long long, 2> &size : {std::array{nx, ny}, std::array{points, 1LL}}) {
        if (points < 1 || size[0] < 1 || size[1] < 1 || size[0] * size[1] != points) continue;
        const std::vector<partition::Extent> all = partition::blocks(segments, size[0], size[1]);
        if (all.empty()) continue;
        const auto place = static_cast<std::size_t>(rank);
        if (rank < 0 || place >= all.size() || all[place].points == 0) return {size, {1, 1}, {0, 0}};
        const partition::Extent &e = all[place];
        return {size, {e.least[0] + 1, e.least[1] + 1}, {e.most[0] - e.least[0] + 1, e.most[1] - e.least[1] + 1}};
    }
    return {};
}

} // namespace cpl_lb::adapter
