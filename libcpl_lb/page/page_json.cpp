// Builds the JSON for the page's scripts from the figures of the run.
#include "page/page_json.hpp"

#include "analysis/exchanges.hpp"
#include "analysis/members.hpp"
#include "io/json/info_json.hpp"
#include "report/format.hpp"
#include "report/text_sections.hpp"
#include "report/words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cpl_lb/version.h>
#include <utility>

namespace cpl_lb {
namespace {

using Json = JsonTree;
constexpr std::size_t most_step_points = 32'768; // of all components; more than the pixels of a picture
constexpr std::size_t most_dates = 2'048;
constexpr std::size_t most_path_stretches = 30'000; // some 0.6 MB

constexpr std::array<std::pair<std::string_view, std::string_view>, 14> meanings = {{
    {"Resolution G", "How fine the grids are: horizontal points times levels, summed over the components."},
    {"Complexity V", "How many three-dimensional variables carry the model's state from step to step."},
    {"Degrees of freedom F", "Grid points times variables: the size of the problem that each time step advances."},
    {"Speed SYPD", "Simulated years in a day of wall clock time while the model runs: how soon results come."},
    {"Actual speed ASYPD", "The same with queues, restarts and interruptions: from first submission to last result."},
    {"Cost CHSY", "Core hours that a simulated year takes: what it costs on this machine."},
    {"Parallelization NP", "Cores that the run held."},
    {"Energy JPSY", "Energy for a simulated year, as this run's share of the whole platform's consumption."},
    {"Measured energy AJPSY", "Energy for a simulated year, as the meters of the run's nodes counted it."},
    {"Coupling cost C", "Share of the core time over the whole run in which components wait for each other."},
    {"Coupling cost C including operations",
     "The same, with the time for mapping, restarts and output of coupling fields added."},
    {"Memory bloat B", "How many times more memory the run takes than the state itself: 1 would be no waste."},
    {"Data output cost D", "Share of the cost that is due to writing output."},
    {"Data intensity", "Output for each core hour: how much the storage has to take."},
}};

Json cpmip_json(const CoupledRun &run) {
    Json rows = Json::array();
    for (const CpmipRow &row : cpmip_rows(run)) {
        rows.push_back({{"label", row.label},
                        {"unit", row.unit},
                        {"value", row.value},
                        {"count", row.is_count},
                        {"why_not", is_known(row.value) ? Json(nullptr) : Json(row.why_not)},
                        {"meaning", cpmip_meaning(row.label)}});
    }
    return rows;
}

// The components with members of an ensemble as one, and what these have from least to most. Null: there are none.
Json folded_json(const CoupledRun &run) {
    FoldedRun whole = folded(run);
    Json ranges = Json::object();
    for (std::size_t i = 0; i < whole.groups.size(); ++i) {
        const ComponentGroup &group = whole.groups[i];
        if (!group.is_folded()) continue;
        std::string &name = whole.run.components[i].name += " × " + std::to_string(group.of.size());
        ranges[name] = {{"computing_s", {group.computing_s.min, group.computing_s.max}},
                        {"waiting_s", {group.waiting_s.min, group.waiting_s.max}}};
    }
    if (ranges.empty()) return nullptr;
    return {{"components", info_tree(whole.run, InfoDetail::figures)["components"]}, {"ranges", std::move(ranges)}};
}

// Points of time and the model date there, of the component with the most steps: to jump to a date.
Json dates_json(const CoupledRun &run) {
    const Component *best = nullptr;
    for (const Component &c : run.components)
        if (c.balance.has_dates && (best == nullptr || c.balance.steps.size() > best->balance.steps.size()))
            best = &c;
    Json dates = Json::array();
    if (best == nullptr) return dates;
    const std::vector<Step> &steps = best->balance.steps;
    const std::size_t stride = steps.size() / most_dates + 1;
    for (std::size_t i = 0; i < steps.size(); i += stride)
        dates.push_back({steps[i].start_s, steps[i].date});
    return dates;
}

} // namespace

std::string_view cpmip_meaning(std::string_view label) {
    const auto found =
        std::find_if(meanings.begin(), meanings.end(), [&](const auto &m) { return m.first == label; });
    return found == meanings.end() ? std::string_view{} : found->second;
}

namespace {

std::int64_t whole_microseconds(Nanoseconds t) {
    return std::llround(static_cast<double>(t) / 1000);
}

// For each part of the loop in which the path was followed: component, start and length of one stretch after the
// other, in microseconds.
Json path_line_json(const RunBalance &balance) {
    Json parts = Json::array();
    Json part = Json::array();
    for (std::size_t i = 0; i < std::min(balance.path.size(), most_path_stretches); ++i) {
        const PathStretch &stretch = balance.path[i];
        if (stretch.is_first && i > 0) parts.push_back(std::exchange(part, Json::array()));
        part.push_back(stretch.component);
        part.push_back(whole_microseconds(stretch.time.start));
        part.push_back(whole_microseconds(stretch.time.stop) - whole_microseconds(stretch.time.start));
    }
    parts.push_back(std::move(part));
    return parts;
}

// Which PUT belongs to which GET: the page connects those events that it holds. Null if it is not known.
Json exchanges_json(const CoupledRun &run) {
    if (!run.exchanges_known || std::any_of(run.components.begin(), run.components.end(),
                                            [](const Component &c) { return c.table_left_out; }))
        return nullptr;
    Json json = Json::array();
    for (const Exchange &x : run.exchanges) {
        json.push_back({{"field", x.field},
                        {"source", x.source},
                        {"target", x.target},
                        {"puts", x.puts},
                        {"gets", x.gets},
                        {"lag", x.lag},
                        {"sync", x.sync}});
    }
    return json;
}

Json critical_path_json(const CoupledRun &run) {
    const RunBalance &b = run.balance;
    if (b.why_no_path.empty() && !is_known(b.loop_s)) return nullptr;
    Json json = {{"why_not", Json::text(b.why_no_path)},
                 {"loop_s", b.loop_s},
                 {"changes", b.changes},
                 {"examined", b.examined},
                 {"left_out", b.left_out},
                 {"components", Json::array()}};
    json["line"] = path_line_json(b);
    json["line_is_whole"] = b.path.size() <= most_path_stretches;
    for (const Component &c : run.components) {
        if (is_known(c.balance.critical_share))
            json["components"].push_back({{"name", c.name}, {"seconds", c.balance.critical_share * b.loop_s}});
    }
    return json;
}

} // namespace

Json page_json(const CoupledRun &run) {
    Json json;
    json["version"] = CPL_LB_VERSION;
    json["info"] = info_tree(run, InfoDetail::figures);
    json["folded"] = folded_json(run);
    json["title"] = run_title(run);
    json["said_first"] = said_first(run);
    json["words"] = verdict_words(run);
    json["gain_words"] = Json::text(gain_words(run));
    json["waiting_share"] = run.balance.waiting_share;
    json["balanced_below"] = balanced_below;
    json["critical_path"] = critical_path_json(run);
    json["exchanges"] = exchanges_json(run);
    json["layout"] = layout_json(run);
    json["fields"] = fields_json(run);
    json["cpmip"] = cpmip_json(run);
    json["dates"] = dates_json(run);
    json["steps"] = Json::array();
    const std::size_t points =
        std::clamp<std::size_t>(most_step_points / std::max<std::size_t>(run.components.size(), 1), 64, 2048);
    for (const Component &component : run.components)
        json["steps"].push_back(page_steps(component.balance, points));
    json["kinds"] = kind_names;
    return json;
}

Json roofline_page_json(const std::optional<PageRoofline> &roofline) {
    if (!roofline) return nullptr;
    const Json more = {
        {"why_not", Json::text(roofline->why_not)}, {"words", roofline->words}, {"svg", roofline->svg}};
    // An object already: the others become its last members.
    const std::string_view members = std::string_view(roofline->json).substr(0, roofline->json.rfind('}'));
    return Json::Text{std::string(members) + "," + more.dump(-1).substr(1)};
}

} // namespace cpl_lb
