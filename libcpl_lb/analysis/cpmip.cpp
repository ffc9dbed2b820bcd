// The formulas of the CPMIP metrics, one function for each row of the table; start-up, loop and shut-down apart.
#include "analysis/cpmip.hpp"

#include "analysis/run_cost.hpp"
#include "analysis/waiting_share.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace cpl_lb {
namespace {

constexpr double seconds_per_day = 86400.0;
constexpr double seconds_per_hour = 3600.0;
constexpr double bytes_per_variable = 8.0; // of a state in double precision
constexpr double bytes_per_GB = 1e9;

double positive(double value) {
    return value > 0.0 ? value : unknown;
} // NaN stays NaN

// Sum over the components for which the figure is known; NaN if it is for none.
template <class Figure>
double sum_of_known(const CoupledRun &run, Figure figure) {
    double sum = unknown;
    for (const Component &component : run.components) {
        const double value = figure(component.properties);
        if (is_known(value)) sum = is_known(sum) ? sum + value : value;
    }
    return sum;
}

struct Process {
    double cores = 0;
    bool is_server = false;
};
struct Node {
    double cores = 0, of_servers = 0;
};

// Nodes, filled with processes in the order of their ranks.
std::vector<Node> nodes_in_order(const CoupledRun &run, std::int64_t cores_per_node) {
    std::map<std::int32_t, Process> of_rank;
    for (const Component &component : run.components) {
        for (const std::int32_t rank : component.ranks) {
            Process &process = of_rank[rank];
            process.cores = std::max(process.cores, component.cores_of_process());
            process.is_server = process.is_server || component.properties.is_io_server;
        }
    }
    std::vector<Node> nodes;
    for (const auto &[rank, process] : of_rank) {
        if (nodes.empty() || nodes.back().cores + process.cores > static_cast<double>(cores_per_node))
            nodes.emplace_back();
        nodes.back().cores += process.cores;
        if (process.is_server) nodes.back().of_servers += process.cores;
    }
    return nodes;
}

// P_IO: whole nodes if servers have nodes to themselves, their cores if they share one.
double server_cores(const CoupledRun &run, std::int64_t cores_per_node) {
    if (cores_per_node == 0) return held_by(run, [](const Component &c) { return c.properties.is_io_server; }).cores;
    const std::vector<Node> nodes = nodes_in_order(run, cores_per_node);
    const bool filled = static_cast<std::int32_t>(nodes.size()) >= run.clock.nodes;
    double cores = 0;
    for (const Node &node : nodes) {
        const bool own = filled && node.of_servers >= node.cores;
        cores += own ? static_cast<double>(cores_per_node) : node.of_servers;
    }
    return cores;
}

// Equation 9: B = (M - X) / sum_c S_c, with the high-water marks M and the executables X of all processes. Data of
// only some processes or states would give a wrong figure. A component without a state says 0, an I/O server has
// none.
double memory_bloat(const CoupledRun &run) {
    const RunMeters &m = run.meters;
    if (m.hwm_B.count == 0 || m.hwm_B.count < run.run.processes || m.executable_B.count < m.hwm_B.count)
        return unknown;
    double states_B = 0;
    for (const Component &component : run.components)
        if (!component.properties.is_io_server || is_known(component.properties.state_B))
            states_B += component.properties.state_B;
    return as_figure((m.hwm_B.sum - m.executable_B.sum) / positive(states_B));
}

// The component from whose loop the speed is taken. Once the last component is in its loop, nobody waits for a late
// start any more. Without dates a loop of many steps tells the simulated time of a step more exactly.
const Component &best_clock(const CoupledRun &run, const Component &last) {
    if (last.balance.has_dates) return last;
    const Component *best = &last;
    for (const Component &c : run.components)
        if (has_loop(c) && !c.balance.is_io_server && c.balance.step_count > best->balance.step_count) best = &c;
    return *best;
}

// Uses the dates of the steps. Without dates each occurrence of the reference stands for an equal part of the run;
// two of these parts lie outside the loop, one before its first whole step and one after its last.
double simulated_in_step_s(const CoupledRun &run, const Component &c) {
    const ComponentBalance &b = c.balance;
    if (b.has_dates && b.steps.size() >= 2) {
        std::int64_t steps = 0;
        for (std::size_t i = 0; i + 1 < b.steps.size(); ++i)
            steps += b.steps[i].steps;
        return (static_cast<double>(b.steps.back().date) - static_cast<double>(b.steps.front().date)) /
               static_cast<double>(steps);
    }
    return run.run.simulated_s / static_cast<double>(b.step_count + 2);
}

// Whether some component's computing changes for good: the steps of a longer run would differ from these.
bool changes_for_good(const CoupledRun &run) {
    const std::vector<ComputingChange> &changes = run.balance.computing_changes;
    return std::ranges::any_of(changes, [](const ComputingChange &c) { return c.parts.size() >= 2; });
}

constexpr double told_of_startup = 0.5;

void enter_work(const Phase &startup, LongRun &found) {
    const std::pair<StartupWork, double> all[] = {{StartupWork::setup, startup.setup_s},
                                                  {StartupWork::files, startup.output_s},
                                                  {StartupWork::exchanges, startup.waiting_s}};
    for (const auto &[work, seconds] : all) {
        if (!(seconds >= told_of_startup * startup.length_s) || seconds <= found.work_s) continue;
        found.work = work;
        found.work_s = seconds;
    }
}

} // namespace

