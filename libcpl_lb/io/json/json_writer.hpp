// One list of names serves writing and reading: json_members(way, value) names each member of a json object once, and
// `way` is a JsonWriter or a JsonReader (json_object.hpp). They have the same functions.
#pragma once

#include "data/meters.hpp"
#include "io/json/json_tree.hpp"
#include "support/either.hpp"

#include <concepts>
#include <type_traits>

namespace cpl_lb {

class JsonWriter {
public:
    explicit JsonWriter(JsonTree &json) : json_(json) {}

    void figure(const char *name, double value) { json_[name] = JsonTree::number(value); }
    void time(const char *name, Nanoseconds value) { figure(name, to_seconds(value)); }
    void flag(const char *name, bool value) { json_[name] = value; }
    void text(const char *name, const std::string &value) { json_[name] = JsonTree::text(value); } // null: empty
    void word(const char *name, const std::string &value) { json_[name] = value; }                 // never null
    void words(const char *name, const std::vector<std::string> &values) { json_[name] = values; }
    void count(const char *name, std::int64_t value) { json_[name] = value; }
    void count_above_0(const char *name, std::int64_t value) { count_or_null(name, value, value > 0); }
    void count_from_0(const char *name, std::int64_t value) { count_or_null(name, value, value >= 0); }

    // Follows from other members: only written.
    void derived(const char *name, double value) { figure(name, value); }
    // Keeps the place of a member that has a way of its own.
    void place(const char *name) { json_[name]; }

    template <class Fill>
    void group(const char *name, Fill &&fill) {
        JsonTree inner = JsonTree::object();
        JsonWriter way(inner);
        fill(way);
        json_[name] = std::move(inner);
    }
    template <class T>
    void part(const char *name, const T &value) {
        group(name, [&](JsonWriter &way) { json_members(way, value); });
    }
    template <class T>
    void list(const char *name, const std::vector<T> &values) {
        JsonTree all = JsonTree::array();
        for (const T &value : values) {
            all.push_back(JsonTree::object());
            JsonWriter way(all.back());
            json_members(way, value);
        }
        json_[name] = std::move(all);
    }
    // A column for each member: one object for each value would be mostly names. most: for the reader.
    template <class T>
    void columns(const std::vector<T> &values, std::size_t most = 0);

private:
    void count_or_null(const char *name, std::int64_t value, bool known) {
        json_[name] = known ? JsonTree(value) : JsonTree(nullptr);
    }
    JsonTree &json_;
};

// What JsonWriter::columns gives to a list: the columns begin empty, then each value adds one entry to each of them.
class JsonColumnWriter {
public:
    JsonColumnWriter(JsonTree &json, bool begin, std::size_t entries)
        : json_(json), begin_(begin), entries_(entries) {}
    void figure(const char *name, double value) { add(name, JsonTree::number(value)); }
    void derived(const char *name, double value) { figure(name, value); }
    void count(const char *name, std::int64_t value) { add(name, value); }
    void count_from_0(const char *name, std::int64_t value) {
        add(name, value < 0 ? JsonTree(nullptr) : JsonTree(value));
    }

private:
    void add(const char *name, JsonTree value) {
        if (begin_)
            json_[name] = JsonTree::array(entries_);
        else
            json_[name].push_back(std::move(value));
    }
    JsonTree &json_;
    bool begin_;
    std::size_t entries_;
};

template <class T>
void JsonWriter::columns(const std::vector<T> &values, std::size_t) {
    JsonColumnWriter begin(json_, true, values.size());
    const T none{};
    json_members(begin, none);
    JsonColumnWriter way(json_, false, values.size());
    for (const T &value : values)
        json_members(way, value);
}

} // namespace cpl_lb
