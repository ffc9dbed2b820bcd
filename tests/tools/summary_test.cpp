// cpl-lb summary as a user runs it: figures worked out by hand, exit statuses, one line for what is wrong.
#include "io/timeline/timeline_writer.hpp"
#include "run/loaded/run_folder.hpp"
#include "tests/members_folder.hpp"
#include "tests/tools/told.hpp"

#include <chrono>

using namespace cpl_lb;
using namespace cpl_lb::test;
using nlohmann::json;

namespace {

constexpr Nanoseconds second = 1'000'000'000;

TimelineHeader header_of(const std::string &component, std::int32_t id, const std::string &run_id) {
    TimelineHeader header;
    header.component_name = component;
    header.component_id = id;
    header.component_names = {"ocean", "atmosphere"};
    header.field_names = {"T"};
    header.run_id = run_id;
    header.simulated_s = 86400;
    header.year_days = 365;
    header.clock_error_bound_s = 1e-6;
    header.first_init = 0;
    header.last_terminate = 60 * second;
    header.threads = 2;
    return header;
}

// Five steps of 10 s. ocean: process 0 enters GET k at 10 k s, process 1 half a second earlier, both leave 2 s
// later than process 0 entered. atmosphere: PUT k from 10 k + 1.9 s to 10 k + 2 s.
void write_run(const std::string &directory, const std::string &run_id, bool compress = false) {
    TimelineHeader ocean = header_of("ocean", 1, run_id);
    TimelineHeader atmosphere = header_of("atmosphere", 2, run_id);
    ocean.processes = 2;
    ocean.ranks = {0, 2};
    atmosphere.processes = 1;
    atmosphere.ranks = {1};
    std::vector<Nanoseconds> get_start;
    std::vector<Nanoseconds> get_stop;
    std::vector<Nanoseconds> put_start;
    std::vector<Nanoseconds> put_stop;
    for (int process = 0; process < 2; ++process) {
        for (Nanoseconds k = 1; k <= 5; ++k) {
            get_start.push_back(10 * k * second - process * second / 2);
            get_stop.push_back((10 * k + 2) * second);
        }
    }
    for (Nanoseconds k = 1; k <= 5; ++k) {
        ocean.keys.push_back({Kind::get, 1, 2, no_date, k - 1});
        atmosphere.keys.push_back({Kind::put, 1, 1, no_date, k - 1});
        put_start.push_back((10 * k + 2) * second - second / 10);
        put_stop.push_back((10 * k + 2) * second);
    }
    TimelineWriter first(directory + "/timeline_ocean.nc", ocean, compress);
    first.write_rows(0, 2, get_start, get_stop);
    first.close();
    TimelineWriter other(directory + "/timeline_atmosphere.nc", atmosphere, compress);
    other.write_rows(0, 1, put_start, put_stop);
    other.close();
}

void check_figures(const json &info) {
    const json &ocean = info.at("components").at(0);
    CHECK(ocean.at("name") == "ocean");
    CHECK(ocean.at("processes") == 2);
    CHECK(ocean.at("events") == 5);
    // The loop goes from S of the second GET, 20 s, to S of the last, 50 s. Three GETs of 2 s wait in it.
    CHECK(ocean.at("loop_s").get<double>() == Approx(30));
    CHECK(ocean.at("waiting_s").get<double>() == Approx(6));
    CHECK(ocean.at("computing_s").get<double>() == Approx(24));
    CHECK(ocean.at("coupling_cost").get<double>() == Approx(0.2));
    CHECK(ocean.at("waiting_for").at("atmosphere").at("get_s").get<double>() == Approx(6));
    CHECK(ocean.at("jitter_s").get<double>() == Approx(1.5)); // half a second in each of them
    CHECK(ocean.at("startup_s").get<double>() == Approx(20));
    CHECK(ocean.at("shutdown_s").get<double>() == Approx(10));
    CHECK(ocean.at("chsy").get<double>() == Approx(4 * 60.0 / 3600 * 365)); // 2 processes x 2 threads
    const json &atmosphere = info.at("components").at(1);
    CHECK(atmosphere.at("waiting_s").get<double>() == Approx(0.3));
    CHECK(atmosphere.at("waiting_for").at("ocean").at("put_s").get<double>() == Approx(0.3));
    // One day in 60 s is 1440 days a day: 1440 / 365 = 3.945 years. 6 cores for a minute are 0.1 h; 365 of them.
    CHECK(info.at("run").at("wall_s").get<double>() == Approx(60));
    CHECK(info.at("run").at("sypd").get<double>() == Approx(1440.0 / 365));
    CHECK(info.at("run").at("chsy").get<double>() == Approx(36.5));
    CHECK(info.at("run").at("processes") == 3);
    CHECK(info.at("run").at("cores") == 6);
    CHECK(info.at("clock").at("order_violations") == 0);
    CHECK(info.at("clock").at("error_bound_s") == 1e-6);
}

} // namespace

