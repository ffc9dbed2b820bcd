// Turns the summed shares of a component into its printed figures (docs/definitions.md, section 2).
#include "analysis/load_balance.hpp"

#include "analysis/intervals.hpp"
#include "support/large_pages.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace cpl_lb {
namespace {

// Mean in seconds over a number of processes; 0 if there is none.
double mean_s(WideNanoseconds sum, std::int64_t processes) {
    return processes > 0 ? to_seconds(sum) / static_cast<double>(processes) : 0.0;
}

// The processes of a mean: those of C, or all of them if nobody exchanges.
std::int64_t members(const IntervalShare &share, const Share &sum) {
    return share.exchanging > 0 ? share.exchanging : sum.processes;
}

// Time of PART and ENDF. Few components have these events, and only at their beginning.
double setup_s(const EventTable &events, Interval interval) {
    const std::vector<EventClass> &classes = events.keys.classes();
    const auto is_setup = [](const EventClass &c) { return c.kind == Kind::part || c.kind == Kind::endf; };
    if (std::ranges::none_of(classes, is_setup)) return 0;
    Intervals all;
    for (std::size_t k = 0; k < events.keys.size(); ++k) {
        const EventSpan span = events.spans[k];
        if (!is_setup(events.keys.what(k)) || span.empty()) continue;
        all.push_back({std::max(span.first_start, interval.start), std::min(span.last_stop, interval.stop)});
    }
    return to_seconds(length_of(union_of(std::move(all))));
}

Phase phase_of(const EventTable &events, Interval interval, const IntervalShare &share) {
    return {.length_s = to_seconds(interval.length()),
            .waiting_s = mean_s(share.waiting, share.exchanging),
            .output_s = mean_s(share.output, share.output_processes),
            .restart_s = mean_s(share.restart, share.restart_processes),
            .setup_s = setup_s(events, interval)};
}

void fill_operations(ComponentBalance &balance, const EventTable &events, Interval loop, const IntervalShare &share) {
    WideNanoseconds mapping = 0;
    WideNanoseconds output = 0;
    WideNanoseconds restart = 0;
    const std::vector<EventClass> &classes = events.keys.classes();
    const bool any = std::ranges::any_of(classes, [](const auto &c) { return is_operation(c.kind); });
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
    const std::vector<EventClass> &classes = events.keys.classes();
    std::vector<bool> met(
        std::max({sum.waiting_for_get.size(), sum.waiting_for_put.size(), sum.waiting_for_sync.size()}));
    std::vector<bool> open(classes.size());
    std::transform(classes.begin(), classes.end(), open.begin(), [](const auto &c) { return is_exchange(c.kind); });
    auto left = std::ranges::count(open, true);
    for (std::size_t k = 0; k < events.keys.size() && left > 0; ++k) {
        const std::uint32_t c = events.keys.class_of(k);
        if (!open[c] || !touches(events.spans[k], loop)) continue;
        if (classes[c].counterpart <= 0 && events.spans[k].waiting() == 0) continue; // it waits for nobody unknown
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
        const double sync_s = of(sum.waiting_for_sync, id);
        balance.waiting_for.push_back({static_cast<std::int32_t>(id), of(sum.waiting_for_get, id) + sync_s,
                                       of(sum.waiting_for_put, id), sync_s});
    }
}

// The sums of the exchanges' jitter, in integers.
struct Jitters {
    std::vector<Nanoseconds> by_step; // of the window
    Nanoseconds imbalance = 0;        // length of the union of [min_p s, S_k], inside the window
};

std::vector<std::uint8_t> exchanging_classes(const EventKeys &keys) {
    std::vector<std::uint8_t> exchanging;
    for (const EventClass &c : keys.classes())
        exchanging.push_back(is_exchange(c.kind) ? 1 : 0);
    return exchanging;
}

template <class Sink>
void for_each_exchange(const EventTable &events, Sink &&sink) {
    const std::vector<std::uint8_t> exchanging = exchanging_classes(events.keys);
    for (std::size_t k = 0; k < events.keys.size(); ++k) {
        const EventSpan span = events.spans[k];
        if (exchanging[events.keys.class_of(k)] != 0 && !span.empty()) sink(span);
    }
}

// Finds the step of the window in which an event lies. Most events lie in the step of the previous event or in the
// next one.
struct StepFinder {
    const std::vector<Nanoseconds> &steps;
    std::size_t step = 0;

