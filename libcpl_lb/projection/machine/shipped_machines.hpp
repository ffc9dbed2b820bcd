// The files of data/machines as texts in the command, because it must not look for files.
#pragma once

#include <span>
#include <string_view>

namespace cpl_lb {

struct ShippedMachine {
    std::string_view name, text; // "xeon_e5_2697v3", TOML
};

[[nodiscard]] std::span<const ShippedMachine> shipped_machines();

} // namespace cpl_lb
