// Names of the parts of load_balancing_info.json that meters and MPI inside the components fill
// (docs/load_balancing_info.md), for writing and reading.
#pragma once

#include "data/coupled_run.hpp"
#include "data/inside.hpp"
#include "io/json/json_writer.hpp"

namespace cpl_lb {

template <class Way, Either<Spread> S>
void json_members(Way &way, S &s) {
    way.figure("min", s.min);
    way.derived("mean", s.mean());
    way.figure("max", s.max);
    way.figure("sum", s.sum);
    way.count("count", s.count);
    if constexpr (!std::is_const_v<S>)
        if (s.count <= 0) s = {};
}

template <class Way, Either<Series> S>
void json_members(Way &way, S &series) {
    way.figure("step_s", series.step_s);
    way.columns(series.values, series_most_points);
}

template <class Way, Either<NamedSpread> N>
void json_members(Way &way, N &one) {
    json_members(way, one.over);
    way.word("name", one.name);
    way.derived("imbalance", one.over.imbalance());
    way.text("why_missing", one.why_missing);
}

template <class Way, Either<NodeGpu> G>
void json_members(Way &way, G &gpu) {
    way.text("kind", gpu.kind);
    way.text("uuid", gpu.uuid);
}

template <class Way, Either<NodeMeters> N>
void json_members(Way &way, N &node) {
    way.text("name", node.name);
    way.count("processes", node.processes);
    way.count("cores", node.cores);
    way.count_above_0("installed_cores", node.installed_cores);
    way.text("kind", node.kind);
    way.figure("energy_J", node.energy.total_J);
    way.figure("package_J", node.energy.package_J);
    way.figure("dram_J", node.energy.dram_J);
    way.figure("core_J", node.energy.core_J);
    way.figure("uncore_J", node.energy.uncore_J);
    way.figure("psys_J", node.energy.psys_J);
    way.figure("gpu_J", node.energy.gpu_J);
    way.figure("module_J", node.energy.module_J);
    way.figure("node_J", node.energy.node_J);
    way.text("energy_source", node.energy_source);
    way.text("why_no_energy", node.why_no_energy);
    way.figure("memory_B", node.memory_B);
    way.figure("memory_used_B", node.memory_used_B);
    way.flag("gpus_known", node.gpus_known);
    way.list("gpus", node.gpus);
}

template <class Way, Either<MeterFigures> M>
void json_members(Way &way, M &m) {
    way.text("meter", m.meter);
    way.text("quantity", m.quantity);
    way.text("unit", m.unit);
    std::string of = m.of_node ? "node" : "process", measure = m.counts_up ? "counter" : "gauge";
    way.word("of", of);
    way.word("measure", measure);
    if constexpr (!std::is_const_v<M>) {
        m.of_node = of == "node";
        m.counts_up = measure == "counter";
    }
    way.part("over", m.over);
    way.part("series", m.series);
    way.text("why_missing", m.why_missing);
    if (m.counts_up) way.part("rate_per_s", m.rate_per_s);
}

template <class Way, Either<RunMeters> M>
void json_members(Way &way, M &m) {
    way.flag("memory_wanted", m.memory_wanted);
    way.flag("energy_wanted", m.energy_wanted);
    way.text("counters_wanted", m.counters_wanted);
    way.part("hwm_B", m.hwm_B);
    way.part("executable_B", m.executable_B);
    way.figure("energy_J", m.energy_J);
    way.list("nodes", m.nodes);
    way.part("node_memory_B", m.node_memory);
    way.part("node_power_W", m.node_power);
    way.part("samples", m.samples);
    way.part("sampling_s", m.sampling_s);
    way.part("involuntary_switches_per_s", m.switches_per_s);
    way.part("no_processor_s", m.no_processor_s);
    way.part("threads_per_processor", m.crowding);
    way.words("not_there", m.not_there);
    if (!std::is_const_v<M> || !m.others.empty()) way.list("others", m.others); // most runs have none
}

template <class Way, Either<NoProcessor> N>
void json_members(Way &way, N &none) {
    json_members(way, none.of_processes);
    way.count_from_0("process", none.most);
    way.part("outside_mpi", none.outside);
    way.count_from_0("outside_mpi_process", none.most_outside);
}

// Into the component's own object.
template <class Way, Either<ComponentMeters> M>
void json_members(Way &component, M &m) {
    component.group("memory", [&](auto &way) {
        way.part("hwm_B", m.hwm_B);
        way.part("rss_B", m.rss_B);
        way.part("executable_B", m.executable_B);
        way.part("rss_series_B", m.rss);
    });
    component.group("energy", [&](auto &way) {
        way.figure("total_J", m.energy_J);
        way.figure("gpu_J", m.gpu_J);
        way.flag("is_estimate", m.energy_is_estimate);
        way.text("why_not", m.why_no_energy);
    });
    component.list("loop_counters", m.loop_counters);
}

// Others that use some of them stand there by name (info_json.cpp).
template <class Way, Either<ComponentGpus> G>
void json_members(Way &way, G &gpus) {
    way.count_from_0("count", gpus.count);
    way.text("kind", gpus.kind);
    way.text("from", gpus.from);
    way.place("shared_with");
    way.figure("busy_share", gpus.busy_share);
    way.figure("clock_share", gpus.clock_share);
    way.text("why_missing", gpus.why_missing);
}

// Into the region's own object.
template <class Way, Either<RegionMeters> M>
void json_members(Way &region, M &m) {
    region.list("counters", m.counters);
    region.part("energy_J", m.energy_J);
    region.part("memory_change_B", m.memory_B);
    region.count("memory_calls", m.memory_calls);
    region.part("messages", m.messages);
    region.part("message_bytes", m.message_B);
}

// Names of the part of load_balancing_info.json that MPI inside the components fills (docs/load_balancing_info.md),
// for writing and reading.

// Efficiencies follow from the other figures: they are only written.
template <class Way>
void json_members(Way &way, const Efficiency &e) {
    way.derived("total", e.total);
    way.derived("coupling", e.coupling);
    way.derived("inside", e.inside);
    way.derived("load_balance", e.load_balance);
    way.derived("communication", e.communication);
}

// In the order of MpiClass.
inline constexpr std::array<const char *, mpi_class_count> mpi_class_members = {"point_to_point", "collective",
                                                                                "one_sided", "files"};
inline constexpr std::array<const char *, mpi_class_count> mpi_class_means = {"point_to_point_s", "collective_s",
                                                                              "one_sided_s", "files_s"};

template <class Way, Either<FieldTraffic> F>
void json_members(Way &way, F &field) {
    way.word("name", field.name);
    way.text("counterpart", field.counterpart);
    way.count("messages", field.messages);
    way.count("message_bytes", field.bytes);
}

template <class Way, Either<GroupPair> P>
void json_members(Way &way, P &pair) {
    way.count("from", pair.from);
    way.count("to", pair.to);
    way.count("messages", pair.messages);
    way.count("bytes", pair.bytes);
    way.figure("waited_s", pair.waited_s);
}

template <class Way, Either<WaitedFor> W>
void json_members(Way &way, W &late) {
    way.count("process", late.process);
    way.count("by", late.by);
    way.count("waits", late.waits);
    way.figure("waited_s", late.waited_s);
    way.figure("with_others_s", late.with_others_s);
    way.figure("in_loop_s", late.in_loop_s);
}

template <class Way, Either<InsideTraffic> T>
void json_members(Way &way, T &traffic) {
    constexpr auto most = static_cast<std::size_t>(most_traffic_groups);
    way.count("groups", traffic.groups);
    way.columns(traffic.pairs, most * most);
    way.list("waited_for", traffic.waited_for);
    way.count("messages_to_others", traffic.messages_to_others);
    if constexpr (!std::is_const_v<T>) {
        if (traffic.groups > most_traffic_groups) traffic = {};
        std::erase_if(traffic.pairs,
                      [&](const GroupPair &p) { return p.from >= traffic.groups || p.to >= traffic.groups; });
    }
}

template <class Way, Either<ComponentInside> I>
void json_members(Way &way, I &inside) {
    for (std::size_t c = 0; c < mpi_class_count; ++c)
        way.derived(mpi_class_means[c], inside.in_class_s[c].mean());
    if (std::is_const_v<I> && !inside.known() && inside.why_not.empty()) return; // most runs
    way.text("why_not", inside.why_not);
    way.flag("of_whole_run", inside.of_whole_run);
    way.figure("length_s", inside.length_s);
    way.part("useful", inside.useful_s);
    way.part("exchanges", inside.exchanges_s);
    if (!std::is_const_v<I> || inside.startup_s.count > 0) way.part("startup", inside.startup_s);
    for (std::size_t c = 0; c < mpi_class_count; ++c) {
        way.group(mpi_class_members[c], [&](auto &of_class) {
            json_members(of_class, inside.in_class_s[c]);
            of_class.count("calls", inside.calls[c]);
        });
    }
    if (!std::is_const_v<I> || inside.traffic.known()) way.part("traffic", inside.traffic);
}

} // namespace cpl_lb
