// Runs of E3SM as PACE (pace.ornl.gov) hands them out: what its tables e3smexp, pelayout and runtime hold of each
// experiment, which is the content of the run's e3sm_timing summary. Numbers may be strings.
//   /ajax/search/...: [[{"expid": "1", "case": "...", "lid": "...", "machine": "...", "total_pes_active": "5400",
//     "run_length": "184" [days], "model_throughput": "4.42" [SYPD], "init_time": "81.1", "run_time": "9856.8" [s],
//     ...}, ...], ...]; whatever is asked for, so most may be missing
//   one experiment: the same object, also with model_cost, pe_count_for_cost_estimate, final_time, and with lists
//     "pelayout": {component, comp_pes, root_pe, tasks, threads, instances, stride}
//     "runtime": {component, seconds, model_day, model_years}, of which component TOT is the whole loop
//   as nested by its successors: {"experiment": {case, lid, machine, "run_config": {"run_length_days"},
//   "performance":
//     {"run_time_seconds", "model_throughput_sim_years_per_day", "pe_count_for_cost", ...}}, "pe_layout": [...],
//     "component_runtime": [...]}
// Speed and cost are by the run time, without initialisation and end, and by years of 365 days.
#include "run/timers/readers.hpp"

#include "run/timers/turns_of_cime.hpp"
#include "support/fmt.hpp"
#include "support/utf8.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace cpl_lb {
namespace {

using PaceNames = std::initializer_list<const char *>;
using PaceObjects = std::vector<const nlohmann::json *>;
constexpr double pace_day_s = 86400;
constexpr int pace_deepest = 32; // levels of nesting

// One experiment: its objects, of which each may have a name, and what errors call it.
struct PaceRun {
    const TimerText &text;
    PaceObjects objects;
    std::string label; // "experiment 4711", or "case.lid"

