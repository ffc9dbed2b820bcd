// Which component each process of a job belongs to, when nobody calls cpl_lb_init (docs/record.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb::profiling {

// What a process says of itself before names are given: CPL_LB_COMPONENT as "=name", else its executable's path.
struct Process {
    int rank = 0;
    std::string said;
};

struct ComponentNames {
    std::vector<std::string> components; // as the processes
    std::string problem;                 // in words; empty: none
};

// ranges: cn_components, "ocean:0-95,atmosphere:96-127"; empty: none. Control characters, which a terminal would
// obey, become question marks.
[[nodiscard]] ComponentNames name_components(const std::vector<Process> &processes, std::string_view ranges);

} // namespace cpl_lb::profiling
