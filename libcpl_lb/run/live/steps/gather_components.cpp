// Facts, events, rows and waiting of a component from all its processes to its master.
#include "run/live/steps/gather_components.hpp"

#include "data/error_codes.hpp"
#include "io/files/result_file.hpp"
#include "io/timeline/timeline.hpp"
#include "run/live/agree_on_events.hpp"
#include "run/live/figures_gather.hpp"
#include "run/live/gather_rows.hpp"
#include "run/live/inside_gather.hpp"
#include "run/live/loop_and_waiting.hpp"
#include "run/live/steps/decode_record.hpp"
#include "run/live/steps/timeline_sink.hpp"
#include "run/live/steps/write_results.hpp"
#include "support/fmt.hpp"
#include "support/utc.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

namespace cpl_lb {
namespace {

// Empty for a process that runs several components in turn, because it does not know which of them sent a message.
std::vector<FieldTraffic> fields_sent(const ProcessRecord &record, const DecodedRecord &decoded) {
    std::vector<FieldTraffic> fields;
    if (record.recorder == nullptr || decoded.component_names.size() > 1) return fields;
    const std::vector<SentMessages> &sent = record.recorder->sent_of_field();
    for (std::size_t f = 1; f < std::min(sent.size(), decoded.fields.size()); ++f) {
        const LocalField &field = decoded.fields[f];
        if (sent[f].count > 0) fields.push_back({field.name, field.counterpart, sent[f].count, sent[f].bytes});
    }
    return fields;
}

ComponentFacts facts_of_all(Group &group, ComponentFacts facts, const DecodedProcess &decoded,
                            const RunClock &clock) {
    facts.first_init = clock.first_init;
    facts.last_terminate = clock.arrival;
    if (decoded.first_dropped != std::numeric_limits<Nanoseconds>::max())
        facts.window_last = clock.to_run_time(decoded.first_dropped);
    if (decoded.slice.stop > decoded.slice.start) {
        facts.window_first = clock.to_run_time(decoded.slice.start);
        facts.window_last = std::min(facts.window_last, clock.to_run_time(decoded.slice.stop));
    }
    agree_on_facts(group, facts);
    return facts;
}

NumberList nodes_of(const NumberList &ranks, const ProcessRecord &record) {
    NumberList nodes;
    for (const int rank : ranks)
        nodes.push_back(record.node_of(rank));
    return nodes;
}

// Whether MPI was recorded on all processes; if it was not, the picture has no share in MPI.
bool knows_mpi(const ComponentFacts &facts, const Group &group) {
    return facts.mpi_recorded == group.size();
}

// Enters the cores, threads and nodes of its processes.
void enter_cores(Component &c, const ProcessMap &process_map) {
    std::vector<std::int32_t> nodes;
    std::int32_t least = std::numeric_limits<std::int32_t>::max();
    std::int32_t most = 1;
    for (const std::int32_t rank : c.ranks) {
        const auto r = static_cast<std::size_t>(rank);
        least = std::min(least, process_map.threads_of_rank[r]);
        most = std::max(most, process_map.threads_of_rank[r]);
        c.own_cores += process_map.cores_of_rank[r];
        nodes.push_back(process_map.node_of_rank[r]);
    }
    std::ranges::sort(nodes);
    c.nodes = static_cast<std::int32_t>(std::unique(nodes.begin(), nodes.end()) - nodes.begin());
    c.threads = std::min(least, most);
    c.most_threads = most > least ? most : 0;
}

std::int32_t id_at(std::size_t place) {
    return static_cast<std::int32_t>(place) + 1;
}

Component component_of(std::size_t place, ComponentFacts facts, const AgreedEvents &events,
                       const ProcessRecord &record, const Catalogue &catalogue) {
    Component c;
    c.name = catalogue.component_names[place];
    c.id = id_at(place);
    c.ranks = catalogue.members[place].all();
    enter_cores(c, record.process_map);
    c.first_init = facts.first_init;
    c.last_terminate = facts.last_terminate;
    c.dropped_events = facts.dropped_events + events.left_out;
    c.window_first = facts.window_first;
    c.window_last = std::min(facts.window_last, events.end);
    c.properties = facts.properties;
    c.regions = std::move(facts.regions);
    for (RegionSummary &region : c.regions) {
        const auto at = std::ranges::lower_bound(c.ranks, region.slowest);
        region.slowest = at == c.ranks.end() ? -1 : static_cast<std::int32_t>(at - c.ranks.begin());
    }
    c.parameters = std::move(facts.parameters);
    c.control_flow = std::move(facts.control_flow);
    c.fields = std::move(facts.fields);
    return c;
}

TimelineHeader timeline_header(const Component &component, const ProcessRecord &record, const Agreed &agreed) {
    TimelineHeader h;
    describe(h, component);
    for (std::int32_t &rank : h.ranks)
        rank = record.process_map.in_model(rank);
    h.component_names = agreed.catalogue.component_names;
    h.field_names = agreed.catalogue.field_names;
    h.run_id = agreed.folder.run_id;
    h.zero_time = utc_text_ns(agreed.clock.zero_realtime_ns);
    h.run_end = agreed.clock.latest_arrival;
    h.simulated_s = agreed.clock.simulated_s > 0.0 ? agreed.clock.simulated_s : unknown;
    h.year_days = record.settings.year_days;
    h.clock_error_bound_s = to_seconds(agreed.clock.bound_ns);
    return h;
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

// What this process knows of one of its components, after the steps done so far.
struct OneComponent {
    std::size_t place = 0; // in the catalogue
    Group group;
    ComponentFacts facts;
    AgreedEvents events;
    CouplingLoop loop;
    // On the leader:
    TimesAway away;
    Component component; // with the figures of its processes
    TimelineHome home;
    std::unique_ptr<TimelineSink> sink; // null: there are no timelines

    std::vector<std::string> regions{}; // those with the most time of all processes
    std::vector<float> own_regions_s{}; // of this process

    [[nodiscard]] std::int32_t id() const { return id_at(place); }
    [[nodiscard]] Interval run() const { return {facts.first_init, facts.last_terminate}; }
};

// Facts and events, agreed on. local: of this process's components.
OneComponent with_events(std::size_t place, std::size_t local, const ProcessRecord &record, DecodedRecord &decoded,
                         const Agreed &agreed, ProblemList &problems) {
    const Catalogue &catalogue = agreed.catalogue;
    Group group(*record.transport, catalogue.members[place]);
    decoded.facts[local].fields = fields_sent(record, decoded);
    ComponentFacts facts = facts_of_all(group, decoded.facts[local], decoded.process, agreed.clock);
    if (group.leads()) note_disagreements(facts, decoded.component_names[local], problems);
    RasterInput picture{{}, {facts.first_init, facts.last_terminate}, agreed.clock.latest_arrival};
    if (knows_mpi(facts, group)) picture.inside = inside_raster(record, agreed.clock);
    AgreedEvents events =
        agree_on_events(group, catalogue, id_at(place), take_local_events(record, decoded, agreed, local),
                        record.most_united_events(), std::move(picture));
    if (group.leads() && events.left_out > 0)
        problems.add(error::dropped, dropped_in_words(record.memory_bound_B), events.left_out);
    if (group.leads()) note_shifts(events.shifts, catalogue, problems);
    std::vector<double> bounds_s = gather_clock_bounds(group, agreed.clock.own_bound_ns);
    OneComponent one{place, std::move(group), std::move(facts), std::move(events), {}, {}, {}, {}, nullptr};
    one.regions = regions_with_most_time(one.facts.regions);
    one.own_regions_s = own_times(one.regions, decoded.facts[local].regions);
    if (!one.group.leads()) return one;
    one.component = component_of(place, one.facts, one.events, record, catalogue);
    one.component.clock_error_bounds_s = std::move(bounds_s);
    return one;
}

void open_timeline(OneComponent &one, const ProcessRecord &record, const Agreed &agreed) {
    const std::vector<std::string> stems = file_stems(agreed.catalogue.component_names);
    const bool is_root = agreed.present.front() == record.rank();
    one.home = home_of_timeline(agreed.folder, is_root, stems[one.place]);
    TimelineHeader header = timeline_header(one.component, record, agreed);
    header.mpi_inside = knows_mpi(one.facts, one.group);
    // Memory that the processes of this node may use together: those that have sent their rows need little.
    const std::vector<std::int32_t> nodes = nodes_of(one.group.ranks(), record).all();
    const auto here = std::ranges::count(nodes, nodes.front());
    one.sink = std::make_unique<TimelineSink>(one.home.path, std::move(header), record.settings.compress,
                                              record.memory_bound_B * static_cast<std::size_t>(here));
}

std::vector<EventSpan> rows_and_spans(OneComponent &one, const ProcessRecord &record, const Agreed &agreed) {
    AgreedEvents &events = one.events;
    if (!writes_timelines(record, agreed)) return reduce_spans(one.group, events.row, events.count);
    if (one.group.leads()) open_timeline(one, record, agreed);
    return gather_rows(one.group, nodes_of(one.group.ranks(), record), events.row, events.count,
                       events.away_intervals, events.table.keys, one.sink.get())
        .spans;
}

// Rows, spans and times away; then the loop.
void find_loop(OneComponent &one, const ProcessRecord &record, const Agreed &agreed) {
    AgreedEvents &events = one.events;
    events.table.spans = rows_and_spans(one, record, agreed);
    if (events.away_intervals > 0) one.away = gather_away(one.group, events.row.away());
    const WindowLimits limits{one.facts.window_first, std::min(one.facts.window_last, events.end)};
    one.loop = agree_on_loop(one.group, events.table, limits, one.run(), events.row, one.component.regions);
}

// balance: none if a message failed.
void close_timeline(OneComponent &one, const ComponentBalance *balance, ProblemList &problems) {
    if (!one.sink) return;
    const std::string error = one.sink->close(balance != nullptr, balance != nullptr ? *balance : ComponentBalance(),
                                              one.events.table.keys, one.component.figures);
    one.home = note_timeline(std::move(one.home), error, problems);
    if (!one.sink->remark().empty()) problems.remark(one.sink->remark());
}

// On the leader; the others send their shares.
ComponentBalance find_balance(OneComponent &one, const ProcessRecord &record, const Agreed &agreed) {
    AgreedEvents &events = one.events;
    if (events.alike != Alike::shares) share_sync_counterparts(one.group, events.table);
    const ShareInput input{events.alike, events.away_intervals > 0, one.run(),
                           static_cast<std::int32_t>(agreed.catalogue.component_names.size())};
    const Share sum = sum_of_shares(one.group, events.table, one.loop.window, events.row, input);
    ImbalanceParts parts = gather_imbalance(one.group, one.loop, nodes_of(one.group.ranks(), record));
    events.row = {};
    if (!one.group.leads()) return {};
    ComponentBalance balance = balance_of(events.table, one.loop.window, one.run(), sum);
    balance.process_waiting_s = one.loop.process_waiting.seconds();
    one.component.figures.late_s = std::move(parts.late_s);
    balance.imbalance_parts = std::move(parts);
    return balance;
}

// Figures of this process in the loop, and its part of the grid.
OwnFigures own_figures(OneComponent &one, const ProcessRecord &record, const Agreed &agreed) {
    OwnFigures own;
    const OwnExchanges &exchanges = one.loop.exchanges;
    const Interval running{agreed.clock.first_init, agreed.clock.arrival};
    own.computing_s = own_computing_s(exchanges, running, one.events.row.away());
    if (is_known(own.computing_s) && knows_mpi(one.facts, one.group) && one.events.away_intervals == 0) {
        own.mpi_inside_s = 0;
        for (const Spread &in_class : own_inside(record, agreed.clock, exchanges).in_class_s)
            own.mpi_inside_s += in_class.sum;
    }
    if (record.meters && record.settings.rss) own.memory_B = record.meters->high_water_B();
    const std::string &name = agreed.catalogue.component_names[one.place];
    if (const auto part = record.grid_parts.find(name); part != record.grid_parts.end()) own.part = part->second;
    if (const auto left_out = record.left_out.find(name); left_out != record.left_out.end())
        own.left_out = left_out->second;
    own.regions_s = std::move(one.own_regions_s);
    return own;
}

void find_figures(OneComponent &one, const ProcessRecord &record, const Agreed &agreed, ProblemList &problems) {
    ProcessFigures &figures = one.component.figures;
    figures = gather_figures(one.group, own_figures(one, record, agreed), one.regions);
    if (!figures.why_no_parts.empty())
        problems.remark(fmt::format("no map of {}: {}", one.component.name, figures.why_no_parts));
}

// Looks at the component as `look` says. If a message fails, its file is closed as it is.
template <class Look>
void while_open(OneComponent &one, ProblemList &problems, Look look) {
    try {
        look();
    } catch (const MessageFailed &) {
        close_timeline(one, nullptr, problems);
        throw;
    }
}

// Adds the component to those that this process leads, if it leads it.
void finish(OneComponent one, const ProcessRecord &record, const Agreed &agreed, ProblemList &problems,
            LedComponents &led) {
    ComponentBalance balance;
    while_open(one, problems, [&] {
        find_figures(one, record, agreed, problems);
        balance = find_balance(one, record, agreed);
    });
    close_timeline(one, &balance, problems);
    const RegionPlan &plan = one.loop.regions;
    const std::vector<double> in_regions = own_region_seconds(plan, record, agreed.clock);
    gather_region_steps(one.group, plan, in_regions, one.component.regions);
    const OwnExchanges &own = one.loop.exchanges;
    const bool in_turn = one.events.away_intervals > 0;
    Component &c = one.component;
    c.inside = gather_inside(one.group, one.facts, in_turn, own, record, agreed.clock);
    if (c.inside.known())
        c.inside.traffic = gather_traffic(one.group, record, point_to_point_outside_s(own, record, agreed.clock));
    c.no_processor = gather_no_processor(one.group, one.facts, own, record, agreed.clock);
    if (!one.group.leads()) return;
    c.events = static_cast<std::int64_t>(one.events.table.keys.size());
    one.events.table.keys.keep_used_classes();
    // On the root they are only looked at from here on, beside those of the other components.
    if (record.rank() == agreed.present.front()) one.events.table.spans.pack();
    c.table = std::move(one.events.table);
    c.balance = std::move(balance);
    c.away = std::move(one.away.times);
    c.away_differs = one.away.differ;
    led.components.push_back(std::move(c));
    led.timelines.push_back(std::move(one.home));
}

void name_syncs_of(std::span<OneComponent> mine, const ProcessRecord &record, const Agreed &agreed) {
    std::vector<TableOfComponent> led;
    for (OneComponent &one : mine)
        if (one.group.leads()) led.push_back({one.id(), &one.events.table});
    name_syncs(*record.transport, agreed.catalogue, agreed.clock.bound_ns, led);
}

} // namespace

// Who waited for whom in collective operations is known only when all components have their events. Without such
// operations each component is finished before the next one, which saves memory if processes have several.
LedComponents gather_components(const ProcessRecord &record, DecodedRecord &decoded, const Agreed &agreed,
                                ProblemList &problems) {
    const bool together = any_sync_together(agreed.catalogue);
    const std::vector<std::string> &names = decoded.component_names;
    LedComponents led;
    std::vector<OneComponent> mine; // until all have their events
    for (std::size_t i = 0; i < agreed.catalogue.members.size(); ++i) {
        const auto at = std::ranges::find(names, agreed.catalogue.component_names[i]);
        if (at == names.end()) continue;
        const auto local = static_cast<std::size_t>(at - names.begin());
        OneComponent one = with_events(i, local, record, decoded, agreed, problems);
        while_open(one, problems, [&] { find_loop(one, record, agreed); });
        if (together)
            mine.push_back(std::move(one));
        else
            finish(std::move(one), record, agreed, problems, led);
    }
    if (together) name_syncs_of(mine, record, agreed);
    for (OneComponent &one : mine)
        finish(std::move(one), record, agreed, problems, led);
    return led;
}

} // namespace cpl_lb
