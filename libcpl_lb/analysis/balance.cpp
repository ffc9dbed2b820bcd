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
    const std::vector<EventKeys::Class> &classes = events.keys.classes();
    const bool any = std::any_of(classes.begin(), classes.end(), [](const auto &c) { return is_operation(c.kind); });
    for (std::size_t k = 0; any && k < events.keys.size(); ++k) {
        const Kind kind = events.keys.what(k).kind;
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
    // One event of each class is enough, and most classes have one near the beginning.
    const std::vector<EventKeys::Class> &classes = events.keys.classes();
    std::vector<bool> met(std::max(sum.waiting_for_get.size(), sum.waiting_for_put.size()));
    std::vector<bool> open(classes.size());
    std::transform(classes.begin(), classes.end(), open.begin(), [](const auto &c) { return is_exchange(c.kind); });
    auto left = std::count(open.begin(), open.end(), true);
    for (std::size_t k = 0; k < events.keys.size() && left > 0; ++k) {
        const std::uint32_t c = events.keys.class_of(k);
        if (!open[c] || !touches(events.spans[k], loop)) continue;
        open[c] = false;
        --left;
        const auto partner = static_cast<std::size_t>(std::max(classes[c].counterpart, 0));
        if (partner < met.size()) met[partner] = true;
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
std::vector<Nanoseconds> step_jitters(const EventTable &events, const Window &window) {
    std::vector<Nanoseconds> jitters(window.steps.size() - 1);
    std::size_t j = 0; // events come nearly in the order of the steps
    for (std::size_t k = 0; k < events.keys.size(); ++k) {
        const EventSpan &span = events.spans[k];
        if (!is_exchange(events.keys.what(k).kind) || !lies_in(span, window.interval())) continue;
        // A step owns its start; the end of the window belongs to the last step.
        if (j + 2 < window.steps.size() && window.steps[j + 1] <= span.last_start) ++j;
        const bool in_step = window.steps[j] <= span.last_start &&
                             (j + 2 == window.steps.size() || span.last_start < window.steps[j + 1]);
        if (!in_step) {
            const auto after = std::upper_bound(window.steps.begin(), window.steps.end() - 1, span.last_start);
            j = static_cast<std::size_t>(after - window.steps.begin()) - 1;
        }
        jitters[j] += span.jitter();
    }
    return jitters;
}

// Length of the union of [min_p s, S_k] over PUT and GET, inside the window.
Nanoseconds imbalance_of(const EventTable &events, Interval loop) {
    const auto for_each_jitter = [&](auto &&sink) {
        for (std::size_t k = 0; k < events.keys.size(); ++k) {
            const EventSpan &span = events.spans[k];
            if (!is_exchange(events.keys.what(k).kind) || span.empty()) continue;
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

// What is known of the single steps, in whole nanoseconds summed over the processes.
class Steps {
public:
    Steps(const EventTable &events, const Window &window, const Share &sum)
        : window_(window), sum_(sum), processes_(members(sum.loop, sum)), jitters_(step_jitters(events, window)) {}

    [[nodiscard]] std::size_t count() const { return jitters_.size(); }
    [[nodiscard]] Nanoseconds length(std::size_t j) const { return window_.steps[j + 1] - window_.steps[j]; }
    [[nodiscard]] WideNanoseconds waiting(std::size_t j) const { return of(sum_.step_waiting, j); }
    [[nodiscard]] WideNanoseconds computing(std::size_t j) const {
        return WideNanoseconds{length(j)} * processes_ - waiting(j) - of(sum_.step_away, j);
    }
    [[nodiscard]] Nanoseconds jitter(std::size_t j) const { return jitters_[j]; }
    [[nodiscard]] double mean(WideNanoseconds sum) const { return mean_s(sum, processes_); }

    [[nodiscard]] Step group(std::size_t first, std::size_t last) const {
        WideNanoseconds waiting_sum = 0, computing_sum = 0, jitter_sum = 0;
        WideNanoseconds longest_waiting = waiting(first), longest_computing = computing(first);
        Nanoseconds longest_jitter = 0;
        for (std::size_t j = first; j < last; ++j) {
            waiting_sum += waiting(j);
            computing_sum += computing(j);
            jitter_sum += jitter(j);
            longest_waiting = std::max(longest_waiting, waiting(j));
            longest_computing = std::max(longest_computing, computing(j));
            longest_jitter = std::max(longest_jitter, jitter(j));
        }
        return {.start_s = to_seconds(window_.steps[first]),
                .length_s = to_seconds(window_.steps[last] - window_.steps[first]),
                .waiting_s = mean(waiting_sum),
                .computing_s = mean(computing_sum),
                .jitter_s = to_seconds(jitter_sum),
                .date = window_.dates.empty() ? 0 : window_.dates[first],
                .steps = static_cast<std::int64_t>(last - first),
                .max_computing_s = mean(longest_computing),
                .max_waiting_s = mean(longest_waiting),
                .max_jitter_s = to_seconds(longest_jitter)};
    }

    // value(j): seconds of step j. One column at a time: that is all the memory it takes.
    template <class Value>
    [[nodiscard]] StepRange spread(Value value) const {
        std::vector<double> values(count());
        for (std::size_t j = 0; j < values.size(); ++j)
            values[j] = value(j);
        return range_of(values);
    }

private:
    [[nodiscard]] static WideNanoseconds of(const std::vector<WideNanoseconds> &sums, std::size_t j) {
        return j < sums.size() ? sums[j] : 0;
    }
    const Window &window_;
    const Share &sum_;
    std::int64_t processes_;
    std::vector<Nanoseconds> jitters_;
};

void fill_steps(ComponentBalance &balance, const EventTable &events, const Window &window, const Share &sum) {
    const Steps steps(events, window, sum);
    const std::size_t each = (steps.count() + most_listed_steps - 1) / most_listed_steps;
    balance.has_dates = !window.dates.empty();
    balance.step_count = static_cast<std::int64_t>(steps.count());
    balance.steps.reserve((steps.count() + each - 1) / each);
    for (std::size_t first = 0; first < steps.count(); first += each)
        balance.steps.push_back(steps.group(first, std::min(first + each, steps.count())));
    balance.step_spread = {.computing = steps.spread([&](std::size_t j) { return steps.mean(steps.computing(j)); }),
                           .waiting = steps.spread([&](std::size_t j) { return steps.mean(steps.waiting(j)); }),
                           .jitter = steps.spread([&](std::size_t j) { return to_seconds(steps.jitter(j)); })};
    WideNanoseconds jitter = 0;
    for (std::size_t j = 0; j < steps.count(); ++j)
        jitter += steps.jitter(j);
    balance.jitter_s = to_seconds(jitter);
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

StepRange range_of(std::span<double> values) {
    if (values.empty()) return {};
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    const double upper = *middle;
    const double median = values.size() % 2 == 1 ? upper : 0.5 * (*std::max_element(values.begin(), middle) + upper);
    const auto [least, largest] = std::minmax_element(values.begin(), values.end());
    return {*least, median, *largest};
}

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
