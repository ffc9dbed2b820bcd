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

// Exchanges to which somebody comes far later than to the others. What they cost is in random_s.
struct Stalls {
    std::int64_t count = 0;
    double all_s = 0;              // of the imbalance: what these exchanges bring to it
    std::int64_t longest_step = 0; // the coupling step of the one that brings most, from 1
    double longest_s = 0;          // what that one brings
};

// The parts add up to ComponentBalance::imbalance_s. Where nodes_s is unknown, it is in processes_s.
struct ImbalanceParts {
    std::string why_missing;       // in words; empty: the parts are known
    double processes_s = unknown;  // always the same processes
    double nodes_s = unknown;      // the same nodes
    double random_s = unknown;     // the rest
    double mean_s = unknown;       // of their sum, what the processes come later than the first on the average
    double overtaken_s = unknown;  // of their sum, while somebody already was at the same exchange of a later step
    double carried_s = unknown;    // of their sum, what was late at the exchange before, and not waited for since
    std::int64_t exchanges = 0;    // that were looked at
    std::vector<double> late_s;    // of each process: ProcessFigures::late_s; where it is gathered only
    std::vector<LateProcess> last; // the largest shares first, at most most_late_processes
    // The node whose processes are latest, if nodes_s > 0: a process of it, and its name if known.
    std::int64_t late_node_process = -1;
    std::string late_node;
    double late_node_s = unknown; // mean lateness of its processes, less that of all
    std::string why_no_nodes;     // in words, if nodes cannot be told from processes
    Stalls stalls;

    [[nodiscard]] bool known() const { return why_missing.empty() && is_known(random_s); }
    [[nodiscard]] bool told() const { return known() || !why_missing.empty(); }
};
inline constexpr std::size_t most_late_processes = 5;

} // namespace cpl_lb
