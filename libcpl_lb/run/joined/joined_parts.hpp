// What the results of several runs have in common, as that of one run: components and fields under one list of
// numbers, and meters. Pure.
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

// The energy of a node with processes of several runs is not known: each run counted all of it. Series in time have
// another zero in each run, and are left out. Changes the components' places of nodes, and their energy.
[[nodiscard]] RunMeters join_meters(std::span<CoupledRun *const> runs);

} // namespace cpl_lb
