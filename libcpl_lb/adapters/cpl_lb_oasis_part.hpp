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
    long long left_out = 0;              // points of the grid that no process has, as the model says
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

// All segments together: the sum of their points, and the last point.
struct SumOfSegments {
    long long points = 0, last = 0;
    bool good = true; // each has a process and begins in the grid
};
inline SumOfSegments sum_of(const std::vector<Segment> &segments) {
    SumOfSegments sum;
    for (const Segment &s : segments) {
        if (s.points < 1) continue;
        sum.good = sum.good && s.rank >= 0 && s.first >= 1;
        sum.points += s.points;
        sum.last = std::max(sum.last, s.first - 1 + s.points);
    }
    return sum;
}

// The pieces of process `rank` in a grid of nx x ny, or of one direction where that is no grid of so many points. All
// processes come to the same grid, because they know the segments of all: of impossible ones nobody has a part.
// points: as OASIS has it: what the model gave with the partition (ig_size), else the sum of the segments. So a grid
// with more points than the segments has holes because the model says so. If the segments go beyond a sum, they leave
// holes of which the model said nothing: then the namcouple's grid, or the last point, shows them.
inline Pieces pieces_of_process(const std::vector<Segment> &segments, long long points, long long nx, long long ny,
                                int rank) {
    Pieces mine;
    const SumOfSegments sum = sum_of(segments);
    const bool holes = points == sum.points && sum.last > points;
    if (points < 1 || segments.empty() || !sum.good || (sum.last > points && !holes)) return mine;
    const long long grid = nx >= 1 && ny >= 1 ? nx * ny : 0;
    const bool is_grid = holes ? grid >= sum.last : grid == points;
    mine.size = is_grid ? std::array{nx, ny} : std::array{holes ? sum.last : points, 1LL};
    mine.left_out = std::max(points - sum.points, 0LL);
    for (const Segment &s : segments)
        if (s.rank == rank && s.points > 0) mine.add(s);
    return mine;
}

} // namespace cpl_lb::adapter
