// Units of a machine's file, and the range of their numbers: three orders of magnitude around what is built, so that
// a number in the wrong unit is noticed.
#pragma once

#include "io/toml/toml_table.hpp"

namespace cpl_lb::machine_units {

struct Unit {
    double in_SI;
    TomlBounds bounds;
};

inline constexpr Unit GFLOP_per_s{1e9, {1e-3, 1e7}}, GB_per_s{1e9, {1e-3, 1e6}}, GHz{1e9, {0.01, 20}};
inline constexpr Unit ns{1e-9, {0.05, 1e5}}, us{1e-6, {0.01, 1e5}}, W{1, {0.01, 1e5}}, KiB{1024, {1, 1e11}};
inline constexpr Unit count{1, {1, 1e6}};

} // namespace cpl_lb::machine_units
