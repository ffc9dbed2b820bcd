// The choice of the window (docs/definitions.md, section 2).
#include "tests/analysis/literals.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

using namespace cpl_lb;
using namespace cpl_lb::literals;

namespace {

std::vector<Recorded> every(Kind kind, std::int32_t field, int times, double first_s, double period_s) {
    return repeated(times, [=](int n) {
        return Recorded{kind, field, 0, first_s + period_s * n, first_s + period_s * n + 0.1, no_date};
    });
}

std::vector<Recorded> joined(std::vector<Recorded> a, const std::vector<Recorded> &b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

WindowLimits limits(double first_s, double last_s) {
    return {from_seconds(first_s), from_seconds(last_s)};
}

} // namespace

TEST_CASE("the most frequent exchange is the reference, of equals the first recorded") {
    const auto rare = every(Kind::get, 1, 3, 0.0, 3.0);
    const auto often = every(Kind::put, 2, 5, 0.5, 1.0);
    const Window window = find_window(component_of({joined(rare, often)}).table);
    CHECK(window.reference_kind == Kind::put);
    CHECK(window.reference_field == 2);
    CHECK(window.occurrences == 5);
    REQUIRE(window.steps.size() == 4); // S of the 2nd to the 5th
    CHECK(window.interval() == Interval{from_seconds(1.5), from_seconds(4.5)});
    CHECK(window.dates.empty());
    const auto as_often = every(Kind::get, 1, 5, 0.0, 1.0);
    CHECK(find_window(component_of({joined(as_often, often)}).table).reference_field == 1);
}

// Some processes send 5 times in 4 s and are done; the others exchange as often in 40 s and more.
TEST_CASE("of equally frequent exchanges one that is soon over is not the reference") {
    const auto soon = every(Kind::put, 1, 5, 0.0, 1.0); // from 0 to 4 s
    const auto reference = [&](double period_s) {
        const auto steady = every(Kind::get, 2, 5, 1.0, period_s);
        return find_window(component_of({joined(soon, steady)}).table);
    };
    CHECK(reference(10.25).reference_field == 2); // 41 s are more than ten times 4 s
    CHECK(reference(10.25).interval() == Interval{from_seconds(11.25), from_seconds(42)});
    CHECK(reference(10.0).reference_field == 1); // 40 s are not
    // One that is more frequent is the reference however soon it is over, and a MAP is none.
    const auto six = every(Kind::put, 1, 6, 0.0, 1.0);
    CHECK(find_window(component_of({joined(six, every(Kind::get, 2, 5, 1.0, 20.0))}).table).reference_field == 1);
    CHECK(find_window(component_of({joined(soon, every(Kind::map, 2, 5, 1.0, 20.0))}).table).reference_field == 1);
}

TEST_CASE("other kinds are the reference only where there is no exchange") {
    const auto mapping = every(Kind::map, 3, 9, 0.0, 1.0);
    CHECK(find_window(component_of({mapping}).table).reference_kind == Kind::map);
    const Window with_one_get = find_window(component_of({joined(mapping, every(Kind::get, 1, 1, 0.5, 1.0))}).table);
    CHECK_FALSE(with_one_get.known());
    CHECK(with_one_get.why_not == "the most frequent coupling event, GET, happened once; three are needed");
    CHECK(with_one_get.reference_field == 1);
    // A restart or a definition phase is no step of anything.
    CHECK_FALSE(find_window(component_of({every(Kind::rst, 1, 9, 0, 1)}).table).known());
    CHECK_FALSE(find_window(component_of({every(Kind::part, 0, 9, 0, 1)}).table).known());
}

TEST_CASE("a window stays before the first dropped event and inside the slice") {
    const ComponentLiteral component = component_of({every(Kind::get, 1, 10, 0.0, 1.0)});
    // Occurrences 0..6 are left: t0 = 1, t1 = 6.
    CHECK(find_window(component.table, limits(-1, 6.5)).interval() == Interval{from_seconds(1), from_seconds(6)});
    // Occurrences 3..9: the second of the slice is 4.
    CHECK(find_window(component.table, limits(2.5, 99)).interval() == Interval{from_seconds(4), from_seconds(9)});
    CHECK(find_window(component.table, limits(2.5, 4.5)).why_not ==
          "the most frequent coupling event, GET, happened 2 times; three are needed");
}

TEST_CASE("dates label the steps when every reference event has one") {
    std::vector<Recorded> list = every(Kind::get, 1, 4, 0.0, 1.0);
    for (std::size_t n = 0; n < list.size(); ++n)
        list[n].date = static_cast<std::int64_t>(3600 * n);
    const ComponentLiteral component = component_of({list});
    CHECK(find_window(component.table).dates == std::vector<std::int64_t>{3600, 7200, 10800});
    const ComponentBalance b = balance_of(component, 0, 4);
    CHECK(b.has_dates);
    REQUIRE(b.steps.size() == 2);
    CHECK(b.steps[1].date == 7200);
    list[2].date = no_date;
    CHECK(find_window(component_of({list}).table).dates.empty());
}

// GETs of both processes at 0, 1, 2, 3, 4; one of the two has more before and after.
TEST_CASE("what fewer processes did before and after is no step") {
    const auto table_of = [](const std::vector<std::pair<double, std::int32_t>> &gets) {
        EventTable table;
        for (const auto &[S, processes] : gets) {
            table.keys.push_back({Kind::get, 1, 2});
            table.spans.whole().push_back({from_seconds(S), from_seconds(S), from_seconds(S + 0.1), processes});
        }
        return table;
    };
    const Window alone = find_window(table_of({{0, 2}, {1, 2}, {2, 2}, {3, 2}, {4, 2}}));
    CHECK(alone.interval() == Interval{from_seconds(1), from_seconds(4)});
    const Window with_more =
        find_window(table_of({{-9, 1}, {-8, 1}, {0, 2}, {1, 2}, {2, 2}, {3, 2}, {4, 2}, {9, 1}}));
    CHECK(with_more.steps == alone.steps);
    CHECK(with_more.occurrences == 5);
    // In the middle they are steps like others; so are all where no number of processes is more usual than another.
    CHECK(find_window(table_of({{-9, 1}, {0, 2}, {1, 1}, {2, 2}, {3, 2}})).steps.size() == 3);
    CHECK(find_window(table_of({{0, 1}, {1, 3}, {2, 2}, {3, 4}})).steps.size() == 3);
    // The usual number is that of what is within the limits: without 4 and 5 it is 1.
    const EventTable late = table_of({{0, 1}, {1, 1}, {2, 1}, {3, 2}, {4, 2}, {5, 2}, {6, 2}});
    CHECK(find_window(late).interval() == Interval{from_seconds(4), from_seconds(6)});
    CHECK(find_window(late, limits(-1, 3.5)).interval() == Interval{from_seconds(1), from_seconds(3)});
}

// GET of field 1 is recorded first, as often as PUT of field 2 but for one more PUT at set-up on one process.
TEST_CASE("one exchange more on one process does not choose another reference") {
    EventTable table;
    const auto add = [&](Kind kind, double S, std::int32_t processes) {
        table.keys.push_back({kind, kind == Kind::get ? 1 : 2, 2});
        table.spans.whole().push_back({from_seconds(S), from_seconds(S), from_seconds(S + 0.1), processes});
    };
    add(Kind::put, -5, 1);
    for (int n = 0; n < 4; ++n) {
        add(Kind::get, n, 2);
        add(Kind::put, n + 0.5, 2);
    }
    const Window window = find_window(table);
    CHECK(window.reference_kind == Kind::get);
    CHECK(window.interval() == Interval{from_seconds(1), from_seconds(3)});
}

// 20 steps, 1 s each; 30 operations of another field in a second before them, and one of them a second after them.
TEST_CASE("collective operations of the set-up are no steps") {
    const auto set_up = joined(every(Kind::sync, 1, 30, 0.0, 1.0 / 32), every(Kind::sync, 1, 1, 41.0, 1.0));
    const Interval loop = {from_seconds(21), from_seconds(39)}; // S of the 2nd and of the last
    for (const Kind kind : {Kind::get, Kind::sync}) {
        const Window window = find_window(component_of({joined(set_up, every(kind, 2, 20, 20.0, 1.0))}).table);
        CHECK(window.reference_field == 2);
        CHECK(window.interval() == loop);
    }
    // Without the one at the end they are steady, but all within a tenth of 19 s.
    const auto before = every(Kind::sync, 1, 30, 0.0, 1.0 / 32);
    CHECK(find_window(component_of({joined(before, every(Kind::get, 2, 20, 20.0, 1.0))}).table).reference_field == 2);
    // In steps as long as those of the other field they are the reference, because there are more of them, ...
    const auto often = every(Kind::sync, 1, 40, 20.25, 0.5);
    CHECK(find_window(component_of({joined(often, every(Kind::get, 2, 20, 20.0, 1.0))}).table).reference_field == 1);
    // ... and where nothing else is steady.
    CHECK(find_window(component_of({joined(set_up, every(Kind::get, 2, 2, 20.0, 1.0))}).table).reference_field == 1);
}

// GROMACS sends a header each step, and another one right before it at each neighbour search.
TEST_CASE("what is sent again right after, now and then, is no step more") {
    const auto headers = [](int every_nth) {
        std::vector<Recorded> all;
        for (int n = 0; n < 40; ++n) {
            const double at = n;
            all.push_back({Kind::put, 1, 0, at, at + 0.1, no_date});
            if (n % every_nth == 0) all.push_back({Kind::put, 1, 0, at + 0.1, at + 0.2, no_date});
        }
        return all;
    };
    const auto answers = every(Kind::get, 2, 40, 0.5, 1.0);
    // 40 + 4 headers, 40 answers: 40 steps, and the first is left out.
    const Window window = find_window(component_of({joined(headers(10), answers)}).table);
    CHECK(window.reference_field == 1);
    CHECK(window.steps.size() == 39);
    CHECK(window.interval() == Interval{from_seconds(1), from_seconds(39)});
    // Nothing else comes 40 times; and 20 of 60 are more than a fifth.
    CHECK(find_window(component_of({headers(10)}).table).steps.size() == 43);
    CHECK(find_window(component_of({joined(headers(2), answers)}).table).steps.size() == 59);
}

TEST_CASE("a loop without length is no window") {
    const Window window = find_window(component_of({every(Kind::get, 1, 5, 1.0, 0.0)}).table);
    CHECK_FALSE(window.known());
    CHECK(window.why_not == "the coupling loop has no length");
}

namespace {

// One kind, field and counterpart: the S of its events, in the order of the table.
struct Candidate {
    bool exchanges = false;
    std::vector<Nanoseconds> S;