double grid_points(const ComponentProperties &given) {
    if (given.horizontal_points <= 0 || given.levels <= 0) return unknown;
    return static_cast<double>(given.horizontal_points) * static_cast<double>(given.levels);
}

double prognostic_variables(const ComponentProperties &given) {
    if (is_known(given.complexity)) return given.complexity;
    return given.state_B / grid_points(given) / bytes_per_variable;
}

double simulated_years(double simulated_s, double year_days) {
    return as_figure(positive(simulated_s) / (positive(year_days) * seconds_per_day));
}

double sypd(double simulated_s, double wall_s, double year_days) {
    return as_figure(simulated_years(simulated_s, year_days) / (positive(wall_s) / seconds_per_day));
}

double chsy(double cores, double wall_s, double simulated_s, double year_days) {
    return as_figure(positive(cores) * (positive(wall_s) / seconds_per_hour) /
                     positive(simulated_years(simulated_s, year_days)));
}

double component_chsy(const CoupledRun &run, const Component &component) {
    if (run.from_timers() && run.run.cores == 0) return unknown; // who does not tell threads
    const double seconds = is_known(run.run.speed_over_s) ? run.run.speed_over_s : component.wall_s();
    return chsy(static_cast<double>(component.cores()), seconds, run.run.simulated_s, run.run.year_days);
}

Held held_by(const CoupledRun &run, const std::function<bool(const Component &)> &counted) {
    std::map<std::int32_t, Held> most_of; // by rank: one appears once for each component that it runs
    for (const Component &component : run.components) {
        if (!counted(component)) continue;
        const double of_process =
            component_chsy(run, component) / std::max(1.0, static_cast<double>(component.ranks.size()));
        for (const std::int32_t rank : component.ranks) {
            Held &most = most_of[rank];
            most.cores = std::max(most.cores, component.cores_of_process());
            if (is_known(most.chsy) && !(of_process <= most.chsy)) most.chsy = of_process;
        }
    }
    Held sum;
    for (const auto &[rank, most] : most_of) {
        sum.cores += most.cores;
        sum.chsy += most.chsy;
    }
    return sum;
}

double component_cores(const CoupledRun &run) {
    return held_by(run, [](const Component &) { return true; }).cores;
}

double asypd(double simulated_years, double submitted_s, double last_result_s) {
    return as_figure(positive(simulated_years) / (positive(last_result_s - submitted_s) / seconds_per_day));
}

void enter_asypd(CoupledRun &run, const JobTimes &t) {
    Cpmip &c = run.cpmip;
    c.asypd = unknown;
    c.why_no_asypd.clear();
    const char *impossible = t.submitted_s > t.ended_s                      ? "end"
                             : t.submitted_s > t.started_s + clocks_apart_s ? "start"
                                                                            : nullptr;
    if (impossible == nullptr) {
        c.asypd = asypd(simulated_years(run.run.simulated_s, run.run.year_days), t.submitted_s, t.ended_s);
        return;
    }
    c.why_no_asypd = "the time of submission, " + run.run.submitted + ", lies after the " + impossible +
                     " of the run, " + (impossible == std::string_view("end") ? run.run.ended : run.run.started);
}

double jpsy(double chsy, double platform_J, double platform_core_hours) {
    return as_figure(chsy * positive(platform_J) / positive(platform_core_hours));
}

double data_output_cost(double chsy, double chsy_without_output) {
    return as_figure((chsy - positive(chsy_without_output)) / positive(chsy));
}

