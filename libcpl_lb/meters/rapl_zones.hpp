// Finds the powercap zones and what each counts, by their names: zone numbers mean nothing (psys may come first).
#pragma once

#include "meters/reader.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

struct RaplZone {
    std::string label; // "package-0", "package-1/dram", "psys"
    Domain domain = Domain::none;
    std::string directory;
};

// Every zone with a known name, each label once, sorted. intel-rapl-mmio repeats the counters of intel-rapl and is
// taken only if that is missing. AMD zones are called intel-rapl too.
[[nodiscard]] std::vector<RaplZone> find_rapl_zones(const std::string &sysfs_root);

// "package-0", "package-1-die-0", "dram", "core", "uncore", "psys"; else none.
[[nodiscard]] Domain rapl_domain(std::string_view zone_name) noexcept;

} // namespace cpl_lb
