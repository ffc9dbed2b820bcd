// Exchanges between components: which PUT belongs to which GET (definitions, section 1).
#pragma once

#include "data/coupled_run.hpp"

#include <cstdint>
#include <vector>

namespace cpl_lb {

// Where the model did not name the counterpart of an exchange: the one other component that has the same field
// name with the opposite kind, if there is exactly one. Changes keys in run.components[].table.
void infer_counterparts(CoupledRun &run);

struct Exchange {
    std::int32_t field = 0;
    std::int32_t source = 0; // component id of the PUTs
    std::int32_t target = 0; // component id of the GETs
    std::int64_t puts = 0, gets = 0;
    std::int64_t lag = 0;        // PUT n matches GET n + lag
    std::int64_t matched = 0;    // pairs
    std::int64_t violations = 0; // pairs whose GET ends before their PUT began by more than the clock bound
};

[[nodiscard]] std::vector<Exchange> find_exchanges(const CoupledRun &run);

} // namespace cpl_lb
