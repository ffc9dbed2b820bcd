// Copies dimensions, variables and attributes of a classic file into a netCDF-4 file, chunk by chunk.
#include "io/timeline/classic_file.hpp"

#include "io/files/file_error.hpp"
#include "io/timeline/netcdf_file.hpp"
#include "io/timeline/timeline.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <netcdf_mem.h>
#include <new>
#include <string_view>
#include <sys/stat.h>
#include <vector>

namespace cpl_lb {
namespace {

// A chunk has an index and a header of its own, about 2 KiB in HDF5: a smaller variable is smaller as it is.
constexpr std::size_t smallest_compressed_bytes = 8192;
constexpr std::size_t values_of_a_chunk = 32'768;
constexpr std::size_t rows_of_times = 8; // as TimelineReader::block_rows()
constexpr std::size_t rows_of_bytes = 64;
constexpr std::size_t values_copied_at_once = 262'144; // 2 MiB
constexpr std::size_t copy_bytes = 1U << 20U;          // netCDF's own buffer; its default is 8 KiB

// Rows of columns; a variable of one dimension is one row.
struct Shape {
    std::size_t rows = 1, columns = 1;
};

struct Variable {
    int id = -1;
    nc_type type = NC_NAT;
    std::array<char, NC_MAX_NAME + 1> name{};
    int dimensions = 0;
    std::array<int, NC_MAX_VAR_DIMS> dimension_ids{};
    int attributes = 0;
    Shape shape, chunk;

    [[nodiscard]] bool compressed() const {
        const std::size_t bytes = type == NC_BYTE ? 1 : type == NC_INT ? 4 : 8;
        return dimensions == 2 || (dimensions == 1 && shape.columns * bytes >= smallest_compressed_bytes);
    }
    // Unrounded, they hardly compress. Bounds of clocks and middles of bins stay as they are.
    [[nodiscard]] bool rounded() const {
        const std::string_view begins(name.data());
        return type == NC_DOUBLE &&
               (begins.rfind("timer_", 0) == 0 || begins.rfind("away_", 0) == 0 || begins.rfind("step_", 0) == 0);
    }
};

NetcdfFile opened(const std::string &classic, const std::string &result) {
    int id = -1;
    std::size_t buffer = copy_bytes;
    const int status = nc__open(classic.c_str(), NC_NOWRITE, &buffer, &id);
    if (status != NC_NOERR) throw FileError(result, std::string("cannot open: ") + nc_strerror(status));
    return {id, result};
}

NetcdfFile created_in_memory(const std::string &result) {
    int id = -1;
    const int status = nc_create_mem("compressed", NC_NETCDF4 | NC_CLASSIC_MODEL, copy_bytes, &id);
    if (status != NC_NOERR) throw FileError(result, std::string("cannot create: ") + nc_strerror(status));
    return {id, result};
}

// netCDF hands out whole blocks of 64 KiB. Where the file ends stands in HDF5's superblock (HDF5 File Format
// Specification, II.A, version 0): little-endian.
std::size_t bytes_of_file(const NC_memio &memory) {
    constexpr std::size_t version_at = 8, end_at = 40, superblock = 96;
    const auto *const bytes = static_cast<const unsigned char *>(memory.memory);
    if (memory.size < superblock || bytes[version_at] != 0) return memory.size;
    std::uint64_t end = 0;
    for (std::size_t i = sizeof end; i-- > 0;)
        end = end << 8U | bytes[end_at + i];
    return end >= superblock && end <= memory.size ? end : memory.size;
}

class Copy {
public:
    Copy(const std::string &classic, const std::string &result)
        : from_(opened(classic, result)), to_(created_in_memory(result)) {}

    void to(ResultFile &result) {
        for (const Variable &v : define())
            values(v);
        NC_memio memory{};
        to_.close_into(memory);
        const std::unique_ptr<void, void (*)(void *)> freed(memory.memory, std::free);
        result.write({static_cast<const char *>(memory.memory), bytes_of_file(memory)});
    }

private:
    std::vector<Variable> define();
    void define(Variable &v, int id);
    void attributes(int variable, int count);
    void values(const Variable &v);

