// Properties of the load balance on random runs with few distinct times (so that ties, touching and interleaving
// happen all the time), and a second implementation that looks at every nanosecond by the definitions' own words.
#include "analysis/share_calculator.hpp"
#include "unit/analysis_literals.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <random>

using namespace cpl_lb;
using namespace cpl_lb::literals;

namespace {

constexpr int run_length_ns = 240;
constexpr std::int32_t highest_counterpart = 3;

struct RandomRun {
    ComponentLiteral component;
    Window window;
    Interval run{0, run_length_ns};

    [[nodiscard]] Share sum() const {
        Share total;
        for (const Row &row : component.rows) {
            total += share_of(component.table, row, window, run, highest_counterpart);
        }
        return total;
    }
    [[nodiscard]] ComponentBalance balance() const { return cpl_lb::balance_of(component.table, window, run, sum()); }
};

class RandomRuns {
public:
    explicit RandomRuns(unsigned seed) : random_(seed) {}

    RandomRun next() {
        std::vector<std::vector<Recorded>> processes(static_cast<std::size_t>(below(5)) + 1);
        // Some runs in one common order with regular steps, some without any order.
        const bool regular = below(2) == 0;
        for (auto &process : processes)
            process = regular ? regular_process() : wild_process();
        RandomRun run;
        run.component = component_of(processes);
        for (Row &row : run.component.rows)
            row.away = away();
        run.window = find_window(run.component.table);
        return run;
    }
    int below(int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random_); }

private:
    static constexpr double ns = 1e-9;

    std::vector<Recorded> wild_process() {
        constexpr std::array kinds = {Kind::put, Kind::get, Kind::get,  Kind::put,  Kind::map, Kind::out,
                                      Kind::rst, Kind::trn, Kind::undf, Kind::part, Kind::term};
        std::vector<Recorded> list;
        for (int n = below(30); n > 0; --n) {
            const int start = below(200);
            list.push_back({kinds[static_cast<std::size_t>(below(static_cast<int>(kinds.size())))], below(2),
                            below(4), start * ns, (start + below(40)) * ns});
        }
        std::sort(list.begin(), list.end(), [](const auto &a, const auto &b) { return a.start_s < b.start_s; });
        return list;
    }
    // Each step: a GET, a PUT with a MAP inside, sometimes an OUT; every process a bit later or not.
    std::vector<Recorded> regular_process() {
        std::vector<Recorded> list;
        for (int step = 0; step < 200 - 30; step += 25) {
            const int t = step + below(4);
            list.push_back({Kind::get, 1, 2, t * ns, (t + below(9)) * ns});
            if (below(8) > 0) list.push_back({Kind::put, 1, 3, (t + 9) * ns, (t + 16) * ns});
            list.push_back({Kind::map, 1, 0, (t + 10 + below(3)) * ns, (t + 13 + below(3)) * ns});
            if (below(3) == 0) list.push_back({Kind::out, 1, 0, (t + 17) * ns, (t + 19) * ns});
        }
        return list;
    }
    std::vector<Interval> away() {
        std::vector<Interval> list;
        for (int t = below(60); below(4) > 0 && t < 180; t += 20 + below(40))
            list.push_back({t, t + 1 + below(20)});
        return list;
    }
    std::mt19937 random_;
};

