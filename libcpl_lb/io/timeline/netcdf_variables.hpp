// Dimensions and variables of netCDF files: defined, written and read, with their shapes. Everything throws
// FileError.
#pragma once

#include "data/time.hpp"
#include "io/timeline/netcdf_file.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace cpl_lb {

inline constexpr double no_figure = NC_FILL_DOUBLE;

// In define mode; the results are the numbers of the dimension and of the variable. Without units there is none.
int define_dimension(const NetcdfFile &file, const char *name, std::size_t length);
int define(const NetcdfFile &file, const char *name, nc_type type, std::span<const int> dimensions,
           const char *long_name = nullptr, const char *units = nullptr);

[[nodiscard]] int dimension_of(const NetcdfFile &file, const char *name);
// Its length is the number of processes.
[[nodiscard]] int dimension_of_processes(const NetcdfFile &file);

// value(i): of element i; what is not known becomes _FillValue.
template <class Value>
void write(const NetcdfFile &file, const char *name, std::size_t count, Value value) {
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i) {
        const double one = value(i);
        values[i] = is_known(one) ? one : no_figure;
    }
    file.check(nc_put_var_double(file.id(), file.find(name), values.data()), name);
}

[[nodiscard]] std::vector<std::size_t> lengths_of(const NetcdfFile &file, int variable);
// Whether its values are neither text nor of a type that only netCDF-4 has.
[[nodiscard]] bool has_numbers(const NetcdfFile &file, int variable);

// The values of a variable of numbers that has this shape; empty if there is none. of_each: 1 is no second dimension.
[[nodiscard]] std::vector<double> numbers(const NetcdfFile &file, const char *name, std::size_t count,
                                          std::size_t of_each = 1);

} // namespace cpl_lb
