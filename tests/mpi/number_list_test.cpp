// Lists of numbers as runs, against vectors.
#include "mpi/wire.hpp"
#include "support/number_list.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <random>

using namespace cpl_lb;

namespace {

constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min(),
                       most = std::numeric_limits<std::int32_t>::max();

std::vector<std::vector<std::int32_t>> lists() {
    std::vector<std::vector<std::int32_t>> all = {
        {},           {7},       {0, 1, 2, 3},         {5, 5, 5},    {0, 0, 1, 1, 2, 2},
        {0, 1, 0, 1}, {9, 6, 3}, {least, most, least}, {most, least}};
    std::mt19937 random(5); // NOLINT: the same every time
    for (int n = 0; n < 200; ++n) {
        std::vector<std::int32_t> &list = all.emplace_back(random() % 40);
        for (std::int32_t &number : list)
            number = static_cast<std::int32_t>(random() % 4);
    }
    return all;
}

} // namespace

TEST_CASE("a list of runs is what a vector of the same numbers is") {
    for (const std::vector<std::int32_t> &numbers : lists()) {
        const NumberList list(numbers);
        CHECK(list.all() == numbers);
        CHECK(list.size() == numbers.size());
        for (std::size_t i = 0; i < numbers.size(); ++i)
            CHECK(list[i] == numbers[i]);
        for (std::int32_t number = -1; number < 5; ++number) {
            std::vector<std::int32_t> places;
            for (std::size_t i = 0; i < numbers.size(); ++i)
                if (numbers[i] == number) places.push_back(static_cast<std::int32_t>(i));
            CHECK(list.places_of(number) == places);
        }
        if (numbers.empty()) continue;
        CHECK(list.least() == *std::min_element(numbers.begin(), numbers.end()));
        CHECK(list.greatest() == *std::max_element(numbers.begin(), numbers.end()));
    }
}

TEST_CASE("places in an ascending list of ranks") {
    const std::vector<std::int32_t> ranks = {0, 1, 2, 5, 8, 11, 12, 40};
    const NumberList list(ranks);
    for (std::int32_t rank = -1; rank < 50; ++rank) {
        const auto at = std::find(ranks.begin(), ranks.end(), rank) - ranks.begin();
        CHECK(list.place_of(rank) == static_cast<std::size_t>(at)); // the size, where it is not there
    }
}

TEST_CASE("blocks of ranks are a few runs, however they are put in") {
    NumberList list;
    list.push_counting(0, 10'000);
    list.push_counting(10'001, 20'480);
    list.push_counting(5, 5);
    CHECK(list.size() == 20'479);
    CHECK(list.runs().size() == 2);
    NumberList one_by_one;
    for (std::int32_t rank = 0; rank < 20'480; ++rank)
        if (rank != 10'000) one_by_one.push_back(rank);
    CHECK(list == one_by_one);
    CHECK(NumberList::counting_from(3, 4) == NumberList{3, 4, 5, 6});
    for (const std::int32_t start : {0, 4, 9}) { // behind a run of another step
        NumberList mixed = {0, 3, 6};
        mixed.push_counting(start, 12);
        std::vector<std::int32_t> right = {0, 3, 6};
        for (std::int32_t n = start; n < 12; ++n)
            right.push_back(n);
        CHECK(mixed == NumberList(right));
        CHECK(mixed.all() == right);
    }
}

TEST_CASE("a message gives the list again, or is refused") {
    for (const std::vector<std::int32_t> &numbers : lists()) {
        WireWriter out;
        out.put(NumberList(numbers));
        const Bytes bytes = out.take();
        WireReader in(bytes);
        CHECK(in.get_list() == numbers);
        CHECK(in.done());
        CHECK(in.good());
    }
    using Runs = std::vector<NumberList::Run>;
    for (const Runs &bad : {Runs{{1, 0, 0, 1}}, Runs{{0, 0, 0, 0}}, Runs{{0, 0, 1, -4}}, Runs{{0, most, 1, 2}},
                            Runs{{0, 0, 0, most}, {most, 0, 0, 1}}, Runs{{0, 1, 1, 3}, {2, 0, 0, 1}}}) {
        NumberList list;
        CHECK_FALSE(list.take_runs(bad));
    }
}
