// kind_dominant(process, elapsed) and the table of coupling steps, as variables of a netCDF file: what ncview, Ferret
// and CDO show at once (docs/timelines.md). Everything throws FileError.
#pragma once

#include "data/balance.hpp"
#include "data/time.hpp"
#include "io/timeline/netcdf_file.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cpl_lb {

struct RasterShape {
    std::int64_t processes = 1;
    std::int64_t rows_of_each = 1; // more than 1 if a row of one pixel would be too thin to see
    std::int64_t key_rows = 0;     // after all of them, see write_raster_key

    [[nodiscard]] std::int64_t rows() const { return processes * rows_of_each + key_rows; }
};

// In define mode. The id of kind_dominant.
int define_raster(const NetcdfFile &file, const RasterShape &shape);

// After that, of the same shape, without rows of a key: mpi_inside. Its id.
int define_inside(const NetcdfFile &file);

// The coordinates. end: of the run, which began at 0.
void write_raster_axes(const NetcdfFile &file, const RasterShape &shape, Nanoseconds end);

// All rows of a process. kinds: raster_bins values.
void write_raster_row(const NetcdfFile &file, int kind_dominant, const RasterShape &shape, std::int64_t process,
                      std::span<const signed char> kinds);

// Room to leave behind the header for the definitions of append_steps, or all values behind it would have to move.
inline constexpr std::size_t room_for_steps_bytes = 8192;

// The key rows: a gap, then computing and all kinds from left to right. Viewers that spread their colours over the
// values of a file give each kind the same colour in all files that hold all kinds; ncview does so, whatever
// valid_range says.
void write_raster_key(const NetcdfFile &file, int kind_dominant, const RasterShape &shape);

// To a file out of define mode. Nothing if there are no steps.
void append_steps(const NetcdfFile &file, const ComponentBalance &balance);

} // namespace cpl_lb
