// Fortran namelist text -> groups of (name, values). Knows the syntax of Fortran 2018, 13.11, and the older
// $group ... $end; knows no name and no type. Mistakes are values, nothing throws but std::bad_alloc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

struct NamelistError {
    std::string file;
    int line = 0;     // 0: the file as a whole
    std::string name; // of the variable or the group, may be empty
    std::string message;

    [[nodiscard]] std::string text() const; // "file:line: name: message"
};

struct NamelistValue {
    enum class Form : std::uint8_t { null, bare, quoted };

    Form form = Form::null;
    int line = 0;
    std::uint64_t repeat = 1; // 3*'a' is one value with repeat 3: a count costs no memory
    std::string text;         // without quotes
};

struct NamelistEntry {
    std::string name; // lower case
    int line = 0;
    std::vector<NamelistValue> values;
};

struct NamelistGroup {
    std::string name; // lower case
    int line = 0;
    std::vector<NamelistEntry> entries;
    std::optional<NamelistError> error; // the first one; model namelists are shared, others' mistakes are not ours
};

struct Namelists {
    std::vector<NamelistGroup> groups;
    std::optional<NamelistError> error; // of the file as a whole

    // As a Fortran read does: the first group of that name.
    [[nodiscard]] const NamelistGroup *find(std::string_view name) const;
};

inline constexpr std::size_t namelist_max_bytes = std::size_t{1} << 20;
inline constexpr std::size_t namelist_max_groups = 4096; // later ones are ignored

// Linear in time and memory. Text outside groups is ignored.
[[nodiscard]] Namelists parse_namelists(std::string_view text, std::string_view file);

// For messages: in quotes, safe to print, cut when long.
[[nodiscard]] std::string quoted_for_message(std::string_view text);

} // namespace cpl_lb
