// Reads the points of one process at a time: a grid may be larger than the memory that is there for it.
#include "io/timeline/grids_file.hpp"

#include "io/timeline/netcdf_variables.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace cpl_lb {
namespace {

NetcdfFile opened(const std::string &path) {
    int id = -1;
    const int status = nc_open(path.c_str(), NC_NOWRITE, &id);
    if (status != NC_NOERR) throw FileError(path, std::string("cannot open: ") + nc_strerror(status));
    return {id, path};
}

std::vector<std::size_t> shape_of(const NetcdfFile &file, int variable) {
    return has_numbers(file, variable) ? lengths_of(file, variable) : std::vector<std::size_t>();
}

} // namespace

GridOfFile::GridOfFile(const std::string &path, std::string grid) : file_(opened(path)), grid_(std::move(grid)) {
    longitude_ = variable(".lon");
    latitude_ = variable(".lat");
    const std::vector<std::size_t> shape = shape_of(file_, longitude_);
    constexpr std::size_t most_in_a_direction = 1U << 30U;
    const bool good =
        (shape.size() == 1 || shape.size() == 2) && shape == shape_of(file_, latitude_) &&
        std::all_of(shape.begin(), shape.end(), [](std::size_t n) { return n >= 1 && n <= most_in_a_direction; });
    if (!good) throw FileError(path, fmt::format("{0}.lon and {0}.lat are no coordinates of one grid", grid_));
    is_line_ = shape.size() == 1;
    nx_ = static_cast<std::int64_t>(shape.back());
    ny_ = is_line_ ? 1 : static_cast<std::int64_t>(shape.front());
}

int GridOfFile::variable(const char *ending) const {
    const std::string name = grid_ + ending;
    const int id = file_.find(name.c_str());
    if (id < 0) throw FileError(file_.path(), "has no variable " + name);
    return id;
}

void GridOfFile::expect_size(const GridPart &block) const {
    const bool same = block.size[0] == nx_ && block.size[1] == ny_;
    if (same || (block.size[1] == 1 && block.size[0] == points())) return;
    throw FileError(file_.path(),
                    fmt::format("has {} x {} points for grid {}, and the processes have parts of {} x {}", nx_, ny_,
                                grid_, block.size[0], block.size[1]));
}

void GridOfFile::append(int variable, std::int64_t row, std::int64_t column, std::int64_t rows, std::int64_t columns,
                        std::vector<double> &to) const {
    if (rows < 1 || columns < 1) return;
    const std::array<std::size_t, 2> at = {static_cast<std::size_t>(row), static_cast<std::size_t>(column)};
    const std::array<std::size_t, 2> count = {static_cast<std::size_t>(rows), static_cast<std::size_t>(columns)};
    const std::size_t before = to.size(), skipped = is_line_ ? 1 : 0;
    to.resize(before + count[0] * count[1]);
    file_.check(
        nc_get_vara_double(file_.id(), variable, at.data() + skipped, count.data() + skipped, to.data() + before),
        "cannot read coordinates");
}

std::vector<double> GridOfFile::values(int variable, const GridPart &block) const {
    std::vector<double> all;
    if (block.size[1] == ny_) {
        append(variable, block.first[1] - 1, block.first[0] - 1, block.count[1], block.count[0], all);
        return all;
    }
    // A piece of the line: the rest of a row, whole rows, the begin of a row.
    const std::int64_t first = block.first[0] - 1, end = first + block.count[0];
    const std::int64_t head = std::min(end, (first + nx_ - 1) / nx_ * nx_), tail = std::max(head, end / nx_ * nx_);
    append(variable, first / nx_, first % nx_, 1, head - first, all);
    append(variable, head / nx_, 0, (tail - head) / nx_, nx_, all);
    append(variable, tail / nx_, 0, 1, end - tail, all);
    return all;
}

Coordinates GridOfFile::of(const GridPart &block) const {
    expect_size(block);
    return {values(longitude_, block), values(latitude_, block)};
}

} // namespace cpl_lb
