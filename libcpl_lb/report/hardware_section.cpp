// What the components run on, in the units of the machine, and who shares nodes and sockets, in the text summary.
#include "analysis/run_cost.hpp"
#include "analysis/shared_sockets.hpp"
#include "report/format.hpp"
#include "report/text_sections.hpp"
#include "report/words.hpp"
#include "support/counted.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <map>

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
    std::string text;
    for (std::size_t i = 0; i < std::min(components.size(), most_names); ++i) {
        const bool last = i + 1 == components.size();
        text += (i == 0 ? "" : last ? " and " : ", ") + table_name(run.components[components[i]]);
    }
    if (components.size() > most_names) text += " and " + std::to_string(components.size() - most_names) + " more";
    return text;
}

// Each reason once, with the components to which it applies.
void add_reason(std::vector<std::pair<std::string, std::string>> &reasons, const std::string &why,
                const std::string &what) {
    if (why.empty()) return;
    const auto same = std::find_if(reasons.begin(), reasons.end(), [&](const auto &r) { return r.first == why; });
    if (same == reasons.end())
        reasons.emplace_back(why, what);
    else if (same->second.find(what) == std::string::npos)
        same->second += ", " + what;
}

std::string reasons_text(const CoupledRun &run, const RunCost &cost) {
    std::vector<std::pair<std::string, std::string>> reasons;
    for (std::size_t c = 0; c < run.components.size(); ++c) {
        const Cost &own = cost.components[c];
        const std::string of = " of " + table_name(run.components[c]);
        add_reason(reasons, own.why_no_core_hours, "core hours" + of);
        add_reason(reasons, own.why_no_node_hours, "node hours" + of);
        add_reason(reasons, own.why_no_gpu_hours, "GPU hours" + of);
        add_reason(reasons, run.components[c].sockets.why_missing, "sockets" + of);
    }
    std::string text;
    for (const auto &[why, what] : reasons)
        text += wrapped("n/a: " + what + " (" + safe_name(why) + ")", text_columns);
    return text;
}

// what: node or socket, of which each group of components shares so many; in the sentence it has an s.
template <class Shared>
std::string groups_text(const CoupledRun &run, const std::vector<Shared> &groups, Sentence sentence,
                        const std::string &what, std::int64_t Shared::*count) {
    std::string text;
    for (std::size_t i = 0; i < std::min(groups.size(), most_shared); ++i) {
        text += wrapped(say(sentence, {{"names", names_of(run, groups[i].components)},
                                       {what + "s", counted(groups[i].*count, what)}}),
                        text_columns);
    }
    if (groups.size() > most_shared)
        text += "... and " + counted(groups.size() - most_shared, "more group") + " of components on shared " + what +
                "s\n";
    return text;
}

std::string shared_sockets_text(const CoupledRun &run) {
    return groups_text(run, shared_sockets(run), Sentence::sockets_shared, "socket", &SharedSockets::sockets);
}

std::string shared_text(const CoupledRun &run) {
    std::vector<SharedNodes> shared;
    if (run.meters.nodes.size() > 1) shared = shared_nodes(run); // on one node all do
    std::string text = groups_text(run, shared, Sentence::nodes_shared, "node", &SharedNodes::nodes);
    text += shared_sockets_text(run);
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

} // namespace

std::string hardware_table(const CoupledRun &run) {
    // A run on one node without GPUs only says who shares sockets.
    const bool told = std::any_of(run.components.begin(), run.components.end(), [&](const Component &c) {
        return c.gpus.count > 0 || (run.meters.nodes.size() > 1 && nodes_known(run, c));
    });
    if (!told) return shared_sockets_text(run);
    const RunCost cost = cost_of(run);
    std::vector<RowOfCells> rows = {
        {"Component", "cores", "nodes", "GPUs", "core hours", "node hours", "GPU hours", "kind of node"}};
    for (std::size_t c = 0; c < run.components.size(); ++c) {
        const Component &component = run.components[c];
        const Cost &own = cost.components[c];
        rows.push_back({table_name(component), count_text(component.cores()),
                        component.nodes > 0 ? count_text(component.nodes) : "n/a",
                        count_or_unknown(component.gpus.count), Decimal{own.core_hours}, Decimal{own.node_hours},
                        Decimal{own.gpu_hours}, kinds_text(node_kinds_of(run, component))});
    }
    rows.push_back({"(the run)", run.run.cores > 0 ? count_text(run.run.cores) : "n/a", "", "",
                    Decimal{cost.run.core_hours}, Decimal{cost.run.node_hours}, Decimal{cost.run.gpu_hours}, ""});
    keep_told(rows);
    TextTable table({7});
    for (RowOfCells &row : rows)
        table.row(std::move(row));
    return table.text(text_columns) + shared_text(run) + idle_text(run, cost) + reasons_text(run, cost);
}

} // namespace cpl_lb
