// Members of a JSON object by name, when the file may hold anything: what is missing or of another type changes
// nothing.
#pragma once

#include "data/time.hpp"

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
        if (member(name).is_number()) value = member(name).get<double>();
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

} // namespace cpl_lb
