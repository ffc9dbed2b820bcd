// load_balancing_info.json has the agreed names (docs/load_balancing_info.md), null for what is not known, and is
// read back.
#include "analysis/exchanges.hpp"
#include "io/files/file_error.hpp"
#include "io/json/info_json.hpp"
#include "report/words.hpp"
#include "tests/json.hpp"
#include "tests/report/example_run.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using nlohmann::json;
using test::appendix3;

namespace {

std::string error_of(const std::string &text) {
    try {
        (void)run_from_json("x.json", text);
    } catch (const FileError &error) {
        return error.what();
    }
    return "no error";
}

// As it is written; what is read of that and written again is the same text.
json written(const CoupledRun &run) {
    const std::string text = info_json(run);
    CHECK(info_json(run_from_json("x.json", text)) == text);
    return json::parse(text);
}

void check_names(const json &object, const std::vector<std::string> &names) {
    for (const std::string &name : names) {
        INFO(name);
        CHECK(object.contains(name));
    }
}

} // namespace

TEST_CASE("the agreed names") {
    const json info = json::parse(info_json(appendix3()));
    CHECK(info.at("schema") == "cpl_lb/1");
    check_names(info, {"schema", "run", "components", "cpmip", "clock", "analysis_s"});
    check_names(info.at("run"), {"id", "submitted", "started", "ended", "wall_s", "simulated_s", "sypd", "chsy",
                                 "cores", "processes"});
    check_names(info.at("components").at(0), {"name",          "id",
                                              "processes",     "wall_s",
                                              "chsy",          "loop_s",
                                              "computing_s",   "waiting_s",
                                              "away_s",        "waiting_for",
                                              "jitter_s",      "imbalance_s",
                                              "startup_s",     "shutdown_s",
                                              "coupling_cost", "coupling_cost_with_operations",
                                              "mapping_s",     "mapping_spread_s",
                                              "output_s",      "output_spread_s",
                                              "restart_s",     "restart_spread_s",
                                              "events",        "dropped_events",
                                              "hwm_B",         "energy_J"});
    check_names(info.at("cpmip"),
                {"resolution", "complexity", "degrees_of_freedom", "sypd", "asypd", "chsy", "parallelization", "jpsy",
                 "ajpsy", "coupling_cost", "memory_bloat", "data_output_cost", "data_intensity", "platform"});
    check_names(info.at("clock"), {"error_bound_s", "order_violations"});
}

TEST_CASE("numbers are numbers, unknown ones are null, costs are fractions") {
    const json info = json::parse(info_json(appendix3()));
    const json &ocean = info.at("components").at(0);
    CHECK(ocean.at("waiting_s") == 1.818);
    CHECK(ocean.at("process_waiting_s").at("mean") == 1.5);
    CHECK(ocean.at("process_waiting_s").at("min") == 1.2);
    CHECK(ocean.at("process_waiting_s").at("max") == 1.75);
    CHECK(info.at("components").at(1).at("process_waiting_s").at("mean").is_null());
    CHECK(ocean.at("coupling_cost").get<double>() == Approx(0.19252).margin(1e-5)); // 1.818 / 9.443
    CHECK(ocean.at("waiting_for").at("atmosphere").at("get_s") == 1.818);
    CHECK(ocean.at("waiting_for").at("atmosphere").at("put_s") == 0.0);
    CHECK(ocean.at("processes") == 62);
    CHECK(ocean.at("startup_s") == 20.0);
    CHECK(ocean.at("hwm_B").is_null());
    CHECK(ocean.at("energy_J").is_null());
    CHECK(info.at("components").at(2).at("loop_s").is_null());
    CHECK(info.at("run").at("submitted").is_null());
    CHECK(info.at("run").at("sypd").get<double>() == Approx(2.8501));
    CHECK(info.at("cpmip").at("jpsy").is_null());
    CHECK(info.at("clock").at("error_bound_s") == 3.2e-6);
    CHECK(json::parse(info_json(CoupledRun{})).at("components").empty());
}

