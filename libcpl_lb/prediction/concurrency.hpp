// Describes which components compute at the same time, for tables of timings without a run: in
// max(max(ice,lnd)+atm,ocn), + is one after the other on the same cores, and max is side by side on separate cores; >
// is one after the other on separate cores (the layouts of CESM; Alexeev et al. 2014, HSLB).
#pragma once

#include "prediction/coupling_graph.hpp"
#include "prediction/processor_pool.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

class Concurrency {
public:
    // Throws PredictionError with the place of the error: unreadable text, or a name that is not in `components`,
    // occurs twice, or is missing.
    Concurrency(const std::string &text, const std::vector<std::string> &components);

    [[nodiscard]] double length_s(const std::vector<double> &computing_s) const;
    // 1 for each component on the longest path, else 0.
    [[nodiscard]] std::vector<double> path_shares(const std::vector<double> &computing_s) const;
    // The pool of cores, with the components that share them.
    [[nodiscard]] const ProcessorPool &pool() const { return pool_; }

private:
    ProcessorPool times_, pool_;
};

} // namespace cpl_lb
