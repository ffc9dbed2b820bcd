// Completes a CoupledRun: what it cost, who waits for whom, whether the order of the exchanges can be, CPMIP.
#include "run/assemble.hpp"

#include "analysis/cpmip.hpp"
#include "analysis/exchanges.hpp"
#include "analysis/members.hpp"
#include "assertions/quantities.hpp"
#include "prediction/run_balance.hpp"
#include "support/sentences.hpp"
#include "support/utc.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

namespace cpl_lb {
namespace {

std::int64_t processes_of(const std::vector<Component> &components) {
    std::set<std::int32_t> ranks;
    for (const Component &c : components)
        ranks.insert(c.ranks.begin(), c.ranks.end());
    return static_cast<std::int64_t>(ranks.size());
}

double wall_s_of(const std::vector<Component> &components) {
    if (components.empty()) return unknown;
    Nanoseconds first = std::numeric_limits<Nanoseconds>::max();
    Nanoseconds last = std::numeric_limits<Nanoseconds>::min();
    for (const Component &c : components) {
        first = std::min(first, c.first_init);
        last = std::max(last, c.last_terminate);
    }
    return to_seconds(last - first);
}

// Threads that share the cores to which their processes are bound.
bool bound_to_fewer(const std::vector<Component> &components) {
    return std::ranges::any_of(components, [](const Component &c) {
        return c.own_cores > 0 && c.own_cores < static_cast<std::int64_t>(c.ranks.size()) * c.threads;
    });
}

void fill_in(RunInfo &info, const RunParts &parts) {
    const CoupledRun &run = parts.run;
    if (info.processes == 0) info.processes = processes_of(run.components);
    if (!is_known(info.wall_s)) info.wall_s = wall_s_of(run.components);
    if (info.cores != 0) return;
    info.cores =
        parts.threads_of_processes > 0 ? parts.threads_of_processes : static_cast<std::int64_t>(component_cores(run));
    info.cores_from = std::string(parts.all_recorded ? "" : "recorded ") + "processes x " +
                      (bound_to_fewer(run.components) ? "cores they are bound to" : "threads");
}

void compare_expressions(CoupledRun &run) {
    check_annotations(run);
    for (std::string &remark : annotation_remarks(run))
        run.remarks.push_back(std::move(remark));
}

Cpmip with_what_was_told(Cpmip computed, const Cpmip &told) {
    for (double Cpmip::*row : {&Cpmip::asypd, &Cpmip::jpsy, &Cpmip::ajpsy, &Cpmip::memory_bloat,
                               &Cpmip::data_output_cost, &Cpmip::data_intensity})
        if (!is_known(computed.*row)) computed.*row = told.*row;
    if (computed.platform.empty()) computed.platform = told.platform;
    return computed;
}

// Finds the exchanges between components, and the figures that follow from them.
void judge_exchanges(CoupledRun &run, const Budget &budget, std::vector<ComputingChange> changes) {
    std::string why_not;
    try {
        run.exchanges = find_exchanges(run, budget);
        run.exchanges_known = true;
        count_order_violations(run, run.exchanges);
    } catch (const std::runtime_error &error) { // too many, or no time left for them
        run.clock.order_violations = -1;
        why_not = error.what();
    }
    judge_balance(run, run.exchanges, {.budget = budget, .changes = std::move(changes)});
    RunBalance &balance = run.balance;
    if (!why_not.empty()) {
        balance.why_no_path = balance.why_no_gain = why_not;
        balance.left_out.clear(); // it is not known who exchanges nothing
    }
    if (budget.why_not().empty() || balance.why_no_gain != budget.why_not()) return;
    const bool no_path = balance.why_no_path == budget.why_not();
    run.remarks.push_back(say(Sentence::remark_no_time_left,
                              {{"path", no_path ? "no critical path, " : ""},
                               {"order", why_not.empty() ? "" : ", and the order of PUT and GET is not checked"},
                               {"why", budget.why_not()}}));
}

} // namespace

CoupledRun assemble(RunParts parts, const Budget &budget) {
    for (Component &c : parts.run.components)
        c.own_cores = c.cores(); // also if they were not counted
    fill_in(parts.run.run, parts);
    CoupledRun run = std::move(parts.run);
    judge_exchanges(run, budget, std::move(parts.changes));
    remark_on_members(run);
    if (parts.annotations_are_new) compare_expressions(run);
    run.cpmip = cpmip_of(run);
    enter_asypd(run, {unix_seconds_or_unknown(run.run.submitted), unix_seconds_or_unknown(run.run.started),
                      unix_seconds_or_unknown(run.run.ended)});
    run.cpmip = with_what_was_told(std::move(run.cpmip), parts.told);
    return run;
}

} // namespace cpl_lb
