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
#include <type_traits>

namespace cpl_lb {
namespace {

using Object = JsonObject;

void read_annotations(const JsonObject &region, RegionSummary &summary) {
    const nlohmann::json &all = region.member("annotations");
    if (!all.is_object()) return;
    for (const auto &[quantity, entry] : all.items()) {
        const JsonObject object(entry);
        Annotation &a = summary.annotations.emplace_back();
        a.quantity = quantity;
        const JsonReader way(object);
        json_members(way, a);
    }
}

void read_annotations(const JsonObject &component, Component &c) {
    const JsonReader way(component);
    way.list("parameters", c.parameters);
    way.list("control_flow", c.control_flow);
}

constexpr int deepest = 64; // levels of nesting; our own files have 5

// `components`: by name, in their order.
std::vector<std::int64_t> cores_of(const nlohmann::json &cores, const std::vector<Component> &components) {
    std::vector<std::int64_t> best;
    for (const Component &component : components) {
        if (!cores.is_object()) return {};
        best.push_back(0);
        Object(cores).get_count(component.name.c_str(), best.back());
    }
    return best;
}

void read_placed(const Object &object, const std::vector<Component> &components, RunBalance &b) {
    std::string slow;
    object.get("slow_side", slow);
    for (const Component &component : components)
        if (component.name == slow && !slow.empty()) b.slow_side = component.id;
    std::vector<std::string> equals;
    object.get("equally_slow", equals);
    for (const std::string &name : equals)
        for (const Component &component : components)
            if (component.name == name) b.equally_slow.push_back(component.id);
    b.best_cores = cores_of(object.member("best_cores"), components);
    b.later.best_cores = cores_of(Object(object.member("later")).member("best_cores"), components);
}

// Rows of one component follow each other.
void read_changes(const nlohmann::json &rows, const std::vector<Component> &components, RunBalance &b) {
    if (!rows.is_array()) return;
    for (const nlohmann::json &entry : rows) {
        const Object row(entry);
        std::string name;
        row.get("component", name);
        const auto found = std::find_if(components.begin(), components.end(),
                                        [&](const Component &component) { return component.name == name; });
        if (found == components.end()) continue;
        if (b.computing_changes.empty() || b.computing_changes.back().component != found->id)
            b.computing_changes.push_back({found->id, {}, {}});
        ComputingChange &change = b.computing_changes.back();
        const JsonReader way(row);
        if (row.member("every").is_number())
            json_members(way, change.pattern);
        else
            json_members(way, change.parts.emplace_back());
    }
}

// How long the longest of the columns is.
class LongestColumn {
public:
    explicit LongestColumn(const Object &object) : object_(object) {}
    void figure(const char *name, double) {
        if (const nlohmann::json &column = object_.member(name); column.is_array())
            size = std::max(size, column.size());
    }
    void count_from_0(const char *name, std::int64_t) { figure(name, unknown); }
    std::size_t size = 0;

private:
    const Object &object_;
};

// One for each element of the longest column.
template <class Row>
std::vector<Row> rows_of(const Object &object) {
    LongestColumn longest(object);
    Row none;
    json_members(longest, none);
    if constexpr (std::is_same_v<Row, Step>) longest.figure("date", 0);
    return std::vector<Row>(longest.size);
}

std::vector<Step> steps_of(const Object &object) {
    std::vector<Step> steps = rows_of<Step>(object);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        Step &step = steps[i];
        const JsonColumnReader way(object, i);
        json_members(way, step);
        double date = unknown;
        way.figure("date", date);
        if (std::abs(date) <= JsonObject::largest_count) step.date = std::llround(date);
    }
    return steps;
}

template <class T>
std::vector<T> columns_of(const Object &object) {
    std::vector<T> rows = rows_of<T>(object);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const JsonColumnReader way(object, i);
        json_members(way, rows[i]);
    }
    return rows;
}

