// The run id from the walk through a classic header, against netCDF's own answer, and from headers that are damaged.
#include "io/timeline/classic_file.hpp"
#include "io/timeline/timeline_reader.hpp"
#include "tests/error_of.hpp"
#include "tests/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <netcdf.h>
#include <string>

using namespace cpl_lb;
using test::TemporaryFolder;

namespace {

// A file with one attribute before run_id and one after it. run_id: its text; empty: a text without letters.
void write(const std::string &path, int format, const std::string &run_id) {
    int id = -1, dimension = -1, variable = -1;
    REQUIRE(nc_create(path.c_str(), format, &id) == NC_NOERR);
    const double year = 365;
    nc_put_att_double(id, NC_GLOBAL, "year_days", NC_DOUBLE, 1, &year);
    nc_put_att_text(id, NC_GLOBAL, "run_id", run_id.size(), run_id.data());
    nc_put_att_text(id, NC_GLOBAL, "job", 3, "job");
    nc_def_dim(id, "nx", 1, &dimension);
    nc_def_var(id, "kind", NC_INT, 1, &dimension, &variable);
    nc_put_att_text(id, variable, "run_id", 5, "wrong"); // of a variable: not the file's
    REQUIRE(nc_close(id) == NC_NOERR);
}

std::string by_netcdf(const std::string &path) {
    int id = -1;
    std::size_t length = 0;
    REQUIRE(nc_open(path.c_str(), NC_NOWRITE, &id) == NC_NOERR);
    REQUIRE(nc_inq_attlen(id, NC_GLOBAL, "run_id", &length) == NC_NOERR);
    std::string text(length, '?');
    nc_get_att_text(id, NC_GLOBAL, "run_id", text.data());
    REQUIRE(nc_close(id) == NC_NOERR);
    return text;
}

std::string error_of(const std::string &path) {
    return test::error_of([&] { static_cast<void>(TimelineReader::run_id_of(path)); });
}

void put(const std::string &path, const std::string &bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

} // namespace

TEST_CASE("the run id of each format of netCDF") {
    const TemporaryFolder folder;
    const std::string path = folder / "timeline_a.nc";
    // One letter and five: the file fills both up to whole words. 40,000 letters: longer than one piece of the walk.
    for (const std::string &run_id : {std::string("a"), std::string("r_123"), std::string(40'000, 'x') + "end"}) {
        for (const int format : {NC_CLASSIC_MODEL, NC_64BIT_OFFSET, NC_64BIT_DATA, NC_NETCDF4}) {
            CAPTURE(format, run_id.size());
            write(path, format | NC_CLOBBER, run_id);
            CHECK(TimelineReader::run_id_of(path) == run_id);
            CHECK(by_netcdf(path) == run_id);
        }
    }
}

TEST_CASE("a run id that is empty, ends with zeros, is missing or is no text") {
    const TemporaryFolder folder;
    const std::string path = folder / "timeline_a.nc";
    write(path, NC_CLOBBER, "");
    CHECK(TimelineReader::run_id_of(path).empty());
    write(path, NC_CLOBBER, std::string("r\0 1\0\0", 6)); // a C program's final zeros go, that inside stays
    CHECK(TimelineReader::run_id_of(path) == std::string("r\0 1", 4));
    CHECK(classic_text(path, "job") == "job");
    CHECK(classic_text(path, "none").empty());
    CHECK(classic_text(path, "year_days").empty()); // a number
}

TEST_CASE("a damaged header is told, wherever the run id stands") {
    const TemporaryFolder folder;
    const std::string path = folder / "timeline_a.nc";
    write(path, NC_CLOBBER, "r_123");
    std::ifstream file(path, std::ios::binary);
    const std::string good{std::istreambuf_iterator<char>(file), {}};
    // Name, type 2, length 5, "r_123": the length is big-endian.
    const std::size_t at = good.find(std::string("run_id\0\0\0\0\0\2\0\0\0\5r_123", 21));
    REQUIRE(at != std::string::npos);
    std::string longer = good;
    longer[at + 12] = 0x7f; // 2,130,706,437 letters
    put(path, longer);
    CHECK_THAT(error_of(path), Catch::Contains("is damaged or truncated: its header does not fit"));
    std::string of_no_type = good;
    of_no_type[at + 11] = 12; // text of Python tools, which the classic formats do not have
    put(path, of_no_type);
    CHECK_THAT(error_of(path), Catch::Contains("is damaged or truncated: its header does not fit"));
    for (const std::size_t bytes : {at, at + 10, at + 18, at + 30}) { // the last: after the run id
        CAPTURE(bytes);
        put(path, good.substr(0, bytes));
        CHECK_THAT(error_of(path), Catch::Contains("is damaged or truncated: its header does not fit"));
    }
    put(path, "hello, world");
    CHECK_THAT(error_of(path), Catch::Contains("is not a netCDF file"));
    CHECK_THAT(error_of(folder / "none.nc"), Catch::Contains("none.nc: cannot open: No such file"));
}
