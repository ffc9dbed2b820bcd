// cpl-lb import runs: two runs with times worked out by hand, on one node and on two; what is refused.
#include "io/json/info_json.hpp"
#include "io/timeline/timeline_reader.hpp"
#include "io/timeline/timeline_writer.hpp"
#include "run/loaded/load_run.hpp"
#include "tests/json.hpp"
#include "tests/tools/command.hpp"

#include <filesystem>
#include <map>

using namespace cpl_lb;
using nlohmann::json;
using namespace cpl_lb::test;

namespace {

struct Exchanged {
    Kind kind;
    std::string field;
    double start_s, stop_s; // of the first of ten, one in each second
};

// A run of one component, on two processes.
struct Part {
    std::string name, other;
    std::vector<Exchanged> each_second;
    std::string job = "mars", id = "one";
    std::string zero, started, clock;
    double monotonic_s = unknown;
    double length_s = 20, simulated_s = 86400;
};

void write_part(const std::string &folder, const Part &part) {
    std::filesystem::create_directories(folder);
    CoupledRun run;
    run.run.id = part.id;
    run.run.job = part.job;
    run.run.started = part.started;
    run.run.zero = {part.zero, part.clock, part.monotonic_s};
    run.run.processes = 2;
    run.clock.error_bound_s = 1e-6;
    TimelineHeader header;
    header.component_name = part.name;
    header.component_id = 1;
    header.component_names = {part.name, part.other};
    header.run_id = part.id;
    header.job = part.job;
    header.zero_time = part.zero;
    header.simulated_s = part.simulated_s;
    header.year_days = 365;
    header.clock_error_bound_s = 1e-6;
    header.first_init = 0;
    header.last_terminate = from_seconds(part.length_s);
    header.ranks = {0, 1};
    header.processes = 2;
    std::vector<Nanoseconds> start, stop;
    for (const Exchanged &e : part.each_second)
        header.field_names.push_back(e.field);
    for (int n = 0; n < 10; ++n) {
        std::int32_t field = 0;
        for (const Exchanged &e : part.each_second) {
            header.keys.push_back({e.kind, ++field, e.kind == Kind::sync ? 0 : 2, no_date, n});
            start.push_back(from_seconds(e.start_s + n));
            stop.push_back(from_seconds(e.stop_s + n));
        }
    }
    TimelineWriter writer(folder + "/timeline_" + part.name + ".nc", header, false);
    for (int process = 0; process < 2; ++process)
        writer.write_rows(process, 1, start, stop);
    writer.close();
    write_result_file(folder + "/load_balancing_info.json", info_json(run));
}

// As in tests/run/joined_clock_test.cpp: atmosphere's clock shows 3 s less than ocean's. Ocean sends T at 4.5 and has
// Q at 4.9; atmosphere has T at 1.55 (4.55) and sends Q at 1.8 (4.8).
Part ocean() {
    return {.name = "ocean",
            .other = "atmosphere",
            .each_second = {{Kind::put, "T", 4.5, 4.51}, {Kind::get, "Q", 4.6, 4.9}},
            .zero = "2026-11-27T10:00:00.000000000Z",
            .started = "2026-11-27T10:00:00Z",
            .clock = "n1 boot",
            .monotonic_s = 1000};
}
Part atmosphere() {
    return {.name = "atmosphere",
            .other = "ocean",
            .each_second = {{Kind::get, "T", 1.1, 1.55}, {Kind::put, "Q", 1.8, 1.81}},
            .id = "two",
            .zero = "2026-11-27T10:00:03.250000000Z", // a quarter of a second late
            .started = "2026-11-27T10:00:03Z",
            .clock = "n2 boot",
            .monotonic_s = 5};
}

Result join(const TemporaryFolder &folder, const Part &first, const Part &second, const std::string &options = "") {
    write_part(folder / "a", first);
    write_part(folder / "b", second);
    return command(folder,
                   "import runs " + (folder / "a") + " " + (folder / "b") + " -o " + (folder / "ab") + " " + options);
}

json info(const TemporaryFolder &folder) {
    return json::parse(contents(folder / "ab/load_balancing_info.json"));
}

bool has_remark(const json &run, const std::string &part) {
    for (const json &remark : run.at("remarks"))
        if (remark.get<std::string>().find(part) != std::string::npos) return true;
    return false;
}

void refused(const TemporaryFolder &folder, const Result &result, const std::string &why) {
    INFO(result.errors);
    CHECK(result.status == 1);
    CHECK(result.errors.find(why) != std::string::npos);
    CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
    CHECK_FALSE(std::filesystem::exists(folder / "ab/load_balancing_info.json"));
}

} // namespace

