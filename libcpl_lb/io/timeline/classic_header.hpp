// Checks the header of a classic netCDF file (CDF-1, 2, 5) before netCDF sees it. netCDF 4.9 allocates whatever
// lengths a header claims; here every length is compared with the rest of the file.
#pragma once

#include <cstdint>
#include <string>

namespace cpl_lb {

// Throws FileError when the file cannot be what its header says. Reads the header only.
void check_classic_header(const std::string &path);

// Where the values of a fixed-size variable begin in the file [bytes]. Throws FileError, also if there is no such
// variable.
[[nodiscard]] std::uint64_t classic_offset(const std::string &path, const std::string &variable);

} // namespace cpl_lb
