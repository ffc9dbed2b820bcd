// Names of load_balancing_info.json (docs/load_balancing_info.md), for writing and reading.
#pragma once

#include "analysis/run_cost.hpp"
#include "data/coupled_run.hpp"
#include "io/json/meters_members.hpp"

#include <algorithm>

namespace cpl_lb {

template <class Way, Either<Platform> P>
void json_members(Way &way, P &p) {
    way.text("machine", p.machine);
    way.text("chip", p.chip);
    way.count_above_0("cores", p.cores);
    way.figure("clock_GHz", p.clock_GHz);
    way.figure("flop_per_cycle", p.flop_per_cycle);
}

template <class Way, Either<RunZero> Z>
void json_members(Way &way, Z &zero) {
    way.text("time", zero.time);
}

template <class Way, Either<RunInfo> I>
void json_members(Way &way, I &info) {
    way.text("id", info.id);
    way.text("submitted", info.submitted);
    way.text("started", info.started);
    way.text("ended", info.ended);
    way.figure("wall_s", info.wall_s);
    way.figure("simulated_s", info.simulated_s);
    way.place("sypd");
    way.place("chsy");
    way.count_above_0("cores", info.cores);
    way.count("processes", info.processes);
    way.place("waiting_share");
    way.place("gain_s");
    way.place("changes");
    way.text("cores_from", info.cores_from);
    way.text("coupler", info.coupler);
    way.text("layout", info.layout);
    way.figure("speed_over_s", info.speed_over_s);
    way.count_above_0("mpi_elsewhere_calls", info.elsewhere_calls);
    way.figure("mpi_elsewhere_s", info.elsewhere_s);
    way.figure("year_days", info.year_days);
    way.part("platform", info.platform_facts);
    std::string origin = origin_names[static_cast<std::size_t>(info.origin)];
    way.word("origin", origin);
    if constexpr (!std::is_const_v<I>) {
        const auto at = std::find(origin_names.begin(), origin_names.end(), origin);
        if (at != origin_names.end()) info.origin = static_cast<Origin>(at - origin_names.begin());
    }
    way.count("missing_processes", info.missing_count);
    way.place("missing_ranks");
    way.text("members", info.members);
    way.part("zero", info.zero);
}

template <class Way, Either<RunBalance> B>
void json_members_of_run(Way &run, B &b) {
    run.figure("waiting_share", b.waiting_share);
    run.figure("gain_s", b.gain_s);
}

// The critical path, and the split of the cores behind run.gain_s.
template <class Way, Either<RunBalance> B>
void json_members(Way &way, B &b) {
    way.place("slow_side");
    way.place("equally_slow");
    way.figure("loop_s", b.loop_s);
    way.figure("critical_s", b.on_path_s);
    way.count("changes", b.changes);
    way.figure("examined", b.examined);
    way.words("left_out", b.left_out);
    way.text("why_no_path", b.why_no_path);
    way.figure("best_s", b.best_s);
    way.place("best_cores");
    way.text("why_no_gain", b.why_no_gain);
    way.part("later", b.later);
}

// A row of run.changes: a part of the loop, or a pattern.
template <class Way, Either<ComputingPart> P>
void json_members(Way &way, P &part) {
    way.count("first_step", part.first_step);
    way.count("last_step", part.last_step);
    way.figure("start_s", part.start_s);
    way.figure("stop_s", part.stop_s);
    way.figure("computing_s", part.computing_s);
}

template <class Way, Either<ComputingPattern> P>
void json_members(Way &way, P &pattern) {
    way.count("every", pattern.period);
    way.count("steps", pattern.heavy_steps);
    way.figure("computing_s", pattern.heavy_s);
    way.figure("otherwise_s", pattern.other_s);
}

template <class Way, Either<LaterPart> L>
void json_members(Way &way, L &later) {
    way.figure("start_s", later.start_s);
    way.figure("loop_s", later.loop_s);
    way.figure("best_s", later.best_s);
    way.place("best_cores");
}

template <class Way, Either<Phase> P>
void json_members(Way &way, P &phase) {
    way.figure("length_s", phase.length_s);
    way.figure("waiting_s", phase.waiting_s);
    way.figure("output_s", phase.output_s);
    way.figure("restart_s", phase.restart_s);
    way.figure("setup_s", phase.setup_s);
}

template <class Way, Either<ComponentProperties> P>
void json_members(Way &way, P &given) {
    way.count_from_0("horizontal_points", given.horizontal_points);
    way.count_from_0("levels", given.levels);
    way.figure("dx_km", given.dx_km);
    way.figure("dz_km", given.dz_km);
    way.figure("complexity", given.complexity);
    way.figure("state_B", given.state_B);
    way.figure("output_B", given.output_B);
    way.flag("is_io_server", given.is_io_server);
}

template <class Way, Either<StepRange> R>
void json_members(Way &way, R &range) {
    way.figure("min_s", range.min_s);
    way.figure("median_s", range.median_s);
    way.figure("max_s", range.max_s);
}

template <class Way, Either<StepRanges> S>
void json_members(Way &way, S &spread) {
    way.part("computing", spread.computing);
    way.part("waiting", spread.waiting);
    way.part("jitter", spread.jitter);
}

template <class Way, Either<Step> S>
void json_members(Way &way, S &step) {
    way.figure("start_s", step.start_s);
    way.figure("length_s", step.length_s);
    way.figure("computing_s", step.computing_s);
    way.figure("waiting_s", step.waiting_s);
    way.figure("jitter_s", step.jitter_s);
}

template <class Way, Either<StepWork> S>
void json_members(Way &way, S &work) {
    way.figure("mapping_s", work.mapping_s);
    way.figure("output_s", work.output_s);
    way.figure("restart_s", work.restart_s);
}

// The extremes of a step that is a group of steps.
template <class Way, Either<StepExtremes> S>
void json_members(Way &way, S &step) {
    way.figure("max_computing_s", step.max_computing_s);
    way.figure("max_waiting_s", step.max_waiting_s);
    way.figure("max_jitter_s", step.max_jitter_s);
    way.figure("min_computing_s", step.min_computing_s);
    way.figure("min_waiting_s", step.min_waiting_s);
    way.figure("min_jitter_s", step.min_jitter_s);
}

// A column entry of a region's `steps`.
template <class Way, Either<RegionInStep> S>
void json_members(Way &way, S &step) {
    way.figure("mean_s", step.mean_s);
    way.figure("min_s", step.min_s);
    way.figure("max_s", step.max_s);
    way.count_from_0("slowest_process", step.slowest);
}

template <class Way, Either<RegionSummary> R>
void json_members(Way &way, R &region) {
    way.word("name", region.name);
    way.count("calls", region.calls);
    way.count("processes", region.processes);
    way.figure("min_s", region.min_s);
    way.figure("mean_s", region.mean_s);
    way.figure("max_s", region.max_s);
    way.derived("imbalance", region.imbalance());
    way.count_from_0("slowest_process", region.slowest);
    json_members(way, region.meters);
}

template <class Way, Either<LateProcess> P>
void json_members(Way &way, P &late) {
    way.count("process", late.process);
    way.figure("share", late.share);
    way.figure("late_s", late.late_s);
}

template <class Way, Either<Stalls> S>
void json_members(Way &way, S &stalls) {
    way.count("steps", stalls.count);
    way.figure("seconds", stalls.all_s);
    way.count_above_0("longest_step", stalls.longest_step);
    way.figure("longest_s", stalls.longest_s);
}

template <class Way, Either<ImbalanceParts> P>
void json_members(Way &way, P &p) {
    way.figure("processes_s", p.processes_s);
    way.figure("nodes_s", p.nodes_s);
    way.figure("random_s", p.random_s);
    way.figure("mean_s", p.mean_s);
    way.figure("overtaken_s", p.overtaken_s);
    way.figure("carried_s", p.carried_s);
    way.count("exchanges", p.exchanges);
    way.list("last", p.last);
    way.text("late_node", p.late_node);
    way.count_from_0("late_node_process", p.late_node_process);
    way.figure("late_node_s", p.late_node_s);
    way.text("why_no_nodes", p.why_no_nodes);
    way.part("stalls", p.stalls);
    way.text("why_missing", p.why_missing);
}

template <class Way, Either<ComponentBalance> B>
void json_members(Way &way, B &b) {
    way.figure("loop_s", b.loop_s);
    way.figure("computing_s", b.computing_s);
    way.figure("waiting_s", b.waiting_s);
    way.part("process_waiting_s", b.process_waiting_s);
    way.figure("away_s", b.away_s);
    way.place("waiting_for");
    way.figure("jitter_s", b.jitter_s);
    way.figure("imbalance_s", b.imbalance_s);
    way.part("imbalance_parts", b.imbalance_parts);
    way.derived("startup_s", b.startup.length_s);
    way.derived("shutdown_s", b.shutdown.length_s);
    way.figure("coupling_cost", b.coupling_cost);
    way.figure("coupling_cost_with_operations", b.coupling_cost_with_operations);
    way.figure("mapping_s", b.mapping_s);
    way.figure("mapping_spread_s", b.mapping_spread_s);
    way.figure("output_s", b.output_s);
    way.figure("output_spread_s", b.output_spread_s);
    way.figure("restart_s", b.restart_s);
    way.figure("restart_spread_s", b.restart_spread_s);
    way.figure("critical_share", b.critical_share);
    way.figure("idle_s", b.idle_s);
    way.flag("is_io_server", b.is_io_server);
}

template <class Way, Either<WaitingFor> W>
void json_members(Way &way, W &part) {
    way.figure("get_s", part.get_s);
    way.figure("put_s", part.put_s);
    if (!std::is_const_v<W> || part.sync_s > 0) way.figure("sync_s", part.sync_s);
}

// Behind the component's own members.
template <class Way, Either<ComponentBalance> B>
void json_members_of_phases(Way &way, B &b) {
    way.part("startup", b.startup);
    way.part("shutdown", b.shutdown);
    way.figure("whole_waiting_s", b.whole_waiting_s);
    way.figure("whole_waiting_and_operations_s", b.whole_waiting_and_operations_s);
    way.figure("whole_away_s", b.whole_away_s);
    way.text("why_no_window", b.why_no_window);
}

template <class Way, Either<Component> C>
void json_members(Way &way, C &c) {
    way.word("name", c.name);
    way.count("id", c.id);
    way.place("processes");
    way.place("wall_s");
    way.place("chsy");
    json_members(way, c.balance);
    way.count("events", c.events);
    way.count("dropped_events", c.dropped_events);
    way.count("missing_processes", c.missing_processes);
    way.place("hwm_B");
    way.place("energy_J");
    way.count("threads", c.threads);
    way.count_above_0("most_threads", c.most_threads);
    way.count_above_0("cores", c.own_cores);
    way.count_above_0("nodes", c.nodes);
}

template <class Way, Either<Component> C>
void json_members_of_times(Way &way, C &c) {
    way.time("init_s", c.first_init);
    way.time("terminate_s", c.last_terminate);
}

template <class Way, Either<Cpmip> C>
void json_members(Way &way, C &c) {
    way.figure("resolution", c.resolution);
    way.figure("complexity", c.complexity);
    way.figure("degrees_of_freedom", c.degrees_of_freedom);
    way.figure("sypd", c.sypd);
    way.figure("asypd", c.asypd);
    way.figure("chsy", c.chsy);
    way.figure("parallelization", c.parallelization);
    way.figure("jpsy", c.jpsy);
    way.figure("ajpsy", c.ajpsy);
    way.figure("coupling_cost", c.coupling_cost);
    way.figure("memory_bloat", c.memory_bloat);
    way.figure("data_output_cost", c.data_output_cost);
    way.figure("data_intensity", c.data_intensity);
    way.text("platform", c.platform);
    way.figure("coupling_cost_with_operations", c.coupling_cost_with_operations);
    way.figure("node_hours", c.node_hours);
    way.figure("gpu_hours", c.gpu_hours);
}

// Follows from other figures: only written.
template <class Way>
void json_members(Way &way, const Cost &cost) {
    way.figure("core_hours", cost.core_hours);
    way.figure("node_hours", cost.node_hours);
    way.figure("shared_node_hours", cost.shared_node_hours);
    way.place("kinds");
    way.figure("gpu_hours", cost.gpu_hours);
    way.count_from_0("idle_cores", cost.idle_cores);
    way.count_from_0("idle_gpus", cost.idle_gpus);
    way.figure("host_J", cost.host_J);
    way.text("why_no_core_hours", cost.why_no_core_hours);
    way.text("why_no_node_hours", cost.why_no_node_hours);
    way.text("why_no_gpu_hours", cost.why_no_gpu_hours);
}

template <class Way, Either<FigureSource> S>
void json_members(Way &way, S &s) {
    way.word("figure", s.figure);
    way.word("from", s.from);
}

template <class Way, Either<ClockInfo> C>
void json_members(Way &way, C &clock) {
    way.figure("error_bound_s", clock.error_bound_s);
    way.count_from_0("order_violations", clock.order_violations);
    way.text("source", clock.source);
    way.count("nodes", clock.nodes);
    way.text("why_not_comparable", clock.why_not_comparable);
}

// The whole file, except for members that are placed.
template <class Way, Either<CoupledRun> R>
void json_members(Way &way, R &run) {
    way.place("schema");
    way.part("run", run.run);
    way.place("components");
    way.part("balance", run.balance);
    way.part("cpmip", run.cpmip);
    way.part("clock", run.clock);
    way.figure("analysis_s", run.analysis_s);
    way.words("component_names", run.component_names);
    way.words("field_names", run.field_names);
    way.list("sources", run.sources);
    way.words("remarks", run.remarks);
    way.part("meters", run.meters);
}

// A figure of the processes that told it: the mean, under the name "value".
template <class Way, Either<Spread> S>
void told_members(Way &way, S &s) {
    double mean = s.mean();
    way.figure("value", mean);
    way.figure("min", s.min);
    way.figure("max", s.max);
    way.count("processes", s.count);
    if constexpr (!std::is_const_v<S>) {
        s.sum = mean * static_cast<double>(s.count);
        if (s.count == 0) s = {};
    }
}

template <class Way, Either<Annotation> A>
void json_members(Way &way, A &a) {
    way.word("expression", a.expression);
    told_members(way, a.value);
    way.text("why_no_value", a.why_no_value);
    way.figure("measured", a.measured);
    way.text("measured_by", a.measured_by);
    way.text("why_not_measured", a.why_not_measured);
    way.derived("error", a.error());
}

template <class Way, Either<AssertedParameter> P>
void json_members(Way &way, P &p) {
    way.word("name", p.name);
    told_members(way, p.value);
    way.count("changes", p.changes);
}

template <class Way, Either<RegionEntry> E>
void json_members(Way &way, E &e) {
    way.text("from", e.from);
    way.word("region", e.region);
    way.count("times", e.times);
}

} // namespace cpl_lb