TEST_CASE("two nodes: the exchanges bound the clocks") {
    const TemporaryFolder folder;
    const Result r = join(folder, ocean(), atmosphere());
    INFO(r.errors);
    REQUIRE(r.status == 0);
    const json run = info(folder);
    // From 2.95 to 3.1, and 1 us of each run's own clock.
    CHECK(run.at("clock").at("error_bound_s").get<double>() == Approx(0.075002).epsilon(1e-9));
    CHECK(run.at("clock").at("why_not_comparable").is_null());
    CHECK(run.at("clock").at("order_violations") == 0);
    CHECK(run.at("run").at("job") == "mars");
    CHECK(run.at("run").at("id") == "mars-2026-11-27T10:00:00Z");
    CHECK(run.at("run").at("processes") == 4);
    CHECK(run.at("run").at("simulated_s") == 86400);
    CHECK(run.at("run").at("zero").at("time") == "2026-11-27T10:00:00.000000000Z");
    CHECK(run.at("run").at("wall_s").get<double>() == Approx(23.025)); // atmosphere ends 20 s after its begin
    const json &atm = run.at("components").at(1);
    CHECK(atm.at("name") == "atmosphere");
    CHECK(atm.at("init_s").get<double>() == Approx(3.025));
    // Waiting: T takes 0.45 s of each second, Q 0.01 s; ocean: 0.3 and 0.01. Of ten seconds the loop has eight: from
    // the second exchange to the last.
    CHECK(atm.at("waiting_s").get<double>() == Approx(0.46 * 8).epsilon(1e-6));
    CHECK(atm.at("waiting_for").contains("ocean"));
    CHECK(atm.at("waiting_for").size() == 1);
    CHECK(run.at("components").at(0).at("waiting_s").get<double>() == Approx(0.31 * 8).epsilon(1e-6));
    // Rows: what atmosphere's clock showed as 1.8 s is 4.825 s.
    TimelineReader reader(folder / "ab/timeline_atmosphere.nc");
    std::vector<Row> rows(2);
    reader.read_rows(0, rows);
    CHECK(rows[1].start[1] == from_seconds(4.825));
    CHECK(reader.header().job == "mars");
    CHECK(reader.header().ranks == std::vector<std::int32_t>{2, 3});
}

TEST_CASE("joined runs are read as any other run") {
    const TemporaryFolder folder;
    REQUIRE(join(folder, ocean(), atmosphere()).status == 0);
    const std::string joined = folder / "ab";
    const std::string json_text = contents(joined + "/load_balancing_info.json");
    for (const char *what : {"summary ", "report ", "predict ", "cpmip "}) {
        const Result r = command(folder, what + joined);
        INFO(what << r.errors);
        CHECK(r.status == 0);
    }
    // From the timelines and from the summary: the same figures.
    const CoupledRun loaded = load_run(joined), told = load_figures(joined);
    CHECK(loaded.clock.error_bound_s == told.clock.error_bound_s);
    CHECK(loaded.balance.loop_s == told.balance.loop_s);
    CHECK(loaded.components.at(1).balance.waiting_s == told.components.at(1).balance.waiting_s);
    CHECK(loaded.remarks == told.remarks);
    CHECK(loaded.exchanges.size() == 2);
    CHECK(contents(joined + "/load_balancing_report.html").find("atmosphere") != std::string::npos);
}

