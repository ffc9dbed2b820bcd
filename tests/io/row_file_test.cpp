// Rows written by their processes at the places that the header names: the same file as netCDF writes, byte for byte.
#include "data/raster.hpp"
#include "io/timeline/row_extremes.hpp"
#include "io/timeline/row_file.hpp"
#include "io/timeline/timeline_reader.hpp"
#include "io/timeline/timeline_times.hpp"
#include "io/timeline/timeline_writer.hpp"
#include "tests/io/small_header.hpp"
#include "tests/temporary_folder.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <cstring>
#include <filesystem>
#include <limits>
#include <string>

using namespace cpl_lb;
using test::small_header, test::TemporaryFolder;

namespace {

// Process p took part in event k unless (p + k) is a multiple of 3.
Row row_of(std::int64_t p, std::size_t events) {
    Row row;
    for (std::size_t k = 0; k < events; ++k) {
        const auto t = static_cast<Nanoseconds>(k) * 1'000'000'007 + p;
        const bool there = (static_cast<std::size_t>(p) + k) % 3 != 0;
        row.start.push_back(there ? t : absent);
        row.stop.push_back(there ? t + 500 : absent);
    }
    return row;
}

} // namespace

TEST_CASE("rows written apart make the file that netCDF makes") {
    const TemporaryFolder folder;
    constexpr std::size_t events = 40'000; // more than one buffer
    TimelineHeader header = small_header(4, events);
    header.run_end = 40'000'000'000'000;
    ComponentBalance balance;
    balance.steps = {{1.5, 2, 0.5, 1.5, 0.25}, {3.5, 4, 1, 3, 0.125}};
    balance.step_count = 2;
    const auto raster = [](int p) { return std::vector<signed char>(raster_bins, static_cast<signed char>(p - 1)); };
    {
        TimelineWriter writer((folder / "netcdf.nc"), header, false);
        for (int p = 0; p < 4; ++p) {
            const Row row = row_of(p, events);
            writer.write_rows(p, 1, row.start, row.stop);
            writer.write_raster(p, raster(p));
        }
        writer.write_steps(balance);
        writer.close();
    }
    TimelineWriter writer((folder / "apart.nc"), header, false);
    const RowPlace place = writer.hand_over();
    for (const int p : {2, 0, 3, 1}) {
        RowFile file(place);
        const Row row = row_of(p, events);
        // In two pieces, the later one first.
        file.write(p, 100, std::span(row.start).subspan(100), std::span(row.stop).subspan(100));
        file.write(p, 0, std::span(row.start).first(100), std::span(row.stop).first(100));
        file.write_raster(p, raster(p));
        file.close();
    }
    writer.write_steps(balance);
    CHECK_FALSE(std::filesystem::exists((folder / "apart.nc"))); // not before it is whole
    writer.close();
    CHECK(test::contents(folder / "apart.nc") == test::contents(folder / "netcdf.nc"));
}

TEST_CASE("a file beyond 4 GiB for a variable: the places of CDF-5") {
    const TemporaryFolder folder;
    // 540,000 x 1,000 x 8 bytes = 4.32e9 for each variable; nearly all of it is never written and takes no room.
    constexpr std::int64_t processes = 540'000;
    TimelineWriter writer((folder / "large.nc"), small_header(processes, 1000), false);
    REQUIRE(timeline_format(1000, processes) == TimelineFormat::cdf5);
    const Row row = row_of(processes - 1, 1000);
    RowFile file(writer.hand_over());
    file.write(processes - 1, 0, row.start, row.stop);
    file.close();
    writer.close();
    std::vector<Row> back(1);
    TimelineReader((folder / "large.nc")).read_rows(processes - 1, back); // by netCDF
    CHECK(back[0].start == row.start);
    CHECK(back[0].stop == row.stop);
}

