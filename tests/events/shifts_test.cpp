// Processes that recorded different numbers of an event without dates: how far their occurrences are shifted.
#include "events/occurrence_shifts.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

using namespace cpl_lb;

namespace {

struct StartStop {
    Nanoseconds start, stop;
};

// One process, all of one class.
LocalEvents recorded(const std::vector<StartStop> &times) {
    LocalEvents events;
    events.class_of_place = {0};
    for (const StartStop &t : times) {
        events.place.push_back(0);
        events.start.push_back(t.start);
        events.stop.push_back(t.stop);
    }
    return events;
}

// Without length.
std::vector<StartStop> at(const std::vector<Nanoseconds> &starts) {
    std::vector<StartStop> times(starts.size());
    std::transform(starts.begin(), starts.end(), times.begin(), [](Nanoseconds s) { return StartStop{s, s}; });
    return times;
}

// All of the usual number.
std::vector<OccurrenceExtent> extents_of(const std::vector<std::vector<StartStop>> &processes) {
    std::vector<OccurrenceExtent> extents(processes.front().size());
    for (const std::vector<StartStop> &p : processes) {
        const LocalEvents events = recorded(p);
        EventsByClass(events, 1).add_to(extents, 0);
    }
    return extents;
}

std::int64_t shift(const std::vector<StartStop> &mine, const std::vector<std::vector<StartStop>> &usual) {
    const LocalEvents events = recorded(mine);
    const std::vector<OccurrenceExtent> extents = extents_of(usual);
    return shift_of(EventsByClass(events, 1), 0, extents.size(), extents);
}

// Two processes that recorded the usual number.
const std::vector<std::vector<StartStop>> pair = {at({100, 200, 300, 400}), at({110, 210, 310, 410})};

} // namespace

// By shift 0 the jitter grows by 100 - 20, 200 - 105, 300 - 205, 400 - 305 = 80 + 3 x 95; by -1 by nothing, because
// 105 lies between 100 and 110, and so on.
TEST_CASE("one event more at the beginning") {
    CHECK(shift(at({20, 105, 205, 305, 405}), pair) == -1);
}

// By shift 0 205 - 110, 305 - 210, 405 - 310 = 3 x 95, by 1 nothing.
TEST_CASE("one event fewer at the beginning") {
    CHECK(shift(at({205, 305, 405}), pair) == 1);
}

TEST_CASE("events more or fewer at the end change nothing") {
    CHECK(shift(at({105, 205, 305}), pair) == 0);
    CHECK(shift(at({105}), pair) == 0);
    CHECK(shift(at({105, 205, 305, 405, 505, 605}), pair) == 0);
}

// Shift -2: 95 to 100 is 5, and 10 before 200, 300, 400: 5 + 3 x 10 = 35. Shift -1: 40 is 60 from 100, 95 105 from
// 200, 190 and 290 are 110 from 300 and 400: 385. Shift 0: 70 + 160 + 205 + 210 = 645.
TEST_CASE("two events more at the beginning, and a process that is always early") {
    CHECK(shift(at({30, 40, 95, 190, 290, 390}), pair) == -2);
}

// One of the usual number. Shift 0: 50 + 50, shift -1: 50 + 50.
TEST_CASE("of equal shifts the one nearest to zero") {
    CHECK(shift(at({50, 150, 250}), {at({100, 200})}) == 0);
    CHECK(shift(at({5, 5, 5, 5}), {at({5, 5, 5})}) == 0);
    CHECK(shift(at({5, 5}), {at({5, 5, 5})}) == 0);
}

// The usual process has nothing to do and waits from 5 to 100, the other works until 95. By starts alone the jitter
// of shift 0 would be least, 4 x 10 and not 4 x 90; the stops are 100 apart by shift 0, and equal by -1.
TEST_CASE("who waits nearly the whole step is not taken for the next") {
    const std::vector<StartStop> idle = {{105, 200}, {205, 300}, {305, 400}, {405, 500}};
    const std::vector<StartStop> busy = {{95, 100}, {195, 200}, {295, 300}, {395, 400}, {495, 500}};
    CHECK(shift(busy, {idle}) == -1);
}

