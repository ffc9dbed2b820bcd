// Timeline files: what is written is what is read, and what other programs see.
#include "io/timeline/timeline_reader.hpp"
#include "io/timeline/timeline_writer.hpp"
#include "tests/error_of.hpp"
#include "tests/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <random>
#include <sys/resource.h>

using namespace cpl_lb;
using test::error_of, test::TemporaryFolder;

namespace {

TimelineHeader small_header() {
    TimelineHeader header;
    header.component_name = "ocean";
    header.component_id = 1;
    header.component_names = {"ocean", "atmosphere, upper 50%", "a\nb\"c"};
    header.field_names = {"SST", "heat,flux"};
    header.run_id = "run 7";
    header.simulated_s = 43200;
    header.year_days = 365;
    header.clock_error_bound_s = 2.5e-6;
    header.first_init = 0;
    header.last_terminate = 41'527'000'000;
    header.threads = 4;
    header.processes = 3;
    header.ranks = {0, 2, 5};
    header.clock_error_bounds_s = {0, 1e-6, 2.5e-6};
    header.keys = {{Kind::part, 0, 0, no_date, 0},
                   {Kind::put, 1, 2, 0, 0},
                   {Kind::get, 2, 2, 0, 0},
                   {Kind::put, 1, 2, 3600, 0},
                   {Kind::put, 1, 2, 3600, 1}};
    return header;
}

std::vector<Row> small_rows() {
    std::vector<Row> rows(3);
    rows[0].start = {1, 1'000'000'001, 2'000'000'000, 3'000'000'000, absent};
    rows[0].stop = {2, 1'000'000'002, 2'500'000'000, 3'000'000'000, absent};
    rows[1].start = {absent, absent, absent, absent, absent};
    rows[1].stop = rows[1].start;
    // 97 days less one nanosecond: the last time that a double in seconds tells from its neighbours.
    rows[2].start = {-5, 0, 7, 8'388'607'999'999'999, 8'388'607'999'999'998};
    rows[2].stop = {0, 0, 8, 8'388'607'999'999'999, 8'388'607'999'999'999};
    return rows;
}

void write(const std::string &path, TimelineHeader header, const std::vector<Row> &rows, bool compress = false) {
    for (const Row &row : rows)
        header.away_intervals += static_cast<std::int64_t>(row.away.size());
    TimelineWriter writer(path, header, compress);
    for (std::size_t p = 0; p < rows.size(); ++p) {
        writer.write_rows(static_cast<std::int64_t>(p), 1, rows[p].start, rows[p].stop);
        writer.write_away(static_cast<std::int64_t>(p), rows[p].away);
    }
    writer.close();
}

std::vector<Row> read(TimelineReader &reader) {
    std::vector<Row> rows(static_cast<std::size_t>(reader.processes()));
    reader.read_rows(0, rows);
    return rows;
}

std::string output_of(const std::string &command) {
    std::string output;
    FILE *pipe = ::popen(command.c_str(), "r");
    REQUIRE(pipe != nullptr);
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe))
        output += static_cast<char>(c);
    REQUIRE(::pclose(pipe) == 0);
    return output;
}

} // namespace

