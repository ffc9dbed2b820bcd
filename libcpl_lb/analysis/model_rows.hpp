// Compares runs: with the rows of an intercomparison of models (Balaji et al. 2017, section 4.2 and figure 4: how
// fast and how costly it is beside models of its size), and those of one experiment on several numbers of cores.
#pragma once

#include "data/coupled_run.hpp"
#include "data/model_row.hpp"
#include "data/time.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

// Lines "model,resolution,complexity,SYPD,CHSY,coupling %,I/O %,DI,bloat,ASYPD,platform" after a line of names; '#'
// starts a comment, an empty field is not known, " S" or " T" at the end of a model is its mode. Throws
// std::invalid_argument with the number of a line that has another form.
[[nodiscard]] std::vector<ModelRow> read_model_rows(std::string_view csv);
// Writes one line in the same form.
[[nodiscard]] std::string csv_of(const ModelRow &row);
[[nodiscard]] std::string csv_names();

[[nodiscard]] ModelRow row_of(const CoupledRun &run, const std::string &name, char mode);

struct Standing {
    // The usual SYPD at this resolution, and this run's SYPD divided by it: from a straight line through log SYPD
    // over log resolution of the rows in the same mode, or of all if no mode is given.
    double usual_sypd = unknown, sypd_ratio = unknown;
    std::size_t rows_in_line = 0;
    bool extrapolated = false; // the run lies outside the resolutions of those rows
    // Core hours for a simulated year and a degree of freedom (resolution x complexity): the rank of this run (1 is
    // the cheapest) among all that have the figure, and their number, this run included.
    std::size_t cost_rank = 0, cost_of = 0;
    // Indices of the rows, sorted by distance in log resolution and log complexity, nearest first. Rows without
    // complexity are left out if the run knows its own.
    std::vector<std::size_t> nearest;
};
[[nodiscard]] Standing standing(const ModelRow &run, const std::vector<ModelRow> &rows);

// From runs of one model on several numbers of cores: its row for speed (S), its row for throughput (T), and the
// shoulder between them (Balaji et al. 2017, figure 3 and section 4.1; docs/definitions.md, section 3).
struct ScalingPoint {
    std::string name;       // "ocean=64 atmosphere=128"; empty: only the cores are known
    double cores = unknown; // = CHSY SYPD / 24
    double sypd = unknown, chsy = unknown;
    double ajpsy = unknown; // energy of a simulated year
};

// Unites runs with the same name on the same cores: the mean of their times, and of their costs. Returns the points
// in the order of the cores.
[[nodiscard]] std::vector<ScalingPoint> repetitions_as_one(const std::vector<ScalingPoint> &runs);

// Indices of points.
struct ScalingModes {
    std::size_t speed = 0;                      // S: the most SYPD; the cheapest of several
    std::size_t cheapest = 0;                   // T: the least CHSY
    std::optional<std::size_t> cheapest_enough; // the least CHSY with at least the wanted SYPD
    std::optional<std::size_t> shoulder;
    std::string why_no_shoulder;
};
// Takes at least one point, in the order of the cores. wanted_sypd may be NaN: nothing is wanted.
[[nodiscard]] ScalingModes scaling_modes(const std::vector<ScalingPoint> &points, double wanted_sypd);

} // namespace cpl_lb
