// One table of a TOML file, which gives its entries by name and unit. An entry that nobody asks for is a mistake: a
// misspelt name, or a wrong unit (B_per_s instead of GB_per_s).
#pragma once

#include "data/time.hpp"
#include "io/toml/toml_tree.hpp"

#include <optional>
#include <set>

namespace cpl_lb {

// The range of a number in this unit. Outside, the unit is most likely wrong.
struct TomlBounds {
    double least, most;
};

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
    [[nodiscard]] const TomlNode *find(const std::string &key); // null if absent
    [[nodiscard]] std::optional<TomlTable> table(const std::string &key);
    [[nodiscard]] std::vector<TomlTable> tables(const std::string &key); // [[key]]

    [[nodiscard]] std::string required_text(const std::string &key);

    // A value elsewhere in the file, as number() does.
    [[nodiscard]] double number_of(const TomlNode &node, const std::string &key, TomlBounds bounds) const;
    // Throws for the first entry that was not asked for.
    void nothing_else() const;

    [[noreturn]] void fail(int line, const std::string &key, const std::string &what) const;

private:
    [[nodiscard]] std::string full(const std::string &key) const;
    [[nodiscard]] const TomlNode &required(const std::string &key);

    std::string path_, name_;
    const TomlNode *node_;
    std::set<std::string> asked_;
};

} // namespace cpl_lb