TEST_CASE("what is read is what was written") {
    CoupledRun run = appendix3();
    run.run.submitted = "2026-11-21T02:00:00Z";
    run.components[0].properties = {1442 * 1050, 75, 27.5, 0.1, 20, 1e9, 2e9, true};
    run.components[0].regions = {{"dynamics", 100, 62, 1.5, 2, 2.5}};
    run.components[0].regions[0].steps = {{0.5, 0.25, 0.75, 0}, {}};
    run.components[0].first_init = 1'234'567'891;
    run.components[0].balance.has_dates = true;
    run.components[0].balance.steps[1].date = -3600;
    const std::string text = info_json(run);
    const CoupledRun again = run_from_json("x.json", text);
    // Everything that was written is there again: the second writing is the same text.
    CHECK(info_json(again) == text);
    CHECK(again.components[0].balance.process_waiting_s.mean() == 1.5);
    CHECK(again.components[0].ranks == run.components[0].ranks);
    CHECK(again.components[0].properties.horizontal_points == 1442 * 1050);
    CHECK(again.components[0].properties.is_io_server);
    CHECK(again.components[0].first_init == 1'234'567'891);
    CHECK(again.components[0].balance.steps[1].date == -3600);
    CHECK_FALSE(is_known(again.components[2].balance.loop_s));
}

// The text is what cpl-lb import runs of 0.3 wrote.
TEST_CASE("a run that 0.3 joined from several still says that their clocks cannot be compared") {
    const std::string why = "the clocks of a and b cannot be compared (no exchange between them)";
    const CoupledRun run =
        run_from_json("x.json", R"({"schema": "cpl_lb/1", "run": {"id": "r", "job": "storm", "zero": {"time":
            "2026-11-27T10:00:00.250000001Z", "clock": "nid1 7a", "monotonic_s": 12.5}}, "components": [],
            "clock": {"order_violations": null, "why_not_comparable": ")" +
                                    why + "\"}}");
    CHECK(run.clock.why_not_comparable == why);
    CHECK(run.run.zero.time == "2026-11-27T10:00:00.250000001Z");
    CHECK(json::parse(info_json(run)).at("clock").at("why_not_comparable") == why);
    CHECK(plain_words(run).front() ==
          "The run was joined from several, and " + why +
              ": in what order things happened in different ones, who is slow, and what another split could gain "
              "cannot be known.");
    CHECK(clock_bound(run) > from_seconds(365 * 86400.0)); // no order of times contradicts anything
}

TEST_CASE("hostile names do not break the json") {
    CoupledRun run = appendix3();
    run.component_names[1] = "a\"b\\c\n<script>,%";
    run.components[0].name = "\xff\xfe wrong";
    run.remarks = {std::string("zero\0inside", 11)};
    const json info = json::parse(info_json(run));
    CHECK(info.at("component_names").at(1) == "a\"b\\c\n<script>,%");
    CHECK(info.at("components").at(0).at("waiting_for").contains("a\"b\\c\n<script>,%"));
    CHECK(info.at("components").at(0).at("name") == "\xef\xbf\xbd\xef\xbf\xbd wrong");
    CHECK(info.at("remarks").at(0) == std::string("zero\0inside", 11));
}

TEST_CASE("json that is not ours is one clear line") {
    CHECK(error_of("") == "x.json: is not valid JSON");
    CHECK(error_of("{\"schema\": \"cpl_lb/1\"") == "x.json: is not valid JSON");
    CHECK(error_of("[1, 2]") == "x.json: is not a load_balancing_info.json of schema cpl_lb/1");
    CHECK(error_of("{\"schema\": \"cpl_lb/2\"}") == "x.json: is not a load_balancing_info.json of schema cpl_lb/1");
    CHECK(error_of(std::string(1'000'000, '[')) == "x.json: is nested too deeply");
    CHECK(error_of("{\"schema\": \"cpl_lb/1\"}") == "no error");
    CHECK(
        error_of("{\"schema\": \"cpl_lb/1\", \"run\": [], \"components\": [3, {\"ranks\": [1e99, \"x\"], \"id\": -4, "
                 "\"init_s\": 1e300, \"steps\": {\"date\": [1e300]}, \"waiting_for\": {\"y\": 7}}], \"clock\": 1}") ==
        "no error");
}

