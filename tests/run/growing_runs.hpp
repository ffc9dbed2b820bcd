// Runs that are large in one way alone: many events, fields, components or processes. For the test that no analysis
// grows faster than n log n with any of them, and for the bench that tells what each costs.
#pragma once

#include "analysis/load_balance.hpp"
#include "analysis/share_calculator.hpp"
#include "data/coupled_run.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cpl_lb::growing {

constexpr Nanoseconds step = 1000;

// An event that starts on one process after the other, and stops on all at once.
struct Planned {
    Kind kind;
    std::int32_t field, counterpart;
    EventSpan span;
};
inline Planned event(Kind kind, std::int32_t field, std::int32_t counterpart, Nanoseconds first, Nanoseconds last,
                     Nanoseconds stop) {
    return {kind, field, counterpart, {first, last, stop, 2}};
}

inline Component component(std::int32_t id, std::vector<Planned> events) {
    std::stable_sort(events.begin(), events.end(),
                     [](const Planned &a, const Planned &b) { return a.span.first_start < b.span.first_start; });
    Component c;
    c.id = id;
    c.name = "component " + std::to_string(id);
    c.ranks = {2 * id, 2 * id + 1};
    Row row;
    for (const Planned &e : events) {
        c.table.keys.push_back({e.kind, e.field, e.counterpart});
        c.table.spans.whole().push_back(e.span);
        row.start.push_back(e.span.last_start);
        row.stop.push_back(e.span.last_stop);
        c.last_terminate = std::max(c.last_terminate, e.span.last_stop);
    }
    c.events = static_cast<std::int64_t>(events.size());
    const Interval whole{0, c.last_terminate};
    const Window window = find_window(c.table);
    Share share;
    ShareCalculator(c.table, window, whole, 0, 2).add(row, share);
    c.balance = balance_of(c.table, window, whole, repeated(std::move(share), 2));
    return c;
}

inline CoupledRun run_of(std::vector<Component> components) {
    CoupledRun run;
    run.clock.error_bound_s = 1e-9;
    run.run.simulated_s = 86'400;
    std::int32_t fields = 0;
    for (const Component &c : components) {
        run.component_names.push_back(c.name);
        for (const EventClass &k : c.table.keys.classes())
            fields = std::max(fields, k.field);
    }
    for (std::int32_t f = 1; f <= fields; ++f)
        run.field_names.push_back("field " + std::to_string(f));
    run.components = std::move(components);
    return run;
}

// What one of two components does: in each step it sends, and receives what the other sent; `late`: by how much its
// last process lags behind the first one in step n.
template <class Late>
CoupledRun two(std::int64_t steps, bool operations, Late late) {
    std::vector<Component> components;
    for (const std::int32_t id : {1, 2}) {
        std::vector<Planned> events;
        for (std::int64_t n = 0; n < steps; ++n) {
            for (const Kind kind : {Kind::put, Kind::get}) {
                const bool first = (kind == Kind::put) == (id == 1);
                const Nanoseconds start = n * step + (first ? 0 : 500), last = start + late(n);
                events.push_back(event(kind, first ? 1 : 2, 3 - id, start, last, last + 90));
                if (operations) events.push_back(event(Kind::map, 1, 0, start + 10, last + 10, last + 60));
            }
        }
        components.push_back(component(id, std::move(events)));
    }
    return run_of(std::move(components));
}

inline CoupledRun steps_in_turn(std::int64_t events) {
    return two(events / 4, false, [](std::int64_t n) { return 10 + n % 7; });
}
// The slowest process takes a third longer than the fastest, and nobody waits for anybody.
inline CoupledRun unsynchronised(std::int64_t events) {
    return two(events / 4, false, [](std::int64_t n) { return n * step / 3; });
}
inline CoupledRun unsynchronised_operations(std::int64_t events) {
    return two(events / 8, true, [](std::int64_t n) { return n * step / 3; });
}
// Half of the events are never ended.
inline CoupledRun without_ends(std::int64_t events) {
    std::vector<Component> components;
    const Nanoseconds end = events / 4 * step + step;
    for (const std::int32_t id : {1, 2}) {
        std::vector<Planned> list;
        for (std::int64_t n = 0; n < events / 4; ++n) {
            const Nanoseconds start = n * step;
            list.push_back(event(Kind::get, 2, 3 - id, start, start + 5, end));
            list.push_back(event(id == 1 ? Kind::put : Kind::get, 1, 3 - id, start + 10, start + 12, start + 20));
        }
        components.push_back(component(id, std::move(list)));
    }
    return run_of(std::move(components));
}

