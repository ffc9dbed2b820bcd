// The benchmark of Kim, Larson and Chiu 2012, section VI: five constituents that exchange like those of CCSM3, with
// the starts and the figures of their Table I.
#pragma once

#include "prediction/coupling_graph.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cpl_lb::kim {

enum Place : std::size_t { cpl, atm, ocn, land, ice };
inline constexpr std::array<const char *, 5> names = {"cpl", "atm", "ocn", "land", "ice"};

// Computing time of a day [s] as a p^-b + c: a fit to the 14 points of Table I and figures 5 to 7, because the paper
// does not give its own curves.
[[nodiscard]] double day_seconds(std::size_t constituent, double processes);

// Each constituent computes 1 s in the day: a factor is its computing time. cpl, each hour: send to land and ice
// together, 60 %, receive from both together, send to atm, 20 %, receive from atm, 20 %. The others, each hour: 20 %,
// receive from cpl, 60 %, send to cpl, 20 %; ocn the same once a day.
[[nodiscard]] CouplingGraph day();

// A column of Table I; NaN if it is not printed.
struct PrintedStart {
    const char *name = "";
    std::array<std::int64_t, 5> counts = {}; // cpl, atm, ocn, land, ice
    double first_s = 0, final_s = 0, found_at = 0, reallocations = 0, undone_percent = 0, efficiency = 0;
};
// Scenarios 1 (208 processes, AUTO), 2 (124, AUTO) and 3 (124, MANUAL). The printed INIT1 are (42,42,42,42,42) and
// (25,25,25,25,25), which sum to 210 and 125: the last two have one less, and one (124: the last).
[[nodiscard]] const std::array<PrintedStart, 5> &table_1(int scenario);

} // namespace cpl_lb::kim
