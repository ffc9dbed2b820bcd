// The energy of jobs as Slurm accounts for it, from the text that sacct prints.
#pragma once

#include "data/time.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

struct SlurmJobEnergy {
    std::string job; // "4711"
    double joules = unknown;
};

// The jobs in the text of `sacct --parsable2 --format=JobID,ConsumedEnergyRaw`, in any order of columns and with
// others between. Steps are left out: their energy is in that of their job. A job whose nodes Slurm could not measure
// (nothing, 0, or a number that no job can use) has NaN. Throws std::invalid_argument with what is wrong, and the
// command to use.
[[nodiscard]] std::vector<SlurmJobEnergy> read_sacct_energy(std::string_view text);

} // namespace cpl_lb
