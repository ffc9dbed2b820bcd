// One table of names serves writing and reading.
#include "io/timeline/figure_variables.hpp"

#include "io/timeline/classic_file.hpp"
#include "io/timeline/netcdf_attributes.hpp"
#include "support/utf8.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace cpl_lb {
namespace {

constexpr double no_figure = NC_FILL_DOUBLE;
constexpr double most_whole = 4503599627370496.0; // 2^52: whole numbers are exact

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

struct BlockVariable {
    const char *name, *long_name;
    std::array<std::int64_t, 2> GridPart::*numbers;
    std::size_t direction;
};
constexpr std::array<BlockVariable, 4> block_variables = {
    {{"domain_first_i", "first point of the process in direction i of the grid, from 1", &GridPart::first, 0},
     {"domain_count_i", "points of the process in direction i", &GridPart::count, 0},
     {"domain_first_j", "first point of the process in direction j of the grid, from 1", &GridPart::first, 1},
     {"domain_count_j", "points of the process in direction j", &GridPart::count, 1}}};

struct PointVariable {
    const char *name, *standard_name, *units, *bounds;
    double GridPart::*mean, GridPart::*least, GridPart::*most;
};
constexpr std::array<PointVariable, 2> point_variables = {
    {{"process_longitude", "longitude", "degrees_east", "process_longitude_bounds", &GridPart::longitude,
      &GridPart::west, &GridPart::east},
     {"process_latitude", "latitude", "degrees_north", "process_latitude_bounds", &GridPart::latitude,
      &GridPart::south, &GridPart::north}}};
constexpr const char *points_name = "domain_points";
constexpr const char *region_times_name = "region_time", *region_names_name = "region_name";
constexpr std::size_t longest_region_name = 256; // bytes; longer ones are cut

// Its length is the number of processes.
int dimension_of_processes(const NetcdfFile &file) {
    int id = -1;
    if (nc_inq_dimid(file.id(), "process", &id) == NC_NOERR) return id;
    file.check(nc_inq_dimid(file.id(), "ny", &id), "ny");
    return id;
}

int define(const NetcdfFile &file, const char *name, nc_type type, std::span<const int> dimensions) {
    int id = -1;
    file.check(nc_def_var(file.id(), name, type, static_cast<int>(dimensions.size()), dimensions.data(), &id),
               "cannot define a variable");
    return id;
}

void define_figures(const NetcdfFile &file, const ProcessFigures &figures, int process, bool on_globe) {
    for (const FigureVariable &v : figure_variables) {
        if ((figures.*v.values).empty()) continue;
        const Attributes attributes(file, define(file, v.name, NC_DOUBLE, {&process, 1}));
        attributes.text("long_name", v.long_name);
        attributes.text("units", v.units);
        attributes.real("_FillValue", no_figure);
        if (on_globe) attributes.text("coordinates", "process_longitude process_latitude");
    }
}

void define_blocks(const NetcdfFile &file, const GridPart &one, int process) {
    const bool small = std::max(one.size[0], one.size[1]) <= std::numeric_limits<int>::max();
    for (const BlockVariable &v : block_variables)
        Attributes(file, define(file, v.name, small ? NC_INT : NC_DOUBLE, {&process, 1}))
            .text("long_name", v.long_name);
    Attributes(file, NC_GLOBAL).integer("grid_size_i", one.size[0]);
    Attributes(file, NC_GLOBAL).integer("grid_size_j", one.size[1]);
}

// xarray takes the names as a coordinate of text.
void define_regions(const NetcdfFile &file, const std::vector<RegionTimes> &regions, int process, bool on_globe) {
    std::array<int, 2> times = {-1, process}, names = {-1, -1};
    file.check(nc_def_dim(file.id(), "region", regions.size(), times.data()), "cannot define a dimension");
    std::size_t longest = 1;
    for (const RegionTimes &r : regions)
        longest = std::max(longest, first_bytes(r.region, longest_region_name).size());
    names[0] = times[0];
    file.check(nc_def_dim(file.id(), "region_name_length", longest, &names[1]), "cannot define a dimension");
    const Attributes of_names(file, define(file, region_names_name, NC_CHAR, names));
    of_names.text("long_name", "region that the model marked");
    of_names.text("_Encoding", "utf-8");
    const Attributes of_times(file, define(file, region_times_name, NC_DOUBLE, times));
    of_times.text("long_name", "time in the region, from cpl_lb_init to cpl_lb_terminate, with regions inside it");
    of_times.text("units", "s");
    of_times.real("_FillValue", no_figure);
    of_times.text("coordinates",
                  std::string(region_names_name) + (on_globe ? " process_longitude process_latitude" : ""));
}

void define_points(const NetcdfFile &file, int process) {
    std::array<int, 2> both = {process, -1};
    file.check(nc_def_dim(file.id(), "bounds", 2, &both[1]), "cannot define a dimension");
    for (const PointVariable &v : point_variables) {
        const Attributes attributes(file, define(file, v.name, NC_DOUBLE, {&process, 1}));
        attributes.text("standard_name", v.standard_name);
        attributes.text("long_name", "mean of the points of the process");
        attributes.text("units", v.units);
        attributes.text("bounds", v.bounds);
        attributes.real("_FillValue", no_figure);
        define(file, v.bounds, NC_DOUBLE, both);
    }
    Attributes(file, define(file, points_name, NC_DOUBLE, {&process, 1})).text("long_name", "points of the process");
}

template <class Value>
void write(const NetcdfFile &file, const char *name, std::size_t count, Value value) {
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i) {
        const double one = value(i);
        values[i] = is_known(one) ? one : no_figure;
    }
    file.check(nc_put_var_double(file.id(), file.find(name), values.data()), name);
}

