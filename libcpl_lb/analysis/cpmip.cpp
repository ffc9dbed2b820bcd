// The formulas of the CPMIP metrics, one function for each row of the table.
#include "analysis/cpmip.hpp"

#include "analysis/run_cost.hpp"

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

} // namespace

double grid_points(const ComponentProperties &given) {
    if (given.horizontal_points <= 0 || given.levels <= 0) return unknown;
    return static_cast<double>(given.horizontal_points) * static_cast<double>(given.levels);
}

double prognostic_variables(const ComponentProperties &given) {
    if (is_known(given.complexity)) return given.complexity;
    return given.state_B / grid_points(given) / bytes_per_variable;
}

namespace {

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

} // namespace

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
    struct OfProcess { // a rank appears once for each component that it runs
        std::int32_t rank;
        Held held;
    };
    std::vector<OfProcess> found;
    for (const Component &component : run.components) {
        if (!counted(component)) continue;
        const double of_process =
            component_chsy(run, component) / std::max(1.0, static_cast<double>(component.ranks.size()));
        for (const std::int32_t rank : component.ranks)
            found.push_back({rank, {component.cores_of_process(), of_process}});
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const OfProcess &a, const OfProcess &b) { return a.rank < b.rank; });
    Held sum;
    for (std::size_t i = 0, end = 0; i < found.size(); i = end) {
        Held most = found[i].held;
        for (end = i + 1; end < found.size() && found[end].rank == found[i].rank; ++end) {
            most.cores = std::max(most.cores, found[end].held.cores);
            if (is_known(most.chsy) && !(found[end].held.chsy <= most.chsy)) most.chsy = found[end].held.chsy;
        }
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
    constexpr double clocks_apart_s = 60; // between the machine where the job was submitted and the one where it ran
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

} // namespace cpl_lb
