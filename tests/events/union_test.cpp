// The union of the events of several processes, where all fit and where only the earliest do.
#include "events/union_of_events.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace cpl_lb;

namespace {

constexpr std::uint32_t term = 9;

FirstStart event(std::uint32_t event_class, std::uint32_t occurrence, Nanoseconds start) {
    return {{no_date, event_class, occurrence}, start};
}

std::vector<Nanoseconds> starts_of(const EarlyEvents &events) {
    std::vector<Nanoseconds> starts;
    for (const FirstStart &f : events.list)
        starts.push_back(f.start);
    return starts;
}

const EarlyEvents a{{event(1, 0, 10), event(1, 1, 30), event(term, 0, 100)}};
const EarlyEvents b{{event(1, 0, 12), event(2, 0, 20), event(2, 1, 40), event(term, 0, 90)}};

} // namespace

TEST_CASE("the union holds each event once, with its earliest start") {
    EarlyEvents both = a;
    unite(both, b, {});
    CHECK(starts_of(both) == std::vector<Nanoseconds>{10, 30, 20, 40, 90}); // by key
    CHECK(both.end == std::numeric_limits<Nanoseconds>::max());
}

// Starts 10, 20, 30, 40, and TERM: with room for 3 the third start is the end, and what starts then is out, too.
TEST_CASE("of more events than fit the earliest stay, and TERM") {
    EarlyEvents both = a;
    unite(both, b, {3, term});
    CHECK(starts_of(both) == std::vector<Nanoseconds>{10, 20, 90});
    CHECK(both.end == 30);
}

TEST_CASE("an end that another process has met holds for all") {
    EarlyEvents both = a;
    EarlyEvents early = b;
    early.end = 15;
    unite(both, early, {100, term});
    CHECK(starts_of(both) == std::vector<Nanoseconds>{10, 90});
    CHECK(both.end == 15);
}

TEST_CASE("many events that start at the same time: none of them, rather than some") {
    EarlyEvents both{{event(1, 0, 5), event(1, 1, 7), event(1, 2, 7), event(1, 3, 7)}};
    unite(both, {}, {2, term});
    CHECK(starts_of(both) == std::vector<Nanoseconds>{5});
}

TEST_CASE("the order in which processes are united makes no difference to what is left") {
    const EarlyEvents c{{event(1, 1, 25), event(3, 0, 11), event(term, 0, 95)}};
    std::vector<const EarlyEvents *> all = {&a, &b, &c};
    std::sort(all.begin(), all.end());
    do {
        EarlyEvents sum;
        for (const EarlyEvents *events : all)
            unite(sum, *events, {3, term});
        // Starts 10, 11, 20, 25, 40: the third, 20, is the end.
        CHECK(sum.end == 20);
        CHECK(starts_of(sum) == std::vector<Nanoseconds>{10, 11, 90});
    } while (std::next_permutation(all.begin(), all.end()));
}

TEST_CASE("a row without the events that are not in the list: they are counted") {
    LocalEvents mine;
    mine.place = {0, 0, 1};
    mine.class_of_place = {1, term};
    mine.start = {10, 30, 100};
    mine.stop = {11, 31, 110};
    const std::vector<OccurrenceKey> order = {event(1, 0, 0).key, event(term, 0, 0).key};
    std::int64_t left_out = 0;
    const Row row = row_of(mine, {term + 1, false, {}}, order.size(), Places(order), &left_out);
    CHECK(row.start == std::vector<Nanoseconds>{10, 100});
    CHECK(row.stop == std::vector<Nanoseconds>{11, 110});
    CHECK(left_out == 1);
}

// The process recorded one event more of class 1 at the beginning: the first of the others is its second.
TEST_CASE("occurrences are counted from where the rule says") {
    LocalEvents mine;
    mine.place = {0, 0, 1};
    mine.class_of_place = {1, term};
    mine.start = {10, 30, 100};
    mine.stop = {11, 31, 110};
    const KeyRule second{term + 1, false, {0, 1, 0, 0, 0, 0, 0, 0, 0, 0}};
    const std::vector<FirstStart> starts = first_starts(mine, second);
    CHECK(starts[0].key == event(1, 1, 0).key);
    CHECK(starts[1].key == event(1, 2, 0).key);
    CHECK(starts[2].key == event(term, 0, 0).key);
    const std::vector<OccurrenceKey> order = {event(1, 1, 0).key, event(1, 2, 0).key, event(term, 0, 0).key};
    CHECK(row_of(mine, second, order.size(), Places(order)).start == std::vector<Nanoseconds>{10, 30, 100});
}