TEST_CASE("one node: its own clock, not the clock of day") {
    const TemporaryFolder folder;
    Part second = atmosphere();
    second.clock = "n1 boot";
    second.monotonic_s = 1003.0625; // where the clock of day was set 0.1875 s forward
    const Result r = join(folder, ocean(), second);
    INFO(r.errors);
    REQUIRE(r.status == 0);
    CHECK(info(folder).at("components").at(1).at("init_s") == 3.0625);
    CHECK(info(folder).at("clock").at("error_bound_s").get<double>() == Approx(2e-6));
    CHECK(has_remark(info(folder), "that of one node: b began 3.062500 s after a"));
}

TEST_CASE("one way only, two nodes: what needs one clock is not told, the rest is") {
    const TemporaryFolder folder;
    Part first = ocean(), second = atmosphere();
    first.each_second.pop_back();
    second.each_second.pop_back();
    const Result r = join(folder, first, second);
    INFO(r.errors);
    REQUIRE(r.status == 0);
    const std::string why = "the clocks of a and b cannot be compared (they exchange in one direction only)";
    for (const bool with_json : {true, false}) {
        INFO(with_json);
        const CoupledRun run = load_run(folder / "ab");
        CHECK(run.clock.why_not_comparable == why);
        CHECK_FALSE(is_known(run.clock.error_bound_s));
        CHECK(run.clock.order_violations == -1);
        CHECK(run.balance.why_no_path == why);
        CHECK(run.balance.why_no_gain == why);
        CHECK(run.balance.slow_side == 0);
        CHECK(run.components.at(1).first_init == from_seconds(3.25));
        CHECK(run.components.at(1).balance.waiting_s == Approx(0.45 * 8).epsilon(1e-6));
        const Result predicted = command(folder, "predict " + (folder / "ab"));
        CHECK(predicted.status == 1);
        CHECK(predicted.errors.find(why) != std::string::npos);
        CHECK(command(folder, "summary " + (folder / "ab")).output.find("cannot be compared") != std::string::npos);
        if (with_json) std::filesystem::remove(folder / "ab/load_balancing_info.json");
    }
}

TEST_CASE("nothing is received before it is sent, even if the clocks of day say so") {
    const TemporaryFolder folder;
    Part first = ocean(), second = atmosphere();
    first.each_second.pop_back();
    second.each_second.pop_back();
    second.zero = "2026-11-27T10:00:02.000000000Z";
    REQUIRE(join(folder, first, second).status == 0);
    CHECK(load_run(folder / "ab").components.at(1).first_init == from_seconds(2.95));
}

TEST_CASE("only runs of one job, unless the user says so") {
    const TemporaryFolder folder;
    Part second = atmosphere();
    second.job = "venus";
    refused(folder, join(folder, ocean(), second), "is of CPL_LB_JOB 'venus', and " + (folder / "a") + " of 'mars'");
    CHECK(join(folder, ocean(), second, "--any-job").status == 0);
    CHECK(info(folder).at("run").at("job").is_null());
    std::filesystem::remove_all(folder / "ab");
    second.job = "";
    refused(folder, join(folder, ocean(), second), (folder / "b") + ": its run named no CPL_LB_JOB: --any-job");
    Part first = ocean();
    first.job = "";
    refused(folder, join(folder, first, second), (folder / "a") + ": its run named no CPL_LB_JOB: --any-job");
    REQUIRE(join(folder, first, second, "--any-job --run pair --simulated 43200").status == 0);
    CHECK(info(folder).at("run").at("id") == "pair");
    CHECK(info(folder).at("run").at("simulated_s") == 43200);
}

