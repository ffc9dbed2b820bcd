#include "io/annotations_json.hpp"
#include "io/file_error.hpp"
#include "io/info_json.hpp"
#include "io/json_object.hpp"
#include "io/meters_json.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

namespace cpl_lb {
namespace {

using Object = JsonObject;

constexpr int deepest = 64; // levels of nesting; our own files have 5

RunInfo run_of(const Object &object) {
    RunInfo info;
    object.get("id", info.id);
    object.get("submitted", info.submitted);
    object.get("started", info.started);
    object.get("ended", info.ended);
    object.get("wall_s", info.wall_s);
    object.get("simulated_s", info.simulated_s);
    object.get("year_days", info.year_days);
    object.get("cores_from", info.cores_from);
    object.get_count("cores", info.cores);
    object.get_count("processes", info.processes);
    info.platform_facts = platform_of(Object(object.member("platform")));
    return info;
}

// `components`: by name, in their order.
RunBalance run_balance_of(const Object &run, const Object &object, const std::vector<Component> &components) {
    RunBalance b;
    run.get("waiting_share", b.waiting_share);
    run.get("gain_s", b.gain_s);
    object.get("loop_s", b.loop_s);
    object.get("critical_s", b.on_path_s);
    object.get_count("changes", b.changes);
    object.get("examined", b.examined);
    object.get("why_no_path", b.why_no_path);
    object.get("best_s", b.best_s);
    object.get("why_no_gain", b.why_no_gain);
    std::string slow;
    object.get("slow_side", slow);
    object.get("left_out", b.left_out);
    const nlohmann::json &cores = object.member("best_cores");
    for (const Component &component : components) {
        if (component.name == slow && !slow.empty()) b.slow_side = component.id;
        if (!cores.is_object()) continue;
        b.best_cores.push_back(0);
        Object(cores).get_count(component.name.c_str(), b.best_cores.back());
    }
    return b;
}

Phase phase_of(const Object &object) {
    Phase phase;
    object.get("length_s", phase.length_s);
    object.get("waiting_s", phase.waiting_s);
    object.get("output_s", phase.output_s);
    object.get("restart_s", phase.restart_s);
    return phase;
}

ComponentProperties properties_of(const Object &object) {
    ComponentProperties given;
    object.get_count("horizontal_points", given.horizontal_points);
    object.get_count("levels", given.levels);
    object.get("dx_km", given.dx_km);
    object.get("dz_km", given.dz_km);
    object.get("complexity", given.complexity);
    object.get("state_B", given.state_B);
    object.get("output_B", given.output_B);
    object.get("is_io_server", given.is_io_server);
    return given;
}

std::vector<Step> steps_of(const Object &object) {
    std::vector<Step> steps;
    const auto column = [&](const char *name, auto put) {
        const nlohmann::json &values = object.member(name);
        if (!values.is_array()) return;
        if (steps.size() < values.size()) steps.resize(values.size());
        for (std::size_t i = 0; i < values.size(); ++i)
            if (values[i].is_number()) put(steps[i], values[i].get<double>());
    };
    column("start_s", [](Step &step, double value) { step.start_s = value; });
    column("length_s", [](Step &step, double value) { step.length_s = value; });
    column("computing_s", [](Step &step, double value) { step.computing_s = value; });
    column("waiting_s", [](Step &step, double value) { step.waiting_s = value; });
    column("jitter_s", [](Step &step, double value) { step.jitter_s = value; });
    column("max_computing_s", [](Step &step, double value) { step.max_computing_s = value; });
    column("max_waiting_s", [](Step &step, double value) { step.max_waiting_s = value; });
    column("max_jitter_s", [](Step &step, double value) { step.max_jitter_s = value; });
    column("date", [](Step &step, double value) {
        if (std::abs(value) <= JsonObject::largest_count) step.date = std::llround(value);
    });
    return steps;
}

StepRange range_of(const Object &object) {
    StepRange spread;
    object.get("min_s", spread.min_s);
    object.get("median_s", spread.median_s);
    object.get("max_s", spread.max_s);
    return spread;
}

// The list, how many steps it stands for, and their spread; files of before there were groups say the list only.
void read_steps(const Object &object, ComponentBalance &b) {
    b.steps = steps_of(object);
    b.step_count = static_cast<std::int64_t>(b.steps.size());
    std::int64_t group = 1;
    object.get_count("count", b.step_count);
    object.get_count("group", group);
    const auto left = [&](std::size_t i) { return b.step_count - static_cast<std::int64_t>(i) * group; };
    if (group < 1 || group > b.step_count) group = 1; // then left() cannot overflow
    for (std::size_t i = 0; group > 1 && i < b.steps.size() && left(i) > 0; ++i)
        b.steps[i].steps = std::min(group, left(i));
    const Object spread(object.member("spread"));
    b.step_spread = {range_of(Object(spread.member("computing"))), range_of(Object(spread.member("waiting"))),
                     range_of(Object(spread.member("jitter")))};
}

std::vector<RegionSummary> regions_of(const nlohmann::json &json) {
    std::vector<RegionSummary> regions;
    if (!json.is_array()) return regions;
    for (const nlohmann::json &entry : json) {
        const Object object(entry);
        RegionSummary &region = regions.emplace_back();
        object.get("name", region.name);
        object.get_count("calls", region.calls);
        object.get_count("processes", region.processes);
        object.get("min_s", region.min_s);
        object.get("mean_s", region.mean_s);
        object.get("max_s", region.max_s);
        region.meters = region_meters_of(object);
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

ComponentBalance balance_of(const Ids &ids, const Object &object) {
    ComponentBalance b;
    object.get("loop_s", b.loop_s);
    object.get("computing_s", b.computing_s);
    object.get("waiting_s", b.waiting_s);
    object.get("away_s", b.away_s);
    object.get("jitter_s", b.jitter_s);
    object.get("imbalance_s", b.imbalance_s);
    object.get("coupling_cost", b.coupling_cost);
    object.get("coupling_cost_with_operations", b.coupling_cost_with_operations);
    object.get("mapping_s", b.mapping_s);
    object.get("mapping_spread_s", b.mapping_spread_s);
    object.get("output_s", b.output_s);
    object.get("output_spread_s", b.output_spread_s);
    object.get("restart_s", b.restart_s);
    object.get("restart_spread_s", b.restart_spread_s);
    object.get("whole_waiting_s", b.whole_waiting_s);
    object.get("whole_waiting_and_operations_s", b.whole_waiting_and_operations_s);
    object.get("whole_away_s", b.whole_away_s);
    object.get("why_no_window", b.why_no_window);
    object.get("critical_share", b.critical_share);
    object.get("idle_s", b.idle_s);
    object.get("is_io_server", b.is_io_server);
    b.startup = phase_of(Object(object.member("startup")));
    b.shutdown = phase_of(Object(object.member("shutdown")));
    read_steps(Object(object.member("steps")), b);
    const nlohmann::json &dates = Object(object.member("steps")).member("date");
    b.has_dates = dates.is_array() && !dates.empty();
    const nlohmann::json &waiting_for = object.member("waiting_for");
    if (!waiting_for.is_object()) return b;
    for (const auto &[name, entry] : waiting_for.items()) {
        WaitingFor part;
        const auto id = ids.find(name);
        part.component = id == ids.end() ? 0 : id->second;
        Object(entry).get("get_s", part.get_s);
        Object(entry).get("put_s", part.put_s);
        b.waiting_for.push_back(part);
    }
    std::sort(b.waiting_for.begin(), b.waiting_for.end(),
              [](const WaitingFor &x, const WaitingFor &y) { return x.component < y.component; });
    return b;
}

Component component_of(const Ids &ids, const Object &object) {
    Component c;
    object.get("name", c.name);
    object.get_count("id", c.id);
    object.get_count("threads", c.threads);
    object.get_time("init_s", c.first_init);
    object.get_time("terminate_s", c.last_terminate);
    object.get_count("events", c.events);
    object.get_count("dropped_events", c.dropped_events);
    if (const nlohmann::json &ranks = object.member("ranks"); ranks.is_array())
        for (const nlohmann::json &rank : ranks)
            c.ranks.push_back(rank.is_number_integer() ? rank.get<std::int32_t>() : 0);
    c.properties = properties_of(Object(object.member("given")));
    c.regions = regions_of(object.member("regions"));
    read_annotations(object, c);
    c.meters = component_meters_of(object);
    c.balance = balance_of(ids, object);
    return c;
}

Cpmip cpmip_of(const Object &object) {
    Cpmip c;
    object.get("resolution", c.resolution);
    object.get("complexity", c.complexity);
    object.get("degrees_of_freedom", c.degrees_of_freedom);
    object.get("sypd", c.sypd);
    object.get("asypd", c.asypd);
    object.get("chsy", c.chsy);
    object.get("parallelization", c.parallelization);
    object.get("jpsy", c.jpsy);
    object.get("ajpsy", c.ajpsy);
    object.get("coupling_cost", c.coupling_cost);
    object.get("coupling_cost_with_operations", c.coupling_cost_with_operations);
    object.get("memory_bloat", c.memory_bloat);
    object.get("data_output_cost", c.data_output_cost);
    object.get("data_intensity", c.data_intensity);
    object.get("platform", c.platform);
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
    run.run = run_of(Object(object.member("run")));
    object.get("component_names", run.component_names);
    object.get("field_names", run.field_names);
    object.get("remarks", run.remarks);
    const Ids ids = ids_of(run.component_names);
    if (const nlohmann::json &components = object.member("components"); components.is_array())
        for (const nlohmann::json &component : components)
            run.components.push_back(component_of(ids, Object(component)));
    run.balance = run_balance_of(Object(object.member("run")), Object(object.member("balance")), run.components);
    run.cpmip = cpmip_of(Object(object.member("cpmip")));
    const Object clock(object.member("clock"));
    clock.get("error_bound_s", run.clock.error_bound_s);
    clock.get("source", run.clock.source);
    if (clock.member("order_violations").is_null()) run.clock.order_violations = -1; // not known
    clock.get_count("order_violations", run.clock.order_violations);
    clock.get_count("nodes", run.clock.nodes);
    object.get("analysis_s", run.analysis_s);
    run.meters = run_meters_of(Object(object.member("meters")));
    run.run.platform = run.cpmip.platform;
    return run;
}

} // namespace cpl_lb
