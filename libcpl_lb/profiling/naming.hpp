// Which component each process of a job belongs to, when nobody calls cpl_lb_init (docs/record.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb::profiling {

// The text by which a process first names itself: "=" and CPL_LB_COMPONENT, or the path of its program.
[[nodiscard]] std::string what_this_process_is();
struct Process {
    int rank = 0;
    std::string said;
};

// The program of a process: its executable, or the script that an interpreter (Python, Perl, R, Julia, ...) runs. The
// script is the first argument that is a file or has a script's name. arguments: the command's own name is first.
[[nodiscard]] std::string program_of(const std::string &executable, const std::vector<std::string> &arguments,
                                     bool (*is_file)(const std::string &));

struct ComponentNames {
    std::vector<std::string> components; // one for each process
    bool by_folders = false;             // some names have a folder, because programs have the same name
    std::string problem;                 // in words; empty: none
};

// ranges: cn_components, "ocean:0-95,atmosphere:96-127"; empty: none. Control characters become question marks,
// because a terminal would obey them.
[[nodiscard]] ComponentNames name_components(const std::vector<Process> &processes, std::string_view ranges);

} // namespace cpl_lb::profiling
