// What the components run on, in the units of the machine, who shares nodes, and how busy GPUs were.
#include "analysis/run_cost.hpp"
#include "report/format.hpp"
#include "report/text_sections.hpp"
#include "report/verdict_parts.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <string>

namespace cpl_lb {
namespace {

constexpr std::size_t most_kinds = 3, most_shared = 5, most_names = 5, most_idle = 8;

std::string kinds_text(const std::map<std::string, std::int64_t> &kinds) {
    std::string text;
    std::size_t shown = 0;
    for (const auto &[kind, nodes] : kinds) {
        if (++shown > most_kinds) return text + ", ...";
        const std::string name = kind.empty() ? "n/a" : short_name(kind, table_name_columns);
        text += (text.empty() ? "" : ", ") + (kinds.size() > 1 ? count_text(nodes) + " of " + name : name);
    }
    return text.empty() ? "n/a" : text;
}

std::string count_or_unknown(std::int64_t count) {
    return count < 0 ? "n/a" : count_text(count);
}

std::string names_of(const CoupledRun &run, const std::vector<std::size_t> &components) {
    std::vector<std::string> names;
    for (const std::size_t c : std::span(components).first(std::min(components.size(), most_names)))
        names.push_back(table_name(run.components[c]));
    return listed(names, components.size() - names.size());
}

// Each reason once, with the components to which it applies.
void add_reason(std::vector<std::pair<std::string, std::string>> &reasons, const std::string &why,
                const std::string &what) {
    if (why.empty()) return;
    std::string &all = value_of(reasons, why);
    if (all.find(what) == std::string::npos) all += (all.empty() ? "" : ", ") + what;
}

std::string reasons_text(const CoupledRun &run, const RunCost &cost) {
    std::vector<std::pair<std::string, std::string>> reasons;
    for (std::size_t c = 0; c < run.components.size(); ++c) {
        const Cost &own = cost.components[c];
        const std::string of = " of " + table_name(run.components[c]);
        add_reason(reasons, own.why_no_core_hours, "core hours" + of);
        add_reason(reasons, own.why_no_node_hours, "node hours" + of);
        add_reason(reasons, own.why_no_gpu_hours, "GPU hours" + of);
    }
    std::string text;
    for (const auto &[why, what] : reasons)
        text += wrapped("n/a: " + what + " (" + safe_name(why) + ")", text_columns);
    return text;
}

std::string groups_text(const CoupledRun &run, const std::vector<SharedPlaces> &groups) {
    std::string text;
    for (std::size_t i = 0; i < std::min(groups.size(), most_shared); ++i) {
        text += wrapped(say(Sentence::nodes_shared, {{"names", names_of(run, groups[i].components)},
                                                     {"nodes", counted(groups[i].count, "node")}}),
                        text_columns);
    }
    if (groups.size() > most_shared)
        text += "... and " + counted(groups.size() - most_shared, "more group") + " of components on shared nodes\n";
    return text;
}

std::string shared_text(const CoupledRun &run) {
    std::vector<SharedPlaces> shared;
    if (run.meters.nodes.size() > 1) shared = shared_nodes(run); // on one node all do
    std::string text = groups_text(run, shared);
    for (std::size_t c = 0; c < run.components.size(); ++c) {
        std::vector<std::size_t> others = {c};
        for (const std::int32_t id : run.components[c].gpus.shared_with)
            if (id > run.components[c].id && static_cast<std::size_t>(id) <= run.components.size())
                others.push_back(static_cast<std::size_t>(id) - 1);
        if (others.size() > 1)
            text += wrapped(say(Sentence::gpus_shared, {{"names", names_of(run, others)}}), text_columns);
    }
    return text;
}

// Names only the first few, because an ensemble may have many members.
std::string idle_text(const CoupledRun &run, const RunCost &cost) {
    std::map<std::vector<std::int32_t>, std::vector<std::size_t>> on_the_same; // nodes: their cores are told once
    for (std::size_t c = 0; c < run.components.size(); ++c)
        on_the_same[run.components[c].on_nodes].push_back(c);
    std::vector<std::string> lines;
    for (std::size_t c = 0; c < run.components.size(); ++c) {
        const Cost &own = cost.components[c];
        const std::vector<std::size_t> &together = on_the_same.at(run.components[c].on_nodes);
        if (own.idle_cores > 0 && together.front() == c) {
            lines.push_back(say(Sentence::cores_reserved_idle,
                                {{"cores", counted(own.idle_cores, "core")}, {"names", names_of(run, together)}}));
        }
        if (own.idle_gpus > 0) {
            lines.push_back(say(Sentence::gpus_reserved_idle,
                                {{"gpus", counted(own.idle_gpus, "GPU")}, {"name", table_name(run.components[c])}}));
        }
    }
    std::string text;
    for (std::size_t i = 0; i < std::min(lines.size(), most_idle); ++i)
        text += wrapped(lines[i], text_columns);
    if (lines.size() > most_idle)
        text += "... and " + counted(lines.size() - most_idle, "more line") + " on what is reserved and idle\n";
    return text;
}

// Variables of the environment say which GPUs a process may use, not which ones it uses.
bool only_may_use(const ComponentGpus &gpus) {
    return gpus.from != "the driver" && gpus.from != "nn_gpus" && gpus.from != "nn_gpus, the driver";
}

// "its 4 GPUs (NVIDIA H100)"
std::string which(const ComponentGpus &gpus) {
    std::string text = only_may_use(gpus) ? "the " : "its ";
    text += gpus.count == 1 ? "GPU" : fmt::format("{} GPUs", gpus.count);
    if (!gpus.kind.empty()) text += " (" + safe_name(gpus.kind) + ")";
    if (only_may_use(gpus)) text += " that it may use by " + safe_name(gpus.from);
    return text;
}

std::string others_of(const CoupledRun &run, const ComponentGpus &gpus) {
    if (gpus.shared_with.empty()) return "";
    std::string names;
    for (const std::int32_t id : gpus.shared_with)
        names += (names.empty() ? "" : ", ") + safe_name(run.component_name(id));
    return say(Sentence::part_gpus_shared, {{"others", names}});
}

std::string sentence_of(const CoupledRun &run, const Component &c) {
    const ComponentGpus &gpus = c.gpus;
    if (gpus.count < 0) return say(Sentence::gpus_not_known, {{"name", table_name(c)}, {"why", gpus.why_missing}});
    if (!is_known(gpus.busy_share)) {
        return say(Sentence::gpus_not_busy,
                   {{"gpus", which(gpus)}, {"name", table_name(c)}, {"why", gpus.why_missing}});
    }
    const std::string clock = is_known(gpus.clock_share)
                                  ? say(Sentence::part_gpu_clock, {{"share", share_in_words(gpus.clock_share)}})
                                  : "";
    return say(Sentence::gpus_busy, {{"name", table_name(c)},
                                     {"computing", share_in_words(c.balance.computing_s / c.balance.loop_s)},
                                     {"gpus", which(gpus) + (gpus.count == 1 ? " is" : " are")},
                                     {"busy", share_in_words(gpus.busy_share)},
                                     {"clock", clock},
                                     {"others", others_of(run, gpus)}});
}

// A run without meters, and a component without GPUs, have no sentence here.
bool is_told(const CoupledRun &run, const ComponentGpus &gpus) {
    return gpus.count > 0 || (gpus.count < 0 && !gpus.why_missing.empty() && run.meters.energy_wanted);
}

} // namespace

std::string hardware_table(const CoupledRun &run) {
    const bool told = std::ranges::any_of(run.components, [&](const Component &c) {
        return c.gpus.count > 0 || (run.meters.nodes.size() > 1 && nodes_known(run, c));
    });
    if (!told) return {};
    const RunCost cost = cost_of(run);
    TextTable table =
        titled({"Component", "cores", "nodes", "GPUs", "core hours", "node hours", "GPU hours", "kind of node"}, {7});
    for (std::size_t c = 0; c < run.components.size(); ++c) {
        const Component &component = run.components[c];
        const Cost &own = cost.components[c];
        table.row({table_name(component), count_text(component.cores()),
                   component.nodes > 0 ? count_text(component.nodes) : "n/a", count_or_unknown(component.gpus.count),
                   Decimal{own.core_hours}, Decimal{own.node_hours}, Decimal{own.gpu_hours},
                   kinds_text(node_kinds_of(run, component))});
    }
    table.row({"(the run)", run.run.cores > 0 ? count_text(run.run.cores) : "n/a", "", "",
               Decimal{cost.run.core_hours}, Decimal{cost.run.node_hours}, Decimal{cost.run.gpu_hours}, ""});
    table.keep_told();
    return table.text(text_columns) + shared_text(run) + idle_text(run, cost) + reasons_text(run, cost);
}

std::string gpu_sentences(const CoupledRun &run) {
    std::string text;
    for (const Component &c : run.components)
        if (is_told(run, c.gpus)) text += wrapped(sentence_of(run, c) + ".", text_columns);
    return text;
}

} // namespace cpl_lb
