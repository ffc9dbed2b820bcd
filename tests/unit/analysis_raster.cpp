// What a process did most in each bin, by hand.
#include "analysis/kind_raster.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace cpl_lb;

namespace {

// 2048 bins of 100 ns.
constexpr Nanoseconds end_of_run = 204'800;
constexpr Interval whole{0, end_of_run};
constexpr signed char put = 1, get = 2, map = 3;

std::vector<signed char> raster(const std::vector<Kind> &kinds, const Row &row, Interval run = whole) {
    EventKeys keys;
    for (const Kind kind : kinds)
        keys.push_back({kind});
    return kind_raster(row, keys, run, end_of_run);
}

} // namespace

TEST_CASE("the longest kind of a bin wins, computing is what is left") {
    // Bin 0: GET 40 ns, PUT 30, computing 30. Bin 1: GET 20, PUT 30, computing 50. Bin 2: GET 2 x 30 in two pieces,
    // PUT 40. Bin 3: half GET, half computing. Bins 10 to 12 are one GET from 1090 to 1260: 10, 100 and 60 ns of it.
    const std::vector<Kind> kinds = {Kind::get, Kind::put, Kind::get, Kind::put, Kind::get,
                                     Kind::put, Kind::get, Kind::get, Kind::get};
    const Row row{{10, 50, 100, 150, 200, 230, 270, 350, 1090}, {50, 80, 120, 180, 230, 270, 300, 400, 1260}, {}};
    const std::vector<signed char> kind = raster(kinds, row);
    REQUIRE(kind.size() == raster_bins);
    CHECK(kind[0] == get);
    CHECK(kind[1] == raster_computing);
    CHECK(kind[2] == get);
    CHECK(kind[3] == raster_computing); // a tie
    CHECK(kind[4] == raster_computing);
    CHECK(kind[10] == raster_computing);
    CHECK(kind[11] == get);
    CHECK(kind[12] == get);
    CHECK(kind[13] == raster_computing);
    CHECK(kind[2047] == raster_computing);
}

TEST_CASE("a bin belongs to the innermost event") {
    // A PUT over bins 5 to 8, in it a MAP over bins 6 and 7, in that a GET of 10 ns. The second row lists them in
    // another order.
    const Row row{{500, 600, 710}, {900, 800, 720}, {}};
    const std::vector<signed char> kind = raster({Kind::put, Kind::map, Kind::get}, row);
    CHECK(std::vector(kind.begin() + 4, kind.begin() + 10) ==
          std::vector<signed char>{raster_computing, put, map, map, put, raster_computing});
    const Row turned{{600, 710, 500}, {800, 720, 900}, {}};
    CHECK(raster({Kind::map, Kind::get, Kind::put}, turned) == kind);
}

TEST_CASE("before init, after terminate and inside another component nothing runs") {
    // Init at 120, terminate at 204,750, away from 1000 to 1260 but for a GET.
    const Row row{{absent, 1060}, {absent, 1100}, {{1000, 1060}, {1100, 1260}}};
    const std::vector<signed char> kind = raster({Kind::put, Kind::get}, row, {120, 204'750});
    CHECK(kind[0] == raster_not_running);
    CHECK(kind[1] == raster_computing);
    CHECK(kind[9] == raster_computing);
    CHECK(kind[10] == raster_not_running); // 60 ns away, 40 GET
    CHECK(kind[11] == raster_not_running);
    CHECK(kind[12] == raster_not_running); // 60 away, 40 computing
    CHECK(kind[13] == raster_computing);
    CHECK(kind[2047] == raster_computing);                          // 50 ns of it: a tie
    CHECK(raster({}, {}, {160, 204'749})[1] == raster_not_running); // 60 of 100 ns
    CHECK(raster({}, {}, {160, 204'749})[2047] == raster_not_running);
}

TEST_CASE("a run without length, and events outside it") {
    // All bins but the last have no length.
    const std::vector<signed char> nothing = kind_raster({}, EventKeys{}, {0, 0}, 0);
    CHECK(nothing.size() == raster_bins);
    CHECK(std::all_of(nothing.begin(), nothing.end(), [](signed char k) { return k == raster_not_running; }));
    const Row row{{-300, 204'000}, {150, 300'000}, {}};
    const std::vector<signed char> kind = raster({Kind::get, Kind::put}, row);
    CHECK(kind[0] == get);
    CHECK(kind[1] == raster_computing);
    CHECK(std::all_of(kind.begin() + 2040, kind.end(), [](signed char k) { return k == put; }));
}
