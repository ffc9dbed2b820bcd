// What a history says of the processes of a component that wait for each other: the parts, and late nodes.
#include "report/format.hpp"
#include "report/verdict_parts.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "tools/history/history_output.hpp"

#include <array>

namespace cpl_lb {
namespace {

constexpr const char *open_question = "whether it is the node or its place in the model is not known";

std::string late_in(const LateNodes &late) {
    return fmt::format("{}: node {} was late in {} of {}", safe_name(late.component), safe_name(late.node),
                       late.of_node, counted(late.runs_of_node, "run"));
}

std::string not_known_in_words(const LateNodes &late) {
    if (late.of_node == late.late_runs && late.places_of_node == 1) {
        return fmt::format(
            "{}, always at the same place (its first process is {}): {}. A run with the nodes in another "
            "order would tell.",
            late_in(late), late.place, open_question);
    }
    return fmt::format(
        "{}: in {} of {} one of its nodes was late, most often {} ({}): {}, because neither stands out.",
        safe_name(late.component), late.late_runs, counted(late.runs, "run"), safe_name(late.node),
        counted(late.of_node, "run"), open_question);
}

std::string share_of_step(const ComponentRecord &c, double seconds) {
    return per_cent_text(seconds / c.step_s);
}

} // namespace

std::string in_words(const LateNodes &late) {
    const std::string share = share_in_words(late.share);
    switch (late.cause) {
    case LateCause::node:
        return fmt::format(
            "{} in which it took part, at {} places in the model ({} of the loop): it is the node, not the "
            "place.",
            late_in(late), late.places_of_node, share);
    case LateCause::place:
        return fmt::format("{}: the node whose first process is {} was late in {} of {}, and {} different nodes were "
                           "({} of the loop): it is the place in the model, not a node.",
                           safe_name(late.component), late.place, late.at_place, counted(late.runs, "run"),
                           late.nodes_at_place, share);
    case LateCause::too_few:
        return fmt::format("{}: these are too few to tell whether it is the node or its place in the model.",
                           late_in(late));
    case LateCause::not_known:
        break;
    }
    return not_known_in_words(late);
}

// In the order of LateCause.
const char *answer_of(LateCause cause) {
    constexpr std::array words = {"too few runs", "node", "place", "not known"};
    return words.at(static_cast<std::size_t>(cause));
}

std::vector<std::vector<std::string>> imbalance_rows(const HistoryView &view, std::size_t first, bool whole_names) {
    const auto name = [&](const std::string &one, std::size_t columns) {
        return whole_names ? safe_name(one) : short_name(one, columns);
    };
    std::vector<std::vector<std::string>> rows;
    for (std::size_t r = first; r < view.runs.size(); ++r) {
        const RunRecord &run = view.runs[r];
        for (const ComponentRecord &c : run.components) {
            const ImbalanceRecord &i = c.imbalance;
            if (c.is_io_server || !(c.step_s > 0) || !(i.total_s >= imbalance_told_from * c.step_s)) continue;
            std::vector<std::string> row = {run.started.empty() ? "n/a" : safe_name(run.started), name(c.name, 16)};
            for (const double part : {i.total_s, i.processes_s, i.nodes_s, i.moving_s, i.steps_s, i.random_s})
                row.push_back(share_of_step(c, part));
            row.push_back(i.late_node.empty() ? "" : name(i.late_node, 24));
            rows.push_back(std::move(row));
        }
    }
    if (!rows.empty())
        rows.insert(rows.begin(), {"Started", "Component", "imbalance %", "same processes", "same nodes", "moving",
                                   "some steps", "random", "late node"});
    return rows;
}

std::vector<std::vector<std::string>> late_process_rows(const HistoryView &view, std::size_t first) {
    std::vector<std::vector<std::string>> rows;
    for (std::size_t r = first; r < view.runs.size(); ++r) {
        const RunRecord &run = view.runs[r];
        for (const ComponentRecord &c : run.components) {
            if (c.inside.late_process < 0) continue;
            rows.push_back({run.started.empty() ? "n/a" : safe_name(run.started), short_name(c.name, 16),
                            count_text(c.inside.late_process), per_cent_text(c.inside.late_share)});
        }
    }
    if (!rows.empty()) rows.insert(rows.begin(), {"Started", "Component", "process", "% of the core time"});
    return rows;
}

} // namespace cpl_lb
