// What timers, processes and files of one run tell together.
#include "run/timers/timed_run.hpp"

#include "support/fmt.hpp"

#include <functional>
#include <set>

namespace cpl_lb {

TimedFigure operator+(const TimedFigure &a, const TimedFigure &b) {
    return {a.value + b.value, a.from + " + " + b.from};
}

TimedFigure operator-(const TimedFigure &a, const TimedFigure &b) {
    return {a.value - b.value, a.from + " - " + b.from};
}

void add_to(TimedFigure &sum, const TimedFigure &one) {
    sum = sum.known() ? sum + one : one;
}

namespace {

// "the mean of 12 processes, the first: a:DYN (model_timing.0000, line 3)": of a source that may be such a one
// already.
std::string joint_source(const std::string &from, std::int64_t processes) {
    constexpr std::string_view mark = ", the first: ";
    const std::size_t at = from.find(mark);
    const std::string first = at == std::string::npos ? from : from.substr(at + mark.size());
    return fmt::format("the mean of {} processes{}{}", processes, mark, first);
}

double joint_mean(double a, std::int64_t processes, double b, std::int64_t others) {
    const auto all = static_cast<double>(processes + others);
    return (a * static_cast<double>(processes) + b * static_cast<double>(others)) / all;
}

// Adds a part of other processes.
void add_part(TimedPart &part, const TimedPart &other) {
    part.mean_s = joint_mean(part.mean_s, part.processes, other.mean_s, other.processes);
    part.min_s = std::min(part.min_s, other.min_s);
    part.max_s = std::max(part.max_s, other.max_s);
    part.calls = part.calls > 0 && other.calls > 0 ? part.calls + other.calls : 0;
    part.processes += other.processes;
    part.from = joint_source(part.from, part.processes);
}

// Those that stand in both are joined, by name; the others come behind.
void join_parts(std::vector<TimedPart> &parts, const std::vector<TimedPart> &others,
                const std::function<void(TimedPart &part, const TimedPart &other)> &join) {
    std::map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < parts.size(); ++i)
        places.try_emplace(parts[i].name, i);
    for (const TimedPart &other : others) {
        const auto [place, is_new] = places.try_emplace(other.name, parts.size());
        if (is_new)
            parts.push_back(other);
        else
            join(parts[place->second], other);
    }
}

void complete(TimedFigure &figure, const TimedFigure &other) {
    if (!figure.known()) figure = other;
}

// Statistics over all processes hold those of a process's own file.
void complete(TimedPart &part, const TimedPart &other) {
    if (part.of_own_files && other.of_own_files)
        add_part(part, other);
    else if (part.of_own_files || !is_known(part.mean_s))
        part = other;
}

void complete(TimedComponent &component, const TimedComponent &other) {
    if (component.processes == 0) {
        component.processes = other.processes;
        component.threads = other.threads;
        component.processes_from = other.processes_from;
        component.first_process = other.first_process;
        component.stride = other.stride;
    }
    for (const ComponentFigure &figure : component_figures)
        complete(component.*figure.told, other.*figure.told);
    for (TimedFigure TimedComponent::*figure :
         {&TimedComponent::loop_s, &TimedComponent::startup_s, &TimedComponent::shutdown_s})
        complete(component.*figure, other.*figure);
    if (component.waits.empty()) component.waits = other.waits;
    join_parts(component.parts, other.parts, [](TimedPart &part, const TimedPart &its) { complete(part, its); });
}

// Tables of processes that other files told already do not count again.
bool is_told_already(TimedRun &run, const TimedRun &other) {
    for (const auto &[process, from] : other.own_tables) {
        const auto first = run.own_tables.find(process);
        if (first == run.own_tables.end()) continue;
        run.remark(Sentence::timers_process_twice, {{"where", from}, {"process", process}, {"first", first->second}});
        return true;
    }
    run.own_tables.insert(other.own_tables.begin(), other.own_tables.end());
    return false;
}

void complete(TimedRun &run, TimedRun other) {
    if (is_told_already(run, other)) return;
    for (std::string TimedRun::*text : {&TimedRun::id, &TimedRun::coupler, &TimedRun::machine, &TimedRun::submitted,
                                        &TimedRun::started, &TimedRun::ended})
        if ((run.*text).empty()) run.*text = other.*text;
    for (TimedFigure TimedRun::*figure : {&TimedRun::simulated_s, &TimedRun::startup_s, &TimedRun::loop_s,
                                          &TimedRun::shutdown_s, &TimedRun::wall_s, &TimedRun::cores})
        complete(run.*figure, other.*figure);
    run.speed_is_of_loop = run.speed_is_of_loop || other.speed_is_of_loop;
    if (run.processes == 0) run.processes = other.processes;
    for (TimedComponent &component : other.components) {
        const auto same = std::ranges::find(run.components, component.name, &TimedComponent::name);
        if (same != run.components.end())
            complete(*same, component);
        else if (!run.leads) // one that leads has all that compute
            run.components.push_back(std::move(component));
    }
    if (run.layout.empty()) {
        run.layout = other.layout;
        run.layout_rules = other.layout_rules;
    }
    run.remarks.insert(run.remarks.end(), other.remarks.begin(), other.remarks.end());
}

} // namespace

// Members of an ensemble that began in the same second may share the word that joins files: each that leads is a run
// then, and nobody knows whose the other files are.
std::vector<TimedRun> joined_runs(std::vector<TimedRun> runs) {
    std::map<std::string, std::set<std::string>> leaders; // by TimedRun::of
    for (const TimedRun &run : runs)
        if (run.leads) leaders[run.of].insert(run.id);
    std::vector<TimedRun> joined;
    std::map<std::pair<std::string, std::string>, std::size_t> places;
    for (TimedRun &run : runs) {
        const auto found = leaders.find(run.of);
        const bool several = found != leaders.end() && found->second.size() > 1;
        const bool alone = run.of.empty() || (several && !run.leads);
        const auto [place, is_new] = places.try_emplace({run.of, several ? run.id : ""}, joined.size());
        if (alone || is_new) {
            joined.push_back(std::move(run));
            continue;
        }
        if (run.leads && !joined[place->second].leads) std::swap(run, joined[place->second]);
        complete(joined[place->second], std::move(run));
    }
    return joined;
}

} // namespace cpl_lb
