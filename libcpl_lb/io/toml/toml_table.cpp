// Finds entries by name and unit, and refuses those that nobody asked for.
#include "io/toml/toml_table.hpp"

#include "support/fmt.hpp"

#include <cmath>

namespace cpl_lb {
namespace {

using Table = std::map<std::string, TomlNode>;
using Array = std::vector<TomlNode>;

} // namespace

TomlTable::TomlTable(std::string path, const TomlNode &node, std::string name)
    : path_(std::move(path)), name_(std::move(name)), node_(&node) {
    if (!std::holds_alternative<Table>(node.value)) fail(node.line, "", "a table [" + name_ + "] belongs here");
}

std::string TomlTable::full(const std::string &key) const {
    if (name_.empty() || key.empty()) return name_ + key;
    return name_ + "." + key;
}

void TomlTable::fail(int line, const std::string &key, const std::string &what) const {
    throw TomlError(path_, line, full(key), what);
}

void TomlTable::fail(const std::string &key, const std::string &what) const {
    const auto &table = std::get<Table>(node_->value);
    const auto found = table.find(key);
    fail(found == table.end() ? line() : found->second.line, key, what);
}

const TomlNode *TomlTable::find(const std::string &key) {
    asked_.insert(key);
    const auto &table = std::get<Table>(node_->value);
    const auto found = table.find(key);
    return found == table.end() ? nullptr : &found->second;
}

const TomlNode &TomlTable::required(const std::string &key) {
    const TomlNode *const node = find(key);
    if (node == nullptr) fail(line(), key, "is missing");
    return *node;
}

std::string TomlTable::text(const std::string &key) {
    const TomlNode *const node = find(key);
    if (node == nullptr) return "";
    const auto *const value = std::get_if<std::string>(&node->value);
    if (value == nullptr) fail(node->line, key, "text in quotes belongs here");
    return *value;
}

double TomlTable::number_of(const TomlNode &node, const std::string &key, TomlBounds bounds) const {
    double value = unknown;
    if (const auto *const whole = std::get_if<std::int64_t>(&node.value))
        value = static_cast<double>(*whole);
    else if (const auto *const number = std::get_if<double>(&node.value))
        value = *number;
    else
        fail(node.line, key, "a number belongs here");
    if (is_known(value) && !(value >= bounds.least && value <= bounds.most)) {
        fail(node.line, key,
             fmt::format("{:g} is not between {:g} and {:g}: is it in the unit of its name?", value, bounds.least,
                         bounds.most));
    }
    return value;
}

double TomlTable::number(const std::string &key, TomlBounds bounds) {
    const TomlNode *const node = find(key);
    return node == nullptr ? unknown : number_of(*node, key, bounds);
}

std::vector<double> TomlTable::numbers(const std::string &key, TomlBounds bounds) {
    std::vector<double> values;
    const TomlNode *const node = find(key);
    if (node == nullptr) return values;
    const auto *const array = std::get_if<Array>(&node->value);
    if (array == nullptr) return {number_of(*node, key, bounds)};
    for (const TomlNode &element : *array)
        values.push_back(number_of(element, key, bounds));
    return values;
}

std::vector<int> TomlTable::whole_numbers(const std::string &key, TomlBounds bounds) {
    std::vector<int> values;
    for (const double value : numbers(key, bounds)) {
        if (!is_known(value) || value != std::floor(value)) fail(key, "is not a whole number");
        values.push_back(static_cast<int>(value));
    }
    return values;
}

std::vector<std::string> TomlTable::texts(const std::string &key) {
    const TomlNode *const node = find(key);
    if (node == nullptr) return {};
    const auto *const array = std::get_if<Array>(&node->value);
    if (array == nullptr) return {required_text(key)};
    std::vector<std::string> all;
    for (const TomlNode &element : *array) {
        const auto *const text = std::get_if<std::string>(&element.value);
        if (text == nullptr || text->empty()) fail(element.line, key, "text in quotes belongs here");
        all.push_back(*text);
    }
    return all;
}

std::optional<TomlTable> TomlTable::table(const std::string &key) {
    const TomlNode *const node = find(key);
    if (node == nullptr) return std::nullopt;
    return TomlTable(path_, *node, full(key));
}

std::vector<TomlTable> TomlTable::tables(const std::string &key) {
    std::vector<TomlTable> all;
    const TomlNode *const node = find(key);
    if (node == nullptr) return all;
    const auto *const array = std::get_if<Array>(&node->value);
    if (array == nullptr) fail(node->line, key, "tables [[" + full(key) + "]] belong here");
    for (const TomlNode &element : *array)
        all.emplace_back(path_, element, full(key));
    return all;
}

std::string TomlTable::required_text(const std::string &key) {
    const TomlNode &node = required(key);
    std::string value = text(key);
    if (value.empty()) fail(node.line, key, "is empty");
    return value;
}

void TomlTable::nothing_else() const {
    std::string names;
    for (const std::string &name : asked_)
        names += (names.empty() ? "" : ", ") + name;
    for (const auto &[key, node] : std::get<Table>(node_->value))
        if (!asked_.contains(key)) fail(node.line, key, "no such name; there are " + names);
}

} // namespace cpl_lb