    [[nodiscard]] FileError wrong(const std::string &what) const { return {text.path(), label + ": " + what}; }
    [[nodiscard]] std::string at(std::string_view name) const {
        return fmt::format("{} ({}, {})", name, text.name(), label);
    }
};

struct PaceMember {
    const nlohmann::json *value = nullptr; // null: not there
    std::string name;                      // in the file
};

PaceMember pace_member(const PaceObjects &objects, PaceNames names) {
    for (const char *name : names) {
        for (const nlohmann::json *object : objects)
            if (const auto member = object->find(name); member != object->end() && !member->is_null())
                return {&*member, name};
    }
    return {};
}

std::string pace_word(const PaceObjects &objects, PaceNames names) {
    const nlohmann::json *const member = pace_member(objects, names).value;
    if (member == nullptr) return "";
    if (member->is_string()) return member->get<std::string>();
    return member->is_number() ? member->dump() : "";
}

// A number of at least 0, also as a string.
TimedFigure pace_figure(const PaceRun &run, const PaceObjects &objects, PaceNames names) {
    const auto [member, name] = pace_member(objects, names);
    if (member == nullptr) return {};
    double value = unknown;
    if (member->is_number()) value = member->get<double>();
    if (member->is_string()) {
        const auto &word = member->get_ref<const std::string &>();
        if (word == "None" || word.empty()) return {};
        value = TimerText(run.text.path(), word).number(0, word, run.label + ": " + name);
    }
    constexpr double most = 1e12;
    if (!(value >= 0) || value > most)
        throw run.wrong(fmt::format("{} is {}, no number from 0 on", name, excerpt(member->dump())));
    return {value, run.at(name)};
}

TimedFigure pace_figure(const PaceRun &run, PaceNames names) {
    return pace_figure(run, run.objects, names);
}

const nlohmann::json *pace_list(const PaceRun &run, PaceNames names) {
    const auto [list, name] = pace_member(run.objects, names);
    if (list != nullptr && !list->is_array()) throw run.wrong(name + " is no list");
    return list;
}

std::int64_t pace_count(const PaceRun &run, const nlohmann::json &row, const char *name, std::int64_t missing) {
    const double value = pace_figure(run, {&row}, {name}).value;
    constexpr double most = 10'000'000; // no machine has as many processes
    if (!is_known(value)) return missing;
    if (value > most || value != std::floor(value)) throw run.wrong(fmt::format("{} is {}, no count", name, value));
    return static_cast<std::int64_t>(value);
}

std::string pace_component(const PaceRun &run, const nlohmann::json &row) {
    if (!row.is_object()) throw run.wrong("a row of its components is no object");
    const std::string name = pace_word({&row}, {"component"});
    if (name.empty()) throw run.wrong("a row of its components has no name");
    return lower_case(name.substr(0, name.find_first_of(" ="))); // "atm = eam"
}

void read_pace_components(const PaceRun &source, TimedRun &run) {
    const nlohmann::json *times = pace_list(source, {"runtime", "runtimes", "component_runtime"});
    const nlohmann::json *layout = pace_list(source, {"pelayout", "pe_layout"});
    if (times == nullptr) return;
    std::map<std::string, const nlohmann::json *> places;
    if (layout != nullptr)
        for (const nlohmann::json &place : *layout)
            places[pace_component(source, place)] = &place;
    std::set<std::string> names;
    for (const nlohmann::json &row : *times) {
        TimedComponent component;
        component.name = pace_component(source, row);
        const double seconds = pace_figure(source, {&row}, {"seconds"}).value;
        const bool is_part = component.name == "tot" || component.name.ends_with("_comm");
        if (is_part || !(seconds > 0)) continue; // and stubs
        component.computing_s = {seconds, source.at("runtime " + component.name)};
        if (!names.insert(component.name).second)
            throw source.wrong(component.name + " stands twice in its list of run times");
        if (const auto found = places.find(component.name); found != places.end()) {
            const nlohmann::json &place = *found->second;
            component.processes = pace_count(source, place, "tasks", 0);
            component.threads = std::max<std::int64_t>(pace_count(source, place, "threads", 1), 1);
            component.first_process = pace_count(source, place, "root_pe", -1);
            component.stride = std::max<std::int64_t>(pace_count(source, place, "stride", 1), 1);
            component.processes_from = source.at("pelayout " + component.name);
        }
        run.components.push_back(std::move(component));
    }
    const auto is_without = [](const TimedComponent &c) { return c.processes == 0; };
    if (run.components.empty() || std::ranges::any_of(run.components, is_without)) return;
    if (std::ranges::any_of(run.components, [](const TimedComponent &c) { return c.first_process < 0; }))
        run.remark(Sentence::timers_no_layout, {{"why", "root_pe, the first process of a component, is missing"}});
    else
        take_cime_layout(run, "of E3SM");
}

// Run length in days, and what is wrong with it: it must be that of the printed speed.
void take_pace_length(const PaceRun &source, TimedRun &run) {
    const TimedFigure days = pace_figure(source, {"run_length", "run_length_days"});
    const TimedFigure speed = pace_figure(source, {"model_throughput", "model_throughput_sim_years_per_day"});
    const bool has_speed = speed.value > 0 && run.loop_s.value > 0;
    if (days.value > 0) {
        run.simulated_s = {days.value * pace_day_s, days.from};
        const double sypd = days.value / 365 * pace_day_s / run.loop_s.value;
        constexpr double rounding = 0.006, of_whole_days = 0.01;
        if (!has_speed || std::abs(sypd - speed.value) <= rounding + of_whole_days * speed.value) return;
        run.remark_differs(Sentence::timers_speed_differs, speed.from, fmt::format("{:g}", speed.value),
                           fmt::format("{:.2f}", sypd));
        run.simulated_s = {};
    } else if (has_speed) {
        run.simulated_s = {speed.value * 365 * run.loop_s.value, speed.from + " x " + run.loop_s.from};
    }
}

void take_pace_cores(const PaceRun &source, TimedRun &run) {
    run.cores = pace_figure(source, {"pe_count_for_cost_estimate", "pe_count_for_cost"});
    if (!run.cores.known()) run.cores = pace_figure(source, {"total_pes_active"});
    if (run.cores.known() &&
        (run.cores.value < 1 || run.cores.value > 1e9 || run.cores.value != std::floor(run.cores.value)))
        throw source.wrong(fmt::format("{} cores: no count", run.cores.value));
}

TimedRun pace_run(const TimerText &text, PaceObjects objects) {
    PaceRun source{text, std::move(objects), ""};
    const std::string id = pace_word(source.objects, {"expid"}), lid = pace_word(source.objects, {"lid"}),
                      name = pace_word(source.objects, {"case", "exp_name"});
    source.label = excerpt(!id.empty() ? "experiment " + id : name + (lid.empty() ? "" : "." + lid));
    if (source.label.empty()) source.label = "an experiment without expid and case";
    TimedRun run;
    run.id = name + (name.empty() || lid.empty() ? "" : ".") + lid;
    if (run.id.empty() || lid.empty()) run.id += (run.id.empty() ? "" : ".") + ("pace" + id);
    run.of = lid;
    run.machine = pace_word(source.objects, {"machine"});
    run.coupler = "CPL7";
    run.speed_is_of_loop = true;
    run.startup_s = pace_figure(source, {"init_time", "init_time_seconds"});
    run.loop_s = pace_figure(source, {"run_time", "run_time_seconds"});
    run.shutdown_s = pace_figure(source, {"final_time", "final_time_seconds"});
    if (!(run.loop_s.value > 0)) throw source.wrong("run_time is missing or 0");
    take_pace_length(source, run);
    take_pace_cores(source, run);
    read_pace_components(source, run);
    return run;
}

// Objects inside lists, and what successors nest.
void collect_pace_runs(const TimerText &text, const nlohmann::json &json, std::vector<TimedRun> &runs) {
    if (json.is_array()) {
        for (const nlohmann::json &entry : json)
            collect_pace_runs(text, entry, runs);
        return;
    }
    if (!json.is_object()) return;
    if (const auto data = json.find("data"); data != json.end() && data->is_array())
        return collect_pace_runs(text, *data, runs);
    PaceObjects objects{&json};
    for (const char *name : {"experiment", "exp", "performance", "run_config"}) {
        for (std::size_t i = 0; i < objects.size(); ++i) {
            if (const auto inner = objects[i]->find(name); inner != objects[i]->end() && inner->is_object()) {
                objects.push_back(&*inner);
                break;
            }
        }
    }
    runs.push_back(pace_run(text, std::move(objects)));
}

// Brackets inside each other. A callback of the parser would look at all that came before, at the end of each object.
bool is_too_deep(std::string_view json) {
    int depth = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (in_string && c == '\\')
            ++i;
        else if (c == '"')
            in_string = !in_string;
        else if (!in_string && (c == '[' || c == '{') && ++depth > pace_deepest)
            return true;
        else if (!in_string && (c == ']' || c == '}'))
            --depth;
    }
    return false;
}

