// Why the processes of a component wait for each other: its imbalance in parts (docs/definitions.md, section 2).
#pragma once

#include "data/time.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cpl_lb {

// A process that is last in some exchanges. Its place in Component::ranks.
struct LateProcess {
    std::int64_t process = 0;
    double share = 0;  // of the imbalance: of the exchanges in which it comes last
    double late_s = 0; // mean lateness in an exchange, less that of all processes
};

// The parts add up to ComponentBalance::imbalance_s. Where nodes_s is unknown, it is in processes_s.
struct ImbalanceParts {
    std::string why_missing;       // in words; empty: the parts are known
    double processes_s = unknown;  // always the same processes
    double nodes_s = unknown;      // the same nodes
    double moving_s = unknown;     // moves slowly from process to process
    double steps_s = unknown;      // in some steps only
    double random_s = unknown;     // the rest
    double mean_s = unknown;       // of their sum, what the processes come later than the first on the average
    std::int64_t exchanges = 0;    // that were looked at
    std::vector<double> late_s;    // of each process: ProcessFigures::late_s; where it is gathered only
    std::vector<LateProcess> last; // the largest shares first, at most most_late_processes
    // The node whose processes are latest, if nodes_s > 0: a process of it, and its name if known.
    std::int64_t late_node_process = -1;
    std::string late_node;
    double late_node_s = unknown;      // mean lateness of its processes, less that of all
    std::string why_no_nodes;          // in words, if nodes cannot be told from processes
    double period_s = unknown;         // of what moves, on the run's clock; unknown: no period was seen
    std::int64_t unusual = 0;          // exchanges that count for steps_s
    std::int64_t every = 0;            // one in so many exchanges of its kind is unusual; 0: no such rule
    std::int64_t unusual_process = -1; // last in four of five of these; negative: none is
    std::string cause; // what lies in these steps and not in the others: "OUT of SST"; empty: not known

    [[nodiscard]] bool known() const { return why_missing.empty() && is_known(random_s); }
    [[nodiscard]] bool told() const { return known() || !why_missing.empty(); }
};
inline constexpr std::size_t most_late_processes = 5;

} // namespace cpl_lb
