// Attributes of netCDF files. The reader takes files that others wrote: missing attributes, other types and other
// lengths are not errors. Beside them the variables that identify a timeline's events.
#pragma once

#include "data/event_keys.hpp"
#include "data/time.hpp"
#include "io/timeline/netcdf_file.hpp"
#include "io/timeline/timeline.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace cpl_lb {

class AttributeReader {
public:
    AttributeReader(const NetcdfFile &file, int variable) : file_(file), variable_(variable) {}

    [[nodiscard]] std::string text(const char *name) const; // "" if there is none
    [[nodiscard]] double number(const char *name) const;    // NaN if there is no single number
    // otherwise: also out of range
    [[nodiscard]] std::int64_t whole(const char *name, std::int64_t least, std::int64_t most,
                                     std::int64_t otherwise) const;

    // For lists of attributes that are written, too (Attributes).
    void text(const char *name, std::string &value) const { value = text(name); }
    void text_if_any(const char *name, std::string &value) const { value = text(name); }
    void real(const char *name, double &value) const { value = as_figure(number(name)); }
    void time(const char *name, Nanoseconds &value) const; // `absent` if there is none
    template <class Integer>
    void integer(const char *name, Integer &value, std::int64_t least, std::int64_t most) const {
        value = static_cast<Integer>(whole(name, least, most, value));
    }

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
    void text_if_any(const char *name, const std::string &value) const {
        if (!value.empty()) text(name, value);
    }
    void real(const char *name, double value) const {
        if (!is_known(value)) return; // not known: no attribute
        done(nc_put_att_double(file_.id(), variable_, name, NC_DOUBLE, 1, &value), name);
    }
    void time(const char *name, Nanoseconds value) const { // not for "no limit", either
        if (value != absent && value != std::numeric_limits<Nanoseconds>::max()) real(name, file_seconds(value));
    }
    // Larger than an int goes as a double: the classic formats have no larger integers.
    void integer(const char *name, std::int64_t value, std::int64_t = 0, std::int64_t = 0) const {
        if (value > std::numeric_limits<int>::max()) return real(name, static_cast<double>(value));
        put(name, std::vector{static_cast<int>(value)});
    }

    // The values of a variable, from `first` on, and what they mean, separated by blanks.
    template <class Value>
    void flags(Value first, const std::string &meanings) const {
        std::vector<Value> values(static_cast<std::size_t>(std::ranges::count(meanings, ' ')) + 1);
        std::iota(values.begin(), values.end(), first);
        put("flag_values", values);
        put("valid_range", std::vector{values.front(), values.back()});
        text("flag_meanings", meanings);
    }
    void put(const char *name, const std::vector<int> &values) const {
        done(nc_put_att_int(file_.id(), variable_, name, NC_INT, values.size(), values.data()), name);
    }
    void put(const char *name, const std::vector<signed char> &values) const {
        done(nc_put_att_schar(file_.id(), variable_, name, NC_BYTE, values.size(), values.data()), name);
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
