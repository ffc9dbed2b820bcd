// Picks what a history keeps of a run.
#include "analysis/waiting_share.hpp"
#include "history/history_file.hpp"
#include "support/fmt.hpp"

namespace cpl_lb {
namespace {

double not_negative(double value) {
    return value >= 0 ? value : unknown;
}

ComponentRecord record_of(const Component &c) {
    ComponentRecord record;
    record.name = c.name;
    record.cores = c.cores();
    record.memory_B = not_negative(c.meters.hwm_B.max);
    record.is_io_server = c.balance.is_io_server;
    if (!has_loop(c) || c.balance.step_count <= 0) return record;
    const auto steps = static_cast<double>(c.balance.step_count);
    record.step_s = c.balance.loop_s / steps;
    record.computing_s = c.balance.computing_s / steps;
    record.waiting_s = c.balance.waiting_s / steps;
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
    for (const Component &c : run.components)
        record.components.push_back(record_of(c));
    return record;
}

} // namespace cpl_lb