TEST_CASE("writing then reading a timeline is the identity") {
    const TemporaryFolder folder;
    const TimelineHeader header = small_header();
    std::vector<Row> rows = small_rows();
    rows[0].away = {{10, 20}, {20, 25}};
    rows[2].away = {{1'500'000'000, 1'600'000'000}};
    write(folder / "timeline_ocean.nc", header, rows);
    REQUIRE(folder.entries() == 1); // no temporary file is left

    TimelineReader reader(folder / "timeline_ocean.nc");
    const TimelineHeader &found = reader.header();
    CHECK(found.component_name == "ocean");
    CHECK(found.component_id == 1);
    CHECK(found.component_names == header.component_names);
    CHECK(found.field_names == header.field_names);
    CHECK(found.run_id == "run 7");
    CHECK_FALSE(found.version.empty());
    CHECK(found.simulated_s == 43200);
    CHECK(found.year_days == 365);
    CHECK(found.clock_error_bound_s == 2.5e-6);
    CHECK(found.first_init == 0);
    CHECK(found.last_terminate == 41'527'000'000);
    CHECK(found.window_first == absent);
    CHECK(found.threads == 4);
    CHECK(found.ranks == header.ranks);
    CHECK(found.clock_error_bounds_s == header.clock_error_bounds_s);
    CHECK(found.keys == header.keys);
    CHECK_FALSE(reader.single_precision());

    const std::vector<Row> again = read(reader);
    for (std::size_t p = 0; p < rows.size(); ++p) {
        CHECK(again[p].start == rows[p].start);
        CHECK(again[p].stop == rows[p].stop);
        CHECK(again[p].away == rows[p].away);
    }
}

TEST_CASE("every nanosecond up to 97 days survives the seconds of the file") {
    std::mt19937_64 random(20201201);
    std::uniform_int_distribution<Nanoseconds> any(0, (std::int64_t{1} << 23) * 1'000'000'000 - 1);
    for (int i = 0; i < 200'000; ++i) {
        const Nanoseconds t = any(random);
        if (from_file_seconds(file_seconds(t)) != t || from_file_seconds(file_seconds(-t)) != -t)
            FAIL("nanosecond " << t);
    }
    // 2^-20 s = 953.67 ns: rounding moves a time by at most 477 ns.
    CHECK(rounded_to_file(file_seconds(1'000'000'400)) == 1.0);
    CHECK(rounded_to_file(file_seconds(1'000'000'500)) == 1.0 + 1.0 / 1048576);
}

TEST_CASE("the header is the paper's with numeric flags and valid units") {
    const TemporaryFolder folder;
    write(folder / "timeline_ocean.nc", small_header(), small_rows());
    CHECK(output_of("ncdump -k " + folder / "timeline_ocean.nc") == "64-bit offset\n");
    const std::string header = output_of("ncdump -h " + folder / "timeline_ocean.nc");
    for (const char *line : {"nx = 5 ;",
                             "ny = 3 ;",
                             "double timer_strt(ny, nx) ;",
                             "double timer_stop(ny, nx) ;",
                             "int kind(nx) ;",
                             "int field(nx) ;",
                             "int component(nx) ;",
                             "double date(nx) ;",
                             "int rank(ny) ;",
                             "kind:flag_values = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 ;",
                             "kind:flag_meanings = \"UNDF PUT GET MAP OUT READ RST TRN PART ENDF TERM SYNC\" ;",
                             "timer_strt:units = \"s\" ;",
                             "timer_stop:units = \"s\" ;",
                             "timer_strt:_FillValue = 9.96920996838687e+36 ;",
                             "timer_stop:_FillValue = 9.96920996838687e+36 ;",
                             ":Conventions = \"CF-1.8\" ;",
                             ":component_id = 1 ;",
                             ":component_name = \"ocean\" ;",
                             ":field_names = \"SST,heat%2Cflux\" ;",
                             ":run_id = \"run 7\" ;",
                             ":simulated_seconds = 43200. ;",
                             ":clock_error_bound_s = 2.5e-06 ;"}) {
        INFO(header);
        CHECK_THAT(header, Catch::Contains(line));
    }
    CHECK_THAT(header, Catch::Contains(":component_names = \"ocean,atmosphere%2C upper 50%25,a"));
    CHECK_THAT(header, !Catch::Contains("coordinates"));
    const std::string data = output_of("ncdump -v timer_strt " + folder / "timeline_ocean.nc");
    CHECK_THAT(data, Catch::Contains("1e-09, 1.000000001, 2, 3, _,"));
    CHECK_THAT(data, Catch::Contains("_, _, _, _, _,"));
}

TEST_CASE("what is not known has no attribute and no variable") {
    const TemporaryFolder folder;
    TimelineHeader header;
    header.component_name = "ice";
    header.component_id = 1;
    header.processes = 1;
    header.keys = {{Kind::get, 1, 0, no_date, 0}};
    header.field_names = {"T"};
    write(folder / "t.nc", header, {{{5}, {6}, {}}});
    const std::string dump = output_of("ncdump -h " + folder / "t.nc");
    for (const char *name : {"clock_error_bound_s", "simulated_seconds", "date", "rank", "init_s", "away"})
        CHECK_THAT(dump, !Catch::Contains(name));
    const TimelineReader reader(folder / "t.nc");
    CHECK_FALSE(is_known(reader.header().simulated_s));
    CHECK_FALSE(is_known(reader.header().clock_error_bound_s));
    CHECK(reader.header().keys == header.keys);
    CHECK(reader.header().first_init == absent);
}

TEST_CASE("a timeline that 0.3 joined from several runs still says that their clocks cannot be compared") {
    const TemporaryFolder folder;
    const std::string path = folder / "timeline_ocean.nc", why = "the clocks of a and b cannot be compared";
    write(path, small_header(), small_rows());
    int id = -1;
    REQUIRE(nc_open(path.c_str(), NC_WRITE, &id) == NC_NOERR);
    REQUIRE(nc_redef(id) == NC_NOERR);
    REQUIRE(nc_put_att_text(id, NC_GLOBAL, "clocks_not_comparable", why.size(), why.data()) == NC_NOERR);
    REQUIRE(nc_put_att_text(id, NC_GLOBAL, "job", 5, "storm") == NC_NOERR); // left alone
    REQUIRE(nc_close(id) == NC_NOERR);
    TimelineReader reader(path);
    CHECK(reader.header().why_not_comparable == why);
    CHECK(read(reader)[0].stop == small_rows()[0].stop);
}

TEST_CASE("a component without events has a valid timeline") {
    const TemporaryFolder folder;
    for (const bool compress : {false, true}) {
        TimelineHeader header = small_header();
        header.keys.clear();
        write(folder / "t.nc", header, {Row{}, Row{}, Row{}}, compress);
        TimelineReader reader(folder / "t.nc");
        CHECK(reader.events() == 0);
        CHECK(reader.processes() == 3);
        CHECK(read(reader)[2].start.empty());
        CHECK_THAT(output_of("ncdump -v kind,timer_strt " + folder / "t.nc"), Catch::Contains("kind = 0 ;"));
    }
}

TEST_CASE("compressed timelines are netCDF-4 with times rounded to 2^-20 s") {
    const TemporaryFolder folder;
    TimelineHeader header = small_header();
    header.processes = 11; // one whole chunk of 8 rows and a part of one
    header.ranks.clear();
    header.clock_error_bounds_s.clear();
    header.keys.assign(5000, EventKey{Kind::get, 1, 2, no_date, 0});
    count_occurrences(header.keys);
    std::vector<Row> rows(11);
    for (std::size_t p = 0; p < rows.size(); ++p) {
        for (Nanoseconds k = 0; k < 5000; ++k) {
            rows[p].start.push_back(k % 7 == 3 ? absent : k * 1'234'567 + static_cast<Nanoseconds>(p));
            rows[p].stop.push_back(k % 7 == 3 ? absent : k * 1'234'567 + 999'999);
        }
    }
    std::vector<Nanoseconds> start;
    std::vector<Nanoseconds> stop;
    for (const Row &row : rows) {
        start.insert(start.end(), row.start.begin(), row.start.end());
        stop.insert(stop.end(), row.stop.begin(), row.stop.end());
    }
    TimelineWriter writer(folder / "t.nc", header, true);
    const auto block = 8 * 5000;
    writer.write_rows(8, 3, std::span(start).subspan(block), std::span(stop).subspan(block));
    writer.write_rows(0, 8, std::span(start).first(block), std::span(stop).first(block));
    writer.close();

    CHECK(output_of("ncdump -k " + folder / "t.nc") == "netCDF-4 classic model\n");
    const std::string special = output_of("ncdump -sh " + folder / "t.nc");
    CHECK_THAT(special, Catch::Contains("timer_strt:_ChunkSizes = 8, 4096 ;"));
    CHECK_THAT(special, Catch::Contains("timer_stop:_DeflateLevel = 1 ;"));
    CHECK_THAT(special, Catch::Contains("timer_stop:_Shuffle = \"true\" ;"));
    TimelineReader reader(folder / "t.nc");
    CHECK(reader.header().keys == header.keys);
    const std::vector<Row> again = read(reader);
    for (std::size_t p = 0; p < rows.size(); ++p) {
        for (std::size_t k = 0; k < 5000; ++k) {
            if ((again[p].start[k] == absent) != (rows[p].start[k] == absent)) FAIL("presence of " << p << " " << k);
            if (rows[p].start[k] == absent) continue;
            // Half of 2^-20 s is 476.8 ns.
            if (std::abs(again[p].start[k] - rows[p].start[k]) > 477) FAIL("time of " << p << " " << k);
            if (again[p].stop[k] < again[p].start[k]) FAIL("order of " << p << " " << k);
        }
    }
}

TEST_CASE("a timeline that cannot be compressed is there as it is, and says why") {
    const TemporaryFolder folder;
    const auto closed = [&](std::uint64_t most_bytes) {
        TimelineWriter writer(folder / "t.nc", small_header(), true, most_bytes);
        const std::vector<Row> rows = small_rows();
        for (std::size_t p = 0; p < rows.size(); ++p)
            writer.write_rows(static_cast<std::int64_t>(p), 1, rows[p].start, rows[p].stop);
        return writer.close();
    };
    CHECK(closed(1) == folder /
                           "t.nc: compressing it takes more memory than nn_max_mb allows: the timeline is there, "
                           "but not compressed");
    CHECK(test::contents(folder / "t.nc").substr(0, 4) == std::string("CDF\2"));
    CHECK(closed(1U << 20U).empty());
    CHECK(test::contents(folder / "t.nc").substr(0, 4) == std::string("\211HDF"));
    CHECK(folder.entries() == 1);
}

// HDF5 1.10 crashes if it cannot close a file.
TEST_CASE("HDF5 has no descriptor of a timeline that is read") {
    const TemporaryFolder folder;
    write(folder / "t.nc", small_header(), small_rows(), true);
    REQUIRE(test::contents(folder / "t.nc").substr(0, 4) == std::string("\211HDF"));
    TimelineReader reader(folder / "t.nc");
    CHECK(reader.processes() == 3);
    int open = 0;
    for (const auto &number : std::filesystem::directory_iterator("/proc/self/fd")) {
        std::error_code gone; // the iterator's own
        open += std::filesystem::read_symlink(number.path(), gone) == folder / "t.nc" ? 1 : 0;
    }
    CHECK(open == 0);
    TimelineHeader other = small_header();
    other.component_name = "land";
    write(folder / "u.nc", other, small_rows(), true);
    CHECK(TimelineReader(folder / "u.nc").header().component_name == "land"); // both at once
    CHECK(reader.header().component_name == "ocean");
    CHECK(TimelineReader::run_id_of(folder / "t.nc") == "run 7");
    CHECK(read(reader)[1].start.size() == small_rows()[1].start.size());
}

TEST_CASE("the format follows from the size of a variable") {
    // 2^32 - 4 bytes is the most; 8 bytes a value: 536,870,911 values = 4,294,967,288 bytes still fit.
    CHECK(timeline_format(536'870'911, 1) == TimelineFormat::offset64);
    CHECK(timeline_format(536'870'912, 1) == TimelineFormat::cdf5);
    CHECK(timeline_format(1'048'576, 511) == TimelineFormat::offset64);
    CHECK(timeline_format(1'048'576, 512) == TimelineFormat::cdf5); // 2^20 x 2^9 x 8 = 2^32
    CHECK(timeline_format(140'000, 512) == TimelineFormat::offset64);
    CHECK(timeline_format(std::int64_t{1} << 40, std::int64_t{1} << 40) == TimelineFormat::cdf5);
}

TEST_CASE("netCDF takes the chosen format at the very limit, and reads it back") {
    const TemporaryFolder folder;
    for (const std::int64_t processes : {511, 512}) {
        TimelineHeader header;
        header.component_name = "big";
        header.processes = processes;
        header.keys.assign(1'048'576, EventKey{Kind::get});
        const std::string path = folder / "big.nc";
        // The file is sparse: only the last process is written, and the writer is then told to give up.
        const std::string error = error_of([&] {
            TimelineWriter writer(path, header, false);
            const std::vector<Nanoseconds> row(1'048'576, 77);
            writer.write_rows(processes - 1, 1, row, row);
            writer.close();
        });
        CHECK_THAT(error, Catch::Contains("rows are missing"));
    }
    CHECK(folder.entries() == 0);
}

TEST_CASE("a timeline with missing rows never appears") {
    const TemporaryFolder folder;
    const std::vector<Row> rows = small_rows();
    CHECK_THAT(error_of([&] {
                   TimelineWriter writer(folder / "t.nc", small_header(), false);
                   writer.write_rows(0, 1, rows[0].start, rows[0].stop);
                   writer.close();
               }),
               Catch::Contains("rows are missing"));
    CHECK(folder.entries() == 0);
    CHECK_THAT(error_of([&] { TimelineWriter writer(folder / "no/such/t.nc", small_header(), false); }),
               Catch::Contains("no/such/t.nc: cannot create: No such file or directory"));
}

TEST_CASE("a disk that fills up is an error, not a signal, and leaves nothing") {
    const TemporaryFolder folder;
    for (const bool compress : {false, true}) {
        TimelineHeader header = small_header();
        header.processes = 1;
        header.ranks.clear();
        header.clock_error_bounds_s.clear();
        header.keys.assign(500'000, EventKey{Kind::get}); // 8 MB of times
        std::vector<Nanoseconds> times(500'000);
        std::mt19937_64 random(7); // hardly compresses
        for (Nanoseconds &t : times)
            t = static_cast<Nanoseconds>(random() % 1'000'000'000'000);
        rlimit before{};
        getrlimit(RLIMIT_FSIZE, &before);
        const rlimit small{1'000'000, before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &small);
        const std::string error = error_of([&] {
            TimelineWriter writer(folder / "t.nc", header, compress);
            writer.write_rows(0, 1, times, times);
            writer.close();
        });
        setrlimit(RLIMIT_FSIZE, &before);
        INFO(error);
        CHECK_THAT(error, Catch::StartsWith(folder / "t.nc: "));
        CHECK(folder.entries() == 0);
    }
}

TEST_CASE("occurrences are counted within the date, also when dates come back") {
    EventKeys keys = {{Kind::put, 1, 0, 0, 9},   {Kind::put, 1, 0, 0, 9}, {Kind::put, 2, 0, 0, 9},
                      {Kind::put, 1, 0, 600, 9}, {Kind::put, 1, 0, 0, 9}, {Kind::get, 1, 0, 0, 9}};
    count_occurrences(keys);
    std::vector<std::int64_t> counts;
    counts.reserve(keys.size());
    for (const EventKey &key : keys.all())
        counts.push_back(key.occurrence);
    CHECK(counts == std::vector<std::int64_t>{0, 1, 0, 0, 2, 0});
}

TEST_CASE("names survive commas and per cent signs") {
    const std::vector<std::string> names = {"a,b", "100%", "%2C", "", "plain"};
    CHECK(join_names(names) == "a%2Cb,100%25,%252C,,plain");
    CHECK(split_names(join_names(names)) == names);
    CHECK(split_names("").empty());
    CHECK(split_names("x%41,%") == std::vector<std::string>{"x%41", "%"});
}
