// Timelines that other programs wrote, and files that nobody should have written.
#include "io/timeline/timeline.hpp"
#include "io/timeline/timeline_reader.hpp"
#include "io/timeline/timeline_writer.hpp"
#include "tests/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

using namespace cpl_lb;
using test::TemporaryFolder;

namespace {

std::string compiled(const TemporaryFolder &folder, const std::string &cdl, const std::string &options = "") {
    std::ofstream(folder / "t.cdl") << cdl;
    REQUIRE(std::system(("ncgen " + options + " -o " + folder / "t.nc" + " " + folder / "t.cdl").c_str()) == 0);
    return folder / "t.nc";
}

// The layout of TR/CMGC/20/176, appendix 1.
std::string oasis(const std::string &kinds, const std::string &starts, const std::string &stops) {
    return R"(netcdf timeline_ocean {
dimensions: nx = 3 ; ny = 2 ;
variables:
    float timer_strt(ny, nx) ; timer_strt:units = "seconds since OASIS initialisation" ;
    float timer_stop(ny, nx) ;
    int kind(nx) ; kind:flag_values = "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10" ;
    int field(nx) ; int component(nx) ;
    :component_id = 2 ;
data: kind = )" +
           kinds + "; field = 1, 0, 3; component = 1, -1, 1; timer_strt = " + starts + "; timer_stop = " + stops +
           "; }";
}

std::string error_of(const std::string &path) {
    try {
        TimelineReader reader(path);
        std::vector<Row> rows(static_cast<std::size_t>(reader.processes()));
        reader.read_rows(0, rows);
    } catch (const FileError &error) {
        return error.what();
    }
    return "no error";
}

} // namespace