double in_whole_nodes(double cores, std::int64_t cores_per_node) {
    const auto node = static_cast<double>(cores_per_node);
    return cores_per_node > 0 ? std::ceil(cores / node) * node : cores;
}

double io_server_cost(const CoupledRun &run, std::int64_t cores_per_node) {
    return positive(server_cores(run, cores_per_node)) / in_whole_nodes(component_cores(run), cores_per_node);
}

double coupling_cost(const CoupledRun &run, bool with_operations) {
    const double allocated = positive(run.run.wall_s * component_cores(run));
    double used = 0;
    for (const Component &component : run.components) {
        const ComponentBalance &balance = component.balance;
        const double lost = with_operations ? balance.whole_waiting_and_operations_s : balance.whole_waiting_s;
        const double away = is_known(balance.whole_away_s) ? balance.whole_away_s : 0.0;
        used += (component.wall_s() - lost - away) * static_cast<double>(component.cores());
    }
    return as_figure((allocated - used) / allocated);
}

Cpmip cpmip_of(const CoupledRun &run) {
    const RunInfo &info = run.run;
    Cpmip rows;
    rows.resolution = sum_of_known(run, grid_points);
    rows.complexity = sum_of_known(run, prognostic_variables);
    rows.degrees_of_freedom =
        sum_of_known(run, [](const ComponentProperties &c) { return grid_points(c) * prognostic_variables(c); });
    rows.parallelization = positive(static_cast<double>(info.cores));
    const double seconds = is_known(info.speed_over_s) ? info.speed_over_s : info.wall_s;
    rows.sypd = sypd(info.simulated_s, seconds, info.year_days);
    rows.chsy = chsy(rows.parallelization, seconds, info.simulated_s, info.year_days);
    rows.coupling_cost = coupling_cost(run, false);
    rows.coupling_cost_with_operations = coupling_cost(run, true);
    const double years = positive(simulated_years(info.simulated_s, info.year_days));
    rows.ajpsy = as_figure(run.meters.energy_J / years);
    const Cost cost = cost_of(run).run;
    rows.node_hours = as_figure(cost.node_hours / years);
    rows.gpu_hours = as_figure(cost.gpu_hours / years);
    rows.memory_bloat = memory_bloat(run);
    rows.data_output_cost = io_server_cost(run);
    const double output_GB =
        sum_of_known(run, [](const ComponentProperties &c) { return c.output_B; }) / bytes_per_GB;
    rows.data_intensity = as_figure(output_GB / years / positive(rows.chsy));
    rows.platform = info.platform;
    return rows;
}

LongRun long_run_of(const CoupledRun &run) {
    LongRun found;
    Nanoseconds begin = 0, end = 0;
    const Component *last_component = nullptr;
    for (const Component &c : run.components) {
        if (!has_loop(c) || c.balance.is_io_server || !is_known(c.balance.startup.length_s)) continue;
        const Nanoseconds loop = c.first_init + from_seconds(c.balance.startup.length_s);
        end = std::max(end, loop + from_seconds(c.balance.loop_s));
        if (last_component != nullptr && loop <= begin) continue;
        begin = loop;
        last_component = &c;
    }
    if (last_component == nullptr) return found;
    const Nanoseconds first = std::ranges::min_element(run.components, {}, &Component::first_init)->first_init;
    const Nanoseconds last = std::ranges::max_element(run.components, {}, &Component::last_terminate)->last_terminate;
    found.startup_s = to_seconds(begin - first);
    found.shutdown_s = std::max(to_seconds(last - end), 0.0);
    found.last = last_component->id;
    enter_work(last_component->balance.startup, found);
    const double mpi_s = last_component->inside.startup_s.mean();
    if (mpi_s >= told_of_startup * last_component->balance.startup.length_s) found.mpi_s = mpi_s;
    const Component &c = best_clock(run, *last_component);
    const std::int64_t least = c.balance.has_dates ? least_steps_of_long_run : least_steps_without_dates;
    if (c.balance.step_count < least || changes_for_good(run)) return found;
    const double simulated_s = simulated_in_step_s(run, c),
                 step_s = c.balance.loop_s / static_cast<double>(c.balance.step_count);
    if (!(simulated_s > 0 && simulated_s <= largest_figure && step_s > 0)) return found;
    found.loop_sypd = as_figure(simulated_s / step_s / run.run.year_days);
    found.year_s =
        as_figure(found.startup_s + run.run.year_days * seconds_per_day / simulated_s * step_s + found.shutdown_s);
    return found;
}

} // namespace cpl_lb