TEST_CASE("runs that are not parts of one system are refused") {
    const TemporaryFolder folder;
    SECTION("the same run twice") {
        refused(folder, join(folder, ocean(), ocean()), "b: holds the same run as");
        const Result twice =
            command(folder, "import runs " + (folder / "a") + " " + (folder / "a/../a") + " -o " + (folder / "ab"));
        refused(folder, twice, "holds the same run as");
    }
    SECTION("only one") {
        write_part(folder / "a", ocean());
        refused(folder, command(folder, "import runs " + (folder / "a") + " -o " + (folder / "ab")), "two or more");
    }
    SECTION("not at the same time") {
        Part later = atmosphere(); // ocean ends after 20 s
        later.each_second.clear();
        later.each_second.push_back({Kind::out, "T", 1, 1.5});
        later.zero = "2026-11-27T10:00:20.500000000Z";
        refused(folder, join(folder, ocean(), later), "had ended: they were not one system at work");
    }
    SECTION("a component of the same name") {
        Part other = atmosphere();
        other.name = "ocean";
        refused(folder, join(folder, ocean(), other), "both a and b have a component ocean: --prefix");
        REQUIRE(join(folder, ocean(), other, "--prefix").status == 0);
        CHECK(info(folder).at("component_names") == json({"a.ocean", "b.ocean", "atmosphere"}));
    }
    SECTION("into the folder of one of them") {
        write_part(folder / "a", ocean());
        write_part(folder / "b", atmosphere());
        const Result r =
            command(folder, "import runs " + (folder / "a") + " " + (folder / "b") + " -o " + (folder / "b"));
        refused(folder, r, "holds one of the runs: give another folder for the results");
    }
    SECTION("nobody knows when they began") {
        Part second = atmosphere();
        second.zero = second.started = "";
        refused(folder, join(folder, ocean(), second), "b: does not say when its run began");
    }
}

TEST_CASE("a run of an older version began in a whole second") {
    const TemporaryFolder folder;
    Part second = atmosphere();
    second.zero = second.clock = "";
    REQUIRE(join(folder, ocean(), second).status == 0); // exchanges both ways bound its clock
    CHECK(info(folder).at("components").at(1).at("init_s").get<double>() == Approx(3.025));
    CHECK(has_remark(info(folder), "b tells its start in whole seconds only"));
}

TEST_CASE("collective operations of one run are not those of the other") {
    const TemporaryFolder folder;
    Part first = ocean(), second = atmosphere();
    first.each_second.push_back({Kind::sync, "Allreduce", 4.95, 4.96});
    second.each_second.push_back({Kind::sync, "Allreduce", 1.95, 1.99});
    REQUIRE(join(folder, first, second).status == 0);
    const CoupledRun run = load_run(folder / "ab");
    CHECK(run.field_names == std::vector<std::string>{"T", "Q", "Allreduce (a)", "Allreduce (b)"});
    for (const Exchange &e : run.exchanges)
        CHECK_FALSE(e.sync);
}

TEST_CASE("joined again of fewer runs under one name: no timeline of the others is left, those of other runs are") {
    const TemporaryFolder folder;
    Part ice = atmosphere();
    ice.name = "ice";
    ice.id = "three";
    ice.zero = "2026-11-27T10:00:03.500000000Z";
    write_part(folder / "c", ice);
    REQUIRE(join(folder, ocean(), atmosphere(), (folder / "c") + " --run storm").status == 0);
    CHECK(load_run(folder / "ab").components.size() == 3);
    Part foreign = ice; // results of another name stay
    foreign.name = "foreign";
    write_part(folder / "d", foreign);
    std::filesystem::copy(folder / "d/timeline_foreign.nc", folder / "ab/timeline_foreign.nc");
    REQUIRE(join(folder, ocean(), atmosphere(), "--run storm").status == 0);
    CHECK_FALSE(std::filesystem::exists(folder / "ab/timeline_ice.nc"));
    CHECK(std::filesystem::exists(folder / "ab/timeline_foreign.nc"));
    CHECK(load_run(folder / "ab").components.size() == 2);
    CHECK(info(folder).at("components").size() == 2);
}

TEST_CASE("runs of different lengths in the model's time have no speed together") {
    const TemporaryFolder folder;
    Part second = atmosphere();
    second.simulated_s = 43200;
    REQUIRE(join(folder, ocean(), second).status == 0);
    CHECK(info(folder).at("run").at("simulated_s").is_null());
    CHECK(info(folder).at("run").at("sypd").is_null());
    CHECK(has_remark(info(folder), "simulated different times"));
}
