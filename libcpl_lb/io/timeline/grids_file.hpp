// Coordinates from the grids.nc of OASIS3-MCT: <grid>.lon and <grid>.lat in degrees. Everything throws FileError,
// with the reason in words.
#pragma once

#include "data/grid_part.hpp"
#include "io/timeline/netcdf_file.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

struct Coordinates {
    std::vector<double> longitudes, latitudes;
};

class GridOfFile {
public:
    GridOfFile(const std::string &path, std::string grid);

    [[nodiscard]] std::int64_t points() const { return nx_ * ny_; }
    // The points of a block of this grid, or of this grid as one line, row after row.
    [[nodiscard]] Coordinates of(const GridPart &block) const;

private:
    [[nodiscard]] int variable(const char *ending) const;
    void expect_size(const GridPart &block) const;
    [[nodiscard]] std::vector<double> values(int variable, const GridPart &block) const;
    void append(int variable, std::int64_t row, std::int64_t column, std::int64_t rows, std::int64_t columns,
                std::vector<double> &to) const;

    NetcdfFile file_;
    std::string grid_;
    int longitude_ = -1, latitude_ = -1;
    std::int64_t nx_ = 0, ny_ = 1;
    bool is_line_ = false; // the variables have one dimension
};

} // namespace cpl_lb
