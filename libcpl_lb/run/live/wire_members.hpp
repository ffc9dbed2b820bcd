// The members of the data of components and meters in messages, each named once for both ways (mpi/wire.hpp).
#pragma once

#include "data/coupled_run.hpp"
#include "mpi/wire.hpp"

namespace cpl_lb {

// Types with padding are passed member by member, so that the padding is not part of a message.
void wire_members(auto &way, Either<EventClass> auto &c) {
    way.pass(c.kind, c.field, c.counterpart);
}

void wire_members(auto &way, Either<WaitingFor> auto &w) {
    way.pass(w.component, w.get_s, w.put_s, w.sync_s);
}

void wire_members(auto &way, Either<NoProcessor> auto &n) {
    way.pass(n.of_processes, n.most, n.outside, n.most_outside);
}

void wire_members(auto &way, Either<Annotation> auto &a) {
    way.pass(a.quantity, a.expression, a.why_no_value, a.value);
}

void wire_members(auto &way, Either<AssertedParameter> auto &p) {
    way.pass(p.name, p.value, p.changes);
}

void wire_members(auto &way, Either<RegionEntry> auto &e) {
    way.pass(e.from, e.region, e.times);
}

void wire_members(auto &way, Either<NamedSpread> auto &one) {
    way.pass(one.name, one.over, one.why_missing);
}

void wire_members(auto &way, Either<Series> auto &series) {
    way.pass(series.step_s, series.values);
}

void wire_members(auto &way, Either<MeterFigures> auto &m) {
    way.pass(m.meter, m.quantity, m.unit, m.of_node, m.counts_up, m.over, m.rate_per_s, m.series, m.why_missing);
}

void wire_members(auto &way, Either<RegionMeters> auto &m) {
    way.pass(m.counters, m.energy_J, m.memory_B, m.memory_calls, m.messages, m.message_B);
}

void wire_members(auto &way, Either<ComponentMeters> auto &m) {
    way.pass(m.hwm_B, m.rss_B, m.executable_B, m.rss, m.loop_counters);
}

void wire_members(auto &way, Either<ComponentProperties> auto &p) {
    way.pass(p.horizontal_points, p.levels, p.dx_km, p.dz_km, p.complexity, p.state_B, p.output_B, p.is_io_server);
}

void wire_members(auto &way, Either<RegionSummary> auto &r) {
    way.pass(r.name, r.calls, r.processes, r.min_s, r.mean_s, r.max_s, r.slowest, r.meters, r.annotations, r.steps);
}

void wire_members(auto &way, Either<Phase> auto &phase) {
    way.pass(phase.length_s, phase.waiting_s, phase.output_s, phase.restart_s, phase.setup_s);
}

void wire_members(auto &way, Either<LateProcess> auto &late) {
    way.pass(late.process, late.share, late.late_s);
}

void wire_members(auto &way, Either<Stalls> auto &stalls) {
    way.pass(stalls.count, stalls.all_s, stalls.longest_step, stalls.longest_s);
}

void wire_members(auto &way, Either<ImbalanceParts> auto &p) {
    way.pass(p.why_missing, p.processes_s, p.nodes_s, p.random_s, p.mean_s, p.overtaken_s, p.carried_s, p.exchanges,
             p.last);
    way.pass(p.late_node_process, p.late_node, p.late_node_s, p.why_no_nodes, p.stalls);
}

// The members that a component's master knows; the root works out the rest.
void wire_members(auto &way, Either<ComponentBalance> auto &b) {
    way.pass(b.why_no_window, b.loop_s, b.computing_s, b.waiting_s, b.away_s, b.process_waiting_s, b.waiting_for,
             b.jitter_s, b.imbalance_s, b.imbalance_parts, b.coupling_cost, b.coupling_cost_with_operations);
    way.pass(b.mapping_s, b.mapping_spread_s, b.output_s, b.output_spread_s, b.restart_s, b.restart_spread_s);
    way.pass(b.whole_waiting_s, b.whole_waiting_and_operations_s, b.whole_away_s, b.startup, b.shutdown);
    way.pass(b.steps, b.step_extremes, b.step_work, b.step_count, b.step_spread, b.has_dates);
}

void wire_members(auto &way, Either<FieldTraffic> auto &field) {
    way.pass(field.name, field.counterpart, field.messages, field.bytes);
}

void wire_members(auto &way, Either<InsideTraffic> auto &traffic) {
    way.pass(traffic.groups, traffic.pairs, traffic.waited_for, traffic.messages_to_others);
}

inline void wire_members(auto &way, Either<GridPart> auto &part) {
    way.pass(part.size, part.points, part.pieces);
}

void wire_members(auto &way, Either<RegionTimes> auto &times) {
    way.pass(times.region, times.seconds);
}

void wire_members(auto &way, Either<ProcessFigures> auto &f) {
    way.pass(f.computing_s, f.mpi_inside_s, f.late_s, f.memory_B, f.regions, f.parts, f.why_no_parts, f.left_out);
}

// The classes alone: lists of events are long, and go by themselves.
inline void wire_members(WireWriter &out, const EventKeys &keys) {
    out.pass(keys.classes());
}
inline void wire_members(WireReader &in, EventKeys &keys) {
    std::vector<EventClass> classes;
    in.pass(classes);
    keys = EventKeys(std::move(classes), {});
}

void wire_members(auto &way, Either<ComponentInside> auto &inside) {
    way.pass(inside.why_not, inside.of_whole_run, inside.length_s, inside.useful_s, inside.exchanges_s,
             inside.startup_s, inside.in_class_s, inside.calls, inside.traffic);
}

// All but the events.
void wire_members(auto &way, Either<Component> auto &c) {
    way.pass(c.properties, c.regions, c.parameters, c.control_flow, c.name, c.id, c.ranks, c.threads, c.most_threads,
             c.own_cores, c.nodes, c.first_init, c.last_terminate, c.window_first, c.window_last, c.events,
             c.dropped_events, c.away, c.away_differs, c.balance, c.inside, c.fields, c.no_processor, c.figures,
             c.table_left_out, c.table.keys);
}

} // namespace cpl_lb
