// The components and fields of several runs under one list of numbers. Pure.
#pragma once

#include "data/coupled_run.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace cpl_lb {

// Names by number in the joined run, and the numbers of each run's own numbers (by own number - 1).
struct JoinedNames {
    std::vector<std::string> component_names, field_names;
    struct OfRun {
        std::vector<std::int32_t> components, fields;
    };
    std::vector<OfRun> runs;
};

// The same name is the same field, and a counterpart with the name of another run's component is that component. But
// collective operations of different MPI jobs are independent, so their fields stay separate, with the label of their
// run. labels: a name of each run, all different. prefix: components of the same name in several runs get their run's
// label; without it std::runtime_error names them.
[[nodiscard]] JoinedNames join_names(std::span<const CoupledRun *const> runs, std::span<const std::string> labels,
                                     bool prefix);

// Gives the components of a run their numbers and names in the joined run, and ranks from `first_rank`.
void renumber(CoupledRun &run, const JoinedNames &names, const JoinedNames::OfRun &own, std::int32_t first_rank);

} // namespace cpl_lb
