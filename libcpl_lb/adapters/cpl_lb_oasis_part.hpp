// From the segments of an OASIS partition (serial, apple, box, orange and points are all lists of them) to the part
// of the grid that a process has, as cpl_lb_set_domain_pieces takes it. Part of cpl_lb_oasis.cpp; a pure function.
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

struct Pieces {
    std::array<long long, 2> size{};     // 0: there are none
    std::vector<long long> first, count; // i and j of one piece after the other

    [[nodiscard]] long long pieces() const { return static_cast<long long>(first.size() / 2); }
    void add(std::array<long long, 2> at, std::array<long long, 2> points) {
        if (points[0] < 1 || points[1] < 1) return;
        first.insert(first.end(), {at[0] + 1, at[1] + 1});
        count.insert(count.end(), points.begin(), points.end());
    }
    // The rest of a row, whole rows, the begin of a row.
    void add(const Segment &s) {
        const long long nx = size[0], begin = s.first - 1, end = begin + s.points;
        const long long head = std::min(end, (begin + nx - 1) / nx * nx), tail = std::max(head, end / nx * nx);
        add({begin % nx, begin / nx}, {head - begin, 1});
        add({0, head / nx}, {nx, (tail - head) / nx});
        add({0, tail / nx}, {end - tail, 1});
    }
};

// The pieces of process `rank` in a grid of nx x ny, or of one direction where that is no grid of so many points. All
// processes come to the same grid, because they know the segments of all: of impossible ones nobody has a part.
inline Pieces pieces_of_process(const std::vector<Segment> &segments, long long points, long long nx, long long ny,
                                int rank) {
    Pieces mine;
    const bool good = std::all_of(segments.begin(), segments.end(), [&](const Segment &s) {
        return s.points < 1 ||
               (s.rank >= 0 && s.first >= 1 && s.points <= points && s.first - 1 <= points - s.points);
    });
    if (points < 1 || segments.empty() || !good) return mine;
    const bool is_grid = nx >= 1 && ny >= 1 && points % nx == 0 && points / nx == ny;
    mine.size = is_grid ? std::array{nx, ny} : std::array{points, 1LL};
    for (const Segment &s : segments)
        if (s.rank == rank && s.points > 0) mine.add(s);
    return mine;
}

} // namespace cpl_lb::adapter