    // A step owns its start; the end of the window belongs to the last step.
    std::size_t operator()(Nanoseconds time) {
        if (step + 2 < steps.size() && steps[step + 1] <= time) ++step;
        if (steps[step] <= time && (step + 2 == steps.size() || time < steps[step + 1])) return step;
        const auto after = std::upper_bound(steps.begin(), steps.end() - 1, time);
        step = static_cast<std::size_t>(after - steps.begin()) - 1;
        return step;
    }
};

Jitters jitters_of(const EventTable &events, const Window &window) {
    const Interval loop = window.interval();
    const auto inside = [loop](const EventSpan &span) {
        return Interval{std::max(span.first_start, loop.start), std::min(span.last_start, loop.stop)};
    };
    Jitters jitters;
    jitters.by_step.reserve(window.steps.size() - 1);
    prefer_large_pages(jitters.by_step);
    jitters.by_step.resize(window.steps.size() - 1);
    StepFinder step_at{window.steps};
    UnionLength length;
    bool ascending = true; // a table is in the order of the first starts; one made elsewhere may not be
    Nanoseconds last = absent;
    for_each_exchange(events, [&](const EventSpan &span) {
        const Interval jitter = inside(span);
        ascending = ascending && jitter.start >= last;
        last = jitter.start;
        length.add(jitter);
        if (lies_in(span, loop)) jitters.by_step[step_at(span.last_start)] += span.jitter();
    });
    jitters.imbalance = length.length();
    if (ascending) return jitters;
    Intervals all;
    for_each_exchange(events, [&](const EventSpan &span) { all.push_back(inside(span)); });
    jitters.imbalance = length_of(union_of(std::move(all)));
    return jitters;
}

// Finds least, middle and largest, and changes the order. Works on whole numbers, because `to_s` keeps their order.
template <class Integer, class ToSeconds>
StepRange range_of(std::vector<Integer> &values, ToSeconds to_s) {
    if (values.empty()) return {};
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    const double upper = to_s(*middle);
    const double median =
        values.size() % 2 == 1 ? upper : 0.5 * (to_s(*std::max_element(values.begin(), middle)) + upper);
    const Integer least = *std::min_element(values.begin(), middle + 1);
    const Integer largest = *std::max_element(middle, values.end());
    return {to_s(least), median, to_s(largest)};
}

// The figures of the single steps, in whole nanoseconds summed over the processes. Integer: Nanoseconds if every step
// fits, as nearly always (they are much faster); else WideNanoseconds.
template <class Integer>
class Steps {
public:
    Steps(const Window &window, const Share &sum, std::vector<Nanoseconds> &jitters)
        : window_(window), processes_(members(sum.loop, sum)), jitters_(jitters) {
        const auto of = [](const std::vector<WideNanoseconds> &sums, std::size_t j) {
            return j < sums.size() ? sums[j] : WideNanoseconds{0};
        };
        for (std::vector<Integer> *column : {&waiting_, &computing_}) {
            column->reserve(count());
            prefer_large_pages(*column);
        }
        for (std::size_t j = 0; j < count(); ++j) {
            const WideNanoseconds length = window_.steps[j + 1] - window_.steps[j];
            const WideNanoseconds waiting = of(sum.step_waiting, j);
            const WideNanoseconds computing = length * processes_ - waiting - of(sum.step_away, j);
            waiting_.push_back(static_cast<Integer>(waiting));
            computing_.push_back(static_cast<Integer>(computing));
            fits_ = fits_ && waiting_.back() == waiting && computing_.back() == computing;
        }
    }

    [[nodiscard]] bool fits() const { return fits_; }
    [[nodiscard]] std::size_t count() const { return jitters_.size(); }
    [[nodiscard]] Step group(std::size_t first, std::size_t last) const {
        WideNanoseconds waiting_sum = 0, computing_sum = 0, jitter_sum = 0;
        for (std::size_t j = first; j < last; ++j) {
            waiting_sum += waiting_[j];
            computing_sum += computing_[j];
            jitter_sum += jitters_[j];
        }
        return {.start_s = to_seconds(window_.steps[first]),
                .length_s = to_seconds(window_.steps[last] - window_.steps[first]),
                .waiting_s = mean(waiting_sum),
                .computing_s = mean(computing_sum),
                .jitter_s = to_seconds(jitter_sum),
                .date = window_.dates.empty() ? 0 : window_.dates[first],
                .steps = static_cast<std::int64_t>(last - first)};
    }
    [[nodiscard]] StepExtremes extremes(std::size_t first, std::size_t last) const {
        const auto of = [&](const auto &values) {
            const auto begin = values.begin();
            return std::minmax_element(begin + static_cast<std::ptrdiff_t>(first),
                                       begin + static_cast<std::ptrdiff_t>(last));
        };
        const auto computing = of(computing_), waiting = of(waiting_);
        const auto jitter = of(jitters_);
        return {.max_computing_s = mean(*computing.second),
                .max_waiting_s = mean(*waiting.second),
                .max_jitter_s = to_seconds(*jitter.second),
                .min_computing_s = mean(*computing.first),
                .min_waiting_s = mean(*waiting.first),
                .min_jitter_s = to_seconds(*jitter.first)};
    }
    // Must be called last: it changes the order of the steps.
    [[nodiscard]] StepRanges spread() {
        const auto mean_of = [this](Integer sum) { return mean(sum); };
        return {.computing = range_of(computing_, mean_of),
                .waiting = range_of(waiting_, mean_of),
                .jitter = range_of(jitters_, [](Nanoseconds t) { return to_seconds(t); })};
    }

private:
    [[nodiscard]] double mean(WideNanoseconds sum) const { return mean_s(sum, processes_); }

