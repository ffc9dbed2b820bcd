// From the summed shares to the printed figures of a component (definitions, section 2).
#include "analysis/event_in_interval.hpp"
#include "analysis/intervals.hpp"
#include "analysis/load_balance.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace cpl_lb {
namespace {

// Mean in seconds over a number of processes; 0 where there is none.
double mean_s(WideNanoseconds sum, std::int64_t processes) {
    return processes > 0 ? to_seconds(sum) / static_cast<double>(processes) : 0.0;
}

// Over C; over all processes for what does not need an exchange, where nobody exchanges.
std::int64_t members(const IntervalShare &share, const Share &sum) {
    return share.exchanging > 0 ? share.exchanging : sum.processes;
}

Phase phase_of(Interval interval, const IntervalShare &share) {
    return {.length_s = to_seconds(interval.length()),
            .waiting_s = mean_s(share.waiting, share.exchanging),
            .output_s = mean_s(share.output, share.output_processes),
            .restart_s = mean_s(share.restart, share.restart_processes)};
}

void fill_operations(ComponentBalance &balance, const EventTable &events, Interval loop, const IntervalShare &share) {
    WideNanoseconds mapping = 0;
    WideNanoseconds output = 0;
    WideNanoseconds restart = 0;
    for (std::size_t k = 0; k < events.keys.size(); ++k) {
        const Kind kind = events.keys[k].kind;
        if (!is_operation(kind) || !lies_in(events.spans[k], loop)) continue;
        const Nanoseconds jitter = events.spans[k].jitter();
        if (is_mapping(kind)) mapping += jitter;
        if (is_output(kind)) output += jitter;
        if (is_restart(kind)) restart += jitter;
    }
    balance.mapping_s = mean_s(share.mapping, share.mapping_processes);
    balance.output_s = mean_s(share.output, share.output_processes);
    balance.restart_s = mean_s(share.restart, share.restart_processes);
    balance.mapping_spread_s = to_seconds(mapping);
    balance.output_spread_s = to_seconds(output);
    balance.restart_spread_s = to_seconds(restart);
}

void fill_waiting_for(ComponentBalance &balance, const EventTable &events, Interval loop, const Share &sum) {
    std::vector<bool> met(std::max(sum.waiting_for_get.size(), sum.waiting_for_put.size()));
    for (std::size_t k = 0; k < events.keys.size(); ++k) {
        const auto partner = static_cast<std::size_t>(std::max(events.keys[k].counterpart, 0));
        const EventSpan &span = events.spans[k];
        if (is_exchange(events.keys[k].kind) && partner < met.size() && touches(span, loop)) met[partner] = true;
    }
    const auto of = [&](const std::vector<WideNanoseconds> &by_counterpart, std::size_t id) {
        return id < by_counterpart.size() ? mean_s(by_counterpart[id], sum.loop.exchanging) : 0.0;
    };
    for (std::size_t id = 0; id < met.size(); ++id) {
        if (!met[id]) continue;
        balance.waiting_for.push_back(
            {static_cast<std::int32_t>(id), of(sum.waiting_for_get, id), of(sum.waiting_for_put, id)});
    }
}

// Jitter by step of the window, in integers.
std::vector<WideNanoseconds> step_jitters(const EventTable &events, const Window &window) {
    std::vector<WideNanoseconds> jitters(window.steps.size() - 1);
    for (std::size_t k = 0; k < events.keys.size(); ++k) {
        const EventSpan &span = events.spans[k];
        if (!is_exchange(events.keys[k].kind) || !lies_in(span, window.interval())) continue;
        // A step owns its start; the end of the window belongs to the last step.
        const auto after = std::upper_bound(window.steps.begin(), window.steps.end() - 1, span.last_start);
        jitters[static_cast<std::size_t>(after - window.steps.begin()) - 1] += span.jitter();
    }
    return jitters;
}

// Length of the union of [min_p s, S_k] over PUT and GET, inside the window.
Nanoseconds imbalance_of(const EventTable &events, Interval loop) {
    const auto for_each_jitter = [&](auto &&sink) {
        for (std::size_t k = 0; k < events.keys.size(); ++k) {
            const EventSpan &span = events.spans[k];
            if (!is_exchange(events.keys[k].kind) || span.empty()) continue;
            sink(Interval{std::max(span.first_start, loop.start), std::min(span.last_start, loop.stop)});
        }
    };
    // A table is in the order of the first starts; one made elsewhere may not be.
    bool ascending = true;
    Nanoseconds last = absent;
    UnionLength length;
    for_each_jitter([&](Interval jitter) {
        ascending = ascending && jitter.start >= last;
        last = jitter.start;
        length.add(jitter);
    });
    if (ascending) return length.length();
    Intervals jitters;
    for_each_jitter([&](Interval jitter) { jitters.push_back(jitter); });
    return length_of(union_of(std::move(jitters)));
}

void fill_steps(ComponentBalance &balance, const EventTable &events, const Window &window, const Share &sum) {
    const std::vector<WideNanoseconds> jitters = step_jitters(events, window);
    const std::int64_t processes = members(sum.loop, sum);
    WideNanoseconds total_jitter = 0;
    balance.has_dates = !window.dates.empty();
    for (std::size_t j = 0; j < jitters.size(); ++j) {
        const Nanoseconds length = window.steps[j + 1] - window.steps[j];
        const WideNanoseconds waiting = j < sum.step_waiting.size() ? sum.step_waiting[j] : 0;
        const WideNanoseconds away = j < sum.step_away.size() ? sum.step_away[j] : 0;
        balance.steps.push_back(
            {.start_s = to_seconds(window.steps[j]),
             .length_s = to_seconds(length),
             .waiting_s = mean_s(waiting, processes),
             .computing_s = mean_s(WideNanoseconds{length} * processes - waiting - away, processes),
             .jitter_s = to_seconds(jitters[j]),
             .date = balance.has_dates ? window.dates[j] : 0});
        total_jitter += jitters[j];
    }
    balance.jitter_s = to_seconds(total_jitter);
}

void fill_loop(ComponentBalance &balance, const EventTable &events, const Window &window, const Share &sum) {
    const Interval loop = window.interval();
    const std::int64_t processes = members(sum.loop, sum);
    const WideNanoseconds all = WideNanoseconds{loop.length()} * processes;
    balance.loop_s = to_seconds(loop.length());
    balance.waiting_s = mean_s(sum.loop.waiting, processes);
    balance.away_s = mean_s(sum.loop.away, processes);
    // Subtracted in whole nanoseconds: computing + waiting + away is the loop to the last digit.
    balance.computing_s = mean_s(all - sum.loop.waiting - sum.loop.away, processes);
    if (all > 0) {
        balance.coupling_cost = static_cast<double>(sum.loop.waiting) / static_cast<double>(all);
        balance.coupling_cost_with_operations =
            static_cast<double>(sum.loop.waiting_or_operations) / static_cast<double>(all);
    }
    balance.imbalance_s = to_seconds(imbalance_of(events, loop));
    fill_waiting_for(balance, events, loop, sum);
    fill_operations(balance, events, loop, sum.loop);
    fill_steps(balance, events, window, sum);
}

} // namespace

ComponentBalance balance_of(const EventTable &events, const Window &window, Interval run, const Share &sum) {
    ComponentBalance balance;
    balance.why_no_window = window.why_not;
    if (sum.processes == 0) return balance;
    balance.whole_waiting_s = mean_s(sum.whole.waiting, sum.whole.exchanging);
    balance.whole_waiting_and_operations_s = mean_s(sum.whole.waiting_or_operations, members(sum.whole, sum));
    balance.whole_away_s = mean_s(sum.whole.away, members(sum.whole, sum));
    if (!window.known()) return balance;
    const Interval loop = window.interval();
    balance.startup = phase_of({run.start, loop.start}, sum.startup);
    balance.shutdown = phase_of({loop.stop, run.stop}, sum.shutdown);
    fill_loop(balance, events, window, sum);
    return balance;
}

} // namespace cpl_lb
