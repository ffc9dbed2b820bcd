// Which component each process of a job belongs to, when nobody calls cpl_lb_init (docs/record.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb::profiling {

// What a process says of itself before names are given: CPL_LB_COMPONENT as "=name", else the path of its program.
struct Process {
    int rank = 0;
    std::string said;
};

// The program of a process: its executable, or the script that an interpreter (Python, Perl, R, Julia, ...) runs: the
// first of its arguments that is a file, or is called like a script. arguments: with the command's own name.
[[nodiscard]] std::string program_of(const std::string &executable, const std::vector<std::string> &arguments,
                                     bool (*is_file)(const std::string &));

struct ComponentNames {
    std::vector<std::string> components; // as the processes
    bool by_folders = false;             // some have a folder in them, because programs are called alike
    std::string problem;                 // in words; empty: none
};

// ranges: cn_components, "ocean:0-95,atmosphere:96-127"; empty: none. Control characters, which a terminal would
// obey, become question marks.
[[nodiscard]] ComponentNames name_components(const std::vector<Process> &processes, std::string_view ranges);

} // namespace cpl_lb::profiling
