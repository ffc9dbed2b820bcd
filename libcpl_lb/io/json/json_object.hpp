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
    template <class Integer>
    void count(const char *name, Integer &value) const {
        count_from(1, name, value);
    }
    void count_from_0(const char *name, std::int64_t &value) const { count_from(0, name, value); }

private:
    template <class Integer>
    void count_from(double least, const char *name, Integer &value) const {
        double found = unknown;
        figure(name, found);
        const double most =
            std::min(JsonObject::largest_count, static_cast<double>(std::numeric_limits<Integer>::max()));
        if (found >= least && found < most) value = static_cast<Integer>(found);
    }
    const JsonObject &object_;
    std::size_t i_;
};

// How long the longest of the columns is.
class LongestColumn {
public:
    explicit LongestColumn(const JsonObject &object) : object_(object) {}
    void figure(const char *name, double) {
        if (const nlohmann::json &column = object_.member(name); column.is_array())
            size = std::max(size, column.size());
    }
    void derived(const char *, double) {}
    void count(const char *name, std::int64_t) { figure(name, unknown); }
    void count_from_0(const char *name, std::int64_t) { figure(name, unknown); }
    std::size_t size = 0;

private:
    const JsonObject &object_;
};

class JsonReader : public JsonObject {
public:
    using JsonObject::JsonObject;

    void figure(const char *name, double &value) const { get(name, value); }
    void time(const char *name, Nanoseconds &value) const {
        double seconds = unknown;
        get(name, seconds);
        if (std::abs(seconds) <= largest_time_s) value = from_seconds(seconds);
    }
    void flag(const char *name, bool &value) const { get(name, value); }
    void text(const char *name, std::string &value) const { get(name, value); }
    void word(const char *name, std::string &value) const { get(name, value); }
    void words(const char *name, std::vector<std::string> &values) const { get(name, values); }
    template <class Integer>
    void count(const char *name, Integer &value) const {
        double found = unknown;
        get(name, found);
        const double largest = std::min(largest_count, static_cast<double>(std::numeric_limits<Integer>::max()) - 1);
        if (found >= 0 && found <= largest) value = static_cast<Integer>(found);
    }
    template <class Integer>
    void count_above_0(const char *name, Integer &value) const {
        count(name, value);
    }
    template <class Integer>
    void count_from_0(const char *name, Integer &value) const {
        if (member(name).is_null()) value = -1; // not known
        count(name, value);
    }
    void derived(const char *, double) const {}
    void place(const char *) const {}

    template <class Fill>
    void group(const char *name, Fill &&fill) const {
        const JsonReader inner(member(name));
        fill(inner);
    }
    template <class T>
    void part(const char *name, T &value) const {
        group(name, [&](const JsonReader &way) { json_members(way, value); });
    }
    template <class T>
    void list(const char *name, std::vector<T> &values) const {
        if (!member(name).is_array()) return;
        for (const nlohmann::json &entry : member(name)) {
            const JsonReader way(entry);
            json_members(way, values.emplace_back());
        }
    }
    // As many values as the longest column has entries, or as there are already.
    template <class T>
    void columns(std::vector<T> &values, std::size_t most = std::numeric_limits<std::size_t>::max()) const {
        LongestColumn longest(*this);
        T none{};
        json_members(longest, none);
        values.resize(std::min(std::max(longest.size, values.size()), most));
        for (std::size_t i = 0; i < values.size(); ++i) {
            const JsonColumnReader way(*this, i);
            json_members(way, values[i]);
        }
    }
};

} // namespace cpl_lb
