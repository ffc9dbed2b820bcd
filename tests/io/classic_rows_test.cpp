// Rows read where they lie in a classic file, against netCDF's reading of the same file.
#include "analysis/load_balance.hpp"
#include "io/timeline/timeline_reader.hpp"
#include "io/timeline/timeline_writer.hpp"
#include "tests/error_of.hpp"
#include "tests/io/small_header.hpp"
#include "tests/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <random>

using namespace cpl_lb;
using test::TemporaryFolder;

namespace {

void write(const std::string &path, const std::vector<Row> &rows, bool compress = false) {
    TimelineHeader header = test::small_header(static_cast<std::int64_t>(rows.size()), 0);
    header.component_names.clear(); // its events name another one
    for (std::size_t k = 0; k < rows.front().start.size(); ++k)
        header.keys.push_back({Kind::get, 1, 2, no_date, static_cast<std::int64_t>(k)});
    TimelineWriter writer(path, header, compress);
    for (std::size_t p = 0; p < rows.size(); ++p)
        writer.write_rows(static_cast<std::int64_t>(p), 1, rows[p].start, rows[p].stop);
    writer.close();
}

// Every fourth event absent, every ninth without one of its ends, the others up to a minute around 0.
std::vector<Row> random_rows(std::size_t processes, std::size_t events) {
    std::mt19937_64 random(processes * events); // NOLINT: the same every time
    std::uniform_int_distribution<Nanoseconds> time(-60'000'000'000, 60'000'000'000);
    std::vector<Row> rows(processes);
    for (Row &row : rows) {
        for (std::size_t k = 0; k < events; ++k) {
            const Nanoseconds start = random() % 4 == 0 ? absent : time(random);
            const Nanoseconds length = time(random);
            row.start.push_back(start);
            row.stop.push_back(start == absent || random() % 9 == 0 ? absent : start + (length < 0 ? 0 : length));
        }
    }
    return rows;
}

std::string error_of_netcdf(const std::string &path) {
    TimelineReader reader(path);
    std::vector<Row> rows(static_cast<std::size_t>(reader.processes()));
    return test::error_of([&] { reader.read_rows(0, rows); });
}

std::string error_of_classic(const std::string &path) {
    const TimelineReader reader(path);
    const ClassicRows rows(path, reader.classic_layout().value());
    ClassicRows::Buffer buffer;
    Row row;
    return test::error_of([&] {
        for (std::int64_t process = 0; process < reader.processes(); ++process)
            rows.read(process, row, buffer);
    });
}

bool can_be_reduced(const std::string &path) {
    const TimelineReader reader(path);
    RowExtremes extremes(static_cast<std::size_t>(reader.events()));
    ClassicRows::Buffer buffer;
    return ClassicRows(path, reader.classic_layout().value()).add_to(extremes, 0, reader.processes(), buffer);
}

} // namespace

TEST_CASE("rows and their extremes are those that netCDF reads") {
    const TemporaryFolder folder;
    // One event; short rows, many at once; rows longer than what is read at once (8192).
    const auto [processes, events] = GENERATE(table<std::size_t, std::size_t>({{3, 1}, {3000, 5}, {5, 20'000}}));
    write(folder / "t.nc", random_rows(processes, events));
    TimelineReader reader(folder / "t.nc");
    std::vector<Row> by_netcdf(processes);
    reader.read_rows(0, by_netcdf);
    const ClassicRows rows(folder / "t.nc", reader.classic_layout().value());
    ClassicRows::Buffer buffer;
    Row row;
    bool same = true;
    std::vector<EventSpan> expected(events);
    for (std::size_t p = processes; p-- > 0;) {
        rows.read(static_cast<std::int64_t>(p), row, buffer);
        same = same && row.start == by_netcdf[p].start && row.stop == by_netcdf[p].stop;
        add_row(expected, by_netcdf[p]);
    }
    CHECK(same);
    // In two parts, the second of which is united with the first.
    std::vector<EventSpan> spans(events);
    const auto first = static_cast<std::int64_t>(processes / 2);
    for (const std::int64_t part : {std::int64_t{0}, first}) {
        RowExtremes extremes(events);
        const std::int64_t count = part == 0 ? first : reader.processes() - first;
        REQUIRE(rows.add_to(extremes, part, count, buffer));
        extremes.add_to(spans);
    }
    CHECK(spans == expected);
}

TEST_CASE("what cannot be is refused in the same words") {
    const TemporaryFolder folder;
    std::vector<Row> rows = random_rows(4, 100);
    rows[2].start[7] = 0;
    SECTION("a time of 63 years") {
        rows[2].stop[7] = 2'000'000'000'000'000'000;
    }
    SECTION("an impossible end of an event that never began") {
        rows[2].start[7] = absent;
        rows[2].stop[7] = -2'000'000'000'000'000'000;
    }
    SECTION("an end ahead of the start") {
        rows[2].stop[7] = -1;
    }
    write(folder / "t.nc", rows);
    CHECK_THAT(error_of_netcdf(folder / "t.nc"), Catch::Contains("process 2"));
    CHECK(error_of_classic(folder / "t.nc") == error_of_netcdf(folder / "t.nc"));
    CHECK_FALSE(can_be_reduced(folder / "t.nc"));
}

TEST_CASE("a file that shrinks while it is read is an error, compressed files have no layout") {
    const TemporaryFolder folder;
    write(folder / "t.nc", random_rows(4, 100));
    CHECK(can_be_reduced(folder / "t.nc"));
    const TimelineReader reader(folder / "t.nc");
    const ClassicRows rows(folder / "t.nc", reader.classic_layout().value());
    std::filesystem::resize_file(folder / "t.nc", std::filesystem::file_size(folder / "t.nc") - 8);
    ClassicRows::Buffer buffer;
    Row row;
    CHECK_THROWS_AS(rows.read(3, row, buffer), FileError);
    write(folder / "compressed.nc", random_rows(4, 100), true);
    CHECK_FALSE(TimelineReader(folder / "compressed.nc").classic_layout().has_value());
}
