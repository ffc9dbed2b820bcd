// The share of one process once more, by a look at every nanosecond and by the definitions' own words.
#pragma once

#include "tests/analysis/random_runs.hpp"

namespace cpl_lb::property {

inline bool covers(Nanoseconds start, Nanoseconds stop, Nanoseconds t) {
    return start <= t && t + 1 <= stop;
}

// One process, nanosecond by nanosecond.
class ByInstant {
public:
    ByInstant(const RandomRun &run, const Row &row) : run_(run), table_(run.component.table), row_(row) {
        events_ = static_cast<int>(table_.keys.size());
    }

    [[nodiscard]] Share share() const {
        Share share;
        share.processes = 1;
        const Interval all = run_.run;
        add_interval(share.whole, all);
        if (!run_.window.known()) return share;
        const Interval loop = run_.window.interval();
        add_interval(share.startup, {all.start, loop.start});
        add_interval(share.loop, loop);
        add_interval(share.shutdown, {loop.stop, all.stop});
        share.waiting_for_get.resize(highest_counterpart + 1);
        share.waiting_for_put.resize(highest_counterpart + 1);
        share.waiting_for_sync.resize(highest_counterpart + 1);
        for (Nanoseconds t = loop.start; t < loop.stop; ++t) {
            const int k = waits_for(t);
            if (k < 0) continue;
            const EventKey &key = table_.keys[at(k)];
            auto &by = key.kind == Kind::get   ? share.waiting_for_get
                       : key.kind == Kind::put ? share.waiting_for_put
                                               : share.waiting_for_sync;
            by[static_cast<std::size_t>(key.counterpart)] += 1;
        }
        for (std::size_t j = 0; j + 1 < run_.window.steps.size(); ++j) {
            IntervalShare step;
            add_times(step, {run_.window.steps[j], run_.window.steps[j + 1]}, counts(loop));
            share.step_waiting.push_back(step.waiting);
            if (!row_.away.empty()) share.step_away.push_back(step.away); // else the list is empty
        }
        return share;
    }

private:
    static std::size_t at(int k) { return static_cast<std::size_t>(k); }
    [[nodiscard]] bool here(int k) const { return row_.start[at(k)] != absent; }
    [[nodiscard]] bool inside(int j, int k) const {
        const Nanoseconds sj = row_.start[at(j)];
        const Nanoseconds ej = row_.stop[at(j)];
        const Nanoseconds sk = row_.start[at(k)];
        const Nanoseconds ek = row_.stop[at(k)];
        if (j == k || !here(j) || !here(k) || sj < sk || ej > ek) return false;
        return sj != sk || ej != ek || k < j;
    }
    [[nodiscard]] bool inside_exchange(int m) const {
        for (int k = 0; k < events_; ++k) {
            if (is_exchange(table_.keys[at(k)].kind) && inside(m, k)) return true;
        }
        return false;
    }
    // The smaller S; of equals the later E.
    [[nodiscard]] static bool is_before(const EventSpan &a, const EventSpan &b) {
        return a.last_start != b.last_start ? a.last_start < b.last_start : a.last_stop > b.last_stop;
    }
    // The exchange that p waits for at t; -1: none.
    [[nodiscard]] int waits_for(Nanoseconds t) const {
        int best = -1;
        for (int k = 0; k < events_; ++k) {
            const EventSpan span = table_.spans[at(k)];
            const Kind kind = table_.keys[at(k)].kind;
            if (!here(k) || !covers(span.last_start, span.last_stop, t)) continue;
            if (!is_exchange(kind)) {
                if (kind != Kind::term && inside_exchange(k)) return -1;
            } else if (best < 0 || is_before(span, table_.spans[at(best)])) {
                best = k;
            }
        }
        return best;
    }
    [[nodiscard]] bool operates(Nanoseconds t) const {
        for (int k = 0; k < events_; ++k) {
            if (here(k) && is_operation(table_.keys[at(k)].kind) && covers(row_.start[at(k)], row_.stop[at(k)], t))
                return true;
        }
        return false;
    }
    [[nodiscard]] bool is_away(Nanoseconds t) const {
        return std::any_of(row_.away.begin(), row_.away.end(),
                           [t](Interval a) { return covers(a.start, a.stop, t); });
    }
    // The innermost event around j: the last in the order of start, -stop, place.
    [[nodiscard]] int parent(int j) const {
        int best = -1;
        for (int k = 0; k < events_; ++k) {
            if (!inside(j, k)) continue;
            const bool later = best < 0 || row_.start[at(k)] > row_.start[at(best)] ||
                               (row_.start[at(k)] == row_.start[at(best)] && row_.stop[at(k)] <= row_.stop[at(best)]);
            if (later) best = k;
        }
        return best;
    }
    [[nodiscard]] Nanoseconds own(int k) const {
        Nanoseconds sum = 0;
        for (Nanoseconds t = row_.start[at(k)]; t < row_.stop[at(k)]; ++t) {
            bool free = true;
            for (int j = 0; j < events_; ++j) {
                // What is neither exchange nor any other kind of work is still an event.
                if (here(j) && covers(row_.start[at(j)], row_.stop[at(j)], t) && parent(j) == k) free = false;
            }
            sum += free ? 1 : 0;
        }
        return sum;
    }
    [[nodiscard]] static bool touches(const EventSpan &span, Interval i) {
        if (span.last_start == span.last_stop) return span.last_start >= i.start && span.last_start < i.stop;
        return span.last_start < i.stop && span.last_stop > i.start;
    }
    [[nodiscard]] bool exchanges(Interval interval) const {
        for (int k = 0; k < events_; ++k) {
            if (here(k) && is_exchange(table_.keys[at(k)].kind) && touches(table_.spans[at(k)], interval))
                return true;
        }
        return false;
    }
    [[nodiscard]] bool anybody_exchanges(Interval interval) const {
        for (int k = 0; k < events_; ++k) {
            if (is_exchange(table_.keys[at(k)].kind) && touches(table_.spans[at(k)], interval)) return true;
        }
        return false;
    }
    [[nodiscard]] bool counts(Interval interval) const { return exchanges(interval) || !anybody_exchanges(interval); }

    void add_times(IntervalShare &share, Interval interval, bool counted) const {
        for (Nanoseconds t = interval.start; t < interval.stop; ++t) {
            const bool waits = waits_for(t) >= 0;
            share.waiting += waits ? 1 : 0;
            if (!counted) continue;
            share.waiting_or_operations += waits || operates(t) ? 1 : 0;
            share.away += !waits && is_away(t) ? 1 : 0;
        }
    }
    void add_interval(IntervalShare &share, Interval interval) const {
        share.exchanging = exchanges(interval) ? 1 : 0;
        add_times(share, interval, counts(interval));
        for (int k = 0; k < events_; ++k) {
            const EventSpan span = table_.spans[at(k)];
            const Kind kind = table_.keys[at(k)].kind;
            if (!here(k) || span.last_start < interval.start || span.last_stop > interval.stop) continue;
            if (!is_operation(kind)) continue;
            const Nanoseconds a = own(k);
            share.mapping += kind == Kind::map ? a : 0;
            share.output += kind != Kind::map ? a : 0;
            share.restart += kind == Kind::rst || kind == Kind::trn ? a : 0;
            if (kind == Kind::map) share.mapping_processes = 1;
            if (kind != Kind::map) share.output_processes = 1;
            if (kind == Kind::rst || kind == Kind::trn) share.restart_processes = 1;
        }
    }

    const RandomRun &run_;
    const EventTable &table_;
    const Row &row_;
    int events_ = 0;
};

} // namespace cpl_lb::property
