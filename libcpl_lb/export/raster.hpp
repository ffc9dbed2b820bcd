// Writes kind_dominant and the table of coupling steps into a small netCDF file of its own, raster_<component>.nc.
// ncview draws every process one pixel high, which is too thin for few processes, and spreads its colours over the
// values that are there. Timelines of older versions and of OASIS3-MCT itself have no kind_dominant.
#pragma once

#include "data/coupled_run.hpp"
#include "data/progress.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cpl_lb {

// With fewer processes a row of one pixel for each is too thin to see.
inline constexpr std::int64_t fewest_rows = 512;
// Below them: what colour is what. With it each file holds all kinds, and so each kind has one colour in all files.
inline constexpr std::int64_t raster_key_rows = 48;

// Makes one for each of these timelines of the run. Returns their names in the folder. Throws FileError.
[[nodiscard]] std::vector<std::string> write_rasters(const std::string &folder, const CoupledRun &run,
                                                     const std::vector<std::string> &timelines,
                                                     const Progress &progress);

// Names of files with kind_dominant, in the folder: what each script draws.
struct ScriptFiles {
    std::vector<std::string> plots; // Ferret and Python
    std::vector<std::string> idle;  // those of `plots` that are I/O servers'
    std::vector<std::string> ncview;
};
// Writes scripts beside the results that draw them: Ferret, Python, ncview. Returns their names.
[[nodiscard]] std::vector<std::string> write_scripts(const std::string &folder, const ScriptFiles &files);

} // namespace cpl_lb
