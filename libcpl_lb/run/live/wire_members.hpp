// The members of the data of components and meters in messages, each named once for both ways (mpi/wire.hpp).
#pragma once

#include "data/coupled_run.hpp"
#include "mpi/wire.hpp"

namespace cpl_lb {

// Types with padding are passed member by member, so that the padding is not part of a message.
template <class Way, Either<EventClass> C>
void wire_members(Way &way, C &c) {
    way.pass(c.kind, c.field, c.counterpart);
}

template <class Way, Either<WaitingFor> W>
void wire_members(Way &way, W &w) {
    way.pass(w.component, w.get_s, w.put_s, w.sync_s);
}

template <class Way, Either<NoProcessor> N>
void wire_members(Way &way, N &n) {
    way.pass(n.of_processes, n.most, n.outside, n.most_outside);
}

template <class Way, Either<Annotation> A>
void wire_members(Way &way, A &a) {
    way.pass(a.quantity, a.expression, a.why_no_value, a.value);
}

template <class Way, Either<AssertedParameter> P>
void wire_members(Way &way, P &p) {
    way.pass(p.name, p.value, p.changes);
}

template <class Way, Either<RegionEntry> E>
void wire_members(Way &way, E &e) {
    way.pass(e.from, e.region, e.times);
}

template <class Way, Either<NamedSpread> S>
void wire_members(Way &way, S &one) {
    way.pass(one.name, one.over, one.why_missing);
}

template <class Way, Either<Series> S>
void wire_members(Way &way, S &series) {
    way.pass(series.step_s, series.values);
}

template <class Way, Either<MeterFigures> M>
void wire_members(Way &way, M &m) {
    way.pass(m.meter, m.quantity, m.unit, m.of_node, m.counts_up, m.over, m.rate_per_s, m.series, m.why_missing);
}

template <class Way, Either<RegionMeters> M>
void wire_members(Way &way, M &m) {
    way.pass(m.counters, m.energy_J, m.memory_B, m.memory_calls, m.messages, m.message_B);
}

template <class Way, Either<ComponentMeters> M>
void wire_members(Way &way, M &m) {
    way.pass(m.hwm_B, m.rss_B, m.executable_B, m.rss, m.loop_counters);
}

template <class Way, Either<ComponentProperties> P>
void wire_members(Way &way, P &p) {
    way.pass(p.horizontal_points, p.levels, p.dx_km, p.dz_km, p.complexity, p.state_B, p.output_B, p.is_io_server);
}

template <class Way, Either<RegionSummary> R>
void wire_members(Way &way, R &r) {
    way.pass(r.name, r.calls, r.processes, r.min_s, r.mean_s, r.max_s, r.slowest, r.meters, r.annotations, r.steps);
}

template <class Way, Either<Phase> P>
void wire_members(Way &way, P &phase) {
    way.pass(phase.length_s, phase.waiting_s, phase.output_s, phase.restart_s, phase.setup_s);
}

template <class Way, Either<LateProcess> P>
void wire_members(Way &way, P &late) {
    way.pass(late.process, late.share, late.late_s);
}

template <class Way, Either<ImbalanceParts> P>
void wire_members(Way &way, P &p) {
    way.pass(p.why_missing, p.processes_s, p.nodes_s, p.moving_s, p.steps_s, p.random_s, p.mean_s, p.exchanges,
             p.last);
    way.pass(p.late_node_process, p.late_node, p.late_node_s, p.why_no_nodes, p.period_s, p.unusual,
             p.unusual_process, p.every, p.cause);
}

// The members that a component's master knows; the root works out the rest.
template <class Way, Either<ComponentBalance> B>
void wire_members(Way &way, B &b) {
    way.pass(b.why_no_window, b.loop_s, b.computing_s, b.waiting_s, b.away_s, b.process_waiting_s, b.waiting_for,
             b.jitter_s, b.imbalance_s, b.imbalance_parts, b.coupling_cost, b.coupling_cost_with_operations);
    way.pass(b.mapping_s, b.mapping_spread_s, b.output_s, b.output_spread_s, b.restart_s, b.restart_spread_s);
    way.pass(b.whole_waiting_s, b.whole_waiting_and_operations_s, b.whole_away_s, b.startup, b.shutdown);
    way.pass(b.steps, b.step_extremes, b.step_work, b.step_count, b.step_spread, b.has_dates);
}

template <class Way, Either<FieldTraffic> F>
void wire_members(Way &way, F &field) {
    way.pass(field.name, field.counterpart, field.messages, field.bytes);
}

template <class Way, Either<InsideTraffic> T>
void wire_members(Way &way, T &traffic) {
    way.pass(traffic.groups, traffic.pairs, traffic.waited_for, traffic.messages_to_others);
}

template <class Way, Either<ComponentInside> I>
void wire_members(Way &way, I &inside) {
    way.pass(inside.why_not, inside.of_whole_run, inside.length_s, inside.useful_s, inside.exchanges_s,
             inside.startup_s, inside.in_class_s, inside.calls, inside.traffic);
}

} // namespace cpl_lb
