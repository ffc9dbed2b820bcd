// What a process did most in each bin, by hand.
#include "analysis/kind_raster.hpp"

#include <algorithm>
#include <array>
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

// Second way: each event's overlap with each bin.
TEST_CASE("events one after the other, in blocks of any length, as in each bin by itself") {
    std::uint64_t random = 3;
    const auto next = [&](std::uint64_t below) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        return static_cast<Nanoseconds>((random >> 33U) % below);
    };
    constexpr std::array<Kind, 3> kinds = {Kind::put, Kind::get, Kind::out};
    for (int round = 0; round < 5; ++round) {
        const Interval run{next(500), end_of_run - next(500)};
        Row row;
        std::vector<std::uint32_t> classes;
        // From many events in a bin to events over many bins, some at once after another, some of no length.
        for (Nanoseconds t = run.start; t < run.stop;) {
            const Nanoseconds start = t + (next(3) == 0 ? 0 : next(40));
            t = start + (next(5) == 0 ? 0 : next(round % 4 == 0 ? 900 : 60));
            row.start.push_back(start);
            row.stop.push_back(t);
            classes.push_back(static_cast<std::uint32_t>(next(3)));
        }
        std::vector<signed char> expected;
        for (std::size_t bin = 0; bin < raster_bins; ++bin) {
            const Interval b{static_cast<Nanoseconds>(bin) * 100, static_cast<Nanoseconds>(bin + 1) * 100};
            std::array<Nanoseconds, 3> busy{};
            for (std::size_t k = 0; k < classes.size(); ++k)
                busy[classes[k]] +=
                    std::max<Nanoseconds>(std::min(row.stop[k], b.stop) - std::max(row.start[k], b.start), 0);
            const Nanoseconds running =
                std::max<Nanoseconds>(std::min(run.stop, b.stop) - std::max(run.start, b.start), 0);
            Nanoseconds longest = std::max<Nanoseconds>(running - busy[0] - busy[1] - busy[2], 0);
            signed char kind = raster_computing;
            if (100 - running > longest) {
                longest = 100 - running;
                kind = raster_not_running;
            }
            for (std::size_t c = 0; c < kinds.size(); ++c) {
                if (busy[c] <= longest) continue;
                longest = busy[c];
                kind = static_cast<signed char>(kinds[c]);
            }
            expected.push_back(kind);
        }
        RowOfWholeEvents blocks(kinds, run, {}, end_of_run);
        for (std::size_t at = 0; at < classes.size();) {
            const std::size_t n = std::min(static_cast<std::size_t>(next(50)), classes.size() - at);
            REQUIRE(blocks.add(std::span(classes).subspan(at, n), std::span(row.start).subspan(at, n),
                               std::span(row.stop).subspan(at, n)));
            at += n;
        }
        CHECK(blocks.finish() == expected);
        CHECK(kind_raster(row, classes, kinds, run, end_of_run) == expected);
    }
}

TEST_CASE("blocks are refused when events overlap, are absent or come out of order") {
    constexpr std::array<Kind, 1> kinds = {Kind::put};
    const auto taken = [&](std::vector<Nanoseconds> start, std::vector<Nanoseconds> stop, std::size_t first_block) {
        RowOfWholeEvents blocks(kinds, whole, {}, end_of_run);
        const std::vector<std::uint32_t> classes(start.size());
        const std::span<const std::uint32_t> c(classes);
        const std::span<const Nanoseconds> s(start);
        const std::span<const Nanoseconds> e(stop);
        return blocks.add(c.first(first_block), s.first(first_block), e.first(first_block)) &&
               blocks.add(c.subspan(first_block), s.subspan(first_block), e.subspan(first_block));
    };
    for (const std::size_t first_block : {0U, 1U, 2U, 3U}) {
        CHECK(taken({10, 20, 30}, {20, 30, 30}, first_block));
        CHECK_FALSE(taken({10, 19, 30}, {20, 30, 40}, first_block)); // overlap
        CHECK_FALSE(taken({10, 20, 15}, {20, 30, 16}, first_block)); // inside another, out of order
        CHECK_FALSE(taken({10, absent, 30}, {20, absent, 40}, first_block));
        CHECK_FALSE(taken({10, 20, absent}, {20, 30, absent}, first_block));
        CHECK_FALSE(taken({absent, 20, 30}, {absent, 30, 40}, first_block));
        CHECK_FALSE(taken({10, 20, 30}, {20, 30, 29}, first_block)); // the last one ends before it begins
    }
}