bool operation(Kind kind) {
    return is_operation(kind);
}
bool covers(Nanoseconds start, Nanoseconds stop, Nanoseconds t) {
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
        for (Nanoseconds t = loop.start; t < loop.stop; ++t) {
            const int k = waits_for(t);
            if (k < 0) continue;
            const EventKey &key = table_.keys[at(k)];
            auto &by = key.kind == Kind::get ? share.waiting_for_get : share.waiting_for_put;
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
    // The exchange that p waits for at t; -1: none.
    [[nodiscard]] int waits_for(Nanoseconds t) const {
        int best = -1;
        for (int k = 0; k < events_; ++k) {
            const EventSpan &span = table_.spans[at(k)];
            const Kind kind = table_.keys[at(k)].kind;
            if (!here(k) || !covers(span.last_start, span.last_stop, t)) continue;
            if (!is_exchange(kind)) {
                if (kind != Kind::term && inside_exchange(k)) return -1;
            } else if (best < 0 || span.last_start < table_.spans[at(best)].last_start) {
                best = k;
            }
        }
        return best;
    }
    [[nodiscard]] bool operates(Nanoseconds t) const {
        for (int k = 0; k < events_; ++k) {
            if (here(k) && operation(table_.keys[at(k)].kind) && covers(row_.start[at(k)], row_.stop[at(k)], t))
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
            const EventSpan &span = table_.spans[at(k)];
            const Kind kind = table_.keys[at(k)].kind;
            if (!here(k) || span.last_start < interval.start || span.last_stop > interval.stop) continue;
            if (!operation(kind)) continue;
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

bool same_bits(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

std::vector<double> figures(const ComponentBalance &b) {
    std::vector<double> all = {b.loop_s,
                               b.computing_s,
                               b.waiting_s,
                               b.away_s,
                               b.jitter_s,
                               b.imbalance_s,
                               b.mapping_s,
                               b.mapping_spread_s,
                               b.output_s,
                               b.output_spread_s,
                               b.restart_s,
                               b.restart_spread_s,
                               b.startup.length_s,
                               b.startup.waiting_s,
                               b.startup.output_s,
                               b.startup.restart_s,
                               b.shutdown.length_s,
                               b.shutdown.waiting_s,
                               b.shutdown.output_s,
                               b.shutdown.restart_s,
                               b.whole_waiting_s,
                               b.whole_waiting_and_operations_s,
                               b.whole_away_s};
    for (const WaitingFor &w : b.waiting_for)
        all.insert(all.end(), {w.get_s, w.put_s});
    for (const Step &s : b.steps) {
        all.insert(all.end(), {s.start_s, s.length_s, s.waiting_s, s.computing_s, s.jitter_s});
    }
    return all;
}

} // namespace

TEST_CASE("every share agrees with a look at every nanosecond") {
    RandomRuns runs(20210);
    int windows = 0;
    for (int i = 0; i < 400; ++i) {
        const RandomRun run = runs.next();
        windows += run.window.known() ? 1 : 0;
        for (const Row &row : run.component.rows) {
            const Share share = share_of(run.component.table, row, run.window, run.run, highest_counterpart);
            const Share by_instant = ByInstant(run, row).share();
            INFO("run " << i);
            REQUIRE(share.whole == by_instant.whole);
            REQUIRE(share.loop == by_instant.loop);
            REQUIRE((share.startup == by_instant.startup && share.shutdown == by_instant.shutdown));
            REQUIRE(share == by_instant);
        }
    }
    CHECK(windows > 100);
}

TEST_CASE("computing, waiting and time away make up the loop; the parts of the waiting make up the waiting") {
    RandomRuns runs(4711);
    for (int i = 0; i < 2000; ++i) {
        const RandomRun run = runs.next();
        if (!run.window.known()) continue;
        const Share sum = run.sum();
        const Nanoseconds loop = run.window.interval().length();
        WideNanoseconds parts = 0;
        for (const WideNanoseconds part : sum.waiting_for_get)
            parts += part;
        for (const WideNanoseconds part : sum.waiting_for_put)
            parts += part;
        WideNanoseconds steps = 0;
        for (const WideNanoseconds step : sum.step_waiting)
            steps += step;
        REQUIRE((parts == sum.loop.waiting && steps == sum.loop.waiting));
        const std::int64_t members = sum.loop.exchanging > 0 ? sum.loop.exchanging : sum.processes;
        REQUIRE(sum.loop.waiting + sum.loop.away <= WideNanoseconds{loop} * members);
        REQUIRE(sum.loop.waiting_or_operations >= sum.loop.waiting);
        const ComponentBalance b = run.balance();
        REQUIRE(b.computing_s + b.waiting_s + b.away_s == Approx(b.loop_s).epsilon(1e-14));
        REQUIRE(b.computing_s >= 0.0);
        REQUIRE((b.coupling_cost >= 0.0 && b.coupling_cost <= 1.0));
        REQUIRE((b.imbalance_s >= 0.0 && b.imbalance_s <= b.loop_s));
        for (const Step &step : b.steps)
            REQUIRE((step.computing_s >= 0.0 && step.waiting_s >= 0.0));
    }
}

TEST_CASE("the order of the processes changes no bit") {
    RandomRuns runs(99);
    std::mt19937 random(1); // NOLINT: a fixed seed is wanted
    for (int i = 0; i < 500; ++i) {
        RandomRun run = runs.next();
        const std::vector<double> before = figures(run.balance());
        std::shuffle(run.component.rows.begin(), run.component.rows.end(), random);
        const std::vector<double> after = figures(run.balance());
        REQUIRE(std::equal(before.begin(), before.end(), after.begin(), after.end(), same_bits));
    }
}

TEST_CASE("one calculator for all rows and the sum of shares are the same") {
    RandomRuns runs(5);
    for (int i = 0; i < 300; ++i) {
        const RandomRun run = runs.next();
        ShareCalculator calculator(run.component.table, run.window, run.run, highest_counterpart);
        Share calculated;
        for (const Row &row : run.component.rows)
            calculator.add(row, calculated);
        Share one_by_one;
        for (std::size_t p = run.component.rows.size(); p-- > 0;) {
            const Row &row = run.component.rows[p];
            one_by_one += share_of(run.component.table, row, run.window, run.run, highest_counterpart);
        }
        REQUIRE(one_by_one == calculated);
    }
}

TEST_CASE("processes of the same pattern may come in any order, with their number known or not") {
    RandomRuns runs(77);
    std::mt19937 random(3); // NOLINT: a fixed seed is wanted
    for (int i = 0; i < 300; ++i) {
        const RandomRun run = runs.next();
        std::vector<Row> rows;
        for (int times = 0; times < 3; ++times)
            rows.insert(rows.end(), run.component.rows.begin(), run.component.rows.end());
        std::shuffle(rows.begin(), rows.end(), random);
        const std::int64_t processes = i % 2 == 0 ? 0 : static_cast<std::int64_t>(run.component.rows.size());
        ShareCalculator calculator(run.component.table, run.window, run.run, highest_counterpart, processes);
        Share calculated;
        Share one_by_one;
        for (const Row &row : rows) {
            calculator.add(row, calculated);
            one_by_one += share_of(run.component.table, row, run.window, run.run, highest_counterpart);
        }
        REQUIRE(one_by_one == calculated);
    }
}

TEST_CASE("the spread of the steps is that of the listed steps") {
    RandomRuns runs(8);
    for (int i = 0; i < 300; ++i) {
        const ComponentBalance b = runs.next().balance();
        if (b.steps.empty()) continue;
        const auto check = [&b](double Step::*figure, const StepRange &spread) {
            std::vector<double> sorted;
            for (const Step &step : b.steps)
                sorted.push_back(step.*figure);
            std::sort(sorted.begin(), sorted.end());
            const std::size_t n = sorted.size();
            REQUIRE(spread.min_s == sorted.front());
            REQUIRE(spread.max_s == sorted.back());
            REQUIRE(spread.median_s == (n % 2 == 1 ? sorted[n / 2] : 0.5 * (sorted[n / 2 - 1] + sorted[n / 2])));
        };
        check(&Step::computing_s, b.step_spread.computing);
        check(&Step::waiting_s, b.step_spread.waiting);
        check(&Step::jitter_s, b.step_spread.jitter);
    }
}

// GETs without length at 0, a, 2 a and 4 a on 16 processes, a = 2^60 ns: 16 a is more than 64 bits hold. The loop
// goes from a to 4 a, its steps compute for a and 2 a; 2^60 ns are 1152921504.606846976 s.
TEST_CASE("sums beyond 64 bits") {
    constexpr Nanoseconds a = Nanoseconds{1} << 60U;
    ComponentLiteral component;
    for (const Nanoseconds start : {Nanoseconds{0}, a, 2 * a, 4 * a}) {
        component.table.keys.push_back({Kind::get, 1, 2});
        component.table.spans.push_back({start, start, start, 16});
    }
    Row row;
    row.start = row.stop = {0, a, 2 * a, 4 * a};
    const Window window = find_window(component.table);
    const Interval run{0, 4 * a};
    const Share sum = repeated(share_of(component.table, row, window, run, highest_counterpart), 16);
    const ComponentBalance b = cpl_lb::balance_of(component.table, window, run, sum);
    REQUIRE(b.steps.size() == 2);
    CHECK(b.steps[0].computing_s == Approx(1152921504.606846976).epsilon(1e-15));
    CHECK(b.steps[1].computing_s == Approx(2305843009.213693952).epsilon(1e-15));
    CHECK(b.step_spread.computing.min_s == b.steps[0].computing_s);
    CHECK(b.step_spread.computing.max_s == b.steps[1].computing_s);
    CHECK(b.step_spread.computing.median_s == Approx(1729382256.910270464).epsilon(1e-15));
    CHECK(b.computing_s == Approx(3458764513.820540928).epsilon(1e-15));
    CHECK(b.waiting_s == 0.0);
}

TEST_CASE("scaling time scales every figure") {
    RandomRuns runs(31);
    for (int i = 0; i < 300; ++i) {
        RandomRun run = runs.next();
        const std::vector<double> before = figures(run.balance());
        constexpr Nanoseconds factor = 1'000'000'007;
        for (EventSpan &span : run.component.table.spans) {
            span.first_start *= factor;
            span.last_start *= factor;
            span.last_stop *= factor;
        }
        for (Row &row : run.component.rows) {
            for (Nanoseconds &t : row.start)
                t = t == absent ? absent : t * factor;
            for (Nanoseconds &t : row.stop)
                t = t == absent ? absent : t * factor;
            for (Interval &away : row.away)
                away = {away.start * factor, away.stop * factor};
        }
        run.window = find_window(run.component.table);
        run.run.stop *= factor;
        const std::vector<double> after = figures(run.balance());
        REQUIRE(after.size() == before.size());
        for (std::size_t f = 0; f < after.size(); ++f) {
            if (is_known(before[f]) || is_known(after[f])) {
                REQUIRE(after[f] == Approx(before[f] * static_cast<double>(factor)).epsilon(1e-12));
            }
        }
    }
}
