// Facts, events, rows and waiting of a component from all its processes to its master.
#include "run/live/steps/gather_components.hpp"

#include "data/error_codes.hpp"
#include "io/files/result_file.hpp"
#include "io/timeline/timeline.hpp"
#include "run/live/component_gather.hpp"
#include "run/live/inside_gather.hpp"
#include "run/live/memory_bound.hpp"
#include "run/live/steps/local_events.hpp"
#include "run/live/steps/recording_problems.hpp"
#include "run/live/steps/timeline_sink.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace cpl_lb {
namespace {

struct Led {
    Component component;
    TimelineHome timeline;
};

std::optional<ComponentFacts> facts_of_all(Group &group, ComponentFacts facts, const DecodedProcess &decoded,
                                           const RunClock &clock) {
    facts.first_init = clock.first_init;
    facts.last_terminate = clock.arrival;
    if (decoded.first_dropped != std::numeric_limits<Nanoseconds>::max())
        facts.window_last = clock.to_run_time(decoded.first_dropped);
    if (decoded.slice.stop > decoded.slice.start) {
        facts.window_first = clock.to_run_time(decoded.slice.start);
        facts.window_last = std::min(facts.window_last, clock.to_run_time(decoded.slice.stop));
    }
    if (!agree_on_facts(group, facts)) return {};
    return facts;
}

ComponentInput input_of(std::int32_t id, const Group &group, const ComponentFacts &facts, const ProcessRecord &record,
                        const Agreed &agreed) {
    ComponentInput input;
    input.catalogue = &agreed.catalogue;
    input.id = id;
    input.run = {facts.first_init, facts.last_terminate};
    input.run_end = agreed.clock.latest_arrival;
    input.limits = {facts.window_first, facts.window_last};
    for (const int rank : group.ranks())
        input.nodes.push_back(record.layout.node_of_rank[static_cast<std::size_t>(rank)]);
    input.mpi_recorded = facts.mpi_recorded == group.size();
    input.most_events = most_united_events(record.memory_bound_B);
    return input;
}

Component component_of(std::int32_t id, ComponentFacts facts, const ComponentFigures &figures,
                       const ProcessRecord &record, const Catalogue &catalogue) {
    Component c;
    c.name = catalogue.component_names[static_cast<std::size_t>(id) - 1];
    c.id = id;
    c.ranks = catalogue.members[static_cast<std::size_t>(id) - 1];
    c.threads = record.layout.threads_of_rank[static_cast<std::size_t>(c.ranks.front())];
    c.first_init = facts.first_init;
    c.last_terminate = facts.last_terminate;
    c.dropped_events = facts.dropped_events + figures.left_out;
    c.window_first = facts.window_first;
    c.window_last = std::min(facts.window_last, figures.events_end);
    c.properties = facts.properties;
    c.regions = std::move(facts.regions);
    c.parameters = std::move(facts.parameters);
    c.control_flow = std::move(facts.control_flow);
    return c;
}

TimelineHeader timeline_header(const Component &component, const ProcessRecord &record, const Agreed &agreed) {
    TimelineHeader h;
    describe(h, component);
    for (std::int32_t &rank : h.ranks)
        rank = record.layout.in_model(rank);
    h.component_names = agreed.catalogue.component_names;
    h.field_names = agreed.catalogue.field_names;
    h.run_id = agreed.folder.run_id;
    h.run_end = agreed.clock.latest_arrival;
    h.simulated_s = agreed.clock.simulated_s > 0.0 ? agreed.clock.simulated_s : unknown;
    h.year_days = record.settings.year_days;
    h.clock_error_bound_s = to_seconds(agreed.clock.bound_ns);
    return h;
}

// Rows and waiting. False: a message failed.
bool gather_and_write(ComponentGather &gather, const Group &group, const ProcessRecord &record, const Agreed &agreed,
                      Led &led, ProblemList &problems) {
    const bool rows_wanted = writes_timelines(record, agreed);
    if (!group.leads() || !rows_wanted) return gather.run(rows_wanted, nullptr);
    const std::vector<std::string> stems = file_stems(agreed.catalogue.component_names);
    const bool is_root = agreed.present.front() == record.transport->rank();
    TimelineHome home =
        home_of_timeline(agreed.folder, is_root, stems[static_cast<std::size_t>(led.component.id) - 1]);
    TimelineSink sink(home.path, timeline_header(led.component, record, agreed), record.settings.compress,
                      record.memory_bound_B);
    const bool complete = gather.run(true, &sink);
    led.timeline = note_timeline(std::move(home), sink.close(complete, gather.figures().balance), problems);
    return complete;
}

void note_disagreements(const ComponentFacts &facts, const std::string &component, ProblemList &problems) {
    for (const std::string &name : facts.disagreements)
        problems.add(error::data, fmt::format("processes of {} disagree about its {}", component, name));
}

// The figures hold: no error.
void note_shifts(const std::vector<ClassShifts> &shifts, const Catalogue &catalogue, ProblemList &problems) {
    for (ShiftRemark &r : shift_remarks(shifts, catalogue))
        problems.remark({std::move(r.cause), r.processes.occurrences, r.processes.count, r.processes.lowest_rank, 0});
}

std::optional<Led> gather_component(std::int32_t id, std::size_t local_index, const ProcessRecord &record,
                                    DecodedRecord &decoded, const Agreed &agreed, ProblemList &problems) {
    Group group(*record.transport, agreed.catalogue.members[static_cast<std::size_t>(id) - 1]);
    const auto facts = facts_of_all(group, decoded.facts[local_index], decoded.process, agreed.clock);
    if (!facts) return {};
    if (group.leads()) note_disagreements(*facts, decoded.component_names[local_index], problems);
    const ComponentInput input = input_of(id, group, *facts, record, agreed);
    ComponentGather gather(group, input, take_local_events(record, decoded, agreed, local_index));
    if (!gather.agree_on_events()) return {};
    if (const std::int64_t left_out = gather.figures().left_out; group.leads() && left_out > 0)
        problems.add(error::dropped, dropped_in_words(record.memory_bound_B), left_out);
    if (group.leads()) note_shifts(gather.figures().shifts, agreed.catalogue, problems);
    auto bounds_s = gather_clock_bounds(group, agreed.clock.own_bound_ns);
    if (!bounds_s) return {};
    Led led{component_of(id, *facts, gather.figures(), record, agreed.catalogue), {}};
    led.component.clock_error_bounds_s = std::move(*bounds_s);
    if (!gather_and_write(gather, group, record, agreed, led, problems)) return {};
    if (!gather_inside(group, *facts, gather.figures(), record, agreed.clock, led.component.inside)) return {};
    if (!group.leads()) return led;
    ComponentFigures &figures = gather.figures();
    led.component.events = static_cast<std::int64_t>(figures.table.keys.size());
    led.component.table = std::move(figures.table);
    led.component.balance = std::move(figures.balance);
    led.component.away = std::move(figures.away.times);
    led.component.away_differs = figures.away.differ;
    if (record.transport->failed()) return {};
    return led;
}

} // namespace

std::optional<LedComponents> gather_components(const ProcessRecord &record, DecodedRecord &decoded,
                                               const Agreed &agreed, ProblemList &problems) {
    const std::vector<std::string> &mine = decoded.component_names;
    LedComponents led;
    for (std::size_t i = 0; i < agreed.catalogue.members.size(); ++i) {
        const auto at = std::find(mine.begin(), mine.end(), agreed.catalogue.component_names[i]);
        if (at == mine.end()) continue;
        const auto local = static_cast<std::size_t>(at - mine.begin());
        auto one = gather_component(static_cast<std::int32_t>(i) + 1, local, record, decoded, agreed, problems);
        if (!one) return {};
        if (agreed.catalogue.members[i].front() != record.transport->rank()) continue;
        led.components.push_back(std::move(one->component));
        led.timelines.push_back(std::move(one->timeline));
    }
    return led;
}

} // namespace cpl_lb
