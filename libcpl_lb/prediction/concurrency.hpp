// Describes which components compute at the same time, for tables of timings without a run: in
// max(max(ice,lnd)+atm,ocn), + is one after the other on the same cores, and max is side by side on separate cores
// (the layouts of CESM; Alexeev et al. 2014, HSLB).
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

    [[nodiscard]] double length_s(const std::vector<double> &computing_s) const { return value(root_, computing_s); }
    // 1 for each component on the longest path, else 0.
    [[nodiscard]] std::vector<double> path_shares(const std::vector<double> &computing_s) const;
    // The pool of cores, with the components that share them.
    [[nodiscard]] ProcessorPool pool() const { return pool_of_node(root_); }

private:
    enum class Operation { leaf, sum, max };
    struct Node {
        Operation operation = Operation::leaf;
        std::size_t component = 0;
        std::vector<std::size_t> parts; // places in nodes_
    };
    friend class LayoutParser;
    [[nodiscard]] double value(std::size_t node, const std::vector<double> &computing_s) const;
    [[nodiscard]] ProcessorPool pool_of_node(std::size_t node) const;
    void follow(std::size_t node, const std::vector<double> &computing_s, std::vector<double> &shares) const;

    std::vector<Node> nodes_;
    std::size_t root_ = 0;
};

} // namespace cpl_lb
