// cpl-lb machine assert as a user runs it: on what a run left, and on a table without a run;
// and machine vectors on a compiler's report.
#include "tests/projection/commands/project_command.hpp"

#include <algorithm>
#include <regex>

using namespace cpl_lb;
using nlohmann::json;
using test::command;
using test::error_of;
using test::holds;
using test::TemporaryFolder;

namespace {

// An ocean of two processes with one region: 4 calls on each, n = 100, flops n^3 / 10 in a call, measured 5e5 flops.
json small_run() {
    const auto annotation = [](const char *expression, double value, json measured, json why) {
        return json{{"expression", expression},
                    {"value", value},
                    {"min", value},
                    {"max", value},
                    {"processes", 2},
                    {"measured", measured},
                    {"measured_by", "PAPI_DP_OPS"},
                    {"why_not_measured", why}};
    };
    json region = {{"name", "kernel"}, {"calls", 8},     {"processes", 2},
                   {"min_s", 1e-3},    {"mean_s", 1e-3}, {"max_s", 1e-3}};
    region["annotations"] = {{"flops", annotation("n^3/10", 4e5, 5e5, nullptr)},
                             {"loads", annotation("n^2", 4e4, nullptr, "no counter")},
                             {"mv", annotation("11", 11, nullptr, "no counter counts it")},
                             {"sl", annotation("2", 2, nullptr, "no counter counts it")},
                             {"tl", annotation("2", 2, nullptr, "no counter counts it")}};
    const json ocean = {
        {"name", "ocean"},
        {"id", 1},
        {"regions", {region}},
        {"parameters",
         {{{"name", "n"}, {"value", 100}, {"min", 100}, {"max", 100}, {"processes", 2}, {"changes", 0}}}}};
    return {{"schema", "cpl_lb/1"}, {"run", {{"id", "r"}}}, {"component_names", {"ocean"}}, {"components", {ocean}}};
}

json answer(const TemporaryFolder &folder, const std::string &arguments) {
    const auto r = command(folder, "machine assert " + arguments + " --json");
    INFO(r.errors);
    REQUIRE(r.status == 0);
    return json::parse(r.output);
}

std::string error(const TemporaryFolder &folder, const std::string &arguments, int status = 1) {
    return error_of(folder, "machine assert " + arguments, status);
}

} // namespace

TEST_CASE("observed bandwidth: the model's own answer comes back where its error is zero") {
    const TemporaryFolder folder;
    // MV 11 on one MSP: 9e9 flop at 18 GF/s take 0.5 s, 7e8 numbers of 8 B at 14 GB/s (SL 0, TL 2; loop 0 of table 5)
    // 0.4 s. With vectors of 32 numbers memory takes twice as long. The last block's operations alone take 0.5 s.
    const std::string table = write(folder, "blocks.csv",
                                    "region,flops,loads,mv,sl,tl,avl,time_s\n"
                                    "loop0,9e9,7e8,11,0,2,,0.9\n"
                                    "short,9e9,7e8,11,0,2,32,1.3\n"
                                    "fast,9e9,7e8,11,0,2,,0.4\n");
    const json blocks = answer(folder, table + " --machine cray_x1e").at("blocks");
    for (const std::size_t b : {0U, 1U}) {
        INFO(b);
        CHECK(blocks[b].at("times").at("pred").at("error").get<double>() == Approx(0).margin(1e-9));
        CHECK(blocks[b].at("observed_B_per_s").get<double>() == Approx(14e9));
        CHECK(blocks[b].at("levels_near_observed") == json::array({{{"sl", 0}, {"tl", 2}}}));
    }
    CHECK(blocks[0].at("observed_memory_s").get<double>() == Approx(0.4));
    CHECK(blocks[1].at("observed_memory_s").get<double>() == Approx(0.8));
    CHECK(blocks[2].at("observed_B_per_s").is_null());
    CHECK(blocks[2].at("levels_near_observed").empty());
    CHECK(blocks[2].at("why_not_observed") ==
          "its operations alone take longer at the machine's rates than was measured");
    // Without a machine nothing is known of the time of its operations.
    CHECK(answer(folder, table).at("blocks")[0].at("observed_B_per_s").is_null());
}

