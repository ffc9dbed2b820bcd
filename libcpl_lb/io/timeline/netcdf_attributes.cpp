// Reads attributes whatever their type and length, and writes the variables of the events' keys.
#include "io/timeline/netcdf_attributes.hpp"

#include "io/timeline/timeline.hpp"
#include "io/timeline/timeline_times.hpp"

#include <algorithm>
#include <cmath>
#include <netcdf.h>
#include <vector>

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

std::int64_t AttributeReader::whole(const char *name, std::int64_t least, std::int64_t most,
                                    std::int64_t otherwise) const {
    const double value = number(name);
    const bool good = value >= static_cast<double>(least) && value <= static_cast<double>(most);
    return good ? std::llround(value) : otherwise;
}

void AttributeReader::time(const char *name, Nanoseconds &value) const {
    const double seconds = number(name);
    value = std::abs(seconds) <= largest_time_s ? from_file_seconds(seconds) : absent;
}

namespace {

constexpr std::size_t most_values = 262'144; // 1 or 2 MiB at once

// One variable along the events, in pieces: value(k) for each.
template <class T, class Put, class Value>
void write_along_events(const NetcdfFile &file, const char *name, std::size_t events, Put put, Value value) {
    const int id = file.find(name);
    std::vector<T> piece;
    for (std::size_t first = 0; first < events; first += piece.size()) {
        piece.resize(std::min(events - first, most_values));
        for (std::size_t i = 0; i < piece.size(); ++i)
            piece[i] = value(first + i);
        const std::size_t count = piece.size();
        file.check(put(file.id(), id, &first, &count, piece.data()), name);
    }
}

double date_value(std::int64_t date) {
    return date == no_date ? NC_FILL_DOUBLE : static_cast<double>(date);
}

} // namespace

bool any_date(const EventKeys &keys) {
    return std::any_of(keys.dates().begin(), keys.dates().end(), [](std::int64_t date) { return date != no_date; });
}

void write_keys(const NetcdfFile &file, const EventKeys &keys) {
    const std::size_t n = keys.size();
    const auto ints = &nc_put_vara_int;
    write_along_events<int>(file, "kind", n, ints,
                            [&](std::size_t k) { return static_cast<int>(keys.what(k).kind); });
    write_along_events<int>(file, "field", n, ints, [&](std::size_t k) { return keys.what(k).field; });
    write_counterparts(file, keys);
    if (any_date(keys)) {
        write_along_events<double>(file, "date", n, &nc_put_vara_double,
                                   [&](std::size_t k) { return date_value(keys.date(k)); });
    }
}

void write_counterparts(const NetcdfFile &file, const EventKeys &keys) {
    write_along_events<int>(file, "component", keys.size(), &nc_put_vara_int,
                            [&](std::size_t k) { return keys.what(k).counterpart; });
}

} // namespace cpl_lb
