// Reads load_balancing_info.json back into a run.
#include "io/files/file_error.hpp"
#include "io/json/info_json.hpp"
#include "io/json/info_members.hpp"
#include "io/json/json_object.hpp"
#include "io/json/meters_members.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

namespace cpl_lb {
namespace {

void read_annotations(const JsonReader &region, RegionSummary &summary) {
    const nlohmann::json &all = region.member("annotations");
    if (!all.is_object()) return;
    for (const auto &[quantity, entry] : all.items()) {
        Annotation &a = summary.annotations.emplace_back();
        a.quantity = quantity;
        const JsonReader way(entry);
        json_members(way, a);
    }
}

constexpr int deepest = 64; // levels of nesting; our own files have 5

// `components`: by name, in their order.
std::vector<std::int64_t> cores_of(const JsonReader &object, const std::vector<Component> &components) {
    std::vector<std::int64_t> best;
    const nlohmann::json &cores = object.member("best_cores");
    if (!cores.is_object()) return best;
    for (const Component &component : components)
        JsonReader(cores).count(component.name.c_str(), best.emplace_back(0));
    return best;
}

// The ids of components of these names, in the order of the names.
std::vector<std::int32_t> named(const std::vector<std::string> &names, const std::vector<Component> &components) {
    std::vector<std::int32_t> ids;
    for (const std::string &name : names)
        for (const Component &component : components)
            if (component.name == name && !name.empty()) ids.push_back(component.id);
    return ids;
}

void read_placed(const JsonReader &object, const std::vector<Component> &components, RunBalance &b) {
    std::string slow;
    object.get("slow_side", slow);
    if (const std::vector<std::int32_t> ids = named({slow}, components); !ids.empty()) b.slow_side = ids.back();
    std::vector<std::string> equals;
    object.get("equally_slow", equals);
    b.equally_slow = named(equals, components);
    b.best_cores = cores_of(object, components);
    b.later.best_cores = cores_of(JsonReader(object.member("later")), components);
}

// Rows of one component follow each other.
void read_changes(const nlohmann::json &rows, const std::vector<Component> &components, RunBalance &b) {
    if (!rows.is_array()) return;
    for (const nlohmann::json &entry : rows) {
        const JsonReader row(entry);
        std::string name;
        row.get("component", name);
        const auto found = std::ranges::find(components, name, &Component::name);
        if (found == components.end()) continue;
        if (b.computing_changes.empty() || b.computing_changes.back().component != found->id)
            b.computing_changes.push_back({found->id, {}, {}});
        ComputingChange &change = b.computing_changes.back();
        if (row.member("every").is_number())
            json_members(row, change.pattern);
        else
            json_members(row, change.parts.emplace_back());
    }
}

// The list, how many steps it stands for, and their spread; files of before there were groups say the list only.
void read_steps(const JsonReader &way, ComponentBalance &b) {
    const nlohmann::json &dates = way.member("date");
    b.has_dates = dates.is_array() && !dates.empty();
    if (b.has_dates) b.steps.resize(dates.size());
    way.columns(b.steps);
    for (std::size_t i = 0; i < b.steps.size(); ++i) {
        double date = unknown;
        JsonColumnReader(way, i).figure("date", date);
        if (std::abs(date) <= JsonObject::largest_count) b.steps[i].date = std::llround(date);
    }
    b.step_count = static_cast<std::int64_t>(b.steps.size());
    std::int64_t group = 1;
    way.count("count", b.step_count);
    way.count("group", group);
    const auto left = [&](std::size_t i) { return b.step_count - static_cast<std::int64_t>(i) * group; };
    if (group < 1 || group > b.step_count) group = 1; // then left() cannot overflow
    for (std::size_t i = 0; group > 1 && i < b.steps.size() && left(i) > 0; ++i)
        b.steps[i].steps = std::min(group, left(i));
    if (group > 1) way.columns(b.step_extremes);
    way.columns(b.step_work);
    way.part("spread", b.step_spread);
}

void read_regions(const nlohmann::json &json, std::vector<RegionSummary> &regions) {
    if (!json.is_array()) return;
    for (const nlohmann::json &entry : json) {
        RegionSummary &region = regions.emplace_back();
        const JsonReader way(entry);
        json_members(way, region);
        JsonReader(way.member("steps")).columns(region.steps);
        read_annotations(way, region);
    }
}

using Ids = std::map<std::string, std::int32_t>; // of the components

Ids ids_of(const std::vector<std::string> &names) {
    Ids ids;
    for (std::size_t i = 0; i < names.size(); ++i)
        ids.emplace(names[i], static_cast<std::int32_t>(i + 1));
    return ids;
}

void read_waiting_for(const Ids &ids, const nlohmann::json &waiting_for, ComponentBalance &b) {
    if (!waiting_for.is_object()) return;
    for (const auto &[name, entry] : waiting_for.items()) {
        WaitingFor &part = b.waiting_for.emplace_back();
        const auto id = ids.find(name);
        part.component = id == ids.end() ? 0 : id->second;
        const JsonReader way(entry);
        json_members(way, part);
    }
    std::ranges::sort(b.waiting_for, {}, &WaitingFor::component);
}

std::vector<std::int32_t> places_of(const nlohmann::json &list) {
    std::vector<std::int32_t> places;
    if (!list.is_array()) return places;
    for (const nlohmann::json &one : list)
        places.push_back(one.is_number_integer() ? one.get<std::int32_t>() : 0);
    return places;
}

Component component_of(const Ids &ids, const JsonReader &way) {
    Component c;
    json_members(way, c);
    json_members_of_times(way, c);
    json_members_of_phases(way, c.balance);
    read_waiting_for(ids, way.member("waiting_for"), c.balance);
    read_steps(JsonReader(way.member("steps")), c.balance);
    c.ranks = places_of(way.member("ranks"));
    c.on_nodes = places_of(way.member("on_nodes"));
    c.processes_on_nodes = places_of(way.member("processes_on_nodes"));
    way.part("given", c.properties);
    read_regions(way.member("regions"), c.regions);
    way.list("parameters", c.parameters);
    way.list("control_flow", c.control_flow);
    json_members(way, c.meters);
    way.part("gpus", c.gpus);
    std::vector<std::string> sharers;
    JsonReader(way.member("gpus")).get("shared_with", sharers);
    for (const std::string &name : sharers)
        if (const auto id = ids.find(name); id != ids.end()) c.gpus.shared_with.push_back(id->second);
    std::ranges::sort(c.gpus.shared_with);
    way.part("no_processor", c.no_processor);
    way.part("mpi", c.inside);
    way.list("fields", c.fields);
    return c;
}

// Recursive destruction and parsing of deep nesting must not exhaust the stack.
nlohmann::json parsed(const std::string &path, std::string_view text) {
    bool too_deep = false;
    const auto callback = [&](int depth, nlohmann::json::parse_event_t, nlohmann::json &) {
        too_deep = too_deep || depth > deepest;
        return !too_deep;
    };
    nlohmann::json json = nlohmann::json::parse(text.begin(), text.end(), callback, false);
    if (too_deep) throw FileError(path, "is nested too deeply");
    if (json.is_discarded()) throw FileError(path, "is not valid JSON");
    return json;
}

} // namespace

CoupledRun run_from_json(const std::string &path, std::string_view text) {
    const nlohmann::json json = parsed(path, text);
    const JsonReader way(json);
    std::string schema;
    way.get("schema", schema);
    if (schema != "cpl_lb/1") throw FileError(path, "is not a load_balancing_info.json of schema cpl_lb/1");
    CoupledRun run;
    json_members(way, run);
    const Ids ids = ids_of(run.component_names);
    if (const nlohmann::json &components = way.member("components"); components.is_array())
        for (const nlohmann::json &component : components)
            run.components.push_back(component_of(ids, JsonReader(component)));
    const JsonReader of_run(way.member("run"));
    json_members_of_run(of_run, run.balance);
    read_changes(of_run.member("changes"), run.components, run.balance);
    if (const nlohmann::json &missing = of_run.member("missing_ranks"); missing.is_array())
        for (const nlohmann::json &rank : missing)
            if (rank.is_number_integer()) run.run.missing.push_back(rank.get<std::int32_t>());
    read_placed(JsonReader(way.member("balance")), run.components, run.balance);
    run.run.platform = run.cpmip.platform;
    return run;
}

} // namespace cpl_lb
