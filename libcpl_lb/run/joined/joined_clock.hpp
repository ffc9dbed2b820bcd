// How far apart the clocks of two runs are that exchanged with each other: nothing is received before it is sent. And
// several runs on one axis of time: whose clocks are how far apart, through which other run. Pure functions.
#pragma once

#include "data/coupled_run.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cpl_lb {

// A field on its way from a component of one run to a component of another: when its PUTs began, by the clock of the
// one, and when its GETs ended, by the clock of the other. Both ascend.
struct CrossedField {
    std::vector<Nanoseconds> put_begins, get_ends;
};

// The fields between two runs: `there` from the first to the second, `back` from the second to the first.
struct BetweenRuns {
    std::vector<CrossedField> there, back;
};

// The difference that is known without the exchanges: add it to times of the second run to get those of the first.
struct ClocksOfDay {
    Nanoseconds ahead = 0;
    double error_s = unknown; // of a usual clock: how well it has to fit to decide between lags
};

struct ComparedClocks {
    Nanoseconds ahead = 0;          // to be added to times of the second run
    double error_bound_s = unknown; // unknown: the clocks cannot be compared, and `ahead` is only a likely value
    std::string why_not;            // in words, if they cannot
    bool by_exchanges = false;      // else by the node's own clock, or by the clocks of day
};

// From the begins of the runs. Empty if a run does not say when it began.
[[nodiscard]] std::optional<ClocksOfDay> clocks_of_day(const RunInfo &first, const RunInfo &second);

// Both runs are on one clock: that of one node. own_bound_s: the sum of the bounds of both runs' clocks.
[[nodiscard]] std::optional<ComparedClocks> by_one_node(const RunZero &first, const RunZero &second,
                                                        double own_bound_s);

// GET n + lag receives PUT n, with the smallest lags without a contradiction. Then each exchange limits the distance
// of the clocks from one side, and exchanges in both directions bound it; the middle of the range is taken. Fields
// whose PUTs and GETs differ in number by more than one are not used. If several lags fit, the clocks of day decide,
// if they fit only one of them.
[[nodiscard]] ComparedClocks by_exchanges(const BetweenRuns &crossing, const ClocksOfDay &of_day, double own_bound_s);

struct PlacedRuns {
    std::vector<Nanoseconds> shift;   // to be added to the times of each run; the earliest zero is the axis's
    double error_bound_s = unknown;   // between times of any two runs; unknown: they cannot all be compared
    std::string why_not_comparable;   // in words, if not
    std::vector<std::string> remarks; // how each run came to its place
};

// labels: of the runs, for words. own_bounds_s: of each run's clock. compare(a, b): how far the clocks of two runs
// are apart; pairs are asked once, a < b.
[[nodiscard]] PlacedRuns place_runs(std::span<const std::string> labels, std::span<const double> own_bounds_s,
                                    const std::function<ComparedClocks(std::size_t, std::size_t)> &compare);

} // namespace cpl_lb
