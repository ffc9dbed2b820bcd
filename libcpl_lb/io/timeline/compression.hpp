// A timeline is written in a classic format first; where the user wants it small, it is rewritten here, when it is
// whole: netCDF-4, shuffle and deflate 1, times rounded to 2^-20 s (docs/timelines.md).
#pragma once

#include "io/files/result_file.hpp"

#include <cstdint>
#include <string>

namespace cpl_lb {

// classic: the path of the whole file. HDF5 writes into memory, because a disk that fails makes it end the process
// (docs/decisions/memory_under_hdf5.md); what comes out is then written to the disk. most_bytes: of the classic file;
// a larger one would take too much memory. Throws FileError in the name of the result, which is not committed, and
// std::bad_alloc.
void write_compressed(const std::string &classic, ResultFile &result, std::uint64_t most_bytes);

} // namespace cpl_lb
