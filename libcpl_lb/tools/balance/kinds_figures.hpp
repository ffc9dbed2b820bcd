// Figures of the answers of cpl-lb balance --kinds: what they cost, how far they are from what was measured, and what
// the first run had.
#pragma once

#include "tools/balance/kinds_output.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cpl_lb {

// With those of who is outside of the coupling.
[[nodiscard]] std::int64_t all_nodes(const KindsOutput &output, const KindsAnswer &answer, std::size_t kind);
// Hours of nodes (null), or of their cores, or of their GPUs.
[[nodiscard]] double hours(const KindsOutput &output, const KindsAnswer &answer, std::int64_t KindOfNode::*of_node);
[[nodiscard]] double price(const KindsOutput &output, const KindsAnswer &answer);
// "38 % fewer node hours": of the answer, beside the first run; in core hours or in the price if it was chosen by
// them.
struct CostBesideRun {
    double now = 0, before = 0;
    std::string words;
};
[[nodiscard]] CostBesideRun cost_beside_run(const KindsOutput &output);

// How far the measurements of a component reach to an answer.
struct MeasuredReach {
    bool one_count = false, beyond = false;
    std::string measured; // "10 to 84", in nodes
};
[[nodiscard]] std::string node_number(double nodes); // "8", "0.67"
[[nodiscard]] MeasuredReach reach_of(const KindsOutput &output, const KindsAnswer &answer, std::size_t component);
// Those with nodes outside of what was measured; `one_count`: only those that were measured with one count.
[[nodiscard]] std::vector<std::string> names_beyond(const KindsOutput &output, const KindsAnswer &answer,
                                                    bool one_count);

// Components that had no whole nodes in the first run: "ocean 0.67 nodes of gpu, ice 0.5 nodes of cpu"; empty: none.
[[nodiscard]] std::string parts_of_nodes(const KindsOutput &output);

} // namespace cpl_lb