TEST_CASE("OASIS's own timelines are read") {
    const TemporaryFolder folder;
    const std::string path = compiled(folder, oasis("2, 3, 1", "0.5, 1, 2, 0.25, _, 2.5", "0.75, 1.5, 2, 0.5, 8, 3"));
    TimelineReader reader(path);
    CHECK(reader.single_precision());
    CHECK(reader.header().component_id == 2);
    CHECK(reader.header().component_names.empty());
    CHECK(reader.header().keys == std::vector<EventKey>{{Kind::get, 1, 1, no_date, 0},
                                                        {Kind::map, 0, 0, no_date, 0},
                                                        {Kind::put, 3, 1, no_date, 0}});
    std::vector<Row> rows(2);
    reader.read_rows(0, rows);
    CHECK(rows[0].start == std::vector<Nanoseconds>{500'000'000, 1'000'000'000, 2'000'000'000});
    CHECK(rows[0].stop == std::vector<Nanoseconds>{750'000'000, 1'500'000'000, 2'000'000'000});
    // A start without a value: no part in the event, whatever its stop says.
    CHECK(rows[1].start == std::vector<Nanoseconds>{250'000'000, absent, 2'500'000'000});
    CHECK(rows[1].stop == std::vector<Nanoseconds>{500'000'000, absent, 3'000'000'000});
    for (const char *kind : {"-k cdf5", "-k nc4"})
        CHECK(error_of(compiled(folder, oasis("2, 3, 1", "0, 1, 2, 0, 1, 2", "1, 2, 3, 1, 2, 3"), kind)) ==
              "no error");
}

TEST_CASE("another program's timeline keeps its name, ours gets another") {
    const TemporaryFolder folder;
    const std::string here = folder / "";
    CHECK(timeline_name_in(here, "ocean") == "timeline_ocean.nc"); // there is none
    const std::string path = compiled(folder, oasis("2, 3, 1", "0.5, 1, 2, 0.25, _, 2.5", "0.75, 1.5, 2, 0.5, 8, 3"));
    std::filesystem::rename(path, folder / "timeline_ocean.nc");
    CHECK(timeline_name_in(here, "ocean") == "timeline_ocean.cpl_lb.nc");
    CHECK(timeline_name_in(here, "ice") == "timeline_ice.nc");
    TimelineHeader header;
    header.processes = 1;
    header.component_name = "ice";
    header.component_id = 1;
    TimelineWriter(folder / "timeline_ice.nc", header, false).close(); // of an earlier run of ours
    CHECK(timeline_name_in(here, "ice") == "timeline_ice.nc");
    std::ofstream(folder / "timeline_land.nc") << "CDF"; // nothing of a timeline
    CHECK(timeline_name_in(here, "land") == "timeline_land.nc");
    std::filesystem::create_directory(folder / "timeline_river.nc");
    CHECK(timeline_name_in(here, "river") == "timeline_river.nc");
}

TEST_CASE("impossible values are one clear line") {
    const TemporaryFolder folder;
    const std::string good = "0, 1, 2, 0, 1, 2";
    CHECK_THAT(error_of(compiled(folder, oasis("2, 12, 1", good, good))), Catch::Contains("unknown kind of event"));
    CHECK_THAT(error_of(compiled(folder, oasis("2, -1, 1", good, good))), Catch::Contains("unknown kind of event"));
    CHECK_THAT(error_of(compiled(folder, oasis("2, 3, 1", "1, 1, 2, 0, 1, 2", good))),
               Catch::Contains("an event of process 0 ends before it starts"));
    CHECK_THAT(error_of(compiled(folder, oasis("2, 3, 1", good, "0, 1, 2, 0, 1, 1e30"))),
               Catch::Contains("impossible time of process 1"));
    // NaN is no time, infinity is an impossible one.
    CHECK(error_of(compiled(folder, oasis("2, 3, 1", good, "0, 1, 2, 0, 1, NaNf"))) == "no error");
    CHECK_THAT(error_of(compiled(folder, oasis("2, 3, 1", good, "0, 1, 2, 0, 1, Infinityf"))),
               Catch::Contains("impossible time"));
}

TEST_CASE("ids without a name are refused where the file has names") {
    const TemporaryFolder folder;
    const std::string cdl = "netcdf t { dimensions: nx = 1 ; ny = 1 ; variables: double timer_strt(ny, nx) ; "
                            "double timer_stop(ny, nx) ; int kind(nx) ; int field(nx) ; :field_names = \"a,b\" ; "
                            "data: kind = 1 ; field = ";
    const std::string tail = " ; timer_strt = 1 ; timer_stop = 2 ; }";
    CHECK(error_of(compiled(folder, cdl + "2" + tail)) == "no error");
    CHECK_THAT(error_of(compiled(folder, cdl + "3" + tail)), Catch::Contains("field holds an id without a name"));
    CHECK(TimelineReader(compiled(folder, cdl + "1" + tail)).header().keys[0].counterpart == 0);
}

TEST_CASE("files that are no timelines") {
    const TemporaryFolder folder;
    const auto made = [&](const std::string &bytes) {
        std::ofstream(folder / "x.nc", std::ios::binary) << bytes;
        return error_of(folder / "x.nc");
    };
    CHECK_THAT(made(""), Catch::Contains("is not a netCDF file"));
    CHECK_THAT(made("hello, world"), Catch::Contains("is not a netCDF file"));
    CHECK_THAT(made("CDF\2"), Catch::Contains("is damaged or truncated"));
    CHECK_THAT(made("\211HDF\r\n\032\n"), Catch::Contains("cannot open"));
    CHECK_THAT(error_of(folder / "none.nc"), Catch::Contains("none.nc: cannot open: No such file"));
    CHECK_THAT(error_of(compiled(folder, "netcdf t { dimensions: nx = 1 ; variables: int kind(nx) ; }")),
               Catch::Contains("is not a timeline: it has no variable timer_strt"));
    CHECK_THAT(error_of(compiled(folder, "netcdf t { dimensions: nx = 1 ; variables: float timer_strt(nx) ; "
                                         "float timer_stop(nx) ; int kind(nx) ; }")),
               Catch::Contains("are not both (processes, events)"));
}

TEST_CASE("a truncated file says so and allocates nothing for what it lacks") {
    const TemporaryFolder folder;
    const std::string path = compiled(folder, oasis("2, 3, 1", "0, 1, 2, 0, 1, 2", "1, 2, 3, 1, 2, 3"));
    std::string bytes = test::contents(path);
    // The header says 3 events: big-endian 3 after the dimension's name "nx".
    const std::size_t at = bytes.find(std::string("nx\0\0\0\0\0\3", 8));
    REQUIRE(at != std::string::npos);
    bytes[at + 4] = 0x7f; // 2,130,706,435 events
    std::ofstream(path, std::ios::binary) << bytes;
    CHECK_THAT(error_of(path), Catch::Contains("is damaged or truncated"));
}
