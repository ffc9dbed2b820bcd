// Coupled runs as literals: what each process recorded, in seconds; the table is made as the gathering makes it.
#pragma once

#include "analysis/load_balance.hpp"
#include "analysis/process_waiting.hpp"
#include "data/coupled_run.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace cpl_lb::literals {

struct Recorded {
    Kind kind;
    std::int32_t field;
    std::int32_t counterpart;
    double start_s, stop_s;
    std::int64_t date = no_date;
};

// event(0), event(1), ..., event(times - 1)
template <class Event>
std::vector<Recorded> repeated(int times, Event event) {
    std::vector<Recorded> list;
    list.reserve(static_cast<std::size_t>(times));
    for (int n = 0; n < times; ++n)
        list.push_back(event(n));
    return list;
}

struct ComponentLiteral {
    EventTable table;
    std::vector<Row> rows;
};

// The n-th event of a (kind, field, counterpart) on one process is the same event as the n-th on the others.
inline ComponentLiteral component_of(const std::vector<std::vector<Recorded>> &processes) {
    using Named = std::tuple<Kind, std::int32_t, std::int32_t>;
    std::map<EventKey, std::vector<std::pair<std::size_t, Recorded>>> events;
    for (std::size_t p = 0; p < processes.size(); ++p) {
        std::map<Named, std::int64_t> occurrences;
        for (const Recorded &r : processes[p]) {
            const std::int64_t n = occurrences[{r.kind, r.field, r.counterpart}]++;
            events[{r.kind, r.field, r.counterpart, r.date, n}].emplace_back(p, r);
        }
    }
    const auto first_start = [](const auto &event) {
        double first = event.second.front().second.start_s;
        for (const auto &[p, r] : event.second)
            first = std::min(first, r.start_s);
        return first;
    };
    std::vector<std::pair<EventKey, std::vector<std::pair<std::size_t, Recorded>>>> sorted(events.begin(),
                                                                                           events.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&](const auto &a, const auto &b) { return first_start(a) < first_start(b); });
    ComponentLiteral component;
    const std::vector<Nanoseconds> nowhere(sorted.size(), absent);
    component.rows.assign(processes.size(), Row{nowhere, nowhere, {}});
    component.table.spans.whole().resize(sorted.size());
    for (std::size_t k = 0; k < sorted.size(); ++k) {
        component.table.keys.push_back(sorted[k].first);
        for (const auto &[p, r] : sorted[k].second) {
            component.rows[p].start[k] = from_seconds(r.start_s);
            component.rows[p].stop[k] = from_seconds(r.stop_s);
        }
    }
    for (const Row &row : component.rows)
        add_row(component.table.spans.whole(), row);
    return component;
}

// One process each, called A, B, ...; ids from 1 in this order.
inline CoupledRun run_of(const std::vector<std::vector<Recorded>> &components) {
    CoupledRun run;
    for (std::size_t c = 0; c < components.size(); ++c) {
        Component component;
        component.id = static_cast<std::int32_t>(c) + 1;
        component.name = std::string(1, static_cast<char>('A' + c));
        component.ranks = {static_cast<std::int32_t>(c)};
        component.table = component_of({components[c]}).table;
        run.component_names.push_back(component.name);
        run.components.push_back(component);
    }
    run.field_names = {"one", "two", "three"};
    return run;
}

inline Share share_sum(const ComponentLiteral &component, const Window &window, Interval run) {
    std::int32_t counterparts = 0;
    for (const EventKey &key : component.table.keys.all())
        counterparts = std::max(counterparts, key.counterpart);
    Share sum;
    for (const Row &row : component.rows)
        sum += share_of(component.table, row, window, run, counterparts);
    return sum;
}

inline ComponentBalance balance_of(const ComponentLiteral &component, double init_s, double terminate_s) {
    const Interval run{from_seconds(init_s), from_seconds(terminate_s)};
    const Window window = find_window(component.table);
    ComponentBalance balance = cpl_lb::balance_of(component.table, window, run, share_sum(component, window, run));
    ProcessWaiting own(component.table.keys, window);
    for (const Row &row : component.rows)
        own.add(row);
    balance.process_waiting_s = own.sum().seconds();
    return balance;
}

inline ComponentBalance balance_of(const std::vector<std::vector<Recorded>> &processes, double init_s,
                                   double terminate_s) {
    return balance_of(component_of(processes), init_s, terminate_s);
}

} // namespace cpl_lb::literals
