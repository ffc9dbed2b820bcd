// What the scenarios of harmless_scenarios.cpp share.
#pragma once

#include "scenarios.hpp"

#include <cstdlib>

namespace scenario {

Scenarios state_scenarios();
Scenarios float_scenarios();
Scenarios leaving_scenarios();
Scenarios limit_scenarios();
Scenarios mpi_scenarios();

inline std::string setting(const char *name, const char *otherwise = "") {
    const char *text = std::getenv(name);
    return text != nullptr ? text : otherwise;
}

// Exchanges in a ring: every process sends and receives.
inline void exchange(int steps) {
    const int put = cpl_lb_field("P", "x");
    const int get = cpl_lb_field("G", "x");
    for (int i = 0; i < steps; ++i) {
        char out = 0;
        char in = 0;
        cpl_lb_begin(CPL_LB_PUT, put);
        cpl_lb_end(CPL_LB_PUT, put);
        cpl_lb_begin(CPL_LB_GET, get);
        MPI_Sendrecv(&out, 1, MPI_CHAR, (rank + 1) % size, 1, &in, 1, MPI_CHAR, (rank + size - 1) % size, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        cpl_lb_end(CPL_LB_GET, get);
    }
}

} // namespace scenario
