// One table of names serves writing and reading.
#include "io/timeline/figure_variables.hpp"

#include "io/timeline/classic_file.hpp"
#include "io/timeline/netcdf_attributes.hpp"
#include "io/timeline/netcdf_variables.hpp"
#include "io/timeline/part_variables.hpp"
#include "support/utf8.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace cpl_lb {
namespace {

struct FigureVariable {
    const char *name, *long_name, *units;
    std::vector<double> ProcessFigures::*values;
};
constexpr std::array<FigureVariable, 4> figure_variables = {
    {{"computing_time", "computing in the coupling loop, outside of exchanges and of other components", "s",
      &ProcessFigures::computing_s},
     {"mpi_inside_time", "part of the computing that the process was in MPI", "s", &ProcessFigures::mpi_inside_s},
     {"arrival_delay",
      "mean arrival at exchanges in the coupling loop, after the process that comes first on the average", "s",
      &ProcessFigures::late_s},
     {"memory_high_water", "most memory that the process ever used", "byte", &ProcessFigures::memory_B}}};

constexpr const char *region_times_name = "region_time", *region_names_name = "region_name";
constexpr std::size_t longest_region_name = 256; // bytes; longer ones are cut

void define_figures(const NetcdfFile &file, const ProcessFigures &figures, int process) {
    for (const FigureVariable &v : figure_variables) {
        if ((figures.*v.values).empty()) continue;
        const Attributes attributes(file, define(file, v.name, NC_DOUBLE, {&process, 1}, v.long_name, v.units));
        attributes.real("_FillValue", no_figure);
    }
}

std::size_t longest_name_of(const std::vector<RegionTimes> &regions) {
    std::size_t longest = 1;
    for (const RegionTimes &r : regions)
        longest = std::max(longest, first_bytes(r.region, longest_region_name).size());
    return longest;
}

// xarray takes the names as a coordinate of text.
void define_regions(const NetcdfFile &file, const std::vector<RegionTimes> &regions, int process) {
    const int region = define_dimension(file, "region", regions.size());
    const std::array<int, 2> times = {region, process};
    const std::array<int, 2> names = {region, define_dimension(file, "region_name_length", longest_name_of(regions))};
    Attributes(file, define(file, region_names_name, NC_CHAR, names, "region that the model marked"))
        .text("_Encoding", "utf-8");
    const Attributes of_times(
        file, define(file, region_times_name, NC_DOUBLE, times,
                     "time in the region, from cpl_lb_init to cpl_lb_terminate, with regions inside it", "s"));
    of_times.real("_FillValue", no_figure);
    of_times.text("coordinates", region_names_name);
}

void write_regions(const NetcdfFile &file, const std::vector<RegionTimes> &regions) {
    const std::size_t longest = longest_name_of(regions);
    std::string names;
    for (const RegionTimes &r : regions) {
        names += first_bytes(r.region, longest_region_name);
        names.resize(longest * static_cast<std::size_t>(&r - regions.data() + 1), '\0');
    }
    file.check(nc_put_var_text(file.id(), file.find(region_names_name), names.data()), region_names_name);
    const std::size_t processes = regions.front().seconds.size();
    write(file, region_times_name, regions.size() * processes,
          [&](std::size_t i) { return regions[i / processes].seconds[i % processes]; });
}

} // namespace

void append_figures(const NetcdfFile &file, const ProcessFigures &figures) {
    if (figures.empty()) return;
    file.check(nc_redef(file.id()), "cannot add the figures of processes");
    const int process = dimension_of_processes(file);
    if (!figures.regions.empty()) define_regions(file, figures.regions, process);
    define_figures(file, figures, process);
    define_parts(file, figures, process);
    file.check(nc_enddef(file.id()), "cannot end the header");
    for (const FigureVariable &v : figure_variables) {
        const std::vector<double> &values = figures.*v.values;
        if (!values.empty()) write(file, v.name, values.size(), [&](std::size_t p) { return values[p]; });
    }
    if (!figures.regions.empty()) write_regions(file, figures.regions);
    write_parts(file, figures);
}

namespace {

// Whatever the file has that is no figure becomes one that is not known.
void keep_figures(std::vector<double> &values) {
    for (double &value : values)
        if (value == no_figure || !(value >= 0) || !is_known(as_figure(value))) value = unknown;
}

std::vector<RegionTimes> read_regions(const NetcdfFile &file, std::size_t processes) {
    const int names_id = file.find(region_names_name), times_id = file.find(region_times_name);
    if (names_id < 0 || times_id < 0) return {};
    const std::vector<std::size_t> names = lengths_of(file, names_id), times = lengths_of(file, times_id);
    nc_type name_type = NC_NAT;
    file.check(nc_inq_vartype(file.id(), names_id, &name_type), region_names_name);
    const bool good = names.size() == 2 && times.size() == 2 && name_type == NC_CHAR && names[0] == times[0] &&
                      names[0] <= most_region_times && names[1] <= longest_region_name && times[1] == processes &&
                      has_numbers(file, times_id);
    if (!good)
        throw FileError(file.path(), std::string("the variable ") + region_times_name + " has the wrong shape");
    std::vector<RegionTimes> regions(names[0]);
    std::string name(names[1], '\0');
    std::vector<double> values(processes);
    for (std::size_t r = 0; r < regions.size(); ++r) {
        const std::array<std::size_t, 2> at = {r, 0}, letters = {1, names[1]}, figures = {1, processes};
        file.check(nc_get_vara_text(file.id(), names_id, at.data(), letters.data(), name.data()), region_names_name);
        file.check(nc_get_vara_double(file.id(), times_id, at.data(), figures.data(), values.data()),
                   region_times_name);
        keep_figures(values);
        regions[r] = {name.substr(0, name.find('\0')), values};
    }
    return regions;
}

} // namespace

ProcessFigures read_figures(const NetcdfFile &file, std::int64_t processes) {
    const std::size_t count = size(processes);
    ProcessFigures figures;
    for (const FigureVariable &v : figure_variables) {
        figures.*v.values = numbers(file, v.name, count);
        keep_figures(figures.*v.values);
    }
    figures.regions = read_regions(file, count);
    read_parts(file, count, figures);
    return figures;
}

} // namespace cpl_lb