    [[nodiscard]] Nanoseconds length() const { return std::max<Nanoseconds>(0, S.back() - S.front()); }
};

// The definition's words, one event after the other: among what is within the limits, the most frequent exchange
// (else MAP, OUT, READ) of one field and counterpart, of equals the first of the table that is not over in less than
// a tenth of the time of another of them; S of its second to its last.
std::vector<Nanoseconds> steps_by_counting(const EventTable &table, const WindowLimits &limits) {
    const auto counts = [&](std::size_t k) {
        const EventSpan span = table.spans[k];
        return span.processes > 0 && span.last_start >= limits.first && span.last_start <= limits.last;
    };
    std::vector<Candidate> best; // equals, in the order of the table
    for (std::size_t k = 0; k < table.keys.size(); ++k) {
        const EventClass what = table.keys.what(k);
        const bool exchanges = what.kind == Kind::put || what.kind == Kind::get;
        if (!exchanges && what.kind != Kind::map && what.kind != Kind::out && what.kind != Kind::read) continue;
        Candidate c{exchanges, {}};
        for (std::size_t j = 0; j < table.keys.size(); ++j)
            if (table.keys.what(j) == what && counts(j)) c.S.push_back(table.spans[j].last_start);
        if (!counts(k)) continue;
        const auto rank = [](const Candidate &one) { return std::pair(one.exchanges, one.S.size()); };
        if (!best.empty() && rank(c) < rank(best.front())) continue;
        if (!best.empty() && rank(c) > rank(best.front())) best.clear();
        best.push_back(c);
    }
    if (best.empty()) return {};
    Nanoseconds longest = 0;
    for (const Candidate &c : best)
        longest = std::max(longest, c.exchanges ? c.length() : 0);
    std::vector<Nanoseconds> S =
        std::find_if(best.begin(), best.end(), [&](const Candidate &c) { return 10 * c.length() >= longest; })->S;
    std::sort(S.begin(), S.end());
    if (S.size() < 3 || S[1] == S.back()) return {};
    return {S.begin() + 1, S.end()};
}

} // namespace

TEST_CASE("limits, events of nobody, ties and classes alike change nothing about the choice") {
    std::mt19937 random(41); // NOLINT: the same every time
    const auto below = [&](unsigned limit) { return static_cast<int>(random() % limit); };
    int windows = 0;
    for (int i = 0; i < 3000; ++i) {
        std::vector<EventClass> classes;
        for (int c = 1 + below(5); c > 0; --c)
            classes.push_back({static_cast<Kind>(1 + below(6)), below(2), 2}); // often two that are alike
        const auto events = static_cast<std::size_t>(below(40));
        std::vector<std::uint32_t> of_events(events);
        EventTable table;
        for (std::size_t k = 0; k < events; ++k) {
            of_events[k] = static_cast<std::uint32_t>(below(static_cast<unsigned>(classes.size())));
            const Nanoseconds S = static_cast<Nanoseconds>(k) * 10 + below(25);
            table.spans.whole().push_back(below(12) == 0 ? EventSpan{} : EventSpan{S, S, S + 1, 1});
        }
        table.keys = EventKeys(classes, of_events);
        WindowLimits limits;
        if (below(2) == 0) limits = {below(100), 100 + below(300)};
        const Window window = find_window(table, limits);
        INFO("run " << i);
        REQUIRE(window.steps == steps_by_counting(table, limits));
        windows += window.known() ? 1 : 0;
    }
    CHECK(windows > 1000);
}
