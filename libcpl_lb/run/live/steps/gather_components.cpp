// Facts, events, rows and waiting of a component from all its processes to its master.
#include "run/live/steps/gather_components.hpp"

#include "data/error_codes.hpp"
#include "io/files/result_file.hpp"
#include "io/timeline/timeline.hpp"
#include "run/live/component_gather.hpp"
#include "run/live/inside_gather.hpp"
#include "run/live/memory_bound.hpp"
#include "run/live/no_processor_gather.hpp"
#include "run/live/steps/local_events.hpp"
#include "run/live/steps/name_syncs.hpp"
#include "run/live/steps/recording_problems.hpp"
#include "run/live/steps/timeline_sink.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <optional>
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
    if (facts.mpi_recorded == group.size()) input.inside = inside_raster(record, agreed.clock);
    input.most_events = most_united_events(record.memory_bound_B);
    return input;
}

// How its processes stand on the machine.
void enter_cores(Component &c, const Layout &layout) {
    std::vector<std::int32_t> nodes;
    std::int32_t least = std::numeric_limits<std::int32_t>::max();
    std::int32_t most = 1;
    for (const std::int32_t rank : c.ranks) {
        const auto r = static_cast<std::size_t>(rank);
        least = std::min(least, layout.threads_of_rank[r]);
        most = std::max(most, layout.threads_of_rank[r]);
        c.own_cores += layout.cores_of_rank[r];
        nodes.push_back(layout.node_of_rank[r]);
    }
    std::sort(nodes.begin(), nodes.end());
    c.nodes = static_cast<std::int32_t>(std::unique(nodes.begin(), nodes.end()) - nodes.begin());
    c.threads = std::min(least, most);
    c.most_threads = most > least ? most : 0;
}

