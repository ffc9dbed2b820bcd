// Goes through all combinations of machines and nodes, and gives time and energy of each.
#include "projection/models/projection_error.hpp"
#include "projection/models/workflow_plan.hpp"

namespace cpl_lb {
namespace {

constexpr double most_answers = 1e5;

bool allocations_agree(const WorkflowPlan &plan, const std::vector<std::size_t> &choice) {
    for (std::size_t a = 0; a < choice.size(); ++a) {
        for (std::size_t b = a + 1; b < choice.size(); ++b) {
            const CodeChoice &x = plan.codes[a].choices[choice[a]], &y = plan.codes[b].choices[choice[b]];
            const bool shared = plan.codes[a].allocation == plan.codes[b].allocation;
            if (shared && (x.machine != y.machine || x.nodes != y.nodes)) return false;
        }
    }
    return true;
}

WorkflowCost cost_of(const WorkflowPlan &plan, const ProcessorLayout &order, const std::vector<std::size_t> &choice) {
    std::vector<CodeCost> codes;
    codes.reserve(choice.size());
    for (std::size_t c = 0; c < choice.size(); ++c)
        codes.push_back(plan.codes[c].choices[choice[c]].cost);
    WorkflowCost cost = workflow_cost(order, codes);
    cost.seconds *= plan.runs;
    cost.joules *= plan.runs;
    cost.idle_J *= plan.runs;
    return cost;
}

// The next combination, the last code fastest; false after the last.
bool advance(const WorkflowPlan &plan, std::vector<std::size_t> &choice) {
    for (std::size_t c = choice.size(); c-- > 0;) {
        if (++choice[c] < plan.codes[c].choices.size()) return true;
        choice[c] = 0;
    }
    return false;
}

} // namespace

std::vector<WorkflowAnswer> all_answers(const WorkflowPlan &plan) {
    double number = 1;
    std::vector<std::string> names;
    for (const PlannedCode &code : plan.codes) {
        number *= static_cast<double>(code.choices.size());
        names.push_back(code.name);
    }
    if (number > most_answers)
        throw ProjectionError("the workflow has more than 100000 combinations of machines and nodes");
    const ProcessorLayout order(plan.order, names);
    std::vector<WorkflowAnswer> answers;
    std::vector<std::size_t> choice(plan.codes.size(), 0);
    do
        if (allocations_agree(plan, choice)) answers.push_back({choice, cost_of(plan, order, choice)});
    while (advance(plan, choice));
    if (answers.empty())
        throw ProjectionError("codes that share an allocation have no machine and number of nodes in common");
    return answers;
}

} // namespace cpl_lb
