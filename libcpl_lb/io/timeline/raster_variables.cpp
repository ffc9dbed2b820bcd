// Defines and writes kind_dominant and the variables of the coupling steps.
#include "io/timeline/raster_variables.hpp"

#include "data/kinds.hpp"
#include "data/raster.hpp"
#include "io/timeline/netcdf_attributes.hpp"
#include "io/timeline/netcdf_variables.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace cpl_lb {
namespace {

int define_axis(const NetcdfFile &file, const char *name, nc_type type, std::size_t length, const char *long_name,
                const char *units, const char *axis) {
    const int id = define_dimension(file, name, length);
    Attributes(file, define(file, name, type, {&id, 1}, long_name, units)).text("axis", axis);
    return id;
}

void write_rows(const NetcdfFile &file, int kind_dominant, std::int64_t first, std::int64_t end,
                std::span<const signed char> kinds) {
    const std::array<std::size_t, 2> count = {1, kinds.size()};
    for (std::int64_t row = first; row < end; ++row) {
        const std::array<std::size_t, 2> at = {static_cast<std::size_t>(row), 0};
        file.check(nc_put_vara_schar(file.id(), kind_dominant, at.data(), count.data(), kinds.data()),
                   "cannot write kind_dominant");
    }
}

// A row of the table may stand for several steps of a long run: then it holds their means.
double mean(double sum, const Step &step) {
    return sum / static_cast<double>(std::max<std::int64_t>(step.steps, 1));
}

struct StepVariable {
    const char *name, *long_name, *units;
    double (*value)(const Step &);
};
constexpr std::array<StepVariable, 5> step_variables = {
    {{"step_start", "start of the coupling step since the start of the run", "s",
      [](const Step &s) { return s.start_s; }},
     {"step_length", "length of the coupling step", "s", [](const Step &s) { return mean(s.length_s, s); }},
     {"step_computing", "computing in the coupling step, mean over the processes", "s",
      [](const Step &s) { return mean(s.computing_s, s); }},
     {"step_waiting", "waiting in the coupling step, mean over the processes", "s",
      [](const Step &s) { return mean(s.waiting_s, s); }},
     {"step_jitter", "jitter in the coupling step", "s", [](const Step &s) { return mean(s.jitter_s, s); }}}};
// Only where they say something.
constexpr StepVariable date_variable = {"step_date",
                                        "model date at the start of the step since the start of the simulation", "s",
                                        [](const Step &s) { return static_cast<double>(s.date); }};
constexpr StepVariable count_variable = {"step_count", "coupling steps that this row is the mean of", "1",
                                         [](const Step &s) { return static_cast<double>(s.steps); }};

} // namespace

int define_raster(const NetcdfFile &file, const RasterShape &shape) {
    const int elapsed = define_axis(file, "elapsed", NC_DOUBLE, raster_bins,
                                    "middle of the bin since the start of the run", "s", "X");
    const auto rows = static_cast<std::size_t>(shape.rows());
    const int process = define_axis(file, "process", shape.rows_of_each > 1 ? NC_DOUBLE : NC_INT, rows,
                                    "process of the component, from 0, in the order of ny", "1", "Y");
    const std::array<int, 2> both = {process, elapsed};
    // The name is what ncview and Ferret write beside their colours.
    const int kinds =
        define(file, "kind_dominant", NC_BYTE, both,
               "mostly -1 outside the coupler, 1 PUT, 2 GET, 3 MAP, 4 OUT, 5 READ, 6 RST, 7 TRN, 8 PART, 9 ENDF, "
               "10 TERM, 11 SYNC");
    const Attributes attributes(file, kinds);
    attributes.flags(raster_computing, "COMPUTING " + joined({kind_names.begin(), kind_names.end()}, " ")); // from -1
    attributes.put("_FillValue", std::vector{raster_not_running});
    if (shape.key_rows > 0) {
        attributes.integer("key_rows", shape.key_rows);
        attributes.text("comment", "the last key_rows rows are no process: after a gap they show -1 to 11 from left "
                                   "to right, as a key to the colours");
    }
    return kinds;
}

int define_inside(const NetcdfFile &file) {
    const std::array<int, 2> both = {dimension_of(file, "process"), dimension_of(file, "elapsed")};
    const int inside = define(file, "mpi_inside", NC_BYTE, both,
                              "share of the bin that the process was in MPI, beside its exchanges", "percent");
    Attributes(file, inside).put("_FillValue", std::vector{inside_not_known});
    return inside;
}

void write_raster_axes(const NetcdfFile &file, const RasterShape &shape, Nanoseconds end) {
    write(file, "elapsed", raster_bins, [&](std::size_t bin) {
        return (to_seconds(raster_edge(end, bin)) + to_seconds(raster_edge(end, bin + 1))) / 2;
    });
    // Several rows of a process lie around its number.
    const auto of_each = static_cast<double>(shape.rows_of_each);
    write(file, "process", static_cast<std::size_t>(shape.rows()),
          [&](std::size_t row) { return (static_cast<double>(row) + 0.5) / of_each - 0.5; });
}

void write_raster_row(const NetcdfFile &file, int kind_dominant, const RasterShape &shape, std::int64_t process,
                      std::span<const signed char> kinds) {
    const std::int64_t first = process * shape.rows_of_each;
    write_rows(file, kind_dominant, first, first + shape.rows_of_each, kinds);
}

void write_raster_key(const NetcdfFile &file, int kind_dominant, const RasterShape &shape) {
    std::vector<signed char> key(raster_bins, raster_not_running);
    const std::int64_t gap = shape.rows() - shape.key_rows;
    const std::int64_t first = gap + shape.key_rows / 3;
    write_rows(file, kind_dominant, gap, first, key);
    for (std::size_t bin = 0; bin < raster_bins; ++bin)
        key[bin] =
            static_cast<signed char>(raster_computing + static_cast<int>(bin * (kind_count + 1) / raster_bins));
    write_rows(file, kind_dominant, first, shape.rows(), key);
}

void append_steps(const NetcdfFile &file, const ComponentBalance &balance) {
    const std::vector<Step> &steps = balance.steps;
    if (steps.empty()) return;
    std::vector<StepVariable> variables(step_variables.begin(), step_variables.end());
    if (balance.has_dates) variables.push_back(date_variable);
    if (balance.step_count > static_cast<std::int64_t>(steps.size())) variables.push_back(count_variable);
    file.check(nc_redef(file.id()), "cannot add the coupling steps");
    const int step = define_dimension(file, "step", steps.size());
    for (const StepVariable &v : variables)
        define(file, v.name, NC_DOUBLE, {&step, 1}, v.long_name, v.units);
    file.check(nc_enddef(file.id()), "cannot end the header");
    std::vector<double> values(steps.size());
    for (const StepVariable &v : variables) {
        std::transform(steps.begin(), steps.end(), values.begin(), v.value);
        file.check(nc_put_var_double(file.id(), file.find(v.name), values.data()), v.name);
    }
}

} // namespace cpl_lb
