// Cuts the events of a process into pieces of the innermost event, and adds up those of exchanges.
#include "analysis/process_waiting.hpp"

#include "analysis/nesting.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

// Uses the process's own [s, e]; `touches` uses [S, E] (analysis/load_balance.hpp).
bool own_touches(Interval own, Interval interval) {
    return own.start < interval.stop && (own.stop > interval.start || own.start >= interval.start);
}

Nanoseconds length_in(Interval piece, Interval within) {
    return Interval{std::max(piece.start, within.start), std::min(piece.stop, within.stop)}.length();
}

} // namespace

ExchangeTime exchange_time(const Row &row, std::span<const std::uint32_t> class_of_event,
                           std::span<const Kind> kind_of_class, Interval within) {
    ExchangeTimeOfWholeEvents whole(kind_of_class, within);
    if (whole.add(class_of_event.first(row.start.size()), row.start, row.stop)) return whole.found(); // nearly always
    ExchangeTime found;
    const auto exchanges = [&](std::size_t k) { return is_exchange(kind_of_class[class_of_event[k]]); };
    for (std::size_t k = 0; k < row.start.size() && !found.any; ++k)
        found.any = row.start[k] != absent && exchanges(k) && own_touches({row.start[k], row.stop[k]}, within);
    if (!found.any) return found;
    InnermostPieces().of(row, [&](EventIndex k, Nanoseconds start, Nanoseconds stop) {
        if (exchanges(k)) found.time += length_in({start, stop}, within);
    });
    return found;
}

double computing_in_loop_s(const ExchangeTime &own, Interval loop, Interval running, std::span<const Interval> away) {
    if (!own.any) return unknown;
    Nanoseconds time = length_in(running, loop) - own.time;
    for (const Interval &one : away)
        time -= length_in(one, loop);
    return to_seconds(std::max<Nanoseconds>(time, 0));
}

bool ExchangeTimeOfWholeEvents::add(std::span<const std::uint32_t> class_of_event, std::span<const Nanoseconds> start,
                                    std::span<const Nanoseconds> stop) {
    if (!whole_) return false;
    Nanoseconds until = until_, time = 0;
    for (std::size_t i = 0; i < start.size(); ++i) {
        if (start[i] == absent || start[i] < until) return whole_ = false;
        until = stop[i];
        const Interval own{start[i], until};
        if (!is_exchange(kind_of_class_[class_of_event[i]]) || !own_touches(own, within_)) continue;
        found_.any = true;
        time += length_in(own, within_);
    }
    until_ = until;
    found_.time += time;
    return whole_;
}

void ProcessWaitingSum::add(const ExchangeTime &of_one) {
    if (!of_one.any) return;
    sum += of_one.time;
    least = std::min(least, of_one.time);
    most = std::max(most, of_one.time);
    ++processes;
}

void ProcessWaitingSum::add(const ProcessWaitingSum &other) {
    sum += other.sum;
    least = std::min(least, other.least);
    most = std::max(most, other.most);
    processes += other.processes;
}

Spread ProcessWaitingSum::seconds() const {
    if (processes == 0) return {};
    return {.min = to_seconds(least), .max = to_seconds(most), .sum = to_seconds(sum), .count = processes};
}

ProcessWaiting::ProcessWaiting(const EventKeys &keys, const Window &window)
    : class_of_event_(keys.of_events()), has_loop_(window.known()) {
    for (const EventClass &c : keys.classes())
        kind_of_class_.push_back(c.kind);
    if (has_loop_) loop_ = window.interval();
}

ExchangeTime ProcessWaiting::add(const Row &row) {
    if (!has_loop_) return {};
    const ExchangeTime own = exchange_time(row, class_of_event_, kind_of_class_, loop_);
    sum_.add(own);
    return own;
}

} // namespace cpl_lb
