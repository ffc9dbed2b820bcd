// From the masters to the root: the figures of each component, and whether there is a timeline.
#include "run/live/steps/collect_components.hpp"

#include "run/live/figures_gather.hpp"
#include "run/live/process_record.hpp"
#include "run/live/wire_members.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

namespace cpl_lb {
namespace {

// PUT and GET, and the operations inside them: those are work, not waiting (prediction/measured_graph.cpp). In place:
// of millions of events a copy is tens of megabytes.
EventTable exchanges_of(EventTable table, std::size_t most, bool &left_out) {
    std::vector<EventSpan> &spans = table.spans.whole();
    Nanoseconds exchange_until = std::numeric_limits<Nanoseconds>::min();
    std::vector<std::uint32_t> classes;
    std::vector<std::int64_t> dates;
    classes.reserve(table.keys.size());
    dates.reserve(table.keys.dates().size());
    for (std::size_t k = 0; k < table.keys.size(); ++k) {
        const Kind kind = table.keys.what(k).kind;
        const EventSpan span = spans[k];
        if (!is_exchange(kind) && !(is_operation(kind) && span.first_start < exchange_until)) continue;
        if (is_exchange(kind)) exchange_until = std::max(exchange_until, span.last_stop);
        if (classes.size() >= most) {
            left_out = true;
            return {};
        }
        spans[classes.size()] = span;
        classes.push_back(table.keys.class_of(k));
        if (table.keys.has_dates()) dates.push_back(table.keys.date(k));
    }
    spans.resize(classes.size());
    table.keys = EventKeys(table.keys.classes(), std::move(classes));
    table.keys.set_dates(std::move(dates));
    return table;
}

// Each list has a value of each process, or none.
bool fits_together(const ProcessFigures &figures, std::size_t processes) {
    const auto fits = [&](const auto &list) { return list.empty() || list.size() == processes; };
    return fits(figures.computing_s) && fits(figures.mpi_inside_s) && fits(figures.late_s) &&
           fits(figures.memory_B) && fits(figures.parts) &&
           std::ranges::all_of(figures.regions,
                               [&](const RegionTimes &r) { return r.seconds.size() == processes; }) &&
           std::ranges::all_of(figures.parts, [](const GridPart &d) { return d.pieces.size() <= most_pieces; });
}

constexpr int report_tag = 17;

struct ListsOfTable {
    std::size_t events = 0, dates = 0, bytes_of_spans = 0;
};

// The lists of the table go by themselves, so that there is no copy of them on either side.
void send_component(Transport &t, int root, Component &c, std::size_t most) {
    EventTable table = exchanges_of(std::move(c.table), most, c.table_left_out);
    table.spans.pack();
    const EventSpans::Packed &spans = table.spans.packed();
    c.table = {EventKeys(table.keys.classes(), {}), {}};
    const ListsOfTable lists{table.keys.size(), table.keys.dates().size(), spans.bytes.size()};
    WireWriter out;
    out.expect(c.balance.steps.size() * sizeof(Step) + c.balance.step_extremes.size() * sizeof(StepExtremes) +
               16'384);
    out.pass(c);
    t.send_all(root, report_tag, out.take());
    t.send(root, report_tag, as_wire(lists));
    t.send(root, report_tag, std::as_bytes(std::span(table.keys.of_events())));
    t.send(root, report_tag, std::as_bytes(std::span(table.keys.dates())));
    t.send(root, report_tag, std::as_bytes(std::span(spans.blocks)));
    t.send(root, report_tag, std::span(spans.bytes));
}

Component receive_component(Transport &t, int from) {
    Bytes bytes;
    ListsOfTable lists;
    t.receive_all(from, report_tag, bytes);
    t.receive(from, report_tag, as_wire_out(lists));
    auto c = unpacked<Component>(bytes, "a component");
    std::vector<std::uint32_t> of_events;
    std::vector<std::int64_t> dates;
    EventSpans::Packed spans{lists.events, {}, {}};
    t.receive_list(from, report_tag, lists.events, of_events);
    t.receive_list(from, report_tag, lists.dates, dates);
    t.receive_list(from, report_tag, EventSpans::blocks_for(lists.events), spans.blocks);
    t.receive_list(from, report_tag, lists.bytes_of_spans, spans.bytes);
    if (!EventSpans::fits_together(spans)) throw DamagedMessage("spans of events");
    c.table.spans = EventSpans(std::move(spans));
    c.table.keys = EventKeys(c.table.keys.classes(), std::move(of_events));
    c.table.keys.set_dates(std::move(dates));
    if (!fits_together(c.table)) throw DamagedMessage("a component");
    return c;
}

void send_to_root(const ProcessRecord &record, const Agreed &agreed, LedComponents &led) {
    const int root = agreed.present.front();
    const std::size_t others = std::max<std::size_t>(agreed.catalogue.members.size(), 2) - 1;
    const std::size_t most = record.most_exchanges_elsewhere() / others;
    Transport &t = *record.transport;
    for (std::size_t i = 0; i < led.components.size(); ++i) {
        send_component(t, root, led.components[i], most);
        t.send(root, report_tag, as_wire(led.timelines[i].is));
    }
}

} // namespace

bool fits_together(const EventTable &table) {
    const EventKeys &keys = table.keys;
    const auto &of_events = keys.of_events();
    return table.spans.size() == keys.size() && (!keys.has_dates() || keys.dates().size() == keys.size()) &&
           std::ranges::all_of(keys.classes(),
                               [](const EventClass &c) { return static_cast<int>(c.kind) < kind_count; }) &&
           std::ranges::all_of(of_events, [&](std::uint32_t at) { return at < keys.classes().size(); });
}

bool fits_together(const Component &c) {
    return fits_together(c.figures, c.ranks.size()) && fits(c.inside.traffic, c.ranks.size());
}

CollectedComponents collect_components(Group &present, const ProcessRecord &record, const Agreed &agreed,
                                       LedComponents &led) {
    CollectedComponents all;
    if (!present.leads()) {
        send_to_root(record, agreed, led);
        return all;
    }
    Transport &t = *record.transport;
    std::size_t next_of_mine = 0;
    for (const auto &members : agreed.catalogue.members) {
        TimelineIs &is = all.timelines.emplace_back();
        if (members.front() == t.rank()) {
            is = led.timelines[next_of_mine].is;
            all.components.push_back(std::move(led.components[next_of_mine++]));
            continue;
        }
        all.components.push_back(receive_component(t, members.front()));
        t.receive(members.front(), report_tag, as_wire_out(is));
    }
    return all;
}

} // namespace cpl_lb