TEST_CASE("spans from the rows of a file") {
    const TemporaryFolder folder;
    TimelineWriter writer((folder / "a.nc"), small_header(3, 3), false);
    RowFile file(writer.hand_over());
    file.write(0, 0, std::vector<Nanoseconds>{10, absent, 30}, std::vector<Nanoseconds>{15, absent, 31});
    file.write(1, 0, std::vector<Nanoseconds>{12, absent, 29}, std::vector<Nanoseconds>{14, absent, 35});
    file.write(2, 0, std::vector<Nanoseconds>{-7, 5, 40}, std::vector<Nanoseconds>{-1, 6, 41});
    std::vector<EventSpan> spans(3);
    file.add_to(spans, std::vector<int>{0, 1, 2}, 0);
    CHECK(spans[0] == EventSpan{-7, 12, 15, 3}); // least start, largest start, largest stop
    CHECK(spans[1] == EventSpan{5, 5, 6, 1});
    CHECK(spans[2] == EventSpan{29, 40, 41, 3});
    // A part of the events of a part of the processes, on top of what is there.
    std::vector<EventSpan> part{EventSpan{28, 28, 50, 1}};
    file.add_to(part, std::vector<int>{0, 1}, 2);
    CHECK(part[0] == EventSpan{28, 30, 50, 3});
}

// Against the processor's own conversion, rounding and division, and bytes put in order one by one.
TEST_CASE("times become the big-endian doubles of a classic file") {
    std::vector<Nanoseconds> times = {0,
                                      1,
                                      -1,
                                      absent,
                                      999'999'999,
                                      -4'294'967'296,
                                      4'294'967'295,
                                      9'007'199'254'740'993,  // 2^53 + 1: a tie
                                      -9'007'199'254'740'995, // another, to the other side
                                      std::numeric_limits<Nanoseconds>::max(),
                                      std::numeric_limits<Nanoseconds>::min() + 1};
    std::uint64_t random = 1;
    for (int i = 0; i < 10'000; ++i) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        times.push_back(static_cast<Nanoseconds>(random) >> (i % 60));
    }
    std::vector<std::uint64_t> values(times.size());
    to_classic(times, 9.9692099683868690e+36, values.data()); // NC_FILL_DOUBLE
    for (std::size_t k = 0; k < times.size(); ++k) {
        const double seconds = times[k] == absent ? 9.9692099683868690e+36 : static_cast<double>(times[k]) / 1e9;
        std::array<unsigned char, 8> native{};
        std::array<unsigned char, 8> written{};
        std::memcpy(native.data(), &seconds, 8);
        std::memcpy(written.data(), &values[k], 8);
        if (std::endian::native == std::endian::little) std::reverse(native.begin(), native.end());
        INFO("time " << times[k]);
        REQUIRE(written == native);
    }
}

// One by one with the library's own minimum and maximum; lengths that fill no vector too.
TEST_CASE("extremes over the processes, from the bytes of the file") {
    constexpr double fill = 9.9692099683868690e+36;
    std::uint64_t random = 7;
    for (const std::size_t events : {1U, 3U, 4U, 17U, 1000U}) {
        RowExtremes extremes(events + 2); // of which the last two have no process
        std::vector<EventSpan> spans(events);
        for (int process = 0; process < 9; ++process) {
            std::vector<Nanoseconds> start(events);
            std::vector<Nanoseconds> stop(events);
            for (std::size_t k = 0; k < events; ++k) {
                random = random * 6364136223846793005U + 1442695040888963407U;
                const bool there = (random >> 40U) % 4 != 0 && k % 17 != 3; // of some events nobody
                start[k] = there ? static_cast<Nanoseconds>(random >> 20U) - 4'000'000'000'000 : absent;
                stop[k] = there ? start[k] + static_cast<Nanoseconds>((random >> 10U) % 1'000'000'000) : absent;
                if (there) spans[k].add(start[k], stop[k]);
            }
            std::vector<std::uint64_t> starts(events), stops(events);
            to_classic(start, fill, starts.data());
            to_classic(stop, fill, stops.data());
            REQUIRE(extremes.add(0, starts, stops, {fill, fill}));
        }
        std::vector<EventSpan> found(events + 2);
        extremes.add_to(found);
        for (std::size_t k = 0; k < events; ++k)
            CHECK(found[k] == spans[k]);
        CHECK(found[events].empty());
    }
}