// Each field goes one way, in four steps.
inline CoupledRun many_fields(std::int64_t fields) {
    std::vector<Component> components;
    for (const std::int32_t id : {1, 2}) {
        std::vector<Planned> events;
        for (std::int64_t n = 0; n < 4; ++n) {
            for (std::int64_t f = 0; f < fields; ++f) {
                const Nanoseconds start = (n * fields + f) * step;
                events.push_back(event((f % 2 == 0) == (id == 1) ? Kind::put : Kind::get,
                                       static_cast<std::int32_t>(f) + 1, 3 - id, start, start + 5, start + 90));
            }
        }
        components.push_back(component(id, std::move(events)));
    }
    return run_of(std::move(components));
}

// Component i sends to i + 1, in eight steps: a field of its own, or all the same one.
inline CoupledRun chain(std::int64_t components, bool one_field) {
    std::vector<Component> all;
    const auto last = static_cast<std::int32_t>(components);
    for (std::int32_t id = 1; id <= last; ++id) {
        std::vector<Planned> events;
        for (std::int64_t n = 0; n < 8; ++n) {
            const Nanoseconds start = n * step;
            if (id > 1)
                events.push_back(event(Kind::get, one_field ? 1 : id - 1, id - 1, start, start + 5, start + 90));
            if (id < last)
                events.push_back(event(Kind::put, one_field ? 1 : id, id + 1, start + 500, start + 505, start + 520));
        }
        all.push_back(component(id, std::move(events)));
    }
    return run_of(std::move(all));
}
inline CoupledRun chain_of_components(std::int64_t components) {
    return chain(components, false);
}
inline CoupledRun chain_of_one_field(std::int64_t components) {
    return chain(components, true);
}

// The first component, a coupler, sends to each of the others and receives from it.
inline CoupledRun star(std::int64_t components) {
    std::vector<Planned> of_coupler;
    std::vector<Component> all(1);
    for (std::int32_t id = 2; id <= static_cast<std::int32_t>(components); ++id) {
        std::vector<Planned> events;
        for (std::int64_t n = 0; n < 8; ++n) {
            const Nanoseconds to = (n * components + id) * step, back = to + 500;
            of_coupler.push_back(event(Kind::put, 1, id, to, to + 5, to + 20));
            of_coupler.push_back(event(Kind::get, 2, id, back, back + 5, back + 20));
            events.push_back(event(Kind::get, 1, 1, to, to + 5, to + 20));
            events.push_back(event(Kind::put, 2, 1, back, back + 5, back + 20));
        }
        all.push_back(component(id, std::move(events)));
    }
    all.front() = component(1, std::move(of_coupler));
    return run_of(std::move(all));
}

// Two components of so many processes, in turn on nodes of four.
inline CoupledRun many_processes(std::int64_t processes) {
    CoupledRun run = steps_in_turn(80);
    for (std::size_t c = 0; c < 2; ++c) {
        run.components[c].ranks.clear();
        for (std::int64_t p = 0; p < processes; ++p) {
            run.components[c].ranks.push_back(static_cast<std::int32_t>(2 * p) + static_cast<std::int32_t>(c));
            run.components[c].clock_error_bounds_s.push_back(1e-9);
        }
    }
    for (std::int64_t n = 0; n < processes / 2; ++n) {
        NodeMeters node;
        node.name = "node" + std::to_string(n);
        node.energy.total_J = 1;
        node.memory_B = 1e9;
        run.meters.nodes.push_back(std::move(node));
    }
    run.meters.energy_wanted = run.meters.memory_wanted = true;
    run.clock.nodes = static_cast<std::int32_t>(processes / 2);
    return run;
}

struct Shape {
    const char *grows, *what;
    CoupledRun (*make)(std::int64_t n);
    std::int64_t least, most; // that the bench draws
};
inline constexpr std::array<Shape, 9> shapes = {{
    {"events", "in turn", steps_in_turn, 1000, 1'000'000},
    {"events", "unsynchronised", unsynchronised, 1000, 1'000'000},
    {"events", "unsynchronised, with operations", unsynchronised_operations, 1000, 1'000'000},
    {"events", "half of them without end", without_ends, 1000, 1'000'000},
    {"fields", "each four times", many_fields, 1000, 1'000'000},
    {"components", "each sends to the next", chain_of_components, 10, 10'000},
    {"components", "the same, one field name", chain_of_one_field, 10, 10'000},
    {"components", "around a coupler", star, 10, 10'000},
    {"processes", "on nodes of four", many_processes, 10, 10'000},
}};

} // namespace cpl_lb::growing
