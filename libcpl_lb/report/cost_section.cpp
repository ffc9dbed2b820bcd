// Hours of cores, nodes and GPUs by component, and host cores that are held and idle.
#include "analysis/run_cost.hpp"
#include "report/format.hpp"
#include "report/text_sections.hpp"
#include "report/words.hpp"
#include "support/sentences.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

// A run on one node without GPUs costs its cores, and the CPMIP table has these.
bool is_told(const CoupledRun &run) {
    return run.meters.nodes.size() > 1 || std::any_of(run.components.begin(), run.components.end(),
                                                      [](const Component &c) { return c.gpus.count > 0; });
}

RowOfCells row_of_cost(std::string name, const Cost &cost) {
    return {std::move(name),
            Decimal{cost.core_hours},
            Decimal{cost.node_hours},
            Decimal{cost.gpu_hours},
            cost.idle_cores < 0 ? "n/a" : count_text(cost.idle_cores),
            cost.idle_gpus < 0 ? "n/a" : count_text(cost.idle_gpus)};
}

void add_reason(std::string &lines, const std::string &what, const std::string &why) {
    if (!why.empty()) lines += wrapped("n/a: " + what + " (" + safe_name(why) + ")", text_columns);
}

} // namespace

SectionText cost_table(const CoupledRun &run) {
    if (!is_told(run)) return {};
    const RunCost cost = cost_of(run);
    TextTable table;
    table.row({"Component", "core hours", "node hours", "GPU hours", "idle cores", "idle GPUs"});
    std::string lines;
    for (std::size_t i = 0; i < run.components.size(); ++i) {
        const Component &c = run.components[i];
        table.row(row_of_cost(table_name(c), cost.components[i]));
        if (c.gpus.count > 0 && cost.components[i].idle_cores > 0) {
            lines += wrapped(say(Sentence::idle_host_cores,
                                 {{"name", table_name(c)}, {"cores", count_text(cost.components[i].idle_cores)}}),
                             text_columns);
        }
    }
    table.row(row_of_cost("The run", cost.run));
    add_reason(lines, "core hours of the run", cost.run.why_no_core_hours);
    add_reason(lines, "node hours of the run", cost.run.why_no_node_hours);
    add_reason(lines, "GPU hours of the run", cost.run.why_no_gpu_hours);
    return {table, lines};
}

} // namespace cpl_lb
