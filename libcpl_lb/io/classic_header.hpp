// The header of a classic netCDF file (CDF-1, 2, 5), walked through before netCDF sees it: netCDF 4.9 allocates
// whatever lengths a header claims, here every length is held against what is left of the file.
#pragma once

#include <string>

namespace cpl_lb {

// Throws FileError when the file cannot be what its header says. Reads the header only.
void check_classic_header(const std::string &path);

} // namespace cpl_lb
