// The components of a run that take part in the coupling, and those that only run beside it.
#pragma once

#include "data/coupled_run.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

// The run without these components, which take no part in the coupling (an I/O server). Throws PredictionError for a
// name that the run does not have.
[[nodiscard]] CoupledRun leave_out(CoupledRun run, const std::vector<std::string> &names);

// A component that was left out but still has to be started, with the cores that it had.
struct KeptComponent {
    std::string name;
    std::int32_t id = 0;
    std::int64_t cores = 0, threads = 1;
    std::int64_t own_cores = 0; // cores that it shares with no coupled component
    bool mpi_recorded = false;
};

struct CoupledPart {
    CoupledRun run;
    std::vector<std::string>
        io_servers; // left out because nothing that they receive is sent in the run (cpl_lb_set_io_server)
    std::vector<KeptComponent> kept; // all that were left out, by id
};

// The coupled part of a run: without the named components, and without I/O servers whose exchanges, if any, have no
// other end in the run. Throws like leave_out.
[[nodiscard]] CoupledPart coupled_part(CoupledRun run, const std::vector<std::string> &without);

// Why `other` is not a run of the same model as `first`, in words. Empty if components and exchanged fields are the
// same.
[[nodiscard]] std::string another_model(const CoupledRun &first, const CoupledRun &other);

} // namespace cpl_lb
