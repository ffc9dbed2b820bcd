// Scripts beside the results that draw them: Ferret, Python, ncview.
#pragma once

#include <string>
#include <vector>

namespace cpl_lb {

// rasters: names of raster_<component>.nc in the folder. Returns the names of the scripts.
[[nodiscard]] std::vector<std::string> write_scripts(const std::string &folder,
                                                     const std::vector<std::string> &rasters);

} // namespace cpl_lb
