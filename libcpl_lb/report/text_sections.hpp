// The sections of load_balancing_info.txt that the layout of TR/CMGC/20/176 lacks.
#pragma once

#include "data/coupled_run.hpp"

#include <cstddef>
#include <string>

namespace cpl_lb {

inline constexpr const char *rule = "-----------------------------------------------------------------\n";
// Names in tables are cut here; the json has them whole.
inline constexpr std::size_t table_name_columns = 60;

[[nodiscard]] std::string table_name(const Component &component);
[[nodiscard]] std::string further_sections(const CoupledRun &run);

} // namespace cpl_lb
