// netCDF's calls, each with what it was for.
#include "io/timeline/netcdf_variables.hpp"

#include "io/timeline/classic_file.hpp"
#include "io/timeline/netcdf_attributes.hpp"

#include <string>

namespace cpl_lb {

int define_dimension(const NetcdfFile &file, const char *name, std::size_t length) {
    int id = -1;
    file.check(nc_def_dim(file.id(), name, length, &id), "cannot define a dimension");
    return id;
}

int define(const NetcdfFile &file, const char *name, nc_type type, std::span<const int> dimensions,
           const char *long_name, const char *units) {
    int id = -1;
    file.check(nc_def_var(file.id(), name, type, static_cast<int>(dimensions.size()), dimensions.data(), &id),
               "cannot define a variable");
    if (long_name != nullptr) Attributes(file, id).text("long_name", long_name);
    if (units != nullptr) Attributes(file, id).text("units", units);
    return id;
}

int dimension_of(const NetcdfFile &file, const char *name) {
    int id = -1;
    file.check(nc_inq_dimid(file.id(), name, &id), name);
    return id;
}

int dimension_of_processes(const NetcdfFile &file) {
    int id = -1;
    return nc_inq_dimid(file.id(), "process", &id) == NC_NOERR ? id : dimension_of(file, "ny");
}

std::vector<std::size_t> lengths_of(const NetcdfFile &file, int variable) {
    int dimensions = 0;
    file.check(nc_inq_varndims(file.id(), variable, &dimensions), "cannot read a variable");
    std::vector<int> ids(size(dimensions));
    file.check(nc_inq_vardimid(file.id(), variable, ids.data()), "cannot read a variable");
    std::vector<std::size_t> lengths(ids.size());
    for (std::size_t d = 0; d < ids.size(); ++d)
        file.check(nc_inq_dimlen(file.id(), ids[d], &lengths[d]), "cannot read a dimension");
    return lengths;
}

bool has_numbers(const NetcdfFile &file, int variable) {
    nc_type type = NC_NAT;
    file.check(nc_inq_vartype(file.id(), variable, &type), "cannot read a variable");
    return type != NC_CHAR && type < NC_STRING;
}

std::vector<double> numbers(const NetcdfFile &file, const char *name, std::size_t count, std::size_t of_each) {
    const int id = file.find(name);
    if (id < 0) return {};
    std::vector<std::size_t> wanted = {count};
    if (of_each > 1) wanted.push_back(of_each);
    if (lengths_of(file, id) != wanted || !has_numbers(file, id))
        throw FileError(file.path(), std::string("the variable ") + name + " has the wrong shape");
    std::vector<double> values(count * of_each);
    if (!values.empty()) file.check(nc_get_var_double(file.id(), id, values.data()), name);
    return values;
}

} // namespace cpl_lb
