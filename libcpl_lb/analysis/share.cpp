// Adds and scales shares: sums over processes of what each contributes to the load balance.
#include "analysis/load_balance.hpp"
#include "analysis/share_calculator.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

void add_each(std::vector<WideNanoseconds> &sum, const std::vector<WideNanoseconds> &addend) {
    if (sum.size() < addend.size()) sum.resize(addend.size());
    for (std::size_t i = 0; i < addend.size(); ++i)
        sum[i] += addend[i];
}

} // namespace

void add_row(std::span<EventSpan> spans, const Row &row) {
    const std::size_t events = std::min(spans.size(), row.start.size());
    for (std::size_t k = 0; k < events; ++k) {
        if (row.start[k] != absent) spans[k].add(row.start[k], row.stop[k]);
    }
}

IntervalShare &IntervalShare::operator+=(const IntervalShare &other) {
    exchanging += other.exchanging;
    waiting += other.waiting;
    waiting_or_operations += other.waiting_or_operations;
    away += other.away;
    mapping += other.mapping;
    output += other.output;
    restart += other.restart;
    mapping_processes += other.mapping_processes;
    output_processes += other.output_processes;
    restart_processes += other.restart_processes;
    return *this;
}

Share &Share::operator+=(const Share &other) {
    processes += other.processes;
    loop += other.loop;
    startup += other.startup;
    shutdown += other.shutdown;
    whole += other.whole;
    add_each(waiting_for_get, other.waiting_for_get);
    add_each(waiting_for_put, other.waiting_for_put);
    add_each(waiting_for_sync, other.waiting_for_sync);
    add_each(step_waiting, other.step_waiting);
    add_each(step_away, other.step_away);
    return *this;
}

Share share_of(const EventTable &events, const Row &row, const Window &window, Interval run,
               std::int32_t counterparts) {
    Share share;
    ShareCalculator(events, window, run, counterparts).add(row, share);
    return share;
}

// In place: with a million steps a copy is tens of megabytes.
Share repeated(Share one, std::int64_t processes) {
    one.processes *= processes;
    for (IntervalShare *s : {&one.loop, &one.startup, &one.shutdown, &one.whole}) {
        for (std::int64_t *count :
             {&s->exchanging, &s->mapping_processes, &s->output_processes, &s->restart_processes})
            *count *= processes;
        for (WideNanoseconds *time :
             {&s->waiting, &s->waiting_or_operations, &s->away, &s->mapping, &s->output, &s->restart})
            *time *= processes;
    }
    for (auto *times :
         {&one.waiting_for_get, &one.waiting_for_put, &one.waiting_for_sync, &one.step_waiting, &one.step_away}) {
        for (WideNanoseconds &time : *times)
            time *= processes;
    }
    return one;
}

} // namespace cpl_lb