TEST_CASE("a run: what the expressions say against what was measured") {
    const TemporaryFolder folder;
    write(folder, "load_balancing_info.json", small_run().dump());
    const std::string where = folder / "";
    const json a = answer(folder, where);
    const json &flops = a.at("blocks").at(0).at("quantities").at("flops");
    CHECK(flops.at("value") == 4e5);
    CHECK(flops.at("error").get<double>() == Approx(0.2)); // (5e5 - 4e5) / 5e5
    CHECK(flops.at("outside") == true);                    // 20 % against the 10 % of the default
    CHECK(flops.at("elasticity").at("n").get<double>() == Approx(3));
    CHECK(a.at("blocks").at(0).at("quantities").at("loads").at("measured").is_null());
    CHECK(answer(folder, where + " --tolerance 20.1").at("blocks").at(0).at("outside") == false);

    const auto text = command(folder, "machine assert " + where);
    CHECK(text.status == 0); // an expression outside the tolerance is an answer, not bad input
    CHECK(holds(text.output, "1 of 5 expressions could be compared: outside 10 %: ocean: kernel"));
    CHECK(holds(text.output, "n/a: loads: no counter"));
    CHECK(holds(command(folder, "machine assert --tolerance 21 " + where).output, "all within 21 %"));
}

TEST_CASE("a run on another machine, with other parameters") {
    const TemporaryFolder folder;
    write(folder, "load_balancing_info.json", small_run().dump());
    const std::string where = std::string(folder / "") + " --machine cray_x1e";
    const json times = answer(folder, where).at("blocks").at(0).at("times");
    // 4e5 / 18e9 + 8 x 4e4 / 34e9 = 2.2222e-5 + 9.4118e-6; measured 1e-3
    CHECK(times.at("pred").at("seconds").get<double>() == Approx(3.163399e-5).epsilon(1e-6));
    CHECK(times.at("pred").at("error").get<double>() == Approx(0.96836601));
    CHECK(times.at("pred_lb").at("seconds").get<double>() == Approx(4e5 / 18e9 + 3.2e5 / 10e9));
    // Observed: 8 x 4e4 B in what 4e5 / 18e9 s of computing leave of 1e-3 s: 3.2e5 / 9.777778e-4.
    CHECK(answer(folder, where).at("blocks").at(0).at("observed_B_per_s").get<double>() == Approx(3.272727e8));
    // n = 200: eight times the flops, four times the loads; what was measured is of n = 100.
    const json other = answer(folder, where + " --set n=200");
    CHECK(other.at("as_measured") == false);
    CHECK(other.at("blocks").at(0).at("quantities").at("flops").at("value") == 3.2e6);
    CHECK(other.at("blocks").at(0).at("quantities").at("flops").at("error").is_null());
    CHECK(other.at("blocks").at(0).at("times").at("pred").at("error").is_null());
    CHECK(other.at("blocks").at(0).at("times").at("pred").at("seconds").get<double>() ==
          Approx(3.2e6 / 18e9 + 1.28e6 / 34e9));
    CHECK(answer(folder, where + " --set n=100").at("as_measured") == true); // the run's own value
}

