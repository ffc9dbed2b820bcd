// What a machine allows a region to do, and how much of that it does (Williams et al. 2009; cache-aware: ESCAPE D3.5,
// section 6.1 and figures 17, 18, 24, 25).
//
// A region of W operations that moves Q bytes takes at least max(W / P, Q / B): P the flop rate, B the bandwidth of a
// level of memory. Where Q is known for each level (by counters of misses), each level has its own Q, and the longest
// of these times is the ceiling. Where only the bytes that the program asks for are known (cache-aware roofline), the
// same Q is held against every level, and the ceiling is the slowest level that does not contradict the measured
// time: the data cannot have come from further away than that. Without a measured time it is the furthest level.
#pragma once

#include "projection/machine/machine.hpp"

namespace cpl_lb {

struct LevelTraffic {
    std::string level; // "L1", ..., "DRAM"
    double bytes = unknown;
};

// One region's work: all calls, all threads that the machine runs at once.
struct RegionWork {
    std::string name;
    double flops = unknown;             // W
    double bytes = unknown;             // Q, as the program asks: the same at all levels
    std::vector<LevelTraffic> by_level; // Q of each level, if it is known
    double seconds = unknown;
    double node_J = unknown; // energy of a node meanwhile
    std::string from;        // "counters", "annotations", "table"
    std::string why_not;     // in words, where its work is not known for a reason of its own
};

struct RooflineSetting {
    MachineSetting at;  // 0 threads: the most that the machine's file has
    std::string vector; // flop rate of these instructions; empty: the best
    std::string access; // bandwidth of this access; empty: the best
};

struct RooflineCeiling {
    std::string name; // "avx512 flop rate", "L2 bandwidth"
    bool is_bandwidth = false;
    double per_s = unknown; // flop/s or B/s
};

struct RooflineRow {
    RegionWork work;
    double intensity = unknown; // W / Q, of the level that limits, or of the furthest
    double attained_flop_per_s = unknown;
    double ceiling_flop_per_s = unknown; // NaN without operations: the ceiling is then a bandwidth
    double least_s = unknown;            // by the limiting ceiling
    std::string limit;                   // its name; empty: not known
    std::string why_not;                 // in words, where least_s is NaN

    // The part of the ceiling that is reached. Above 1: the time is shorter than the machine's file allows.
    [[nodiscard]] double share() const { return work.seconds > 0 ? least_s / work.seconds : unknown; }
    // Known where the region did not take less: what it did is possible.
    [[nodiscard]] double possible_least_s() const { return share() > 1 ? unknown : least_s; }
};

// Allows for errors of measurement: a region above a ceiling by more was not limited by it.
inline constexpr double roofline_tolerance = 0.05;

struct Roofline {
    std::string machine;
    RooflineSetting setting;
    std::vector<RooflineCeiling> ceilings; // flop rates from the highest, then bandwidths from the nearest level
    std::vector<RooflineRow> rows;
    std::vector<std::string> remarks;
};

// Throws std::invalid_argument when the machine has no flop rate or no bandwidth in this setting.
[[nodiscard]] Roofline roofline_of(const Machine &machine, RooflineSetting setting,
                                   const std::vector<RegionWork> &regions);

// The roofline as a table, and as a picture of its own.
[[nodiscard]] std::string roofline_as_text(const Roofline &roofline);
// The region that takes the most time, in a sentence or two with a newline; empty if no time is known.
[[nodiscard]] std::string roofline_in_words(const Roofline &roofline);
// An SVG file: both axes logarithmic, each ceiling named at its line, each region a dot with its name. Its style
// is scoped to the class "roofline", so that it can stand inside a page.
[[nodiscard]] std::string roofline_svg(const Roofline &roofline);

} // namespace cpl_lb
