// What YAC tells in words, understood: its couples (the configuration that it emits as JSON), dates and durations
// (ISO 8601). No MPI and no YAC in here. Part of cpl_lb_yac.cpp. Why it reads JSON itself:
// docs/decisions/formats_handled_here.md
#pragma once

#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cpl_lb::adapter::yac {

// A value of JSON. Numbers and words stay text.
struct Json {
    std::string text;
    std::vector<Json> items;
    std::vector<std::string> names; // of the items, in an object

    [[nodiscard]] const Json *find(const char *name) const {
        for (std::size_t i = 0; i < names.size(); ++i)
            if (names[i] == name) return &items[i];
        return nullptr;
    }
    [[nodiscard]] std::string word(const char *name) const {
        const Json *value = find(name);
        return value != nullptr ? value->text : std::string();
    }
};

// A configuration that is not understood is one without couples: an empty value.
class ConfigurationReader {
public:
    explicit ConfigurationReader(const char *text) : at_(text) {}
    Json read() {
        Json value;
        return read_value(value, 0) ? value : Json{};
    }

private:
    static constexpr int deepest = 64;

    char next() {
        while (std::isspace(static_cast<unsigned char>(*at_)) != 0)
            ++at_;
        return *at_;
    }
    bool take(char c) {
        if (next() != c) return false;
        ++at_;
        return true;
    }
    bool read_value(Json &value, int depth) {
        if (depth > deepest) return false;
        if (take('{')) return read_members(value, depth);
        if (take('[')) return read_items(value, depth);
        if (next() == '"') return read_string(value.text);
        while (*at_ != '\0' && std::strchr(",]} \t\r\n", *at_) == nullptr)
            value.text += *at_++;
        return !value.text.empty();
    }
    bool read_members(Json &value, int depth) {
        if (take('}')) return true;
        do {
            std::string &name = value.names.emplace_back();
            if (next() != '"' || !read_string(name) || !take(':')) return false;
            if (!read_value(value.items.emplace_back(), depth + 1)) return false;
        } while (take(','));
        return take('}');
    }
    bool read_items(Json &value, int depth) {
        if (take(']')) return true;
        do {
            if (!read_value(value.items.emplace_back(), depth + 1)) return false;
        } while (take(','));
        return take(']');
    }
    // An escaped character stands for itself, except \u: that stays as it is written, on both sides alike.
    bool read_string(std::string &text) {
        for (++at_; *at_ != '\0' && *at_ != '"'; ++at_) {
            if (*at_ == '\\' && at_[1] != '\0' && at_[1] != 'u') ++at_;
            text += *at_;
        }
        if (*at_ == '\0') return false;
        ++at_;
        return true;
    }
    const char *at_;
};

// "P1DT2H", "PT1800S", "-PT1M" in milliseconds; nothing if it depends on the calendar (years, months).
inline std::optional<long long> milliseconds_of(const std::string &duration) {
    constexpr const char *units = "WDHMS";
    constexpr double seconds_of_units[] = {604800.0, 86400.0, 3600.0, 60.0, 1.0};
    const char *at = duration.c_str();
    const double sign = *at == '-' ? -1.0 : 1.0;
    if (*at == '-' || *at == '+') ++at;
    if (*at++ != 'P') return std::nullopt;
    double seconds = 0.0;
    bool time = false;
    while (*at != '\0') {
        if (*at == 'T') {
            time = true;
            ++at;
            continue;
        }
        char *end = nullptr;
        const double number = std::strtod(at, &end);
        if (end == at) return std::nullopt;
        const bool by_calendar = *end == 'Y' || (*end == 'M' && !time);
        const char *unit = std::strchr(units, *end);
        if (*end == '\0' || (unit == nullptr && *end != 'Y') || (by_calendar && number != 0.0)) return std::nullopt;
        if (!by_calendar) seconds += number * seconds_of_units[unit - units];
        at = end + 1;
    }
    const double ms = sign * seconds * 1000.0;
    if (!(ms > -9e15 && ms < 9e15)) return std::nullopt;
    return static_cast<long long>(ms < 0.0 ? ms - 0.5 : ms + 0.5);
}