TEST_CASE("two that are equally slow are written by their names and read back") {
    CoupledRun run = appendix3();
    CHECK(written(run).at("balance").at("equally_slow").is_null());
    run.balance.equally_slow = {run.components[1].id, run.components[0].id};
    CHECK(written(run).at("balance").at("equally_slow") == json({run.components[1].name, run.components[0].name}));
}

TEST_CASE("time without a processor, where the run comes from, and who is missing are written and read back") {
    CoupledRun run = appendix3();
    run.run.origin = Origin::recovered;
    run.run.missing_count = 3;
    run.run.missing = {2, 3, 4};
    run.components[1].missing_processes = 2;
    NoProcessor &none = run.components[0].no_processor;
    none.of_processes.add(0.25);
    none.of_processes.add(1.5);
    none.most = 7;
    none.outside.add(1.25);
    none.most_outside = 6;
    run.meters.no_processor_s.add(4);
    const json info = written(run);
    CHECK(info.at("run").at("origin") == "recovered");
    CHECK(info.at("run").at("missing_processes") == 3);
    CHECK(info.at("run").at("missing_ranks") == json({2, 3, 4}));
    const json &first = info.at("components").at(0).at("no_processor"), &second = info.at("components").at(1);
    CHECK(first.at("max") == 1.5);
    CHECK(first.at("sum") == 1.75);
    CHECK(first.at("process") == 7);
    CHECK(first.at("outside_mpi").at("max") == 1.25);
    CHECK(first.at("outside_mpi_process") == 6);
    CHECK(second.at("no_processor").at("process").is_null());
    CHECK(second.at("no_processor").at("count") == 0);
    CHECK(second.at("missing_processes") == 2);
    CHECK(info.at("meters").at("no_processor_s").at("sum") == 4);
}

// 60 s of a loop of 100 s; GPUs busy for 40 s: busy for at most 40 s of the computing, idle for at least 20 s.
TEST_CASE("GPUs of components and nodes are written and read back") {
    CoupledRun run = appendix3();
    Component &c = run.components[0];
    c.balance.loop_s = 100;
    c.balance.computing_s = 60;
    c.gpus.count = 4;
    c.gpus.from = "the driver";
    c.gpus.shared_with = {run.components[1].id};
    c.gpus.busy_share = 0.4;
    run.components[1].gpus.why_missing = "not told";
    run.meters.nodes.resize(2);
    run.meters.nodes[1].gpus = {{"H100", "GPU-7"}, {"", "GPU-8"}};
    run.meters.nodes[1].gpus_known = true;
    const json info = written(run);
    const json &gpus = info.at("components").at(0).at("gpus"), &nodes = info.at("meters").at("nodes");
    CHECK(gpus.at("count") == 4);
    CHECK(gpus.at("from") == "the driver");
    CHECK(gpus.at("busy_share") == 0.4);
    CHECK(gpus.at("shared_with") == json::array({run.components[1].name}));
    CHECK(gpus.at("computing_busy_most_s") == 40);
    CHECK(gpus.at("computing_idle_least_s") == 20);
    CHECK(info.at("components").at(1).at("gpus").at("count").is_null());
    CHECK(info.at("components").at(1).at("gpus").at("why_missing") == "not told");
    CHECK(nodes.at(0).at("gpus_known") == false);
    CHECK(nodes.at(1).at("gpus").at(1).at("uuid") == "GPU-8");
    CHECK(nodes.at(1).at("gpus").at(1).at("kind").is_null());
}

TEST_CASE("a file of 0.2.0 has none of that, and is read") {
    json old = json::parse(info_json(appendix3()));
    for (const char *name : {"origin", "missing_processes", "missing_ranks"})
        old.at("run").erase(name);
    for (json &component : old.at("components"))
        component.erase("no_processor");
    old.at("meters").erase("no_processor_s");
    const CoupledRun read = run_from_json("x.json", old.dump());
    CHECK(read.run.origin == Origin::recorded);
    CHECK(read.run.missing_count == 0);
    CHECK(read.components[0].no_processor.of_processes.count == 0);
    CHECK(read.components[0].no_processor.most == -1);
}