void write_blocks(const NetcdfFile &file, const std::vector<GridPart> &parts) {
    for (const BlockVariable &v : block_variables) {
        write(file, v.name, parts.size(),
              [&](std::size_t p) { return static_cast<double>((parts[p].*v.numbers)[v.direction]); });
    }
}

void write_points(const NetcdfFile &file, const std::vector<GridPart> &parts) {
    for (const PointVariable &v : point_variables) {
        write(file, v.name, parts.size(), [&](std::size_t p) { return parts[p].*v.mean; });
        write(file, v.bounds, 2 * parts.size(),
              [&](std::size_t i) { return parts[i / 2].*(i % 2 == 0 ? v.least : v.most); });
    }
    write(file, points_name, parts.size(), [&](std::size_t p) { return static_cast<double>(parts[p].points); });
}

void write_regions(const NetcdfFile &file, const std::vector<RegionTimes> &regions) {
    std::size_t longest = 1;
    for (const RegionTimes &r : regions)
        longest = std::max(longest, first_bytes(r.region, longest_region_name).size());
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

std::vector<std::size_t> lengths_of(const NetcdfFile &file, int id) {
    int dimensions = 0;
    file.check(nc_inq_varndims(file.id(), id, &dimensions), "cannot read a variable");
    std::vector<int> ids(size(dimensions));
    file.check(nc_inq_vardimid(file.id(), id, ids.data()), "cannot read a variable");
    std::vector<std::size_t> lengths(ids.size());
    for (std::size_t d = 0; d < ids.size(); ++d)
        file.check(nc_inq_dimlen(file.id(), ids[d], &lengths[d]), "cannot read a dimension");
    return lengths;
}

// The values of a variable that has the right shape; empty if there is none.
std::vector<double> numbers(const NetcdfFile &file, const char *name, std::size_t processes,
                            std::size_t of_each = 1) {
    const int id = file.find(name);
    if (id < 0) return {};
    const std::vector<std::size_t> lengths = lengths_of(file, id);
    std::vector<std::size_t> wanted = {processes};
    if (of_each > 1) wanted.push_back(of_each);
    nc_type type = NC_NAT;
    file.check(nc_inq_vartype(file.id(), id, &type), name);
    if (lengths != wanted || type == NC_CHAR || type == NC_STRING || type > NC_STRING)
        throw FileError(file.path(), std::string("the variable ") + name + " has the wrong shape");
    std::vector<double> values(processes * of_each);
    file.check(nc_get_var_double(file.id(), id, values.data()), name);
    return values;
}

std::int64_t whole(double value) {
    return value >= 0 && value <= most_whole && value == std::floor(value) ? static_cast<std::int64_t>(value) : -1;
}

std::vector<GridPart> read_blocks(const NetcdfFile &file, std::size_t processes) {
    std::array<std::vector<double>, 4> values;
    for (std::size_t v = 0; v < block_variables.size(); ++v)
        if ((values[v] = numbers(file, block_variables[v].name, processes)).empty()) return {};
    const AttributeReader global(file, NC_GLOBAL);
    const std::int64_t i = whole(global.number("grid_size_i")), j = whole(global.number("grid_size_j"));
    std::vector<GridPart> parts(processes);
    for (std::size_t p = 0; p < processes; ++p) {
        GridPart &d = parts[p];
        d.size = {i, j};
        bool good = i >= 1 && j >= 1 && i <= static_cast<std::int64_t>(most_whole) / j;
        for (std::size_t v = 0; v < block_variables.size(); ++v)
            (d.*block_variables[v].numbers)[block_variables[v].direction] = whole(values[v][p]);
        for (std::size_t n = 0; n < 2; ++n)
            good = good && d.first[n] >= 1 && d.count[n] >= 0 && d.first[n] <= d.size[n] &&
                   d.count[n] <= d.size[n] - d.first[n] + 1;
        if (!good) continue;
        d.form = GridForm::block;
        d.points = d.count[0] * d.count[1];
    }
    return parts;
}

bool is_box(const GridPart &d) {
    return d.longitude >= -180 && d.longitude <= 180 && d.latitude >= -90 && d.latitude <= 90 && d.west >= -180 &&
           d.west <= d.east && d.east <= 540 && d.south >= -90 && d.south <= d.north && d.north <= 90;
}

std::vector<GridPart> read_points(const NetcdfFile &file, std::size_t processes) {
    const std::vector<double> points = numbers(file, points_name, processes);
    if (points.empty()) return {};
    std::vector<GridPart> parts(processes);
    for (const PointVariable &v : point_variables) {
        const std::vector<double> means = numbers(file, v.name, processes);
        const std::vector<double> bounds = numbers(file, v.bounds, processes, 2);
        if (means.empty() || bounds.empty()) return {};
        for (std::size_t p = 0; p < processes; ++p) {
            parts[p].*v.mean = means[p];
            parts[p].*v.least = bounds[2 * p];
            parts[p].*v.most = bounds[2 * p + 1];
        }
    }
    for (std::size_t p = 0; p < processes; ++p) {
        GridPart &d = parts[p];
        d.points = whole(points[p]);
        if (d.points == 0 || (d.points > 0 && is_box(d))) d.form = GridForm::points;
    }
    return parts;
}

} // namespace