TEST_CASE("the summary of a known run") {
    const TemporaryFolder folder;
    write_run(folder.path(), "r1");
    const Result result = command(folder, "summary " + folder.path());
    CHECK(result.status == 0);
    CHECK(result.errors.empty());
    shows(result.output, "Coupled model simulation time (s): 60.000\n", "ocean      / 24.000 / 6.000\n");
    CHECK_THAT(result.output,
               Catch::StartsWith("atmosphere is the bottleneck: ocean spends 20 % of its time waiting for it.\n"));
    check_figures(told(folder, "summary " + folder.path()));
    // The first line tells who made it; compressed times are within 2^-20 s, far inside Approx.
    write_run(folder.path(), "r1", true);
    check_figures(told(folder, "summary " + folder.path()));
}

// Five GETs of 2 s on both processes; in each, process 1 maps for 1 s, which is no waiting. Three GETs lie in the
// loop: process 0 waits 3 x 2 s, process 1 3 x 1 s, in the mean 4.5 s of 30 s. One row does not stand for the other.
TEST_CASE("processes that do not wait alike") {
    const TemporaryFolder folder;
    TimelineHeader ocean = header_of("ocean", 1, "r1");
    ocean.processes = 2;
    ocean.ranks = {0, 1};
    std::vector<Nanoseconds> start;
    std::vector<Nanoseconds> stop;
    for (int process = 0; process < 2; ++process) {
        for (Nanoseconds k = 1; k <= 5; ++k) {
            start.push_back(10 * k * second);
            stop.push_back((10 * k + 2) * second);
            start.push_back(process == 0 ? absent : 10 * k * second + second / 2);
            stop.push_back(process == 0 ? absent : 10 * k * second + 3 * second / 2);
        }
    }
    for (std::int64_t k = 0; k < 5; ++k) {
        ocean.keys.push_back({Kind::get, 1, 2, no_date, k});
        ocean.keys.push_back({Kind::map, 1, 2, no_date, k});
    }
    TimelineWriter writer(folder.path() + "/timeline_ocean.nc", ocean, false);
    writer.write_rows(0, 2, start, stop);
    writer.close();
    const json info = told(folder, "summary " + folder.path());
    CHECK(info.at("components").at(0).at("loop_s").get<double>() == Approx(30));
    CHECK(info.at("components").at(0).at("waiting_s").get<double>() == Approx(4.5));
}

TEST_CASE("what only the json knows comes from the json of the same run") {
    const TemporaryFolder folder;
    write_run(folder.path(), "r1");
    CoupledRun run;
    run.run.id = "r1";
    run.run.submitted = "2026-11-21T01:00:00Z";
    run.run.wall_s = 61;
    run.run.simulated_s = 86400;
    run.run.cores = 8;
    run.run.cores_from = "namelist";
    run.run.processes = 4;
    run.cpmip.ajpsy = 5e9;
    run.component_names = {"ocean"};
    run.components.resize(1);
    run.components[0].name = "ocean";
    run.components[0].id = 1;
    run.components[0].properties.horizontal_points = 1000;
    run.components[0].properties.levels = 10;
    written(folder, ".", run);
    json info = told(folder, "summary " + folder.path());
    CHECK(info.at("run").at("submitted") == "2026-11-21T01:00:00Z");
    CHECK(info.at("run").at("wall_s") == 61.0);
    CHECK(info.at("run").at("cores") == 8);
    CHECK(info.at("cpmip").at("ajpsy") == 5e9);
    CHECK(info.at("components").at(0).at("given").at("levels") == 10);
    CHECK(info.at("components").at(0).at("waiting_s").get<double>() == Approx(6)); // still from the timeline

    run.run.id = "r0";
    written(folder, ".", run);
    info = told(folder, "summary " + folder.path());
    check_figures(info);
    shows(info.at("remarks").dump(), "load_balancing_info.json is of another run ('r0')");
}