// 100 steps of 100, and 50,000 exchanges in the first 100 ns.
TEST_CASE("many more at the beginning") {
    std::vector<StartStop> usual;
    std::vector<StartStop> more;
    for (Nanoseconds i = 0; i < 50'000; ++i)
        more.push_back({i / 500, i / 500});
    for (Nanoseconds n = 1; n <= 100; ++n) {
        usual.push_back({100 * n, 100 * n + 7});
        more.push_back({100 * n + 3, 100 * n + 7});
    }
    CHECK(shift(more, {usual}) == -50'000);
    CHECK(shift(usual, {more}) == 50'000);
}

// Every 10 ns: 101 from 500 on, and the usual 51 from 1000 on, of which the first came 500 ns early. It leaves all
// shifts from 0 to -50 open, more than are tried. Shift -50 adds 2 x 500 of it, -49 2 x 490 and 2 x 10 for each of 50
// others.
TEST_CASE("one occurrence far from the others leaves many shifts open: most of them decide") {
    std::vector<Nanoseconds> more, usual;
    for (Nanoseconds n = 0; n <= 100; ++n)
        more.push_back(500 + 10 * n);
    for (Nanoseconds n = 0; n <= 50; ++n)
        usual.push_back(n == 0 ? 500 : 1000 + 10 * n);
    CHECK(shift(at(more), {at(usual)}) == -50);
    CHECK(shift(at(usual), {at(more)}) == 50);
}

// Only the first three occurrences are held. If 6 are recorded, 3 are compared: shift -2 fits them. If 1 is recorded
// and 4 are usual, none can be compared at place 3, so nothing is shifted.
TEST_CASE("where memory does not hold all occurrences the first ones decide") {
    const std::vector<OccurrenceExtent> all = extents_of(pair);
    const std::span<const OccurrenceExtent> held = std::span(all).first(3);
    const LocalEvents six = recorded(at({30, 40, 105, 205, 305, 405}));
    CHECK(shift_of(EventsByClass(six, 1), 0, 4, held) == -2);
    const LocalEvents one = recorded(at({405}));
    CHECK(shift_of(EventsByClass(one, 1), 0, 4, held) == 0);
    CHECK(shift_of(EventsByClass(one, 1), 0, 4, all) == 3);
}

namespace {

// The definition's words: the jitter that each shift adds, all of them tried.
std::int64_t shift_by_trying(const std::vector<StartStop> &mine, const std::vector<StartStop> &usual) {
    const auto n_mine = static_cast<std::int64_t>(mine.size());
    const auto n_usual = static_cast<std::int64_t>(usual.size());
    std::int64_t best = 0;
    std::int64_t least = -1;
    for (std::int64_t d = 0; d <= std::abs(n_mine - n_usual); ++d) {
        const std::int64_t s = n_mine > n_usual ? -d : d;
        std::int64_t sum = 0;
        for (std::int64_t n = 0; n < n_mine; ++n) {
            if (n + s < 0 || n + s >= n_usual) continue;
            const StartStop &a = mine[static_cast<std::size_t>(n)];
            const StartStop &b = usual[static_cast<std::size_t>(n + s)];
            sum += std::abs(a.start - b.start) + std::abs(a.stop - b.stop);
        }
        if (least >= 0 && sum >= least) continue;
        least = sum;
        best = s;
    }
    return best;
}

std::vector<StartStop> random_times(std::mt19937 &random, int most) {
    const auto below = [&](int limit) { return static_cast<Nanoseconds>(random() % static_cast<unsigned>(limit)); };
    std::vector<StartStop> times(1 + random() % static_cast<unsigned>(most));
    Nanoseconds t = below(100);
    for (StartStop &s : times) {
        s = {t, t + below(20)};
        t = s.stop + below(30) * below(30);
    }
    return times;
}

} // namespace

TEST_CASE("the shift is that of all shifts tried") {
    std::mt19937 random(12); // NOLINT: the same every time
    int shifted = 0;
    for (int i = 0; i < 20'000; ++i) {
        const std::vector<StartStop> mine = random_times(random, 30);
        const std::vector<StartStop> usual = random_times(random, 30);
        INFO("run " << i);
        REQUIRE(shift(mine, {usual}) == shift_by_trying(mine, usual));
        shifted += shift(mine, {usual}) != 0 ? 1 : 0;
    }
    CHECK(shifted > 5000);
}

// Class 3: 4 processes 10 times, 2 processes 11 times; class 5: once and twice, as often; class 7: all alike.
TEST_CASE("the usual number is the most frequent, of equals the smallest") {
    std::vector<RecordedCount> all;
    unite(all, {{3, 11, 2}, {5, 2, 1}, {7, 4, 5}});
    unite(all, {{3, 10, 3}, {5, 1, 1}, {7, 4, 1}});
    unite(all, {{3, 10, 1}});
    const std::vector<RecordedCount> usual = usual_counts(all);
    REQUIRE(usual.size() == 2);
    CHECK((usual[0].event_class == 3 && usual[0].occurrences == 10 && usual[0].processes == 4));
    CHECK((usual[1].event_class == 5 && usual[1].occurrences == 1));
}

// 100 processes with a number of their own, and 3 with 7: of each class 16 numbers stay, the most frequent among
// them.
TEST_CASE("the list of numbers does not grow with the processes") {
    std::vector<RecordedCount> all;
    for (std::uint32_t p = 0; p < 100; ++p)
        unite(all, {{0, p % 33 == 2 ? 7 : 1000 + p, 1}});
    CHECK(all.size() == 16);
    CHECK(usual_counts(all).front().occurrences == 7);
}

TEST_CASE("numbers of one process: what it did not record is not among them") {
    LocalEvents events;
    events.class_of_place = {4, 2};
    events.place = {0, 1, 0, 0};
    const std::vector<RecordedCount> counts = recorded_counts(events, 6);
    REQUIRE(counts.size() == 2);
    CHECK((counts[0].event_class == 2 && counts[0].occurrences == 1 && counts[0].processes == 1));
    CHECK((counts[1].event_class == 4 && counts[1].occurrences == 3));
}

// Ranks 3 and 8 recorded 1 and 2 more, rank 5 one fewer.
TEST_CASE("what is told of a class: who, how often, on which side") {
    ClassShifts shifts;
    shifts.event_class = 1;
    shifts.add(-2, 8);
    shifts.add(0, 0);
    ClassShifts others;
    others.add(-1, 3);
    others.add(1, 5);
    shifts.add(others);
    CHECK(shifts.least == -2);
    Catalogue catalogue;
    catalogue.component_names = {"ocean"};
    catalogue.field_names = {"SST"};
    catalogue.classes = {{}, {1, {Kind::get, 1, 0}}};
    const std::vector<ShiftRemark> remarks = shift_remarks({shifts}, catalogue);
    REQUIRE(remarks.size() == 2);
    CHECK(
        remarks[0].cause.starts_with("one more GET of field 'SST' at the beginning than on most processes of ocean"));
    CHECK((remarks[0].processes.count == 2 && remarks[0].processes.lowest_rank == 3));
    CHECK(remarks[0].processes.occurrences == 3);
    CHECK(remarks[1].cause.starts_with("one fewer GET of field 'SST' at the beginning"));
    CHECK((remarks[1].processes.count == 1 && remarks[1].processes.lowest_rank == 5));
    catalogue.classes[1].what.field = 0;
    CHECK(shift_remarks({shifts}, catalogue)[0].cause.starts_with("one more GET at"));
}
