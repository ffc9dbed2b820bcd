// Attributes of netCDF files. The reader takes files that others wrote: missing attributes, other types and other
// lengths are not errors. Beside them the variables that identify a timeline's events.
#pragma once

#include "data/event_keys.hpp"
#include "data/time.hpp"
#include "io/timeline/netcdf_file.hpp"
#include "io/timeline/timeline.hpp"

#include <cstdint>
#include <limits>
#include <string>

namespace cpl_lb {

class AttributeReader {
public:
    AttributeReader(const NetcdfFile &file, int variable) : file_(file), variable_(variable) {}

    [[nodiscard]] std::string text(const char *name) const; // "" if there is none
    [[nodiscard]] double number(const char *name) const;    // NaN if there is no single number
    [[nodiscard]] std::int64_t integer(const char *name, std::int64_t least, std::int64_t most,
                                       std::int64_t otherwise) const;      // otherwise: also out of range
    [[nodiscard]] Nanoseconds time(const char *name, double most_s) const; // from seconds; `absent` if none

private:
    const NetcdfFile &file_;
    int variable_;
};

// Writes attributes; the file is in define mode.
class Attributes {
public:
    Attributes(const NetcdfFile &file, int variable) : file_(file), variable_(variable) {}

    void text(const char *name, const std::string &value) const {
        done(nc_put_att_text(file_.id(), variable_, name, value.size(), value.data()), name);
    }
    void real(const char *name, double value) const {
        if (!is_known(value)) return; // not known: no attribute
        done(nc_put_att_double(file_.id(), variable_, name, NC_DOUBLE, 1, &value), name);
    }
    void time(const char *name, Nanoseconds value) const { // not for "no limit", either
        if (value != absent && value != std::numeric_limits<Nanoseconds>::max()) real(name, file_seconds(value));
    }
    // Larger than an int goes as a double: the classic formats have no larger integers.
    void integer(const char *name, std::int64_t value) const {
        if (value > std::numeric_limits<int>::max()) return real(name, static_cast<double>(value));
        const int small = static_cast<int>(value);
        done(nc_put_att_int(file_.id(), variable_, name, NC_INT, 1, &small), name);
    }

private:
    void done(int status, const char *name) const {
        file_.check(status, (std::string("cannot write the attribute ") + name).c_str());
    }
    const NetcdfFile &file_;
    int variable_;
};

// The variables of a timeline that identify its events: kind, field, component, date.
[[nodiscard]] bool any_date(const EventKeys &keys);

// To a file out of define mode.
void write_keys(const NetcdfFile &file, const EventKeys &keys);
// `component` alone, once more.
void write_counterparts(const NetcdfFile &file, const EventKeys &keys);

} // namespace cpl_lb