TEST_CASE("a table with what was measured, on a machine whose bandwidths by locality are worked out") {
    const TemporaryFolder folder;
    // Said: 10 calls of 2 x 1e6 flops = 2e7; counted 2.5e7. Loads are counted for the first block only: 3e7.
    const std::string table = write(folder, "blocks.csv",
                                    "region,calls,flops,measured_flops,loads,measured_loads,mv,sl,tl,time_s\n"
                                    "triad,10,2*n,2.5e7,3*n,3e7,01,2,0,0.02\n"
                                    "walk,10,2*n,2e7,3*n,,01,0,0,\n");
    const std::string arguments = table + " --set n=1e6 --machine xeon_e5_2697v3";
    const json a = answer(folder, arguments);
    const json &triad = a.at("blocks")[0], &walk = a.at("blocks")[1];
    CHECK(triad.at("quantities").at("flops").at("error").get<double>() == Approx(0.2)); // (2.5e7 - 2e7) / 2.5e7
    CHECK(triad.at("quantities").at("flops").at("measured_by") == "measured_flops of the table");
    CHECK(triad.at("quantities").at("loads").at("error").get<double>() == Approx(0));
    CHECK(walk.at("quantities").at("loads").at("measured").is_null());
    // ESCAPE D3.5, tables 25 and 29, one core at 2.6 GHz: 20.8 GFLOP/s, 13.436 GB/s; at random an eighth of it.
    CHECK(triad.at("times").at("pred").at("seconds").get<double>() == Approx(2e7 / 20.8e9 + 8 * 3e7 / 13.436e9));
    CHECK(walk.at("times").at("pred").at("seconds").get<double>() == Approx(2e7 / 20.8e9 + 8 * 3e7 / (13.436e9 / 8)));
    CHECK(holds(a.at("locality_from").get<std::string>(), "TL 0 is DRAM"));
    CHECK(answer(folder, table + " --set n=1e6 --machine cray_x1e").at("locality_from").is_null());

    // The answer comes first, reasons for n/a last.
    const std::string text = command(folder, "machine assert " + arguments).output;
    CHECK(text.rfind("3 of 10 expressions could be compared: outside 10 %: triad\n", 0) == 0);
    CHECK(holds(text, "Its bandwidths are worked out from its levels: TL 2 is L1, TL 1 is L2"));
    CHECK(text.find("n/a: ") > text.find("Change in %"));

    // 2 n and 3 n with n = -1 are no work.
    const std::string negative = command(folder, "machine assert " + table + " --set n=-1 --machine cray_x1e").output;
    CHECK(holds(negative, "n/a: triad, walk: its work is negative at these values of the parameters"));
    CHECK_FALSE(holds(negative, "one is larger"));

    CHECK(holds(error(folder, write(folder, "a.csv", "region,measured_flops\nx,3\n")),
                "column measured_flops needs flops, the expression"));
    CHECK(holds(error(folder, write(folder, "b.csv", "region,flops,measured_flops\nx,n,-3\n")), "b.csv:2"));
}

TEST_CASE("a table without a run") {
    const TemporaryFolder folder;
    const std::string table = write(folder, "blocks.csv",
                                    "region,calls,flops,loads,mv,sl,tl,seconds,time_s\n"
                                    "triad,10,2*n,\"max(2*n, 5)\",11,2,2,n/1e6,2\n"
                                    "copy,1,0,n,00,0,0,,\n");
    const json a = answer(folder, table + " --set n=1e5 --machine cray_x1e");
    const json &triad = a.at("blocks").at(0);
    CHECK(triad.at("quantities").at("flops").at("value") == 2e6);
    CHECK(triad.at("quantities").at("seconds").at("error").get<double>() == Approx(0.5)); // said 10 x 0.1, took 2
    CHECK(triad.at("times").at("pred").at("seconds").get<double>() == Approx(2e6 / 18e9 + 1.6e7 / 34e9));
    const json &copy = a.at("blocks").at(1);
    CHECK_FALSE(copy.at("quantities").contains("seconds"));
    CHECK(copy.at("times").at("pred").at("seconds").get<double>() == Approx(8e5 / 0.2e9));
}

