// Takes properties, timed regions and their expressions out of the record; regions belong to the first component.
#include "run/live/steps/local_facts.hpp"

#include "run/live/steps/decode_record.hpp"

#include <algorithm>
#include <span>

namespace cpl_lb {
namespace {

RegionMeters region_meters(const ProcessMeters *meters, const RegionTimer &timer, const Regions &regions) {
    RegionMeters m;
    if (regions.counts_messages()) {
        const SentMessages sent = regions.messages_in(timer);
        m.messages.add(static_cast<double>(sent.count));
        m.message_B.add(static_cast<double>(sent.bytes));
    }
    if (meters == nullptr) return m;
    const std::span<const Quantity> counters = meters->counter_quantities();
    for (std::size_t i = 0; i < std::min(counters.size(), timer.counts.size()); ++i) {
        NamedSpread &one = m.counters.emplace_back();
        one.name = counters[i].name;
        one.why_missing = counters[i].why_missing;
        one.over.add(timer.counts[i]);
    }
    if (meters->energy() != nullptr) m.energy_J.add(timer.energy_J);
    m.memory_calls = timer.memory_calls;
    if (timer.memory_calls > 0) m.memory_B.add(timer.change_B);
    return m;
}

void enter_regions(const ProcessRecord &record, ComponentFacts &facts) {
    const Regions &regions = record.recorder->regions();
    const std::vector<RegionTimer> &timers = regions.timers();
    for (std::size_t i = 0; i < timers.size(); ++i) {
        const RegionTimer &t = timers[i];
        if (t.calls == 0) continue;
        const double seconds = to_seconds(record.scale.length_ns(t.total_at(record.arrival.ticks)));
        facts.regions.push_back({t.name, t.calls, 1, seconds, seconds, seconds, record.transport->rank(),
                                 region_meters(record.meters.get(), t, regions)});
        if (record.annotations)
            facts.regions.back().annotations = record.annotations->of_region(static_cast<int>(i) + 1);
    }
}

void enter_control_flow(const ProcessRecord &record, ComponentFacts &facts) {
    const RegionFlow *flow = record.recorder->regions().flow();
    if (flow == nullptr) return;
    const std::vector<RegionTimer> &timers = record.recorder->regions().timers();
    const auto name = [&](int region) {
        return region == 0 ? std::string() : timers[static_cast<std::size_t>(region) - 1].name;
    };
    for (const RegionFlow::Edge &edge : flow->edges())
        facts.control_flow.push_back({name(edge.from), name(edge.to), edge.times});
}

} // namespace

ComponentFacts local_facts(const ProcessRecord &record, const DecodedRecord &decoded, std::size_t component) {
    ComponentFacts facts;
    if (component == 0) facts.dropped_events = decoded.process.problems.dropped;
    if (record.recorder == nullptr) return facts;
    facts.mpi_recorded = record.recorder->inside().used() ? 1 : 0;
    const std::string &name = decoded.component_names[component];
    if (const auto given = record.properties.find(name); given != record.properties.end())
        facts.properties = given->second;
    if (component != 0) return facts;
    facts.dropped_events += record.recorder->problems().dropped;
    enter_regions(record, facts);
    if (record.annotations) facts.parameters = record.annotations->parameters();
    enter_control_flow(record, facts);
    return facts;
}

} // namespace cpl_lb