TEST_CASE("timelines of another run are told apart, the newest run counts") {
    const TemporaryFolder folder;
    const TemporaryFolder other;
    write_run(folder.path(), "new run");
    write_run(other.path(), "old run");
    std::filesystem::copy(other / "timeline_ocean.nc", folder / "timeline_ice.nc");
    const auto yesterday = std::filesystem::file_time_type::clock::now() - std::chrono::hours(24);
    std::filesystem::last_write_time(folder / "timeline_ice.nc", yesterday);
    const json info = told(folder, "summary " + folder.path());
    check_figures(info);
    shows(info.at("remarks").dump(), "'old run'; this is 'new run', the newest");
}

// As OASIS3-MCT 5 writes them: no attribute, and counterparts by number. ocean is number 1, atmosphere number 2, so
// the alphabet has them the wrong way round. ocean GETs field 3 from 2 for 2 s at 10 k s; atmosphere PUTs it in 0.1
// s.
void write_oasis(const TemporaryFolder &folder, const std::string &name, const std::string &kind,
                 const std::string &counterpart, const std::string &stops) {
    std::ofstream(folder / "t.cdl") << R"(netcdf t { dimensions: nx = 5 ; ny = 1 ;
variables: double timer_strt(ny, nx) ; double timer_stop(ny, nx) ; int kind(nx) ; int field(nx) ; int component(nx) ;
data: field = 3,3,3,3,3 ; timer_strt = 10,20,30,40,50 ; timer_stop = )"
                                    << stops << "; kind = " << kind << "; component = " << counterpart << "; }";
    REQUIRE(std::system(("ncgen -o " + folder / ("timeline_" + name + ".nc") + " " + folder / "t.cdl").c_str()) == 0);
}
void write_oasis_run(const TemporaryFolder &folder) {
    write_oasis(folder, "ocean", "2,2,2,2,2", "2,2,2,2,2", "12,22,32,42,52");
    write_oasis(folder, "atmosphere", "1,1,1,1,1", "1,1,1,1,1", "10.1,20.1,30.1,40.1,50.1");
}

TEST_CASE("OASIS's own timelines: components in the order of the run, simulated seconds") {
    const TemporaryFolder folder;
    write_oasis_run(folder);
    const auto waits_for = [](const json &info, std::size_t c) {
        return info.at("components").at(c).at("waiting_for");
    };
    // Deduced: nobody exchanges with itself, so ocean, whose counterpart is 2, is 1.
    json info = told(folder, "summary " + folder.path());
    CHECK(info.at("components").at(0).at("name") == "ocean");
    CHECK(waits_for(info, 0).at("atmosphere").at("get_s").get<double>() == Approx(6));
    CHECK(waits_for(info, 1).at("ocean").at("put_s").get<double>() == Approx(0.3));
    shows(info.at("remarks").dump(), "taken from the only order that fits their exchanges: atmosphere 2, ocean 1");
    CHECK(info.at("run").at("sypd").is_null());
    // Said, with a component that has no timeline; one day in 52 s.
    info = told(folder, "summary --order ocean,atmosphere,ice --simulated 86400 " + folder.path());
    CHECK(waits_for(info, 0).at("atmosphere").at("get_s").get<double>() == Approx(6));
    CHECK(info.at("run").at("sypd").get<double>() == Approx(86400. / 52 / 365));
    CHECK(info.at("remarks").empty());
    // The page and the CPMIP table take them, too.
    CHECK(command(folder, "report --order ocean,atmosphere --simulated 86400 " + folder.path()).status == 0);
    const json table = told(folder, "cpmip --order ocean,atmosphere --simulated 86400 " + folder.path());
    CHECK(table.at("cpmip").at("sypd").get<double>() == Approx(86400. / 52 / 365));
    const auto error_of = [&](const std::string &order) {
        return refused(folder, "summary --order " + order + " " + folder.path());
    };
    CHECK(error_of("ocean,atmosfere") ==
          "cpl-lb: " + (folder / "timeline_atmosphere.nc") + ": --order does not name its component, atmosphere\n");
    CHECK(error_of("ocean,ocean,atmosphere") == "cpl-lb: --order names ocean twice\n");
    // With a file that tells its number the two must agree.
    TimelineHeader header = header_of("ice", 2, "");
    header.component_names = header.field_names = {};
    header.processes = 1;
    TimelineWriter(folder / "timeline_ice.nc", header, false).close();
    CHECK(error_of("ocean,atmosphere,ice") ==
          "cpl-lb: " + (folder / "timeline_ice.nc") + ": says that its component is number 2, --order says 3\n");
}

