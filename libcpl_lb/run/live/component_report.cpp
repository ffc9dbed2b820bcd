// Packs what a component's master found out, for the root.
#include "run/live/component_report.hpp"

#include "run/live/component_facts.hpp"

#include <algorithm>
#include <initializer_list>
#include <limits>

namespace cpl_lb {
namespace {

// One list for both directions, so that they cannot differ.
template <class Balance, class Visit>
void for_each_figure(Balance &b, Visit visit) {
    for (auto *figure :
         {&b.loop_s, &b.computing_s, &b.waiting_s, &b.away_s, &b.jitter_s, &b.imbalance_s, &b.coupling_cost,
          &b.coupling_cost_with_operations, &b.mapping_s, &b.mapping_spread_s, &b.output_s, &b.output_spread_s,
          &b.restart_s, &b.restart_spread_s, &b.whole_waiting_s, &b.whole_waiting_and_operations_s, &b.whole_away_s})
        visit(*figure);
    for (auto *phase : {&b.startup, &b.shutdown})
        for (auto *figure : {&phase->length_s, &phase->waiting_s, &phase->output_s, &phase->restart_s})
            visit(*figure);
}

void put_balance(WireWriter &out, const ComponentBalance &b) {
    for_each_figure(b, [&](double figure) { out.put(figure); });
    out.put(b.why_no_window);
    out.put(b.process_waiting_s);
    out.put(b.waiting_for);
    out.put(b.steps);
    out.put(b.step_extremes);
    out.put(b.step_count);
    out.put(b.step_spread);
    out.put(b.has_dates);
}

ComponentBalance get_balance(WireReader &in) {
    ComponentBalance b;
    for_each_figure(b, [&](double &figure) { figure = in.get<double>(); });
    b.why_no_window = in.get_text();
    b.process_waiting_s = in.get<Spread>();
    b.waiting_for = in.get_vector<WaitingFor>();
    b.steps = in.get_vector<Step>();
    b.step_extremes = in.get_vector<StepExtremes>();
    b.step_count = in.get<std::int64_t>();
    b.step_spread = in.get<StepRanges>();
    b.has_dates = in.get<bool>();
    return b;
}

void put_inside(WireWriter &out, const ComponentInside &inside) {
    out.put(inside.why_not);
    out.put(inside.of_whole_run);
    out.put(inside.length_s);
    out.put(inside.useful_s);
    out.put(inside.exchanges_s);
    out.put(inside.in_class_s);
    out.put(inside.calls);
}

ComponentInside get_inside(WireReader &in) {
    ComponentInside inside;
    inside.why_not = in.get_text();
    inside.of_whole_run = in.get<bool>();
    inside.length_s = in.get<double>();
    inside.useful_s = in.get<Spread>();
    inside.exchanges_s = in.get<Spread>();
    inside.in_class_s = in.get<std::array<Spread, mpi_class_count>>();
    inside.calls = in.get<std::array<std::int64_t, mpi_class_count>>();
    return inside;
}

// PUT and GET, and the operations inside them: those are work, not waiting (prediction/measured_graph.cpp).
EventTable exchanges_of(const EventTable &table, std::size_t most, bool &left_out) {
    EventTable exchanges;
    left_out = false;
    Nanoseconds exchange_until = std::numeric_limits<Nanoseconds>::min();
    std::vector<std::uint32_t> classes;
    std::vector<std::int64_t> dates;
    for (std::size_t k = 0; k < table.keys.size(); ++k) {
        const Kind kind = table.keys.what(k).kind;
        const EventSpan &span = table.spans[k];
        if (!is_exchange(kind) && !(is_operation(kind) && span.first_start < exchange_until)) continue;
        if (is_exchange(kind)) exchange_until = std::max(exchange_until, span.last_stop);
        if (classes.size() >= most) {
            left_out = true;
            return {};
        }
        classes.push_back(table.keys.class_of(k));
        if (table.keys.has_dates()) dates.push_back(table.keys.date(k));
        exchanges.spans.push_back(span);
    }
    exchanges.keys = EventKeys(table.keys.classes(), std::move(classes));
    exchanges.keys.set_dates(std::move(dates));
    return exchanges;
}

} // namespace

Bytes pack_component(const Component &c, std::size_t most_exchanges) {
    WireWriter out;
    ComponentFacts facts;
    facts.properties = c.properties;
    facts.regions = c.regions;
    facts.parameters = c.parameters;
    facts.control_flow = c.control_flow;
    const Bytes packed = pack_facts(facts);
    out.put(packed);
    out.put(c.name);
    out.put(c.id);
    out.put(c.ranks);
    out.put(c.threads);
    out.put(c.most_threads);
    out.put(c.own_cores);
    out.put(c.nodes);
    out.put(c.first_init);
    out.put(c.last_terminate);
    out.put(c.window_first);
    out.put(c.window_last);
    out.put(c.events);
    out.put(c.dropped_events);
    out.put(c.away);
    out.put(std::int32_t{c.away_differs ? 1 : 0});
    bool left_out = false;
    const EventTable exchanges = exchanges_of(c.table, most_exchanges, left_out);
    out.put(std::int32_t{left_out ? 1 : 0});
    const EventKeys &keys = exchanges.keys;
    out.expect(keys.of_events().size() * sizeof keys.of_events().front() +
               keys.dates().size() * sizeof keys.dates().front() +
               exchanges.spans.size() * sizeof exchanges.spans.front() + c.balance.steps.size() * sizeof(Step) +
               c.balance.step_extremes.size() * sizeof(StepExtremes) + 16'384);
    out.put(exchanges.keys.classes());
    out.put(exchanges.keys.of_events());
    out.put(exchanges.keys.dates());
    out.put(exchanges.spans);
    put_balance(out, c.balance);
    put_inside(out, c.inside);
    out.put(c.no_processor);
    return out.take();
}

namespace {

bool fits_together(const EventTable &table) {
    const EventKeys &keys = table.keys;
    const auto &of_events = keys.of_events();
    return table.spans.size() == keys.size() && (!keys.has_dates() || keys.dates().size() == keys.size()) &&
           std::all_of(keys.classes().begin(), keys.classes().end(),
                       [](const EventClass &c) { return static_cast<int>(c.kind) < kind_count; }) &&
           std::all_of(of_events.begin(), of_events.end(),
                       [&](std::uint32_t at) { return at < keys.classes().size(); });
}

} // namespace

Component unpack_component(const Bytes &bytes) {
    WireReader in(bytes);
    Component c;
    ComponentFacts facts = unpack_facts(in.get_vector<std::byte>());
    c.properties = facts.properties;
    c.regions = std::move(facts.regions);
    c.parameters = std::move(facts.parameters);
    c.control_flow = std::move(facts.control_flow);
    c.name = in.get_text();
    c.id = in.get<std::int32_t>();
    c.ranks = in.get_vector<std::int32_t>();
    c.threads = in.get<std::int32_t>();
    c.most_threads = in.get<std::int32_t>();
    c.own_cores = in.get<std::int64_t>();
    c.nodes = in.get<std::int32_t>();
    c.first_init = in.get<Nanoseconds>();
    c.last_terminate = in.get<Nanoseconds>();
    c.window_first = in.get<Nanoseconds>();
    c.window_last = in.get<Nanoseconds>();
    c.events = in.get<std::int64_t>();
    c.dropped_events = in.get<std::int64_t>();
    c.away = in.get_vector<Interval>();
    c.away_differs = in.get<std::int32_t>() != 0;
    c.table_left_out = in.get<std::int32_t>() != 0;
    auto classes = in.get_vector<EventClass>();
    c.table.keys = EventKeys(std::move(classes), in.get_vector<std::uint32_t>());
    c.table.keys.set_dates(in.get_vector<std::int64_t>());
    c.table.spans = in.get_vector<EventSpan>();
    c.balance = get_balance(in);
    c.inside = get_inside(in);
    c.no_processor = in.get<NoProcessor>();
    in.finish("a component", fits_together(c.table));
    return c;
}

} // namespace cpl_lb