void append_figures(const NetcdfFile &file, const ProcessFigures &figures) {
    if (figures.empty()) return;
    const GridForm form = figures.parts.empty() ? GridForm::none : figures.parts.front().form;
    file.check(nc_redef(file.id()), "cannot add the figures of processes");
    const int process = dimension_of_processes(file);
    if (!figures.regions.empty()) define_regions(file, figures.regions, process, form == GridForm::points);
    define_figures(file, figures, process, form == GridForm::points);
    if (form == GridForm::block) define_blocks(file, figures.parts.front(), process);
    if (form == GridForm::block && !figures.grid.empty()) Attributes(file, NC_GLOBAL).text("grid_name", figures.grid);
    if (form == GridForm::points) define_points(file, process);
    if (!figures.why_no_parts.empty()) Attributes(file, NC_GLOBAL).text("why_no_map", figures.why_no_parts);
    file.check(nc_enddef(file.id()), "cannot end the header");
    for (const FigureVariable &v : figure_variables) {
        const std::vector<double> &values = figures.*v.values;
        if (!values.empty()) write(file, v.name, values.size(), [&](std::size_t p) { return values[p]; });
    }
    if (!figures.regions.empty()) write_regions(file, figures.regions);
    if (form == GridForm::block) write_blocks(file, figures.parts);
    if (form == GridForm::points) write_points(file, figures.parts);
}

void append_figures_to_file(const std::string &path, const std::string &result, const ProcessFigures &figures) {
    if (figures.empty()) return;
    NetcdfFile file = open_to_write(path, result);
    file.check(nc_set_fill(file.id(), NC_NOFILL, nullptr), "cannot set the fill mode");
    append_figures(file, figures);
    file.close();
}

namespace {

std::vector<RegionTimes> read_regions(const NetcdfFile &file, std::size_t processes) {
    const int names_id = file.find(region_names_name), times_id = file.find(region_times_name);
    if (names_id < 0 || times_id < 0) return {};
    const std::vector<std::size_t> names = lengths_of(file, names_id), times = lengths_of(file, times_id);
    nc_type name_type = NC_NAT, time_type = NC_NAT;
    file.check(nc_inq_vartype(file.id(), names_id, &name_type), region_names_name);
    file.check(nc_inq_vartype(file.id(), times_id, &time_type), region_times_name);
    const bool good = names.size() == 2 && times.size() == 2 && name_type == NC_CHAR && names[0] == times[0] &&
                      names[0] <= most_region_times && names[1] <= longest_region_name && times[1] == processes &&
                      time_type != NC_CHAR && time_type < NC_STRING;
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
        for (double &value : values)
            if (value == no_figure || !(value >= 0) || !is_known(as_figure(value))) value = unknown;
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
        for (double &value : figures.*v.values)
            if (value == no_figure || !(value >= 0) || !is_known(as_figure(value))) value = unknown;
    }
    figures.regions = read_regions(file, count);
    figures.parts = read_blocks(file, count);
    if (figures.parts.empty()) figures.parts = read_points(file, count);
    figures.why_no_parts = AttributeReader(file, NC_GLOBAL).text("why_no_map");
    figures.grid = AttributeReader(file, NC_GLOBAL).text("grid_name");
    return figures;
}

} // namespace cpl_lb