TEST_CASE("orders that fit, by hand") {
    using Exchanges = NamedExchanges;
    const auto put = Kind::put, get = Kind::get;
    // A ring of three: 1 sends to 2, 2 to 3, 3 to 1, each a field of its own.
    const Exchanges one = {{put, 1, 2}, {get, 3, 3}}, two = {{put, 2, 3}, {get, 1, 1}},
                    three = {{put, 3, 1}, {get, 2, 2}};
    CHECK(ids_that_fit({two, three, one}) == std::vector<std::int32_t>{2, 3, 1});
    // A coupler between two models: 1 and 3 exchange with 2 alone.
    const Exchanges ocean = {{put, 1, 2}}, hub = {{get, 1, 1}, {put, 2, 3}}, land = {{get, 2, 2}};
    CHECK(ids_that_fit({hub, land, ocean}) == std::vector<std::int32_t>{2, 3, 1});
    // Two that exchange nothing that is named may be either.
    CHECK_FALSE(ids_that_fit({Exchanges{}, Exchanges{}}));
    // One file of two components.
    CHECK(ids_that_fit({Exchanges{{get, 1, 1}}}) == std::vector<std::int32_t>{2});
    // Contradictions fit nowhere.
    CHECK_FALSE(ids_that_fit(
        {Exchanges{{get, 1, 1}, {get, 1, 2}, {get, 1, 3}}, Exchanges{{get, 1, 1}, {get, 1, 2}, {get, 1, 3}}}));
    // Too many to try.
    CHECK_FALSE(ids_that_fit(std::vector<Exchanges>(8)));
}

TEST_CASE("timelines that name their run come before OASIS's in the same folder, however old") {
    const TemporaryFolder folder;
    write_run(folder.path(), "r1");
    std::filesystem::rename(folder / "timeline_ocean.nc", folder / "timeline_ocean.cpl_lb.nc");
    std::filesystem::rename(folder / "timeline_atmosphere.nc", folder / "timeline_atmosphere.cpl_lb.nc");
    write_oasis_run(folder);
    const json info = told(folder, "summary " + folder.path());
    check_figures(info);
    shows(info.at("remarks").dump(), "such as those that OASIS3-MCT writes itself, were left out");
}

TEST_CASE("OASIS's own timelines") {
    const TemporaryFolder folder;
    // Five GETs at 10 k s of 2 s each, as floats; the names of the files are all there is.
    std::ofstream(folder / "t.cdl") << R"(netcdf t { dimensions: nx = 5 ; ny = 1 ;
variables: float timer_strt(ny, nx) ; float timer_stop(ny, nx) ; int kind(nx) ; int field(nx) ; int component(nx) ;
:component_id = 2 ;
data: kind = 2,2,2,2,2 ; field = 3,3,3,3,3 ; component = 1,1,1,1,1 ;
timer_strt = 10,20,30,40,50 ; timer_stop = 12,22,32,42,52 ; })";
    REQUIRE(std::system(("ncgen -o " + folder / "timeline_pam.nc" + " " + folder / "t.cdl").c_str()) == 0);
    const json info = told(folder, "summary " + folder.path());
    CHECK(info.at("components").at(0).at("name") == "pam");
    CHECK(info.at("components").at(0).at("id") == 2);
    CHECK(info.at("components").at(0).at("loop_s").get<double>() == Approx(30));
    CHECK(info.at("components").at(0).at("waiting_for").at("component 1").at("get_s").get<double>() == Approx(6));
    CHECK(info.at("run").at("sypd").is_null());
    shows(info.at("remarks").dump(), "single precision");
}

TEST_CASE("exit status 1 and one line for bad input") {
    const TemporaryFolder folder;
    const auto fails = [&](const std::string &text) {
        CHECK_THAT(refused(folder, "summary " + folder.path()),
                   Catch::StartsWith("cpl-lb: ") && Catch::Contains(text));
    };
    fails("holds no timeline_<component>.nc");
    std::ofstream(folder / "timeline_a.nc") << "no netCDF at all";
    fails("timeline_a.nc: is not a netCDF file");
    std::filesystem::remove(folder / "timeline_a.nc");
    write_run(folder.path(), "r1");
    std::filesystem::copy(folder / "timeline_ocean.nc", folder / "timeline_twice.nc");
    fails("another timeline has the same component_id 1");
    std::filesystem::remove(folder / "timeline_twice.nc");
    std::ofstream(folder / "load_balancing_info.json") << "{";
    fails("load_balancing_info.json: is not valid JSON");
    shows(refused(folder, "summary " + folder / "none"), "none: cannot read the folder: No such file or directory");
    std::filesystem::remove(folder / "load_balancing_info.json");
    CHECK(command(folder, "summary " + folder.path() + " >/dev/full").status == 1);
}

