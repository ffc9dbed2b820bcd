// The choice of the window (docs/definitions.md, section 2).
#include "tests/analysis/literals.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

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

// Some processes send 5 times in 4 s and are done; the others exchange as often in 6 s and more.
TEST_CASE("an exchange that is soon over is not the reference, however frequent") {
    const auto soon = every(Kind::put, 1, 5, 0.0, 1.0); // from 0 to 4 s
    const auto reference = [&](double period_s) {
        const auto steady = every(Kind::get, 2, 5, 1.0, period_s);
        return find_window(component_of({joined(soon, steady)}).table);
    };
    // Four gaps less the longest one: 3 s are less than two thirds of 3 x 1.75 s, and not of 3 x 1.5 s.
    CHECK(reference(1.75).reference_field == 2);
    CHECK(reference(1.75).interval() == Interval{from_seconds(2.75), from_seconds(8)});
    CHECK(reference(1.5).reference_field == 1);
    const auto often = every(Kind::put, 1, 60, 0.0, 1.0 / 16); // 58 / 16 = 3.6 s, of 60 s
    CHECK(find_window(component_of({joined(often, every(Kind::get, 2, 5, 1.0, 20.0))}).table).reference_field == 2);
    // Three far apart are no loop that fills the run, and a MAP is none.
    CHECK(find_window(component_of({joined(soon, every(Kind::get, 2, 3, 1.0, 20.0))}).table).reference_field == 1);
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
    // So without the one at the end.
    const auto before = every(Kind::sync, 1, 30, 0.0, 1.0 / 32);
    CHECK(find_window(component_of({joined(before, every(Kind::get, 2, 20, 20.0, 1.0))}).table).reference_field == 2);
    // In steps as long as those of the other field they are the reference, because there are more of them, ...
    const auto often = every(Kind::sync, 1, 40, 20.25, 0.5);
    CHECK(find_window(component_of({joined(often, every(Kind::get, 2, 20, 20.0, 1.0))}).table).reference_field == 1);
    // ... and where nothing else repeats.
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

namespace {

// A set-up of that many messages, one each 0.25 ms, with an answer each; then 12 steps that compute 100 ms and send
// and receive field 7. All exchanges take 0.0625 ms.
std::vector<Recorded> with_set_up(int messages, std::int32_t field, double set_up_period_s = 0.00025) {
    constexpr double takes_s = 0.0000625;
    std::vector<Recorded> all;
    const auto add = [&](Kind kind, std::int32_t of, double at) {
        all.push_back({kind, of, 0, at, at + takes_s, no_date});
    };
    for (int n = 0; n < messages; ++n) {
        add(Kind::put, field, n * set_up_period_s);
        add(Kind::get, field, n * set_up_period_s + takes_s);
    }
    for (int step = 0; step < 12; ++step) {
        add(Kind::put, 7, 1 + 0.1 * step);
        add(Kind::get, 7, 1 + 0.1 * step + takes_s);
    }
    return all;
}

} // namespace

TEST_CASE("a set-up of more messages than there are steps is not the loop") {
    const Interval loop{from_seconds(1.1), from_seconds(2.1)}; // S of the 2nd to the 12th PUT of field 7
    CHECK(find_window(component_of({with_set_up(40, 1)}).table).interval() == loop);
    auto with_goodbye = with_set_up(40, 1);
    with_goodbye.push_back({Kind::put, 1, 0, 2.5, 2.6, no_date});
    CHECK(find_window(component_of({with_goodbye}).table).interval() == loop);
    // The steps: 11 gaps of 0.1 s less one, 1 s. The set-up: 38 gaps of 0.0175 s are 0.665 s, less than two thirds.
    CHECK(find_window(component_of({with_set_up(40, 1, 0.0175)}).table).reference_field == 7);
    // 38 gaps of 0.018 s are 0.684 s: which of them is the loop cannot be told, and the more frequent one is.
    CHECK(find_window(component_of({with_set_up(40, 1, 0.018)}).table).reference_field == 1);
}

// A ping each 10 s from 0 to 100 s, and steps of 0.5 s: 10 gaps of 10 s less one are 90 s.
TEST_CASE("a message now and then, all the time, is not the loop where steps take half of the run") {
    const auto ping = every(Kind::get, 1, 11, 0.0, 10.0);
    const auto reference = [&](const std::vector<Recorded> &others) {
        return find_window(component_of({joined(ping, others)}).table).reference_field;
    };
    // 93 steps: 92 gaps of 0.5 s less one are 45.5 s, half of 90 s. 91 steps: 44.5 s, less than half.
    CHECK(reference(every(Kind::put, 2, 93, 20.25, 0.5)) == 2);
    CHECK(reference(every(Kind::put, 2, 91, 20.25, 0.5)) == 1);
    // Steps that begin before the first ping, or end after the last one, need two thirds, 60 s: 122 steps.
    CHECK(reference(every(Kind::put, 2, 121, -0.75, 0.5)) == 1);
    CHECK(reference(every(Kind::put, 2, 122, -0.75, 0.5)) == 2);
    // Set-up in the only long gap of the steps: the first at 0 s, then from 50 s each second to 130 s, which fill
    // 130 - 50 = 80 s. 90 messages of set-up from 1 to 45.5 s fill 44 s, half of that.
    const auto steps = joined(every(Kind::get, 1, 1, 0.0, 1.0), every(Kind::get, 1, 81, 50.0, 1.0));
    const auto set_up = every(Kind::put, 2, 90, 1.0, 0.5);
    CHECK(find_window(component_of({joined(steps, set_up)}).table).reference_field == 1);
}

// The exchange after the set-up begins the first step: the last of the set-up is the occurrence that is left out.
TEST_CASE("a set-up under the name of the steps is no part of the loop") {
    const Window window = find_window(component_of({with_set_up(40, 7)}).table);
    CHECK(window.steps.size() == 12);
    CHECK(window.interval() == Interval{from_seconds(1), from_seconds(2.1)});
    // As many right after the last step: 2.2 s begins them and ends the last step.
    auto with_end = with_set_up(40, 7);
    for (int n = 0; n < 40; ++n)
        with_end.push_back({Kind::put, 7, 0, 2.2 + 0.00025 * n, 2.2 + 0.00025 * n + 0.0000625, no_date});
    CHECK(find_window(component_of({with_end}).table).interval() == Interval{from_seconds(1), from_seconds(2.2)});
    // A long run: 10,000 more steps of 0.1 s, 2.2 s to 2.2 + 0.1 x 9999 s.
    auto with_many = with_set_up(40, 7);
    for (int n = 0; n < 10'000; ++n)
        with_many.push_back({Kind::put, 7, 0, 2.2 + 0.1 * n, 2.2 + 0.1 * n + 0.0000625, no_date});
    CHECK(find_window(component_of({with_many}).table).interval() ==
          Interval{from_seconds(1), from_seconds(2.2 + 0.1 * 9999)});
    // Eight may be steps. Nine with 9 ms between them take 0.072 s of 2.1 s, more than a fiftieth.
    CHECK(find_window(component_of({with_set_up(8, 7)}).table).steps.size() == 19);
    CHECK(find_window(component_of({with_set_up(9, 7, 0.009)}).table).steps.size() == 20);
}

// 12 messages of 30 ms each, while another component reads its files; then 12 steps of 0.1 s.
TEST_CASE("waiting for message after message without computing is no step, however long it takes") {
    const auto begins = [](double computing_s) {
        std::vector<Recorded> all;
        all.reserve(24);
        for (int n = 0; n < 12; ++n)
            all.push_back({Kind::get, 7, 0, 0.03 * n, 0.03 * (n + 1) - computing_s, no_date});
        for (int n = 0; n < 12; ++n)
            all.push_back({Kind::get, 7, 0, 1 + 0.1 * n, 1 + 0.1 * n + 0.0000625, no_date});
        return find_window(component_of({all}).table).steps;
    };
    CHECK(begins(0.5e-6).size() == 12);
    CHECK(begins(2e-6).size() == 23); // the clocks can tell that it computes
}

// 20,000 messages of set-up in 2.5 s, then 5,000 steps: samples from the middle and the ends see one kind each.
TEST_CASE("also a long set-up under the name of the steps is no part of the loop") {
    auto all = with_set_up(20'000, 7, 0.000125);
    all.erase(all.begin() + 40'000, all.end());
    for (int n = 0; n < 5000; ++n)
        all.push_back({Kind::put, 7, 0, 3 + 0.1 * n, 3 + 0.1 * n + 0.0000625, no_date});
    const Window window = find_window(component_of({all}).table);
    CHECK(window.interval() == Interval{from_seconds(3), from_seconds(3 + 499.9)});
}

TEST_CASE("a loop without length is no window") {
    const Window window = find_window(component_of({every(Kind::get, 1, 5, 1.0, 0.0)}).table);
    CHECK_FALSE(window.known());
    CHECK(window.why_not == "the coupling loop has no length");
}

namespace {

// One kind, field and counterpart: the S of its events, in the order of the table.
struct Candidate {
    EventClass what;
    bool exchanges = false;
    std::vector<Nanoseconds> S;

    // The first of the longest gaps between a new latest one and the latest before it.
    [[nodiscard]] Interval longest_gap() const {
        Interval longest{0, 0};
        Nanoseconds latest = S.front();
        for (const Nanoseconds one : S) {
            if (one - latest > longest.length()) longest = {latest, one};
            latest = std::max(latest, one);
        }
        return longest;
    }
    [[nodiscard]] Nanoseconds last() const { return *std::max_element(S.begin(), S.end()); }
    [[nodiscard]] Nanoseconds fills() const {
        return !exchanges || S.size() < 4 ? 0 : last() - S.front() - longest_gap().length();
    }
    [[nodiscard]] bool is_enough_beside(const Candidate &longest) const {
        if (3 * fills() >= 2 * longest.fills()) return true;
        const Interval gap = longest.longest_gap();
        const bool in_its_time = S.front() >= longest.S.front() && last() <= longest.last();
        const bool in_its_gap = S.front() >= gap.start && last() <= gap.stop;
        return in_its_time && !in_its_gap && 2 * fills() >= longest.fills();
    }
};

// The definition's words, one event after the other: among what is within the limits, the exchanges (else MAP, OUT,
// READ) of one field and counterpart that fill two thirds of what the one that fills most does, or half of it in its
// time and not in its gap; of these the most frequent, of equals the first of the table. S of its second to its last.
std::vector<Nanoseconds> steps_by_counting(const EventTable &table, const WindowLimits &limits) {
    const auto counts = [&](std::size_t k) {
        const EventSpan span = table.spans[k];
        return span.processes > 0 && span.last_start >= limits.first && span.last_start <= limits.last;
    };
    std::vector<Candidate> all; // each as often as it has events, the first one in the order of the table
    for (std::size_t k = 0; k < table.keys.size(); ++k) {
        const EventClass what = table.keys.what(k);
        const bool exchanges = what.kind == Kind::put || what.kind == Kind::get;
        if (!exchanges && what.kind != Kind::map && what.kind != Kind::out && what.kind != Kind::read) continue;
        if (!counts(k)) continue;
        Candidate c{what, exchanges, {}};
        for (std::size_t j = 0; j < table.keys.size(); ++j)
            if (table.keys.what(j) == what && counts(j)) c.S.push_back(table.spans[j].last_start);
        all.push_back(c);
    }
    const auto before = [](const Candidate &a, const Candidate &b) { // of equal ones the first in this order
        const auto order = [](const EventClass &c) { return std::tuple(c.kind, c.field, c.counterpart); };
        return a.fills() != b.fills() ? a.fills() > b.fills() : order(a.what) < order(b.what);
    };
    const auto longest = std::min_element(all.begin(), all.end(), before);
    std::vector<Nanoseconds> S;
    bool exchanges = false;
    for (const Candidate &c : all) {
        if (c.exchanges && !c.is_enough_beside(*longest)) continue;
        if (std::pair(c.exchanges, c.S.size()) <= std::pair(exchanges, S.size())) continue;
        exchanges = c.exchanges;
        S = c.S;
    }
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
