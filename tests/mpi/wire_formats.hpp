// Each message that is packed and unpacked: an example with every list filled, and its way there and back.
#pragma once

#include "mpi/problems.hpp"
#include "mpi/process_map.hpp"
#include "run/live/agree_on_events.hpp"
#include "run/live/balance_now.hpp"
#include "run/live/component_facts.hpp"
#include "run/live/figures_gather.hpp"
#include "run/live/loop_and_waiting.hpp"
#include "run/live/meters_gather.hpp"
#include "run/live/steps/collect_components.hpp"
#include "run/live/steps/one_list.hpp"

#include <array>
#include <functional>

namespace cpl_lb::testing {

struct WireFormat {
    const char *name;
    Bytes example;
    std::function<Bytes(const Bytes &)> again; // unpacks and packs; throws DamagedMessage
};

inline ProcessMap example_process_map() {
    ProcessMap process_map;
    process_map.component_names = {"ocean", "atmosphere"};
    process_map.component_of_rank = {0, 0, 1};
    process_map.node_of_rank = {0, 1, 1};
    process_map.threads_of_rank = {1, 1, 4};
    process_map.cores_of_rank = {1, 1, 2};
    process_map.memory_sharers_of_rank = {1, 2, 2};
    return process_map;
}

inline Catalogue example_catalogue() {
    return make_catalogue({{"atmosphere", Kind::put, "sst", "ocean"}, {"ocean", Kind::get, "sst", {}}},
                          {"ocean", "atmosphere"}, {{0, 1}, {2}});
}

inline Spread spread(double value) {
    Spread s;
    s.add(value);
    return s;
}

inline ComponentFacts example_facts() {
    ComponentFacts facts;
    facts.first_init = 5;
    facts.mpi_recorded = 2;
    facts.properties.levels = 7;
    facts.properties.is_io_server = true;
    RegionSummary region;
    region.name = "solver";
    region.calls = 3;
    region.processes = 2;
    region.meters.counters = {{"cycles", spread(9), "no right"}};
    region.annotations = {{"flops", "2 * n", spread(4), "n is not known", 1.0, "", ""}};
    facts.regions = {region};
    facts.parameters = {{"n", spread(12), 2}};
    facts.control_flow = {{"solver", "halo", 8}};
    facts.fields = {{"sst", "ocean", 3, 800}};
    facts.disagreements = {"levels"};
    return facts;
}

inline GatheredMeters example_meters() {
    GatheredMeters m;
    m.components.resize(1);
    m.components[0].rss_B = spread(3);
    m.components[0].rss = {2.0, {spread(1), spread(2)}};
    m.components[0].loop_counters = {{"cycles", spread(9), {}}};
    m.nodes = {{1, "kernel", {}, {}}};
    m.nodes[0].meters.installed_cores = 72;
    m.nodes[0].gpus.known = true;
    m.nodes[0].gpus.gpus.resize(1);
    m.gpu_uses.resize(1);
    m.gpu_uses[0].component = 1;
    m.gpu_uses[0].uuids = {"GPU-1"};
    m.gpu_uses[0].visible = {"0", "1"};
    m.nodes[0].meters.name = "node1";
    m.run.hwm_B = spread(10);
    m.run.node_power = {1.0, {spread(200)}};
    m.run.others.resize(2);
    m.run.others[0].meter = m.run.others[0].quantity = "load";
    m.run.others[0].unit = "1";
    m.run.others[0].of_node = true;
    m.run.others[0].over = spread(2);
    m.run.others[0].series = {1.0, {spread(2), spread(3)}};
    m.run.others[1].counts_up = true;
    m.run.others[1].rate_per_s = spread(5);
    m.run.others[1].why_missing = "no sensor";
    m.absent = {{"energy", "no right to read it", true, 2}};
    return m;
}

inline InsideTraffic example_traffic() {
    InsideTraffic traffic;
    traffic.groups = 2;
    traffic.pairs = {{0, 1, 4, 320, 0.5}, {1, 0, 2, 16, 0.25}};
    traffic.waited_for = {{0, 1, 3, 0.5, 0.5, 0.25}};
    traffic.messages_to_others = 1;
    return traffic;
}

inline Component example_component() {
    Component c;
    c.name = "ocean";
    c.id = 1;
    c.ranks = {0, 1};
    c.threads = 2;
    c.most_threads = 4;
    c.own_cores = 6;
    c.nodes = 2;
    c.events = 3;
    c.away = {{5, 6}};
    c.table.keys = {{Kind::get, 1, 2, 10, 0}, {Kind::put, 1, 2, 10, 0}};
    c.table.spans.whole().assign(2, EventSpan{1, 2, 3, 2});
    c.balance.why_no_window = "no steps";
    c.balance.waiting_for = {{2, 0.5, 0.25}};
    c.balance.process_waiting_s = spread(3);
    c.balance.imbalance_parts.last = {{1, 0.75, 0.5}};
    c.balance.imbalance_parts.late_node = "node7";
    c.balance.steps = {{1.5, 2, 0.5, 1.5, 0.25}};
    c.balance.step_count = 1;
    c.inside.why_not = "half of it";
    c.inside.of_whole_run = true;
    c.inside.length_s = 20;
    c.inside.useful_s = spread(4);
    c.inside.in_class_s[1] = spread(2);
    c.inside.calls = {1, 2, 3, 4};
    c.inside.traffic = example_traffic();
    c.fields = {{"sst", "ocean", 3, 800}};
    const ComponentFacts facts = example_facts();
    c.regions = facts.regions;
    c.parameters = facts.parameters;
    return c;
}

// The second of two processes has the first and the last row of a grid of 4 x 3 points.
inline Component example_component_in_pieces() {
    Component c = example_component();
    c.figures.computing_s = {1, 2};
    c.figures.regions = {{"solver", {3, 4}}};
    c.figures.parts = {{{4, 3}, 4, {{{1, 2}, {4, 1}}}}, {{4, 3}, 8, {{{1, 1}, {4, 1}}, {{1, 3}, {4, 1}}}}};
    return c;
}

inline Share example_share() {
    Share share;
    share.processes = 3;
    share.loop.waiting = 12;
    share.waiting_for_get = {1, 2};
    share.waiting_for_put = {3};
    share.waiting_for_sync = {4};
    share.step_waiting = {4, 5, 6};
    share.step_away = {7};
    return share;
}

inline ComponentsNow example_now() {
    BalanceNow ocean;
    ocean.name = "ocean";
    ocean.processes = 3;
    ocean.measured = 2;
    ocean.steps = 10;
    ocean.from_ns = 1;
    ocean.to_ns = 9;
    ocean.seconds = 20;
    ocean.waiting_s = 5;
    ocean.coupling_s = 6;
    ocean.own_s = 0.5;
    BalanceNow server;
    server.name = "ioserver";
    server.processes = server.io_servers = 1;
    return {{ocean, server}, 2, 4, true};
}

// A message of a value with wire_members().
template <class T>
WireFormat format_of(const char *name, const T &example) {
    return {name, packed(example), [name](const Bytes &b) { return packed(unpacked<T>(b, name)); }};
}

inline const std::vector<WireFormat> &wire_formats() {
    static const std::vector<WireFormat> all = {
        format_of("layout", example_process_map()),
        format_of("problems", std::vector<Problem>{{"no memory", 3, 2, 1, -4}, {"no file", 1, 1, 0, -5}}),
        format_of("catalogue", example_catalogue()),
        format_of("facts", example_facts()),
        format_of("meters", example_meters()),
        format_of("component", example_component()),
        format_of("share", example_share()),
        {"counts", packed(std::vector<RecordedCount>{{0, 10, 4}, {0, 11, 1}, {2, 3, 5}}),
         [](const Bytes &b) { return packed(unpack_counts(b, 3)); }},
        {"traffic", packed(example_traffic()), [](const Bytes &b) { return packed(unpack_traffic(b, 2)); }},
        format_of("now", example_now()),
        format_of("component_in_pieces", example_component_in_pieces()),
    };
    return all;
}

} // namespace cpl_lb::testing
