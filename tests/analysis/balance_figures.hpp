// The figures of a coupling loop in one list, to compare two analyses.
#pragma once

#include "data/balance.hpp"

#include <vector>

namespace cpl_lb::property {

// The seconds of the loop, of its partners and of its steps.
[[nodiscard]] inline std::vector<double> loop_seconds(const ComponentBalance &b) {
    std::vector<double> all = {b.loop_s,    b.computing_s,      b.waiting_s, b.jitter_s,       b.imbalance_s,
                               b.mapping_s, b.mapping_spread_s, b.output_s,  b.output_spread_s};
    for (const WaitingFor &w : b.waiting_for)
        all.insert(all.end(), {w.get_s, w.put_s});
    for (const Step &s : b.steps)
        all.insert(all.end(), {s.start_s, s.length_s, s.waiting_s, s.computing_s, s.jitter_s});
    return all;
}

} // namespace cpl_lb::property
