// Writes the keys of the events piece by piece.
#include "io/timeline/key_variables.hpp"

#include <algorithm>
#include <netcdf.h>
#include <vector>

namespace cpl_lb {
namespace {

constexpr std::size_t most_values = 262'144; // 1 or 2 MiB at once

// One variable along the events, in pieces: value(k) for each.
template <class T, class Put, class Value>
void write_along_events(const NetcdfFile &file, const char *name, std::size_t events, Put put, Value value) {
    int id = -1;
    file.check(nc_inq_varid(file.id(), name, &id), name);
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

void write_counterparts_to_file(const std::string &path, const std::string &result, const EventKeys &keys) {
    NetcdfFile file = open_to_write(path, result);
    write_counterparts(file, keys);
    file.close();
}

} // namespace cpl_lb
