// Interval lists and the nesting of the events of one process.
#include "analysis/intervals.hpp"
#include "analysis/nesting.hpp"

#include <catch2/catch.hpp>

#include <numeric>
#include <random>

using namespace cpl_lb;

namespace {

// What the stack tells of each event of a row: its length less what lies directly inside; `absent` where it is.
std::vector<Nanoseconds> own(std::vector<Nanoseconds> start, std::vector<Nanoseconds> stop) {
    const Row row{std::move(start), std::move(stop), {}};
    std::vector<Nanoseconds> own(row.start.size(), absent);
    const auto closed = [&own](EventIndex k, Nanoseconds duration) { own[k] = duration; };
    RowOrder order;
    order.set(row);
    NestingStack stack;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const EventIndex k = order[i];
        if (row.start[k] == absent) continue;
        stack.meet(row.start[k], row.stop[k], closed);
        stack.open(k, row.start[k], row.stop[k]);
    }
    stack.finish(closed);
    return own;
}

} // namespace

TEST_CASE("interval lists") {
    const Intervals list = union_of({{5, 9}, {1, 3}, {2, 4}, {4, 4}, {9, 12}, {10, 11}, {20, 15}});
    CHECK(list == Intervals{{1, 4}, {5, 12}});
    CHECK(length_of(list) == 10);
    CHECK(difference_of(list, Intervals{{0, 2}, {3, 6}, {8, 9}, {12, 30}}) == Intervals{{2, 3}, {6, 8}, {9, 12}});
    CHECK(difference_of(Intervals{{0, 100}}, Intervals{}) == Intervals{{0, 100}});
    UnionLength length;
    for (const Interval i : {Interval{1, 3}, Interval{2, 4}, Interval{2, 3}, Interval{8, 7}, Interval{9, 10}})
        length.add(i);
    CHECK(length.length() == 4); // 1..4 and 9..10
}

TEST_CASE("own duration is the length less what lies directly inside") {
    // 0..10 holds 1..4 and 5..9; 5..9 holds 6..7. Own: 10 - 3 - 4 = 3; 3; 4 - 1 = 3; 1.
    CHECK(own({0, 1, 5, 6}, {10, 4, 9, 7}) == std::vector<Nanoseconds>{3, 3, 3, 1});
    // The same, recorded in another order, with an absent event between.
    CHECK(own({6, 0, absent, 5, 1}, {7, 10, absent, 9, 4}) == std::vector<Nanoseconds>{1, 3, absent, 3, 3});
}

TEST_CASE("interleaved events do not nest") {
    // 0..6 and 4..10 overlap; both keep their length.
    CHECK(own({0, 4}, {6, 10}) == std::vector<Nanoseconds>{6, 6});
    // 5..6 lies in both and belongs to the one that starts later: 6 and 6 - 1.
    CHECK(own({0, 4, 5}, {6, 10, 6}) == std::vector<Nanoseconds>{6, 5, 1});
    // Two interleaved events 1..6 and 4..9 inside 0..10 cover 8 of it: 10 - 8, not 10 - 5 - 5.
    CHECK(own({0, 1, 4}, {10, 6, 9}) == std::vector<Nanoseconds>{2, 5, 5});
}

TEST_CASE("events with equal times nest in the order of the table; touching ones do not nest") {
    CHECK(own({2, 2}, {5, 5}) == std::vector<Nanoseconds>{0, 3});
    CHECK(own({2, 2}, {5, 7}) == std::vector<Nanoseconds>{3, 2});
    CHECK(own({2, 5}, {5, 7}) == std::vector<Nanoseconds>{3, 2});
    CHECK(own({}, {}).empty());
}

TEST_CASE("lists far from order are sorted too") {
    std::vector<int> list(3000);
    std::iota(list.begin(), list.end(), 0);
    std::vector<int> shuffled = list;
    std::mt19937 random(7); // NOLINT: a fixed seed is wanted
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    sort_nearly_sorted(shuffled, [](int a, int b) { return a < b; });
    CHECK(shuffled == list);
    std::swap(shuffled[10], shuffled[12]);
    sort_nearly_sorted(shuffled, [](int a, int b) { return a < b; });
    CHECK(shuffled == list);
}
