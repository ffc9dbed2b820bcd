// A machine as a small TOML file, both ways (docs/machine.md has the names), and as tables for the screen. Units are
// part of the names; the bounds of each catch a number in another unit.
#pragma once

#include "projection/machine/machine.hpp"

namespace cpl_lb {

// Throws TomlError ("file:line: name: what"); `path` is for these errors only.
[[nodiscard]] Machine parse_machine(std::string_view text, const std::string &path);
[[nodiscard]] std::string machine_as_toml(const Machine &machine);
// Rates at the machine's usual clock; the file has those at other clocks.
[[nodiscard]] std::string machine_as_text(const Machine &machine);

// What --machine takes: a file, or one of those that ship, by name. Throws std::runtime_error.
[[nodiscard]] Machine load_machine(const std::string &name_or_path);
[[nodiscard]] std::vector<std::string> shipped_machine_names();

} // namespace cpl_lb