// The numbers that yac_cget_calendar gives.
enum Calendar { gregorian = 1, days_365 = 2, days_360 = 3 };

// Days since the first of March of the year 0, so that a leap day is the last of its year.
inline long long day_number(long long year, int month, int day, int calendar) {
    if (calendar == days_360) return year * 360 + (month - 1) * 30LL + day - 1;
    const long long y = month > 2 ? year : year - 1;
    const int m = month > 2 ? month - 3 : month + 9;
    const int day_of_year = (153 * m + 2) / 5 + day - 1;
    if (calendar == days_365) return y * 365 + day_of_year;
    const long long era = (y >= 0 ? y : y - 399) / 400;
    const long long of_era = y - era * 400;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + day_of_year;
}

// "2000-02-29T12:30:00.000" in seconds, from some day on; nothing if it is no date.
inline std::optional<double> seconds_of(const char *date, int calendar) {
    char *at = nullptr;
    if (date == nullptr) return std::nullopt;
    const long long year = std::strtoll(date, &at, 10); // may be negative
    if (at == date || year > 100000000 || year < -100000000) return std::nullopt;
    double parts[5] = {1, 1, 0, 0, 0}; // month, day, hours, minutes, seconds
    for (int i = 0; i < 5 && *at != '\0' && std::strchr("-T:", *at) != nullptr; ++i) {
        char *end = nullptr;
        parts[i] = std::strtod(at + 1, &end);
        if (end == at + 1 || !(parts[i] >= 0.0 && parts[i] < 100.0)) return std::nullopt;
        at = end;
    }
    const int month = static_cast<int>(parts[0]);
    if (month < 1 || month > 12) return std::nullopt;
    const long long days = day_number(year, month, static_cast<int>(parts[1]), calendar);
    return static_cast<double>(days) * 86400.0 + parts[2] * 3600.0 + parts[3] * 60.0 + parts[4];
}

// One field of one component that goes to another.
struct Couple {
    struct End {
        std::string component, grid, field;
        bool operator==(const End &) const = default;
    };
    End source, target;
    std::optional<long long> period_ms;
    int source_lag = 0, target_lag = 0; // in time steps of that side
};

// "field" is a name, or the names on both sides, or several of these.
inline void add_fields(const Json &field, Couple couple, std::vector<Couple> &couples) {
    if (field.names.empty() && !field.items.empty()) {
        for (const Json &item : field.items)
            add_fields(item, couple, couples);
        return;
    }
    couple.source.field = field.text.empty() ? field.word("src") : field.text;
    couple.target.field = field.text.empty() ? field.word("tgt") : field.text;
    couples.push_back(std::move(couple));
}

inline void read_couples(const char *configuration, std::vector<Couple> &couples) {
    const Json root = ConfigurationReader(configuration).read();
    const Json *coupling = root.find("coupling");
    if (coupling == nullptr) return;
    for (const Json &item : coupling->items) {
        Couple couple;
        couple.source.component = item.word("src_component");
        couple.source.grid = item.word("src_grid");
        couple.target.component = item.word("tgt_component");
        couple.target.grid = item.word("tgt_grid");
        couple.period_ms = milliseconds_of(item.word("coupling_period"));
        couple.source_lag = std::atoi(item.word("src_lag").c_str());
        couple.target_lag = std::atoi(item.word("tgt_lag").c_str());
        if (const Json *field = item.find("field"); field != nullptr) add_fields(*field, couple, couples);
    }
}

// The same on both sides: the source's name of the field; with its grid where the same components exchange a field of
// that name from another grid, too.
inline std::string exchange_name(const Couple &couple, const std::vector<Couple> &couples) {
    for (const Couple &other : couples) {
        const bool same = other.source.component == couple.source.component &&
                          other.target.component == couple.target.component &&
                          other.source.field == couple.source.field;
        if (same && other.source.grid != couple.source.grid) return couple.source.grid + "/" + couple.source.field;
    }
    return couple.source.field;
}

} // namespace cpl_lb::adapter::yac
