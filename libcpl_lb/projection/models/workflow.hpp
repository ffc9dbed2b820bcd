// Several codes on several architectures, one after the other or side by side (ESCAPE D3.5, section 5.7): time and
// energy to solution, and the workflow's TOML file (docs/machines.md), which names machines and numbers of nodes.
#pragma once

#include "data/time.hpp"
#include "prediction/concurrency.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

// One code in one run of the workflow, on all of its nodes.
struct CodeCost {
    std::string name;
    // Codes with the same allocation take turns on the same nodes, so their idle power counts once.
    std::string allocation;
    double seconds = unknown;
    double joules = unknown; // while it runs; NaN: not known
    double idle_W = unknown; // of its nodes while it does not; NaN: not known
};

struct WorkflowCost {
    double seconds = unknown;
    double joules = unknown; // with the idle part; NaN if a part is not known
    double idle_J = unknown; // nodes that wait for other codes
};

// `order` says which codes follow each other. For two codes this is the paper's pair: without overlap E1 + E1const T2
// + E2 + E2const T1, with overlap E1 + E2 + the idle power of the one that ends first over the difference: an
// allocation idles whenever none of its codes runs, until the last code ends. Throws ProjectionError for codes of one
// allocation that `order` runs side by side.
[[nodiscard]] WorkflowCost workflow_cost(const Concurrency &order, const std::vector<CodeCost> &codes);

// Places of the answers that no other beats in both time and energy, fastest first. Where energy is not known for
// all, the fastest alone.
[[nodiscard]] std::vector<std::size_t> best_of(const std::vector<WorkflowCost> &answers);

// A code on one machine and a number of nodes.
struct CodeChoice {
    std::string machine;
    int nodes = 1;
    CodeCost cost;
};

struct PlannedCode {
    std::string name, allocation;
    std::vector<CodeChoice> choices;
};

struct WorkflowPlan {
    std::string name, order;
    double runs = 1; // of the whole workflow: time steps
    std::vector<PlannedCode> codes;
};

// Reads the description and works out every choice of every code. Throws TomlError ("file:line: name: what") for what
// is wrong in it, and FileError or ProjectionError for the tables and machines that it names.
[[nodiscard]] WorkflowPlan read_workflow(const std::string &path);

// One choice for each code, in the order of the codes.
struct WorkflowAnswer {
    std::vector<std::size_t> choice;
    WorkflowCost cost; // of all runs
};
// All combinations; codes that share an allocation have the same machine and nodes in each. Throws ProjectionError
// when there are none, or more than 100,000.
[[nodiscard]] std::vector<WorkflowAnswer> all_answers(const WorkflowPlan &plan);

} // namespace cpl_lb