// The list, how many steps it stands for, and their spread; files of before there were groups say the list only.
void read_steps(const Object &object, ComponentBalance &b) {
    b.steps = steps_of(object);
    b.step_count = static_cast<std::int64_t>(b.steps.size());
    std::int64_t group = 1;
    const JsonReader way(object);
    way.count("count", b.step_count);
    way.count("group", group);
    const auto left = [&](std::size_t i) { return b.step_count - static_cast<std::int64_t>(i) * group; };
    if (group < 1 || group > b.step_count) group = 1; // then left() cannot overflow
    for (std::size_t i = 0; group > 1 && i < b.steps.size() && left(i) > 0; ++i)
        b.steps[i].steps = std::min(group, left(i));
    if (group > 1) b.step_extremes = columns_of<StepExtremes>(object);
    b.step_work = columns_of<StepWork>(object);
    way.part("spread", b.step_spread);
    const nlohmann::json &dates = object.member("date");
    b.has_dates = dates.is_array() && !dates.empty();
}

std::vector<RegionSummary> regions_of(const nlohmann::json &json) {
    std::vector<RegionSummary> regions;
    if (!json.is_array()) return regions;
    for (const nlohmann::json &entry : json) {
        const Object object(entry);
        RegionSummary &region = regions.emplace_back();
        const JsonReader way(object);
        json_members(way, region);
        region.steps = columns_of<RegionInStep>(Object(object.member("steps")));
        read_annotations(object, region);
    }
    return regions;
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
        WaitingFor part;
        const auto id = ids.find(name);
        part.component = id == ids.end() ? 0 : id->second;
        Object(entry).get("get_s", part.get_s);
        Object(entry).get("put_s", part.put_s);
        Object(entry).get("sync_s", part.sync_s);
        b.waiting_for.push_back(part);
    }
    std::sort(b.waiting_for.begin(), b.waiting_for.end(),
              [](const WaitingFor &x, const WaitingFor &y) { return x.component < y.component; });
}

std::vector<std::int32_t> places_of(const nlohmann::json &list) {
    std::vector<std::int32_t> places;
    if (!list.is_array()) return places;
    for (const nlohmann::json &one : list)
        places.push_back(one.is_number_integer() ? one.get<std::int32_t>() : 0);
    return places;
}

// Ascending.
std::vector<std::int32_t> ids_of(const Ids &ids, const nlohmann::json &names) {
    std::vector<std::int32_t> all;
    if (!names.is_array()) return all;
    for (const nlohmann::json &name : names) {
        const auto id = name.is_string() ? ids.find(name.get<std::string>()) : ids.end();
        if (id != ids.end()) all.push_back(id->second);
    }
    std::sort(all.begin(), all.end());
    return all;
}

Component component_of(const Ids &ids, const Object &object) {
    Component c;
    const JsonReader way(object);
    json_members(way, c);
    json_members_of_times(way, c);
    json_members_of_phases(way, c.balance);
    read_waiting_for(ids, object.member("waiting_for"), c.balance);
    read_steps(Object(object.member("steps")), c.balance);
    c.ranks = places_of(object.member("ranks"));
    c.on_nodes = places_of(object.member("on_nodes"));
    c.processes_on_nodes = places_of(object.member("processes_on_nodes"));
    way.part("given", c.properties);
    c.regions = regions_of(object.member("regions"));
    read_annotations(object, c);
    json_members(way, c.meters);
    way.part("gpus", c.gpus);
    c.gpus.shared_with = ids_of(ids, Object(object.member("gpus")).member("shared_with"));
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
    const Object object(json);
    std::string schema;
    object.get("schema", schema);
    if (schema != "cpl_lb/1") throw FileError(path, "is not a load_balancing_info.json of schema cpl_lb/1");
    CoupledRun run;
    const JsonReader way(object);
    json_members(way, run);
    const Ids ids = ids_of(run.component_names);
    if (const nlohmann::json &components = object.member("components"); components.is_array())
        for (const nlohmann::json &component : components)
            run.components.push_back(component_of(ids, Object(component)));
    way.group("run", [&](const JsonReader &of_run) { json_members_of_run(of_run, run.balance); });
    read_changes(Object(object.member("run")).member("changes"), run.components, run.balance);
    if (const nlohmann::json &missing = Object(object.member("run")).member("missing_ranks"); missing.is_array())
        for (const nlohmann::json &rank : missing)
            if (rank.is_number_integer()) run.run.missing.push_back(rank.get<std::int32_t>());
    read_placed(Object(object.member("balance")), run.components, run.balance);
    run.run.platform = run.cpmip.platform;
    return run;
}

} // namespace cpl_lb
