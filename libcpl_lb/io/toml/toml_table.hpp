// TOML files, read with checks: machines and workflows are such files. toml++ itself is compiled in toml_tree.cpp
// only, because it is large.
#pragma once

#include "data/time.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cpl_lb {

// what() is "file:line: name: what is wrong", or without the name if there is none.
class TomlError : public std::runtime_error {
public:
    TomlError(const std::string &path, int line, const std::string &name, const std::string &what);
};

// Plain values that know their line.
struct TomlNode {
    int line = 0;
    std::variant<bool, std::int64_t, double, std::string, std::vector<TomlNode>, std::map<std::string, TomlNode>>
        value;
};

// Throws TomlError if the text is not TOML, and for dates and times, which no file of ours holds.
[[nodiscard]] TomlNode parse_toml(std::string_view text, const std::string &path);

// The range of a number in this unit. Outside, the unit is most likely wrong.
struct TomlBounds {
    double least, most;
};

// One table of the file, which gives its entries by name and unit. An entry that nobody asks for is a mistake: a
// misspelt name, or a wrong unit (B_per_s instead of GB_per_s).
class TomlTable {
public:
    // Throws TomlError when the node is not a table.
    TomlTable(std::string path, const TomlNode &node, std::string name);

    [[nodiscard]] const std::string &path() const { return path_; }
    [[nodiscard]] int line() const { return node_->line; }

    // Absent: "" and unknown. All throw TomlError when the entry is of another kind or outside its bounds; `nan` in
    // the file is a number that is not known.
    [[nodiscard]] std::string text(const std::string &key);
    [[nodiscard]] double number(const std::string &key, TomlBounds bounds);
    [[nodiscard]] std::vector<double> numbers(const std::string &key, TomlBounds bounds);
    [[nodiscard]] std::vector<int> whole_numbers(const std::string &key, TomlBounds bounds);
    [[nodiscard]] std::vector<std::string> texts(const std::string &key); // one, or a list; none of them empty
    [[nodiscard]] const TomlNode *find(const std::string &key);           // null if absent
    [[nodiscard]] std::optional<TomlTable> table(const std::string &key);
    [[nodiscard]] std::vector<TomlTable> tables(const std::string &key); // [[key]]

    [[nodiscard]] const TomlNode &required(const std::string &key);
    [[nodiscard]] std::string required_text(const std::string &key);

    // A value elsewhere in the file, as number() does.
    [[nodiscard]] double number_of(const TomlNode &node, const std::string &key, TomlBounds bounds) const;
    // Throws for the first entry that was not asked for.
    void nothing_else() const;

    [[noreturn]] void fail(int line, const std::string &key, const std::string &what) const;
    // At the entry's line, at the table's if there is none.
    [[noreturn]] void fail(const std::string &key, const std::string &what) const;

private:
    [[nodiscard]] std::string full(const std::string &key) const;

    std::string path_, name_;
    const TomlNode *node_;
    std::set<std::string> asked_;
};

} // namespace cpl_lb
