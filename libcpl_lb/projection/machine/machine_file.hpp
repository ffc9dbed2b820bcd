// A machine as a small TOML file, both ways (docs/machines.md has the names), and as tables for the screen; the files
// that ship with the command. Units are part of the names; the bounds of each catch a number in another unit.
#pragma once

#include "io/toml/toml_table.hpp"
#include "projection/machine/machine.hpp"

#include <span>
#include <string>
#include <string_view>

namespace cpl_lb {

// Units of the file, and the range of their numbers: three orders of magnitude around what is built, so that a number
// in the wrong unit is noticed.
namespace machine_units {

struct Unit {
    double in_SI;
    TomlBounds bounds;
};

inline constexpr Unit GFLOP_per_s{1e9, {1e-3, 1e7}}, GB_per_s{1e9, {1e-3, 1e6}}, GHz{1e9, {0.01, 20}};
inline constexpr Unit ns{1e-9, {0.05, 1e5}}, us{1e-6, {0.01, 1e5}}, W{1, {0.01, 1e5}}, KiB{1024, {1, 1e11}};
inline constexpr Unit count{1, {1, 1e6}};

} // namespace machine_units

// Throws TomlError ("file:line: name: what"); `path` is for these errors only.
[[nodiscard]] Machine parse_machine(std::string_view text, const std::string &path);
[[nodiscard]] std::string machine_as_toml(const Machine &machine);
// SI units, in the names; null: not known. A clock of "turbo" is text.
[[nodiscard]] std::string machine_as_json(const Machine &machine);
// Rates at the machine's usual clock; the file has those at other clocks.
[[nodiscard]] std::string machine_as_text(const Machine &machine);

// A figure for people: at least three digits; "n/a" if it is not known.
[[nodiscard]] std::string three_digits(double value);

// What --machine takes: a file, or one of those that ship, by name. Throws std::runtime_error.
[[nodiscard]] Machine load_machine(const std::string &name_or_path);
[[nodiscard]] std::vector<std::string> shipped_machine_names();

// The files of data/machines as texts in the command, because it must not look for files.
struct ShippedMachine {
    std::string_view name, text; // "xeon_e5_2697v3", TOML
};

[[nodiscard]] std::span<const ShippedMachine> shipped_machines();

} // namespace cpl_lb
