// Members of a JSON object by name, when the file may hold anything: what is missing or of another type changes
// nothing. JsonReader is the way of reading for lists of names (json_writer.hpp).
#pragma once

#include "data/meters.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace cpl_lb {

// Members by name from what may be anything.
class JsonObject {
public:
    static constexpr double largest_time_s = 4e9;               // 126 years
    static constexpr double largest_count = 9007199254740992.0; // 2^53

    explicit JsonObject(const nlohmann::json &json) : json_(json) {}

    [[nodiscard]] const nlohmann::json &member(const char *name) const {
        static const nlohmann::json none;
        if (!json_.is_object()) return none;
        const auto found = json_.find(name);
        return found == json_.end() ? none : *found;
    }
    void get(const char *name, double &value) const {
        if (member(name).is_number()) value = as_figure(member(name).get<double>());
    }
    void get(const char *name, std::string &value) const {
        if (member(name).is_string()) value = member(name).get<std::string>();
    }
    void get(const char *name, bool &value) const {
        if (member(name).is_boolean()) value = member(name).get<bool>();
    }
    template <class Integer>
    void get_count(const char *name, Integer &value) const {
        double found = unknown;
        get(name, found);
        const double largest = std::min(largest_count, static_cast<double>(std::numeric_limits<Integer>::max()) - 1);
        if (found >= 0 && found <= largest) value = static_cast<Integer>(found);
    }
    void get_time(const char *name, Nanoseconds &value) const {
        double seconds = unknown;
        get(name, seconds);
        if (std::abs(seconds) <= largest_time_s) value = from_seconds(seconds);
    }
    void get(const char *name, std::vector<std::string> &values) const {
        if (!member(name).is_array()) return;
        for (const nlohmann::json &value : member(name))
            values.push_back(value.is_string() ? value.get<std::string>() : "");
    }

private:
    const nlohmann::json &json_;
};

// Entry i of columns: a member of one value.
class JsonColumnReader {
public:
    JsonColumnReader(const JsonObject &object, std::size_t i) : object_(object), i_(i) {}
    void figure(const char *name, double &value) const {
        const nlohmann::json &column = object_.member(name);
        if (column.is_array() && i_ < column.size() && column[i_].is_number())
            value = as_figure(column[i_].get<double>());
    }
    void derived(const char *, double) const {}
    void count(const char *name, std::int64_t &value) const {
        double found = unknown;
        figure(name, found);
        if (found >= 1 && found < JsonObject::largest_count) value = static_cast<std::int64_t>(found);
    }
    void count(const char *name, std::int32_t &value) const {
        double found = unknown;
        figure(name, found);
        if (found >= 1 && found < std::numeric_limits<std::int32_t>::max()) value = static_cast<std::int32_t>(found);
    }
    void count_from_0(const char *name, std::int64_t &value) const {
        double found = unknown;
        figure(name, found);
        if (found >= 0 && found < JsonObject::largest_count) value = static_cast<std::int64_t>(found);
    }

private:
    const JsonObject &object_;
    std::size_t i_;
};

class JsonReader {
public:
    explicit JsonReader(const JsonObject &object) : object_(object) {}

    void figure(const char *name, double &value) const { object_.get(name, value); }
    void time(const char *name, Nanoseconds &value) const { object_.get_time(name, value); }
    void flag(const char *name, bool &value) const { object_.get(name, value); }
    void text(const char *name, std::string &value) const { object_.get(name, value); }
    void word(const char *name, std::string &value) const { object_.get(name, value); }
    void words(const char *name, std::vector<std::string> &values) const { object_.get(name, values); }
    template <class Integer>
    void count(const char *name, Integer &value) const {
        object_.get_count(name, value);
    }
    template <class Integer>
    void count_above_0(const char *name, Integer &value) const {
        object_.get_count(name, value);
    }
    template <class Integer>
    void count_from_0(const char *name, Integer &value) const {
        if (object_.member(name).is_null()) value = -1; // not known
        object_.get_count(name, value);
    }
    void derived(const char *, double) const {}
    void place(const char *) const {}

    template <class Fill>
    void group(const char *name, Fill &&fill) const {
        const JsonObject inner(object_.member(name));
        const JsonReader way(inner);
        fill(way);
    }
    template <class T>
    void part(const char *name, T &value) const {
        group(name, [&](const JsonReader &way) { json_members(way, value); });
    }
    template <class T>
    void list(const char *name, std::vector<T> &values) const {
        const nlohmann::json &all = object_.member(name);
        if (!all.is_array()) return;
        for (const nlohmann::json &entry : all) {
            const JsonObject inner(entry);
            const JsonReader way(inner);
            json_members(way, values.emplace_back());
        }
    }
    // As many values as the column `sized_by` has entries.
    template <class T>
    void columns(std::vector<T> &values, const char *sized_by, std::size_t most = series_most_points) const {
        const nlohmann::json &column = object_.member(sized_by);
        if (column.is_array()) values.resize(std::min(column.size(), most));
        for (std::size_t i = 0; i < values.size(); ++i) {
            const JsonColumnReader way(object_, i);
            json_members(way, values[i]);
        }
    }

private:
    const JsonObject &object_;
};

} // namespace cpl_lb
