// Reads attributes whatever their type and length.
#include "io/timeline/netcdf_attributes.hpp"

#include "io/timeline/timeline.hpp"

#include <cmath>

namespace cpl_lb {

std::string AttributeReader::text(const char *name) const {
    nc_type type = NC_NAT;
    std::size_t length = 0;
    if (nc_inq_att(file_.id(), variable_, name, &type, &length) != NC_NOERR || length == 0) return {};
    if (type == NC_CHAR) {
        std::string value(length, '\0'); // netCDF holds it in memory already
        if (nc_get_att_text(file_.id(), variable_, name, value.data()) != NC_NOERR) return {};
        // C programs like to write the final zero, too.
        while (!value.empty() && value.back() == '\0')
            value.pop_back();
        return value;
    }
    if (type != NC_STRING || length != 1) return {};
    char *string = nullptr; // what Python tools make of text attributes
    if (nc_get_att_string(file_.id(), variable_, name, &string) != NC_NOERR) return {};
    std::string value = string == nullptr ? "" : string;
    nc_free_string(1, &string);
    return value;
}

double AttributeReader::number(const char *name) const {
    nc_type type = NC_NAT;
    std::size_t length = 0;
    double value = unknown;
    if (nc_inq_att(file_.id(), variable_, name, &type, &length) != NC_NOERR) return unknown;
    if (length != 1 || type == NC_CHAR || type == NC_STRING || type > NC_STRING) return unknown;
    return nc_get_att_double(file_.id(), variable_, name, &value) == NC_NOERR ? value : unknown;
}

std::int64_t AttributeReader::integer(const char *name, std::int64_t least, std::int64_t most,
                                      std::int64_t otherwise) const {
    const double value = number(name);
    const bool good = value >= static_cast<double>(least) && value <= static_cast<double>(most);
    return good ? std::llround(value) : otherwise;
}

Nanoseconds AttributeReader::time(const char *name, double most_s) const {
    const double value = number(name);
    return std::abs(value) <= most_s ? from_file_seconds(value) : absent;
}

} // namespace cpl_lb
