// Separates start-up, loop and shut-down.
#include "analysis/long_run.hpp"

#include "analysis/waiting_share.hpp"

#include <algorithm>
#include <utility>

namespace cpl_lb {
namespace {

constexpr double year_day_s = 86'400;

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
    return std::any_of(changes.begin(), changes.end(), [](const ComputingChange &c) { return c.parts.size() >= 2; });
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

LongRun long_run_of(const CoupledRun &run) {
    LongRun found;
    Nanoseconds first = 0, last = 0, begin = 0, end = 0;
    bool any = false;
    for (const Component &c : run.components) {
        first = any ? std::min(first, c.first_init) : c.first_init;
        last = any ? std::max(last, c.last_terminate) : c.last_terminate;
        any = true;
    }
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
        as_figure(found.startup_s + run.run.year_days * year_day_s / simulated_s * step_s + found.shutdown_s);
    return found;
}

} // namespace cpl_lb
