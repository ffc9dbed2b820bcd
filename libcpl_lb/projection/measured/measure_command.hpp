// Time and energy of any command, by the meters of this node (cpl-lb machine energy -- COMMAND).
#pragma once

#include "data/time.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

struct MeasuredDomain {
    std::string name;
    double joules = unknown;
};

// Its exit status is as a shell has it: 127 if there is none of that name, 126 if it cannot be started, 128 + n if
// signal n ended it.
struct MeasuredCommand {
    int status = 0;
    std::string why_not_started; // empty: it was
    double seconds = unknown;
    std::string why_no_energy; // empty: there is some
    std::string source;        // of the energy: "rapl"
    std::vector<MeasuredDomain> domains;
    std::vector<std::string> remarks;
};

// Runs the command, and waits for it. CPL_LB_SYSFS and CPL_LB_PROCFS: other roots, as of cpl-lb counters.
[[nodiscard]] MeasuredCommand measure_command(const std::vector<std::string> &words);

} // namespace cpl_lb
