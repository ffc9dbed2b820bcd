// A workflow as a small TOML file (docs/project.md), and the time of its codes on each machine and number of nodes.
#pragma once

#include "projection/models/gpu_model.hpp"
#include "projection/models/loop_model.hpp"
#include "projection/models/workflow.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

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
