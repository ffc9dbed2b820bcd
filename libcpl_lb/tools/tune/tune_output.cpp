// The answer of cpl-lb tune as text and as json.
#include "io/json/json_tree.hpp"
#include "report/format.hpp"
#include "support/fmt.hpp"
#include "tools/tune/tune_decision.hpp"

namespace cpl_lb {
namespace {

using Json = JsonTree;

Json as_json(const NamedCounts &counts) {
    Json json = Json::object();
    for (const auto &[name, count] : counts)
        json[name] = count;
    return json;
}

std::string best_in_words(const TuneDecision &decision) {
    return fmt::format("run {} with {} s a coupling cycle", decision.best_row + 1,
                       number_text(decision.best_cycle_s));
}

} // namespace

std::string filled_in(const std::string &pattern, const NamedCounts &counts, const std::string &folder) {
    std::string text;
    for (std::size_t at = 0; at < pattern.size();) {
        const std::size_t close = pattern[at] == '{' ? pattern.find('}', at) : std::string::npos;
        std::string value;
        if (close != std::string::npos) {
            const std::string name = pattern.substr(at + 1, close - at - 1);
            if (name == "dir") value = folder;
            for (const auto &[component, count] : counts)
                if (component == name) value = std::to_string(count);
        }
        if (value.empty()) {
            text += pattern[at++];
            continue;
        }
        text += value;
        at = close + 1;
    }
    return text;
}

std::string runs_as_text(const std::vector<TuneRow> &rows) {
    TextTable table({1, 6});
    table.row({"run", "processes", "cycle [{s}]", "+-", "expected", "left [%]", ""});
    std::size_t run = 0;
    for (const TuneRow &row : rows) {
        ++run;
        if (!row.was_run()) continue;
        table.row({std::to_string(run), safe_name(in_words(row.processes)), InSeconds{row.cycle_s},
                   InSeconds{row.error_s}, InSeconds{row.expected_s}, per_cent_text(row.left),
                   row.state == TuneState::refused ? safe_name(row.words) : ""});
    }
    return table.text();
}

std::string tune_as_text(const TuneDecision &decision, const std::vector<TuneRow> &rows) {
    std::string text = safe_name(in_words(decision.processes)) + "\n";
    if (decision.stop) {
        text += "Stop: " + decision.words + ".\nThe best is " + best_in_words(decision) + ".\n";
    } else {
        text += "Run these next: " + safe_name(decision.words) + ".\n";
        if (is_known(decision.best_cycle_s))
            text += fmt::format("Expected: {} s a coupling cycle; so far the best is {}.\n",
                                number_text(decision.step.expected_s), best_in_words(decision));
    }
    for (const std::string &remark : decision.remarks)
        text += "Remark: " + safe_name(remark) + "\n";
    if (!decision.launch.text.empty()) text += "\n" + decision.launch.text;
    return rows.empty() ? text : text + "\n" + runs_as_text(rows);
}

std::string tune_as_json(const TuneDecision &decision, const std::vector<TuneRow> &rows) {
    const bool measured = is_known(decision.best_cycle_s);
    Json root = {{"stop", decision.stop},
                 {"processes", as_json(decision.processes)},
                 {"why", decision.words},
                 {"expected_s", decision.step.expected_s},
                 {"left", measured ? Json(decision.step.left) : Json()},
                 {"noise", decision.step.noise},
                 {"best_s", decision.best_cycle_s},
                 {"best_run", measured ? Json(decision.best_row + 1) : Json()},
                 {"remarks", decision.remarks},
                 {"runs", Json::array()}};
    for (const TuneRow &row : rows) {
        if (!row.was_run()) continue;
        root["runs"].push_back({{"state", name_of(row.state)},
                                {"folder", row.folder},
                                {"run_id", Json::text(row.run_id)},
                                {"processes", as_json(row.processes)},
                                {"cycle_s", row.cycle_s},
                                {"error_s", row.error_s},
                                {"expected_s", row.expected_s},
                                {"left", row.left},
                                {"why", row.words}});
    }
    if (!decision.launch.by_form.empty()) root["launch"] = launch_json(decision.launch);
    return root.dump(2) + "\n";
}

} // namespace cpl_lb