TEST_CASE("bad input: one line with file, line and name") {
    const TemporaryFolder folder;
    const auto table = [&](const std::string &rows) { return write(folder, "t.csv", "region,flops,loads\n" + rows); };
    CHECK(holds(error(folder, table("a,1,2 *\n")), "t.csv:2: column loads: '2 *': position 4: expected a number"));
    CHECK(holds(error(folder, table("a,1,2\nb,foo(1),2\n")),
                "t.csv:3: column flops: 'foo(1)': position 1: there is no"));
    CHECK(holds(error(folder, table("a,n,m\n") + " --set n=1"), "parameter 'm' has no value: give --set m=NUMBER"));
    CHECK(holds(error(folder, table("a,1/(n-1),2\n") + " --set n=1"), "t.csv: region 'a', flops: division by zero"));
    CHECK(holds(error(folder, table("a,exp(n),2\n") + " --set n=1e6"), "region 'a', flops: unbounded"));
    CHECK(holds(error(folder, table("a,n,2\n") + " --set m=1"), "no parameter 'm'; there are: n"));
    CHECK(holds(error(folder, write(folder, "u.csv", "region,flop\na,1\n")), "no quantity is called 'flop'"));
    CHECK(holds(error(folder, table("a,1,2\n") + " --machine nowhere.toml"), "nowhere.toml"));
    CHECK(holds(error(folder, folder / "nothing_here"), "nothing_here"));
    json bare = small_run();
    bare["components"][0]["regions"][0].erase("annotations");
    write(folder, "load_balancing_info.json", bare.dump());
    CHECK(holds(error(folder, folder / ""), "no region of this run has expressions"));
    CHECK(holds(error(folder, table("a,1,2\n") + " --set n", 2), "--set: n: write NAME=NUMBER"));
    CHECK(holds(error(folder, table("a,1,2\n") + " --set n=two", 2), "'two' is not a number"));
    CHECK(holds(error(folder, "", 2), "WHERE is required"));
}

TEST_CASE("the MV score of source lines") {
    const TemporaryFolder folder;
    const std::string vectors = "machine vectors " CPL_LB_TEST_DATA "/vector_reports/gcc_12.txt";
    const auto score = [&](const std::string &options) {
        return json::parse(command(folder, vectors + options + " --json").output).at("mv");
    };
    CHECK(score(" --lines kernels.c:2-5") == "01");
    CHECK(score(" --lines 2-5 --threaded") == "11");
    const auto text = command(folder, vectors + " --lines 16-20");
    CHECK(holds(text.output, "MV score 01: no threads, vectorised"));
    CHECK(holds(text.output, "Some loops are not vectorised"));
    CHECK(holds(error_of(folder, vectors + " --lines 5-4", 2), "last before first"));
    CHECK(holds(error_of(folder, vectors + " --lines 500-600"),
                "gcc_12.txt: says nothing of a loop in lines 500 to 600"));
    CHECK(holds(error_of(folder, vectors, 2), "--lines is required"));
}

TEST_CASE("sums that are not finite, and errors of hundreds of digits, are not printed") {
    const TemporaryFolder folder;
    // One call of a: 3e200, measured 1: 100 (1 - 3e200) / 1 = -3e202 %. b is 1e100 x 3e250: no double holds that.
    const std::string table = test::write(
        folder, "t.csv", "region,calls,flops,measured_flops\na,1,1e200*p,1\nb,1e100,1e250*p,1\nc\x1b[2J,1,p,1\n");
    const auto r = command(folder, "machine assert " + table + " --set p=3");
    INFO(r.output << r.errors);
    REQUIRE(r.status == 0);
    CHECK_THAT(r.output, Catch::Contains(" -3.000e+202 ") && !Catch::Contains("inf") &&
                             Catch::Contains("n/a: flops: the sum over all calls is not a finite number"));
    CHECK_FALSE(std::regex_search(r.output, std::regex("[0-9]{25}")));
    // One look of a name: in both tables and in the sentence.
    CHECK_THAT(r.output, Catch::Contains("c\\x1b[2J") && !Catch::Contains("\\\\x1b"));
    const json b = answer(folder, table + " --set p=3").at("blocks").at(1).at("quantities").at("flops");
    CHECK(b.at("value").is_null());
    CHECK(b.at("why_no_value") == "the sum over all calls is not a finite number");
}
