// cpl-lb cpmip on a scaling study: a table, or the folders of runs on several numbers of cores.
#pragma once

#include "analysis/scaling_modes.hpp"
#include "tools/cpmip/cpmip_sources.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

struct ScalingStudy {
    std::string name;
    std::vector<ScalingPoint> points; // repetitions as one, in order of the cores
    std::size_t runs = 0;             // with the repetitions
    ScalingModes modes;
    double wanted_sypd = unknown;
    ModelRow model; // what S and T have in common: resolution, complexity, platform
};

// Columns: SYPD, or seconds (with --simulated-per-job); cores or CHSY; counts (a text) where the same cores were
// split in several ways. Throws FileError with line and column.
[[nodiscard]] ScalingStudy scaling_study(const CpmipOptions &options);

[[nodiscard]] std::string scaling_as_text(const ScalingStudy &study);
[[nodiscard]] std::string scaling_as_json(const ScalingStudy &study);
[[nodiscard]] std::string scaling_as_csv(const ScalingStudy &study); // rows S and T in the form of table 1
[[nodiscard]] std::string scaling_as_svg(const ScalingStudy &study); // speed over cost

} // namespace cpl_lb
