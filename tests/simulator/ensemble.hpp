// Ensembles: members of one model that meet at an assimilation, with a known reason why some come late.
#pragma once

#include "data/coupled_run.hpp"
#include "tests/simulator/simulator.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace cpl_lb::simulator {

// What a member computes in a step, times what the others do.
using MemberWeight = std::function<double(std::size_t member, std::int64_t step)>;

struct EnsembleSettings {
    std::size_t members = 5;
    std::int64_t steps = 60, processes = 4; // of each member
    int every = 1;                          // steps between two meetings
    double work_s = 2.5;                    // of a step
    double assimilation_s = 0.5, noise = 0, imbalance = 0;
    std::int64_t cores_of_node = 4; // members fill the nodes in their order
    MemberWeight weight{};          // of the members themselves
    std::size_t slow_node = 0;      // all members on it take node_factor times as long
    double node_factor = 1;
    double cut_factor = 1; // members on more nodes than they need take so many times as long
};

struct Ensemble {
    EnsembleSettings settings;
    std::vector<std::vector<std::int32_t>> nodes; // by member, ascending
    [[nodiscard]] bool is_cut(std::size_t member) const;
    [[nodiscard]] Model model() const; // the members, then the assimilation
    [[nodiscard]] Counts counts() const;
};
Ensemble ensemble(const EnsembleSettings &settings);
std::string node_name(std::int32_t node); // nid001 is node 0

// The simulated run with its nodes, as the library analyses it.
CoupledRun as_ensemble_run(const Ensemble &ensemble, const Run &run);

// What waiting for the last member costs, from the simulated arrivals; the first meeting belongs to the start-up.
struct MeetingTruth {
    std::int64_t meetings = 0;
    double cost_core_s = 0, share = 0, spread_s = 0;
    std::vector<double> late_s; // by member: after the first one, the mean
    std::vector<double> last;   // by member: the share of all spreads for which it comes last
    [[nodiscard]] std::size_t mostly_last() const;
};
MeetingTruth meeting_truth(const Ensemble &ensemble, const Run &run);

} // namespace cpl_lb::simulator
