// Picks what a history keeps of a run.
#include "analysis/cpmip.hpp"
#include "analysis/waiting_share.hpp"
#include "history/history_file.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <set>

namespace cpl_lb {
namespace {

double not_negative(double value) {
    return value >= 0 ? value : unknown;
}

// Names that stand for one node each; else nothing.
std::vector<std::string> node_names(const CoupledRun &run, const Component &c) {
    std::vector<std::string> names;
    if (c.on_nodes.size() > most_nodes_kept) return names;
    for (const std::int32_t node : c.on_nodes) {
        const auto place = static_cast<std::size_t>(node); // of a negative one: beyond all
        if (place >= run.meters.nodes.size()) return {};
        names.push_back(run.meters.nodes[place].name);
    }
    const bool all_differ = std::set<std::string>(names.begin(), names.end()).size() == names.size();
    const auto is_no_name = [](const std::string &name) { return name.empty() || name.find(' ') != name.npos; };
    if (!all_differ || std::ranges::any_of(names, is_no_name)) return {};
    return names;
}

ImbalanceRecord imbalance_of(const CoupledRun &run, const Component &c, double steps) {
    ImbalanceRecord record;
    const ImbalanceParts &parts = c.balance.imbalance_parts;
    record.processes = static_cast<std::int64_t>(c.ranks.size());
    record.nodes = c.nodes;
    record.total_s = not_negative(c.balance.imbalance_s / steps);
    if (!parts.known()) return record;
    record.processes_s = not_negative(parts.processes_s / steps);
    record.nodes_s = not_negative(parts.nodes_s / steps);
    record.moving_s = not_negative(parts.moving_s / steps);
    record.steps_s = not_negative(parts.steps_s / steps);
    record.random_s = not_negative(parts.random_s / steps);
    record.node_names = node_names(run, c);
    const bool two_of_a_name = record.node_names.empty() && c.on_nodes.size() <= most_nodes_kept;
    if (!two_of_a_name && parts.late_node.find(' ') == std::string::npos) record.late_node = parts.late_node;
    record.late_node_process = parts.late_node_process;
    return record;
}

InsideRecord inside_of(const Component &c) {
    const StepTraffic of_step = traffic_of_step(c);
    InsideRecord record{not_negative(of_step.messages), not_negative(of_step.bytes), -1,
                        not_negative(late_sender_share(c))};
    if (const WaitedFor *const late = late_sender(c); late != nullptr) record.late_process = late->process;
    return record;
}

ComponentRecord record_of(const CoupledRun &run, const Component &c) {
    ComponentRecord record;
    record.name = c.name;
    record.cores = c.cores();
    record.memory_B = not_negative(c.meters.hwm_B.max);
    record.is_io_server = c.balance.is_io_server;
    record.inside = inside_of(c);
    if (!has_loop(c) || c.balance.step_count <= 0) return record;
    const auto steps = static_cast<double>(c.balance.step_count);
    record.step_s = c.balance.loop_s / steps;
    record.computing_s = c.balance.computing_s / steps;
    record.waiting_s = c.balance.waiting_s / steps;
    record.imbalance = imbalance_of(run, c, steps);
    return record;
}

// If several groups are as large as the largest one, all of them count.
StartupRecord startup_of(const CoupledRun &run) {
    StartupRecord record;
    record.kept = true;
    record.startup_s = not_negative(long_run_of(run).startup_s);
    for (const MemberGroup &group : run.members)
        record.members = std::max(record.members, static_cast<std::int64_t>(group.of.size()));
    Spread longest;
    for (const MemberGroup &group : run.members) {
        if (static_cast<std::int64_t>(group.of.size()) != record.members) continue;
        if (group.startup.length_s.count < record.members) return record;
        longest.add(group.startup.length_s.max);
    }
    if (longest.count > 0) record.member_startup_s = not_negative(longest.max);
    return record;
}

} // namespace

RunRecord record_of(const CoupledRun &run, const std::string &folder) {
    RunRecord record;
    record.key = fmt::format("{} | {} | {} | {:.6f}", run.run.id, run.run.started, run.run.ended, run.run.wall_s);
    record.name = run.run.id;
    record.submitted = run.run.submitted;
    record.started = run.run.started;
    record.ended = run.run.ended;
    record.folder = folder;
    record.platform = run.cpmip.platform;
    if (run.balance.slow_side > 0) record.slow_side = run.component_name(run.balance.slow_side);
    record.cores = run.run.cores;
    record.wall_s = not_negative(run.run.wall_s);
    record.simulated_s = not_negative(run.run.simulated_s);
    record.sypd = not_negative(run.cpmip.sypd);
    record.asypd = not_negative(run.cpmip.asypd);
    record.chsy = not_negative(run.cpmip.chsy);
    record.jpsy = not_negative(run.cpmip.jpsy);
    record.energy_J = not_negative(run.meters.energy_J);
    record.waiting_share = run.balance.waiting_share;
    record.startup = startup_of(run);
    for (const Component &c : run.components)
        record.components.push_back(record_of(run, c));
    return record;
}

} // namespace cpl_lb
