// Makes the variables of a compressed timeline small: shuffle and deflate 1, in chunks. Everything throws
// FileError.
#pragma once

#include "io/timeline/netcdf_file.hpp"

#include <cstddef>
#include <span>

namespace cpl_lb {

// A chunk has an index and a header of its own, about 2 KiB in HDF5: a smaller variable is smaller as it is.
inline constexpr std::size_t smallest_compressed_bytes = 8192;
inline constexpr std::size_t values_of_a_chunk = 32'768;

// In define mode; for a variable of one dimension.
void compress_along(const NetcdfFile &file, int variable, std::size_t length, std::size_t bytes_of_value);

// In define mode. shuffle: for numbers of several bytes.
void compress(const NetcdfFile &file, int variable, std::span<const std::size_t> chunk, bool shuffle);

} // namespace cpl_lb