TEST_CASE("exit status 2 for wrong usage, 0 for help") {
    const TemporaryFolder folder;
    for (const char *arguments : {"", "summary", "nonsense", "summary . --nonsense", "summary a b"}) {
        INFO(arguments);
        CHECK(command(folder, arguments).status == 2);
    }
    const Result help = command(folder, "summary --help");
    CHECK(help.status == 0);
    shows(help.output, "--json");
    CHECK_THAT(command(folder, "--version").output, Catch::StartsWith("cpl-lb "));
}

TEST_CASE("a full or closed standard output is an error, with one line that says so") {
    const TemporaryFolder folder;
    write_run(folder.path(), "r1");
    const std::string &run = folder.path();
    const std::vector<std::string> all = {"--help",       "--version",       "summary --help",
                                          "counters",     "summary " + run,  "summary --json " + run,
                                          "cpmip " + run, "roofline --help", "report " + run};
    for (const std::string &arguments : all) {
        for (const auto &[where, why] :
             {std::pair(" >/dev/full", "No space left on device"), std::pair(" >&-", "Bad file descriptor")}) {
            INFO(arguments << where);
            const Result result = command(folder, arguments + where);
            CHECK(result.status == 1);
            CHECK(result.errors == std::string("cpl-lb: cannot write to standard output: ") + why + "\n");
        }
    }
}

TEST_CASE("-o: a device is written to, a pipe too, and a link leads to the file") {
    const TemporaryFolder folder;
    write_run(folder.path(), "r1");
    const std::string report = "report " + folder.path() + " -o ";
    const Result full = command(folder, report + "/dev/full");
    CHECK(full.status == 1);
    CHECK(full.errors == "cpl-lb: /dev/full: cannot write: No space left on device\n");
    CHECK(std::filesystem::is_character_file("/dev/full"));
    CHECK(command(folder, report + "/dev/null").status == 0);
    CHECK(std::filesystem::is_character_file("/dev/null"));
    std::filesystem::create_symlink("page.html", folder / "link");
    CHECK(command(folder, report + folder / "link").status == 0);
    CHECK(std::filesystem::is_symlink(folder / "link"));
    const std::string page = contents(folder / "page.html");
    CHECK_THAT(page, Catch::EndsWith("</html>\n"));
    // The reader comes later than the writer: the command waits for it.
    const std::string pipe = folder / "pipe";
    const std::string both = "mkfifo " + pipe + "; (sleep 0.2; cat " + pipe + " >" + folder / "copy" + ") & ";
    CHECK(std::system((both + CPL_LB_COMMAND + " " + report + pipe + " >/dev/null && wait").c_str()) == 0);
    // How long the analysis took is in the page: its length changes by a digit.
    const std::string copy = contents(folder / "copy");
    CHECK(copy.substr(0, 1000) == page.substr(0, 1000));
    CHECK_THAT(copy, Catch::EndsWith("</html>\n"));
    CHECK(std::filesystem::is_fifo(pipe));
}

// Of 20 steps 18 lie between the second and the last exchange. In each, members wait in GET from 1 s to 1.2 s, the
// slow one from 1.1 s on, and in PUT for 0.01 s: 18 x 0.21 s = 3.78 s and 18 x 0.11 s = 1.98 s.
TEST_CASE("60 members of three components are three rows in the text and on the page") {
    const TemporaryFolder folder;
    write_ensemble(folder / "", {});
    std::string summary = answer_to(folder, "summary " + (folder / ""));
    for (const char *row : {"\natmosphere_* x 60 ", "\nocean_* x 60 ", "\nice_* x 60 ", "(1.980 to 3.780)\n"})
        shows(summary, row);
    std::ranges::replace(summary, '\n', ' ');
    shows(summary, "atmosphere_* (60 members) spends ");
    CHECK_THAT(answer_to(folder, "summary --members none " + (folder / "")),
               !Catch::Contains("members") && Catch::Contains("\natmosphere_001 "));
    shows(refused(folder, "summary --members atmosphere " + (folder / ""), 2),
          "'atmosphere' is no name with one * in it, as atmosphere_*");

    const json info = told(folder, "summary " + (folder / ""));
    CHECK(info["components"].size() == 180);
    CHECK_FALSE(info.contains("members"));

    answer_to(folder, "report " + (folder / ""));
    const std::string page = folder / "load_balancing_report.html";
    CHECK(std::filesystem::file_size(page) < 10'000'000);
    shows(contents(page), "atmosphere_* \\u00d7 60");
}
