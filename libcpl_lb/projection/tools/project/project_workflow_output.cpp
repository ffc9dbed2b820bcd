// The output of cpl-lb machine workflow.
#include "io/json/json_tree.hpp"
#include "projection/tools/project/project_output.hpp"
#include "report/format.hpp"
#include "support/fmt.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

using Json = JsonTree;

constexpr std::size_t most_rows = 60;

std::vector<WorkflowCost> costs_of(const std::vector<WorkflowAnswer> &answers) {
    std::vector<WorkflowCost> costs;
    costs.reserve(answers.size());
    for (const WorkflowAnswer &a : answers)
        costs.push_back(a.cost);
    return costs;
}

const CodeChoice &choice_of(const WorkflowPlan &plan, const WorkflowAnswer &answer, std::size_t code) {
    return plan.codes[code].choices[answer.choice[code]];
}

std::string machines_of(const WorkflowPlan &plan, const WorkflowAnswer &answer) {
    std::string text;
    for (std::size_t c = 0; c < plan.codes.size(); ++c)
        text += (c == 0 ? "" : " + ") + choice_of(plan, answer, c).machine;
    return text;
}

std::string nodes_of(const WorkflowPlan &plan, const WorkflowAnswer &answer) {
    std::string text;
    for (std::size_t c = 0; c < plan.codes.size(); ++c)
        text += fmt::format("{}{}", c == 0 ? "" : "+", choice_of(plan, answer, c).nodes);
    return text;
}

std::string codes_text(const WorkflowPlan &plan) {
    TextTable table({1});
    table.row({"code", "machine", "nodes", "time [s]", "energy [J]", "idle [W]"});
    for (const PlannedCode &code : plan.codes) {
        for (const CodeChoice &c : code.choices)
            table.row({short_name(code.name, 20), short_name(c.machine, 30), count_text(c.nodes),
                       Decimal{c.cost.seconds}, Decimal{c.cost.joules}, Decimal{c.cost.idle_W}});
    }
    return fmt::format("One run of each code{}\n\n",
                       plan.runs > 1 ? fmt::format(", of {:g} runs of the workflow", plan.runs) : std::string()) +
           table.text();
}

} // namespace

std::string workflow_as_text(const WorkflowPlan &plan, const std::vector<WorkflowAnswer> &answers) {
    const std::vector<std::size_t> best = best_of(costs_of(answers));
    TextTable table({4});
    table.row({"nodes", "time to solution [s]", "energy to solution [J]", "of it idle [J]", "machines", "best"});
    for (std::size_t a = 0; a < answers.size(); ++a) {
        const bool is_best = std::ranges::find(best, a) != best.end();
        if (answers.size() > most_rows && !is_best) continue;
        const WorkflowCost &cost = answers[a].cost;
        table.row({nodes_of(plan, answers[a]), Decimal{cost.seconds}, Decimal{cost.joules}, Decimal{cost.idle_J},
                   short_name(machines_of(plan, answers[a]), 50), is_best ? "*" : ""});
    }
    std::string text = safe_name(plan.name) + (plan.name.empty() ? "" : "\n") + "Order: " + safe_name(plan.order) +
                       "\n\n" + codes_text(plan) + "\n" + table.text();
    if (answers.size() > most_rows)
        text += fmt::format("({} combinations; only the best are shown, --json has all)\n", answers.size());
    const bool energy = std::ranges::all_of(answers, [](const WorkflowAnswer &a) { return is_known(a.cost.joules); });
    return text + (energy
                       ? "\n*: no other is better in both time and energy.\n"
                       : "\n*: the fastest. Energy is n/a where the description and the machine files give no power "
                         "of a code,\nat work or idle.\n");
}

std::string workflow_as_json(const WorkflowPlan &plan, const std::vector<WorkflowAnswer> &answers) {
    const std::vector<std::size_t> best = best_of(costs_of(answers));
    Json root = {{"name", plan.name}, {"order", plan.order}, {"runs", plan.runs}};
    for (std::size_t a = 0; a < answers.size(); ++a) {
        Json one = {{"seconds", answers[a].cost.seconds},
                    {"joules", answers[a].cost.joules},
                    {"idle_J", answers[a].cost.idle_J},
                    {"best", std::ranges::find(best, a) != best.end()}};
        for (std::size_t c = 0; c < plan.codes.size(); ++c) {
            const CodeChoice &choice = choice_of(plan, answers[a], c);
            one["codes"].push_back({{"code", plan.codes[c].name},
                                    {"machine", choice.machine},
                                    {"nodes", choice.nodes},
                                    {"seconds", choice.cost.seconds},
                                    {"joules", choice.cost.joules}});
        }
        root["answers"].push_back(std::move(one));
    }
    return root.dump(2) + "\n";
}

} // namespace cpl_lb
