// netCDF's calls, each with what it was for.
#include "io/timeline/process_variables.hpp"

#include "io/timeline/classic_file.hpp"

#include <string>

namespace cpl_lb {

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

std::vector<double> numbers(const NetcdfFile &file, const char *name, std::size_t count, std::size_t of_each) {
    const int id = file.find(name);
    if (id < 0) return {};
    const std::vector<std::size_t> lengths = lengths_of(file, id);
    std::vector<std::size_t> wanted = {count};
    if (of_each > 1) wanted.push_back(of_each);
    nc_type type = NC_NAT;
    file.check(nc_inq_vartype(file.id(), id, &type), name);
    if (lengths != wanted || type == NC_CHAR || type == NC_STRING || type > NC_STRING)
        throw FileError(file.path(), std::string("the variable ") + name + " has the wrong shape");
    std::vector<double> values(count * of_each);
    file.check(nc_get_var_double(file.id(), id, values.data()), name);
    return values;
}

} // namespace cpl_lb