    NetcdfFile from_, to_;
    std::vector<double> buffer_; // of any type
};

std::vector<Variable> Copy::define() {
    int dimensions = 0, variables = 0, globals = 0, unlimited = -1;
    from_.check(nc_inq(from_.id(), &dimensions, &variables, &globals, &unlimited), "cannot read the header");
    // Every value is written.
    to_.check(nc_set_fill(to_.id(), NC_NOFILL, nullptr), "cannot set the fill mode");
    for (int id = 0, same = 0; id < dimensions; ++id) {
        std::array<char, NC_MAX_NAME + 1> name{};
        std::size_t length = 0;
        from_.check(nc_inq_dim(from_.id(), id, name.data(), &length), "cannot read a dimension");
        to_.check(nc_def_dim(to_.id(), name.data(), length, &same), "cannot define a dimension");
    }
    std::vector<Variable> all;
    for (int id = 0; id < variables; ++id)
        define(all.emplace_back(), id);
    attributes(NC_GLOBAL, globals);
    to_.check(nc_enddef(to_.id()), "cannot end the header");
    return all;
}

void Copy::define(Variable &v, int id) {
    v.id = id;
    from_.check(
        nc_inq_var(from_.id(), v.id, v.name.data(), &v.type, &v.dimensions, v.dimension_ids.data(), &v.attributes),
        "cannot read a variable");
    std::array<std::size_t, 2> lengths = {1, 1};
    for (int d = 0; d < std::min(v.dimensions, 2); ++d) {
        from_.check(nc_inq_dimlen(from_.id(), v.dimension_ids[static_cast<std::size_t>(d)],
                                  &lengths[static_cast<std::size_t>(d + 2 - v.dimensions)]),
                    "cannot read a dimension");
    }
    v.shape = {lengths[0], lengths[1]};
    const bool times = v.dimensions == 2 && v.type == NC_DOUBLE;
    const std::size_t rows = times ? rows_of_times : rows_of_bytes;
    v.chunk = {std::min(v.shape.rows, rows), std::min(v.shape.columns, values_of_a_chunk / (times ? rows : 1))};
    to_.check(nc_def_var(to_.id(), v.name.data(), v.type, v.dimensions, v.dimension_ids.data(), &id),
              "cannot define a variable");
    attributes(v.id, v.attributes);
    if (!v.compressed()) return;
    const std::array<std::size_t, 2> chunk = {v.chunk.rows, v.chunk.columns};
    to_.check(nc_def_var_chunking(to_.id(), id, NC_CHUNKED, chunk.data() + (2 - v.dimensions)),
              "cannot set the chunks");
    to_.check(nc_def_var_deflate(to_.id(), id, v.type == NC_BYTE ? 0 : 1, 1, 1), "cannot set the compression");
    // Written once, in whole chunks: none waits in a cache.
    to_.check(nc_set_var_chunk_cache(to_.id(), id, 0, 1, 0.0F), "cannot set the chunk cache");
}

void Copy::attributes(int variable, int count) {
    for (int a = 0; a < count; ++a) {
        std::array<char, NC_MAX_NAME + 1> name{};
        from_.check(nc_inq_attname(from_.id(), variable, a, name.data()), "cannot read an attribute");
        to_.check(nc_copy_att(from_.id(), variable, name.data(), to_.id(), variable), "cannot write an attribute");
    }
}

void Copy::values(const Variable &v) {
    const std::size_t chunks = std::max<std::size_t>(values_copied_at_once / (v.chunk.rows * v.chunk.columns), 1);
    const std::size_t width = chunks * v.chunk.columns;
    const auto from_dimension = static_cast<std::size_t>(2 - v.dimensions);
    for (std::size_t row = 0; row < v.shape.rows; row += v.chunk.rows) {
        for (std::size_t column = 0; column < v.shape.columns; column += width) {
            const std::array<std::size_t, 2> at = {row, column};
            const std::array<std::size_t, 2> count = {std::min(v.chunk.rows, v.shape.rows - row),
                                                      std::min(width, v.shape.columns - column)};
            const std::size_t n = count[0] * count[1];
            buffer_.resize(std::max(buffer_.size(), n));
            from_.check(nc_get_vara(from_.id(), v.id, at.data() + from_dimension, count.data() + from_dimension,
                                    buffer_.data()),
                        "cannot read it again");
            if (v.rounded())
                std::transform(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(n), buffer_.begin(),
                               rounded_to_file);
            to_.check(nc_put_vara(to_.id(), v.id, at.data() + from_dimension, count.data() + from_dimension,
                                  buffer_.data()),
                      "cannot write");
        }
    }
}

} // namespace

void write_compressed(const std::string &classic, ResultFile &result, std::uint64_t most_bytes) {
    struct stat found {};
    const bool known = ::stat(classic.c_str(), &found) == 0;
    const std::uint64_t bytes = known ? static_cast<std::uint64_t>(found.st_size) : 0;
    if (bytes > most_bytes) throw FileError(result.path(), "compressing it takes more memory than nn_max_mb allows");
    // HDF5 crashes if memory runs out: it holds the file, and netCDF makes one more copy of it at the end.
    constexpr std::uint64_t plenty = std::uint64_t{16} << 20U;
    ::operator delete(::operator new(2 * bytes + plenty));
    Copy(classic, result.path()).to(result);
}

} // namespace cpl_lb
