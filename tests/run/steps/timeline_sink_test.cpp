// Rows at their places in a file; the first failure is kept.
#include "run/live/steps/timeline_sink.hpp"

#include "data/raster.hpp"
#include "io/timeline/timeline_reader.hpp"
#include "tests/temporary_folder.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <optional>
#include <span>

using namespace cpl_lb;
using cpl_lb::test::TemporaryFolder;

namespace {

TimelineHeader header_of(std::int64_t processes) {
    TimelineHeader header;
    header.component_name = "ocean";
    header.component_id = 1;
    header.component_names = {"ocean", "atmosphere"};
    header.field_names = {"SST"};
    header.processes = processes;
    header.first_init = 0;
    header.last_terminate = 100;
    header.run_end = 100;
    return header;
}

EventKeys three_events() {
    return {{Kind::put, 1, 2, no_date, 0}, {Kind::put, 1, 2, no_date, 1}, {Kind::term, 0, 0, no_date, 0}};
}

void write_row(const RowPlace &place, int process, std::span<const Nanoseconds> start,
               std::span<const Nanoseconds> stop, std::int64_t first_event = 0) {
    RowFile file(place);
    file.write(process, first_event, start, stop);
    file.write_raster(process, std::vector<signed char>(raster_bins));
}

// Two processes, the second in two pieces; false: there is no file.
bool give_rows(TimelineSink &sink) {
    EventKeys keys = three_events();
    sink.open(keys, 1);
    CHECK(keys == three_events()); // moved out and back
    sink.away(1, std::vector<Interval>{{11, 12}});
    const std::optional<RowPlace> place = sink.hand_over();
    if (!place) return false;
    write_row(*place, 0, std::array<Nanoseconds, 3>{1, 2, 3}, std::array<Nanoseconds, 3>{4, 5, 6});
    write_row(*place, 1, std::array<Nanoseconds, 1>{10}, std::array<Nanoseconds, 1>{20});
    write_row(*place, 1, std::array<Nanoseconds, 2>{absent, 12}, std::array<Nanoseconds, 2>{absent, 22}, 1);
    return true;
}

} // namespace

TEST_CASE("sink: what it was given stands in the file") {
    const bool compress = GENERATE(false, true);
    const TemporaryFolder folder;
    const std::string path = folder / "timeline_ocean.nc";
    TimelineSink sink(path, header_of(2), compress, TimelineWriter::any_size);
    CHECK(give_rows(sink));
    CHECK(sink.close(true, {}, three_events()).empty());
    TimelineReader reader(path);
    CHECK(reader.header().keys == three_events());
    std::vector<Row> rows(2);
    reader.read_rows(0, rows);
    if (!compress) { // which rounds to 2^-20 s
        CHECK(rows[0].start == std::vector<Nanoseconds>{1, 2, 3});
        CHECK(rows[0].stop == std::vector<Nanoseconds>{4, 5, 6});
        CHECK(rows[1].start == std::vector<Nanoseconds>{10, absent, 12});
        CHECK(rows[1].stop == std::vector<Nanoseconds>{20, absent, 22});
        REQUIRE(reader.away_of(1).size() == 1);
        CHECK(reader.away_of(1)[0] == Interval{11, 12});
    }
    CHECK(rows[1].start[1] == absent);
}

TEST_CASE("sink: rows that are missing leave no file, and words") {
    const TemporaryFolder folder;
    const std::string path = folder / "timeline_ocean.nc";
    TimelineSink sink(path, header_of(2), false, TimelineWriter::any_size);
    CHECK(give_rows(sink));
    CHECK(sink.close(false, {}, {}) == path + ": not written, because rows of some processes are missing");
    CHECK(folder.entries() == 0);
}

TEST_CASE("sink: the first failure is kept") {
    const TemporaryFolder folder;
    TimelineSink nowhere(folder / "no folder/timeline.nc", header_of(2), false, TimelineWriter::any_size);
    CHECK_FALSE(give_rows(nowhere));
    nowhere.fail("a second failure");
    const std::string why = nowhere.close(false, {}, {});
    CHECK(why.find("no folder/timeline.nc") != std::string::npos);
    CHECK(why.find("second") == std::string::npos);
    TimelineSink failed(folder / "timeline.nc", header_of(2), false, TimelineWriter::any_size);
    CHECK(give_rows(failed));
    failed.fail("process 1: no space left");
    CHECK(failed.close(true, {}, {}) == "process 1: no space left");
    CHECK(folder.entries() == 0);
}

TEST_CASE("sink: who came last to a collective operation is written at the end") {
    const bool compress = GENERATE(false, true);
    const TemporaryFolder folder;
    const std::string path = folder / "timeline_ocean.nc";
    TimelineHeader header = header_of(1);
    header.run_end = absent; // no picture
    TimelineSink sink(path, header, compress, TimelineWriter::any_size);
    EventKeys keys{{Kind::sync, 1, 0, no_date, 0}, {Kind::sync, 1, 0, no_date, 1}};
    sink.open(keys, 0);
    const std::optional<RowPlace> place = sink.hand_over();
    REQUIRE(place.has_value());
    RowFile(*place).write(0, 0, std::array<Nanoseconds, 2>{1, 2}, std::array<Nanoseconds, 2>{4, 5});
    keys.set_counterpart(1, 2);
    CHECK(sink.close(true, {}, keys).empty());
    CHECK(TimelineReader(path).header().keys == EventKeys{{Kind::sync, 1, 0}, {Kind::sync, 1, 2}});
}

TEST_CASE("sink: without events the processes write their pictures at the place that it names") {
    const TemporaryFolder folder;
    const std::string path = folder / "timeline_ocean.nc";
    TimelineSink sink(path, header_of(2), false, TimelineWriter::any_size);
    EventKeys none;
    sink.open(none, 0);
    const std::optional<RowPlace> place = sink.hand_over();
    REQUIRE(place.has_value());
    for (const int process : {0, 1})
        write_row(*place, process, {}, {});
    CHECK(sink.close(true, {}, none).empty());
    CHECK(TimelineReader(path).events() == 0);
    CHECK(TimelineReader::has_kind_dominant(path));
}