nlohmann::json parsed_pace(const TimerText &text) {
    if (is_too_deep(text.text())) throw FileError(text.path(), "is nested too deeply");
    try {
        return nlohmann::json::parse(text.text());
    } catch (const nlohmann::json::parse_error &error) {
        const std::size_t end = std::min(error.byte, text.text().size());
        const auto line =
            std::count(text.text().begin(), text.text().begin() + static_cast<std::ptrdiff_t>(end), '\n');
        throw text.wrong(static_cast<std::size_t>(line),
                         "is not valid JSON from here on: the file is cut or damaged");
    } catch (const nlohmann::json::exception &) {
        throw FileError(text.path(), "is not valid JSON: it has a number that no computer can hold");
    }
}

} // namespace

bool is_pace_json(const TimerText &text) {
    const std::string_view all = trimmed_line(text.text());
    if (!all.starts_with('[') && !all.starts_with('{')) return false;
    const bool speed = all.find("\"model_throughput") != std::string_view::npos;
    return speed ||
           (all.find("\"expid\"") != std::string_view::npos && all.find("\"run_time\"") != std::string_view::npos);
}

std::vector<TimedRun> read_pace_json(const TimerText &text) {
    std::vector<TimedRun> runs;
    collect_pace_runs(text, parsed_pace(text), runs);
    if (runs.empty()) throw text.wrong(0, "no experiment in this file");
    return runs;
}

} // namespace cpl_lb
