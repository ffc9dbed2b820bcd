// What the page knows of a process between its events: shares in MPI, or that nobody saw it.
#include "page/inside_bins.hpp"

#include "data/raster.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;

namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr std::uint8_t u = inside_unseen;

Bytes of(const InsideBins &bins) {
    return {bins.bytes().begin(), bins.bytes().end()};
}

} // namespace

TEST_CASE("inside: bins get the means of the recorder's, and are not known where one of these is not") {
    InsideBins bins({0, 400}, 4);
    // Two of the recorder's in each: (100 + 0) / 2 = 50 %, of 254: 127; 25 %: 63.5, rounded up; 0; one is not known.
    bins.set_recorded(std::vector<signed char>{100, 0, 20, 30, 0, 0, 40, inside_not_known});
    CHECK(of(bins) == Bytes{127, 64, 0, u});
    CHECK(bins.tells());
    // Three in two: the middle one belongs to both. (30 + 60 / 2) / 1.5 = 40 %: 101.6; (60 / 2 + 90) / 1.5 = 80 %:
    // 203.2
    InsideBins two({0, 400}, 2);
    two.set_recorded(std::vector<signed char>{30, 60, 90});
    CHECK(of(two) == Bytes{102, 203});
    two.set_recorded(std::vector<signed char>{0, 0});
    CHECK_FALSE(two.tells());
    two.set_recorded(std::vector<signed char>{100, 101}); // a file of somebody else
    CHECK(of(two) == Bytes{254, u});
}

TEST_CASE("inside: a process without part in its component's exchanges is not seen between its own") {
    const std::vector<EventClass> classes = {{Kind::get, 1, 2}, {Kind::map, 1, 0}, {Kind::put, 2, 2}};
    const std::vector<std::uint16_t> class_of = {0, 1, 0, 0, 2, 0};
    const auto seen = [&](std::vector<Nanoseconds> start, std::vector<Nanoseconds> stop) {
        InsideBins bins({0, 100}, 10);
        bins.set_unrecorded({std::move(start), std::move(stop), {}}, class_of, classes, {0, 95});
        return of(bins);
    };
    // Part in all of them: computing is seen between them, and before and after.
    CHECK(seen({10, 15, 30, 50, 60, 80}, {12, 16, 31, 55, 61, 81}) == Bytes(10, 0));
    // In none: from the begin of the component to its end, in whole bins. Its own mapping is no exchange.
    CHECK(seen({absent, 15, absent, absent, absent, absent}, {absent, 16, absent, absent, absent, absent}) ==
          Bytes{u, u, u, u, u, u, u, u, u, 0});
    // The first and the last only: from 12 to 80.
    CHECK(seen({10, absent, absent, absent, absent, 80}, {12, absent, absent, absent, absent, 81}) ==
          Bytes{0, 0, u, u, u, u, u, u, 0, 0});
    // One GET and one PUT without it: fields of other processes, and not a step that it left out.
    CHECK(seen({10, absent, 30, absent, absent, 80}, {12, absent, 31, absent, absent, 81}) == Bytes(10, 0));
    // From its last exchange on, the end of the component included.
    CHECK(seen({10, absent, absent, absent, 60, absent}, {12, absent, absent, absent, 61, absent}) ==
          Bytes{0, 0, u, u, u, u, 0, 0, 0, 0});
}

TEST_CASE("inside: means of a group") {
    GroupInside group(3);
    group.add(Bytes{254, 0, u});
    group.add(Bytes{0, 127, u});
    group.add(Bytes{127, 0, 0});
    group.add(Bytes{127, 127, 254});
    // In MPI: (254 + 0 + 127 + 127) / 4 = half; (127 + 127) / 4 = a quarter; 254 / 4 = a quarter. Not seen: two of
    // four.
    CHECK(group.planes() == Bytes{128, 64, 64, 0, 0, 128});
    group.clear();
    group.add(Bytes{254, 254, 254});
    CHECK(group.planes() == Bytes{255, 255, 255, 0, 0, 0});
}