Component component_of(std::int32_t id, ComponentFacts facts, const ComponentFigures &figures,
                       const ProcessRecord &record, const Catalogue &catalogue) {
    Component c;
    c.name = catalogue.component_names[static_cast<std::size_t>(id) - 1];
    c.id = id;
    c.ranks = catalogue.members[static_cast<std::size_t>(id) - 1].all();
    enter_cores(c, record.layout);
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

void note_disagreements(const ComponentFacts &facts, const std::string &component, ProblemList &problems) {
    for (const std::string &name : facts.disagreements)
        problems.add(error::data, fmt::format("processes of {} disagree about its {}", component, name));
}

// The figures hold: no error.
void note_shifts(const std::vector<ClassShifts> &shifts, const Catalogue &catalogue, ProblemList &problems) {
    for (ShiftRemark &r : shift_remarks(shifts, catalogue))
        problems.remark({std::move(r.cause), r.processes.occurrences, r.processes.count, r.processes.lowest_rank, 0});
}

// One component between its events and its balance.
class Gathering {
public:
    Gathering(std::int32_t id, std::size_t local_index, const ProcessRecord &record, const Agreed &agreed)
        : id_(id), local_(local_index), record_(record), agreed_(agreed),
          group_(*record.transport, agreed.catalogue.members[static_cast<std::size_t>(id) - 1]) {}

    [[nodiscard]] std::int32_t id() const { return id_; }
    [[nodiscard]] bool leads() const { return group_.leads(); }
    [[nodiscard]] EventTable &table() { return gather_->figures().table; }
    // False, here and below: a message failed.
    bool gather_rows(DecodedRecord &decoded, ProblemList &problems);
    bool finish(ProblemList &problems);
    [[nodiscard]] Led &led() { return led_; }

private:
    bool rows_to_sink();

    std::int32_t id_;
    std::size_t local_; // of this process's components
    const ProcessRecord &record_;
    const Agreed &agreed_;
    Group group_;
    std::optional<ComponentFacts> facts_;
    ComponentInput input_;
    std::optional<ComponentGather> gather_;
    std::optional<TimelineSink> sink_;
    TimelineHome home_;
    Led led_;
};

bool Gathering::gather_rows(DecodedRecord &decoded, ProblemList &problems) {
    facts_ = facts_of_all(group_, decoded.facts[local_], decoded.process, agreed_.clock);
    if (!facts_) return false;
    if (leads()) note_disagreements(*facts_, decoded.component_names[local_], problems);
    input_ = input_of(id_, group_, *facts_, record_, agreed_);
    gather_.emplace(group_, input_, take_local_events(record_, decoded, agreed_, local_));
    if (!gather_->agree_on_events()) return false;
    if (const std::int64_t left_out = gather_->figures().left_out; leads() && left_out > 0)
        problems.add(error::dropped, dropped_in_words(record_.memory_bound_B), left_out);
    if (leads()) note_shifts(gather_->figures().shifts, agreed_.catalogue, problems);
    auto bounds_s = gather_clock_bounds(group_, agreed_.clock.own_bound_ns);
    if (!bounds_s) return false;
    if (leads()) led_.component = component_of(id_, *facts_, gather_->figures(), record_, agreed_.catalogue);
    led_.component.clock_error_bounds_s = std::move(*bounds_s);
    if (rows_to_sink()) return true;
    if (sink_) led_.timeline = note_timeline(std::move(home_), sink_->close(false, {}, {}), problems);
    return false;
}

bool Gathering::rows_to_sink() {
    const bool rows_wanted = writes_timelines(record_, agreed_);
    if (!leads() || !rows_wanted) return gather_->gather_rows(rows_wanted, nullptr);
    const std::vector<std::string> stems = file_stems(agreed_.catalogue.component_names);
    const bool is_root = agreed_.present.front() == record_.transport->rank();
    home_ = home_of_timeline(agreed_.folder, is_root, stems[static_cast<std::size_t>(id_) - 1]);
    TimelineHeader header = timeline_header(led_.component, record_, agreed_);
    header.mpi_inside = !input_.inside.empty();
    // What the processes of this node may hold together: those that have sent their rows hold little.
    const auto here = std::count(input_.nodes.begin(), input_.nodes.end(), input_.nodes.front());
    sink_.emplace(home_.path, std::move(header), record_.settings.compress,
                  record_.memory_bound_B * static_cast<std::size_t>(here));
    return gather_->gather_rows(true, &*sink_);
}

bool Gathering::finish(ProblemList &problems) {
    const bool complete = gather_->share_sync_counterparts() && gather_->make_balance();
    ComponentFigures &figures = gather_->figures();
    if (sink_) {
        led_.timeline =
            note_timeline(std::move(home_), sink_->close(complete, figures.balance, figures.table.keys), problems);
        if (!sink_->remark().empty()) problems.remark({sink_->remark(), 1, 1, record_.transport->rank(), 0});
    }
    if (!complete) return false;
    if (!gather_inside(group_, *facts_, figures, record_, agreed_.clock, led_.component.inside)) return false;
    if (!gather_no_processor(group_, input_, figures, record_, agreed_.clock, led_.component.no_processor))
        return false;
    if (!leads()) return true;
    led_.component.events = static_cast<std::int64_t>(figures.table.keys.size());
    led_.component.table = std::move(figures.table);
    led_.component.balance = std::move(figures.balance);
    led_.component.away = std::move(figures.away.times);
    led_.component.away_differs = figures.away.differ;
    gather_.reset();
    return !record_.transport->failed();
}

// It is known who waited for whom in collective operations when all components have their events. Without such
// operations each component is finished before the next one, which saves memory if processes have several.
bool gather_and_finish(std::deque<Gathering> &mine, const ProcessRecord &record, DecodedRecord &decoded,
                       const Agreed &agreed, ProblemList &problems) {
    const bool together = any_sync_together(agreed.catalogue);
    for (Gathering &one : mine) {
        if (!one.gather_rows(decoded, problems)) return false;
        if (!together && !one.finish(problems)) return false;
    }
    if (!together) return true;
    std::vector<TableOfComponent> led;
    for (Gathering &one : mine)
        if (one.leads()) led.push_back({one.id(), &one.table()});
    if (!name_syncs(*record.transport, agreed.catalogue, agreed.clock.bound_ns, led)) return false;
    return std::all_of(mine.begin(), mine.end(), [&](Gathering &one) { return one.finish(problems); });
}

} // namespace

std::optional<LedComponents> gather_components(const ProcessRecord &record, DecodedRecord &decoded,
                                               const Agreed &agreed, ProblemList &problems) {
    const std::vector<std::string> &names = decoded.component_names;
    std::deque<Gathering> mine; // they look at themselves, and stay where they are
    for (std::size_t i = 0; i < agreed.catalogue.members.size(); ++i) {
        const auto at = std::find(names.begin(), names.end(), agreed.catalogue.component_names[i]);
        if (at == names.end()) continue;
        mine.emplace_back(static_cast<std::int32_t>(i) + 1, static_cast<std::size_t>(at - names.begin()), record,
                          agreed);
    }
    if (!gather_and_finish(mine, record, decoded, agreed, problems)) return {};
    LedComponents led;
    for (Gathering &one : mine) {
        if (!one.leads()) continue;
        led.components.push_back(std::move(one.led().component));
        led.timelines.push_back(std::move(one.led().timeline));
    }
    return led;
}

} // namespace cpl_lb