    const Window &window_;
    std::int64_t processes_;
    std::vector<Nanoseconds> &jitters_;
    std::vector<Integer> waiting_, computing_;
    bool fits_ = true;
};

// By step of the window: the time in which some process is in a wanted operation, from the first begin to the last
// end, in one sweep in the order of the begins. Overlaps count once. An operation belongs to the step in which it
// begins. Empty: there are no such operations.
std::vector<Nanoseconds> by_step(const EventTable &events, const Window &window, bool (*wanted)(Kind)) {
    const std::vector<EventClass> &classes = events.keys.classes();
    if (std::ranges::none_of(classes, [&](const EventClass &c) { return wanted(c.kind); })) return {};
    Intervals all;
    for (std::size_t k = 0; k < events.keys.size(); ++k)
        if (wanted(events.keys.what(k).kind) && !events.spans[k].empty())
            all.push_back({events.spans[k].first_start, events.spans[k].last_stop});
    std::vector<Nanoseconds> steps(window.steps.size() - 1);
    for (const Interval &one : union_of(std::move(all))) {
        const auto after = std::ranges::upper_bound(window.steps, one.start);
        if (after == window.steps.begin() || after == window.steps.end()) continue;
        steps[static_cast<std::size_t>(after - window.steps.begin()) - 1] += one.length();
    }
    return steps;
}

// The work of each listed step, of `each` single steps.
std::vector<StepWork> work_of_steps(const EventTable &events, const Window &window, std::size_t each,
                                    std::size_t listed) {
    std::vector<StepWork> work;
    const std::pair<bool (*)(Kind), double StepWork::*> all[] = {
        {is_mapping, &StepWork::mapping_s}, {is_output, &StepWork::output_s}, {is_restart, &StepWork::restart_s}};
    for (const auto &[wanted, figure] : all) {
        const std::vector<Nanoseconds> steps = by_step(events, window, wanted);
        if (!steps.empty()) work.resize(listed);
        for (std::size_t j = 0; j < steps.size(); ++j)
            work[j / each].*figure += to_seconds(steps[j]);
    }
    return work;
}

template <class Integer>
bool fill_steps(ComponentBalance &balance, const EventTable &events, const Window &window, const Share &sum,
                std::vector<Nanoseconds> &jitters) {
    Steps<Integer> steps(window, sum, jitters);
    if (!steps.fits()) return false;
    const std::size_t each = steps_in_a_group(steps.count());
    balance.has_dates = !window.dates.empty();
    balance.step_count = static_cast<std::int64_t>(steps.count());
    balance.steps.reserve((steps.count() + each - 1) / each);
    if (each > 1) balance.step_extremes.reserve(balance.steps.capacity());
    WideNanoseconds jitter = 0;
    for (const Nanoseconds one : jitters)
        jitter += one;
    balance.jitter_s = to_seconds(jitter);
    for (std::size_t first = 0; first < steps.count(); first += each) {
        const std::size_t last = std::min(first + each, steps.count());
        balance.steps.push_back(steps.group(first, last));
        if (each > 1) balance.step_extremes.push_back(steps.extremes(first, last));
    }
    balance.step_spread = steps.spread();
    balance.step_work = work_of_steps(events, window, each, balance.steps.size());
    return true;
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
    fill_waiting_for(balance, events, loop, sum);
    fill_operations(balance, events, loop, sum.loop);
    Jitters jitters = jitters_of(events, window);
    balance.imbalance_s = to_seconds(jitters.imbalance);
    if (!fill_steps<Nanoseconds>(balance, events, window, sum, jitters.by_step))
        fill_steps<WideNanoseconds>(balance, events, window, sum, jitters.by_step);
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
    balance.startup = phase_of(events, {run.start, loop.start}, sum.startup);
    balance.shutdown = phase_of(events, {loop.stop, run.stop}, sum.shutdown);
    fill_loop(balance, events, window, sum);
    return balance;
}

} // namespace cpl_lb
