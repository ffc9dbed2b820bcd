// Classic netCDF files (CDF-1, 2, 5) as bytes: their header is checked before netCDF sees it, and a whole file is
// rewritten compressed.
#pragma once

#include "io/files/result_file.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace cpl_lb {

// netCDF 4.9 allocates whatever lengths a header claims; here every length is compared with the rest of the file.
// Throws FileError when the file cannot be what its header says. Reads the header only. Returns where the values of
// each variable begin in the file [bytes].
using ClassicBegins = std::map<std::string, std::uint64_t>; // by the variable's name
ClassicBegins check_classic_header(const std::string &path);

// A text attribute of the whole file, without final zeros; "" if there is none, or it is no text. The whole header is
// checked as above.
[[nodiscard]] std::string classic_text(const std::string &path, const std::string &name);

// The place of a fixed-size variable. Throws FileError, also if there is no such variable.
[[nodiscard]] std::uint64_t classic_offset(const std::string &path, const std::string &variable);
[[nodiscard]] std::uint64_t classic_offset(const ClassicBegins &begins, const std::string &path,
                                           const std::string &variable);

// The order of bytes: from the machine's order to the file's, or back.
[[nodiscard]] constexpr std::uint64_t big_endian(std::uint64_t v) {
    if constexpr (std::endian::native == std::endian::big) return v;
#if defined(__GNUC__)
    return __builtin_bswap64(v);
#else
    v = (v & 0x00ff00ff00ff00ffU) << 8U | (v >> 8U & 0x00ff00ff00ff00ffU);
    v = (v & 0x0000ffff0000ffffU) << 16U | (v >> 16U & 0x0000ffff0000ffffU);
    return v << 32U | v >> 32U;
#endif
}

// netCDF counts with std::size_t, the timelines with 64 bits of their own.
[[nodiscard]] constexpr std::size_t size(std::int64_t n) {
    return static_cast<std::size_t>(n);
}

// A timeline is written in a classic format first; where the user wants it small, it is rewritten here, when it is
// whole: netCDF-4, shuffle and deflate 1, times rounded to 2^-20 s (docs/timelines.md).
// classic: the path of the whole file. HDF5 writes into memory, because a disk that fails makes it end the process
// (docs/decisions/memory_under_hdf5.md); what comes out is then written to the disk. most_bytes: of the classic file;
// a larger one would take too much memory. Throws FileError in the name of the result, which is not committed, and
// std::bad_alloc.
void write_compressed(const std::string &classic, ResultFile &result, std::uint64_t most_bytes);

} // namespace cpl_lb
