// A TOML file as plain values that know their line. Machines and workflows are such files; toml++ itself is compiled
// in toml_tree.cpp only, because it is large.
#pragma once

#include <cstdint>
#include <map>
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

struct TomlNode {
    int line = 0;
    std::variant<bool, std::int64_t, double, std::string, std::vector<TomlNode>, std::map<std::string, TomlNode>>
        value;
};

// Throws TomlError if the text is not TOML, and for dates and times, which no file of ours holds.
[[nodiscard]] TomlNode parse_toml(std::string_view text, const std::string &path);

} // namespace cpl_lb
