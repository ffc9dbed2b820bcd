// The verdict on real MPI runs whose slow side is known: at terminate, by cpl-lb summary and by cpl-lb predict.
#include "run_scenario.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>

static const scenario::Program program("scenarios");

namespace {

using nlohmann::json;
using scenario::Result;

// Standard output of cpl-lb; the line breaks of its sentences are spaces here.
std::string told(const Result &r, const std::string &command) {
    const std::string line = "'" + scenario::beside("../../libcpl_lb/tools/cpl-lb") + "' " + command + " '" +
                             r.folder.string() + "' > '" + (r.folder / "told").string() + "'";
    REQUIRE(std::system(line.c_str()) == 0);
    return scenario::slurp(r.folder / "told");
}

std::string in_one_line(std::string text) {
    for (char &c : text)
        if (c == '\n') c = ' ';
    return text;
}

double on_path(const json &predicted, const std::string &name) {
    for (const json &c : predicted.at("components"))
        if (c.at("name") == name) return c.at("critical_s").get<double>();
    return -1;
}

} // namespace

// The atmosphere comes 0.02 s after the ocean in each step of 0.15 s, and the ocean waits for that at the coupler.
TEST_CASE("a coupler process between two models is not the slow side") {
    const Result r = scenario::run("hub", 3);
    REQUIRE(r.exit_code == 0);
    CHECK(r.info().at("balance").at("slow_side") == "atmosphere");
    CHECK(r.component("atmosphere").at("critical_share").get<double>() > 0.5);
    CHECK(r.component("coupler").at("waiting_s").get<double>() >
          0.5 * r.component("coupler").at("loop_s").get<double>());
    // Ten whole steps between the second exchange and the last.
    CHECK(r.component("ocean").at("waiting_for").at("coupler").at("get_s").get<double>() > 10 * 0.0199);
    for (const std::string &text : {r.output, told(r, "summary")}) {
        const std::string words = in_one_line(text);
        CHECK_THAT(words, Catch::Contains("atmosphere is the bottleneck: "));
        CHECK_THAT(words, Catch::Contains(" of its time waiting for it, through coupler."));
    }
    // The same files, the same path and the same length of the loop.
    const json predicted = json::parse(told(r, "predict --json"));
    CHECK(predicted.at("measured_s").get<double>() ==
          Approx(r.info().at("balance").at("loop_s").get<double>()).epsilon(1e-6));
    for (const std::string name : {"ocean", "atmosphere", "coupler"})
        CHECK(on_path(predicted, name) / predicted.at("measured_s").get<double>() ==
              Approx(r.component(name).at("critical_share").get<double>()).margin(1e-6));
    CHECK(on_path(predicted, "atmosphere") > on_path(predicted, "ocean") + on_path(predicted, "coupler"));
}

// The ocean waits 0.03 s in each step until the server has written, and then 0.02 s for the atmosphere.
TEST_CASE("an I/O server is idle for data, and what its clients wait for it is named") {
    const Result r = scenario::run("served", 3);
    REQUIRE(r.exit_code == 0);
    const json server = r.component("ioserver"), ocean = r.component("ocean"), air = r.component("atmosphere");
    CHECK(r.info().at("balance").at("slow_side") == "atmosphere");
    CHECK(server.at("is_io_server") == true);
    CHECK(server.at("idle_s").get<double>() == Approx(server.at("waiting_s").get<double>()));
    CHECK(ocean.at("waiting_for").at("ioserver").at("put_s").get<double>() > 10 * 0.0299);
    CHECK(ocean.at("waiting_for").at("atmosphere").at("get_s").get<double>() > 10 * 0.0199);
    // One core each; the server's waiting does not count.
    const auto sum = [&](const char *what) { return ocean.at(what).get<double>() + air.at(what).get<double>(); };
    CHECK(r.info().at("run").at("waiting_share").get<double>() == Approx(sum("waiting_s") / sum("loop_s")));
    CHECK_FALSE(r.info().at("balance").at("best_cores").contains("ioserver"));
    for (const std::string &text : {r.output, told(r, "summary")}) {
        const std::string words = in_one_line(text);
        CHECK_THAT(words, Catch::Contains("atmosphere is the bottleneck: "));
        CHECK_THAT(words, Catch::Contains("ioserver is an I/O server, idle "));
        CHECK_THAT(words, Catch::Matches(".*; ocean spends [0-9.]+ % of its time waiting for it\\..*"));
    }
    CHECK_THAT(r.output, Catch::Matches("[^]*\nioserver +1 +[0-9.]+ +idle +[0-9.]+ +[0-9.]+ +data of ocean\n[^]*"));
    const std::string predicted = told(r, "predict");
    CHECK_THAT(predicted, Catch::Matches("[^]*\noutput +ocean +ioserver +2 +0 +24 +synchronous\n[^]*"));
    CHECK_THAT(predicted, Catch::Matches("[^]*\nioserver +1 +[0-9.]+ +idle [0-9.]+ [^]*"));
}

// The budget of the analysis is used up at once: the model's end is as always, and the command has all the time.
TEST_CASE("without time for the analysis there is no slow side at terminate, but there is one afterwards") {
    const Result r = scenario::run("hub", 3, "CPL_LB_ANALYSIS=0.000001");
    REQUIRE(r.exit_code == 0);
    const std::string why = "the analysis had used up its 1e-06 s of processor time (rn_analysis); cpl-lb summary " +
                            r.folder.string() + "/ computes what is missing";
    CHECK(r.complaints_with(why) == 1);
    CHECK(r.info().at("balance").at("why_no_path") == why);
    CHECK(r.info().at("balance").at("slow_side").is_null());
    CHECK(r.component("ocean").at("waiting_for").at("coupler").at("get_s").get<double>() > 10 * 0.0199);
    CHECK_THAT(scenario::slurp(r.folder / "load_balancing_info.txt"),
               Catch::Contains("n/a: the analysis had used up"));
    CHECK_THAT(scenario::slurp(r.folder / "load_balancing_report.html"), Catch::Contains("(rn_analysis)"));
    CHECK_THAT(in_one_line(told(r, "summary")), Catch::Contains("atmosphere is the bottleneck: "));
}
