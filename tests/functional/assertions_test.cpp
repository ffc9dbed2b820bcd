// Modelling assertions through the whole chain: a model under mpirun, its json, its text and cpl-lb machine assert.
#include "run_scenario.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

using scenario::run;

static const scenario::Program program("assertion_scenarios");

namespace {

nlohmann::json annotation(const scenario::Result &r, const std::string &region, const std::string &quantity) {
    const nlohmann::json ocean = r.component("ocean"); // alive while its parts are looked at
    for (const auto &one : ocean.at("regions"))
        if (one.at("name") == region) return one.at("annotations").at(quantity);
    return {};
}

} // namespace

TEST_CASE("expressions are evaluated where they hold, and compared with what was measured") {
    const auto r = run("good", 2);
    REQUIRE(r.exit_code == 0);
    // 6 calls each: 6 x 2 x 100^2 = 120,000 and 6 x 2 x 110^2 = 145,200
    const auto flops = annotation(r, "kernel", "flops");
    CHECK(flops.at("value") == 132600);
    CHECK(flops.at("min") == 120000);
    CHECK(flops.at("max") == 145200);
    CHECK(flops.at("expression") == "2*nx**2");
    CHECK(flops.at("measured").is_null());
    CHECK(flops.at("why_not_measured").get<std::string>().find("no counter for it in cn_counters") == 0);
    CHECK(annotation(r, "kernel", "mv").at("value") == 1);
    CHECK(annotation(r, "growing", "flops").at("value") == 80); // 2 x 10 + 3 x 20
    CHECK(annotation(r, "step", "calls").at("measured") == 3);
    CHECK(annotation(r, "step", "calls").at("error") == 0);
    // Four sleeps of 50 ms are never shorter; the error is what they were longer by.
    const auto seconds = annotation(r, "pause", "seconds");
    CHECK(seconds.at("value").get<double>() == Approx(0.2));
    const double measured = seconds.at("measured");
    CHECK(measured >= 0.2);
    CHECK(seconds.at("error").get<double>() == Approx((measured - 0.2) / measured));
    // The parameter that differs is told, once.
    CHECK(r.complaints_with("parameter 'nx' differs between processes: 100 to 110") == 1);
    CHECK(r.complaints.size() == 1);
    const auto ocean = r.component("ocean");
    REQUIRE(ocean.at("parameters").size() == 2);
    CHECK(ocean.at("parameters").at(0).at("value") == 105);
    CHECK(ocean.at("parameters").at(1).at("changes") == 2); // on each of two processes
}

TEST_CASE("the control flow of annotated regions comes out with the model") {
    const auto r = run("good", 2);
    REQUIRE(r.exit_code == 0);
    const auto ocean = r.component("ocean");
    const auto &flow = ocean.at("control_flow");
    REQUIRE(flow.size() == 4); // what is inside the plain region counts as straight from step
    CHECK((flow.at(0).at("from").is_null() && flow.at(0).at("region") == "step" && flow.at(0).at("times") == 6));
    CHECK((flow.at(1).at("from") == "step" && flow.at(1).at("region") == "kernel" && flow.at(1).at("times") == 12));
    CHECK((flow.at(2).at("region") == "growing" && flow.at(2).at("times") == 10));
    CHECK((flow.at(3).at("region") == "pause" && flow.at(3).at("times") == 8));
    const std::string text = scenario::slurp(r.folder / "load_balancing_info.txt");
    CHECK(text.find("What expressions say of regions") != std::string::npos);
    CHECK(text.find("2*nx**2") != std::string::npos);
    CHECK(text.find("nx = 100 to 110") != std::string::npos);
    CHECK(text.find("Control flow of annotated regions") != std::string::npos);
}

// PAPI_DP_OPS of the stub goes up by one for each reading: one for each call of a region, whose begin and end read.
TEST_CASE("counters, where they are, against the expressions") {
    const auto r = run(
        "good", 2, "CPL_LB_COUNTERS=PAPI_DP_OPS CPL_LB_SAMPLE=1000 LD_LIBRARY_PATH=" + scenario::beside("papi_stub"));
    REQUIRE(r.exit_code == 0);
    const auto flops = annotation(r, "growing", "flops");
    CHECK(flops.at("measured") == 5);
    CHECK(flops.at("measured_by") == "PAPI_DP_OPS");
    CHECK(flops.at("error") == -15); // (5 - 80) / 5
    CHECK(annotation(r, "growing", "loads").at("measured").is_null());
}

TEST_CASE("mistakes never harm the run: refused or told, with the region's name") {
    const auto r = run("wrong", 2);
    REQUIRE(r.exit_code == 0);
    for (const char *call : {"syntax", "quantity", "null", "no_region", "name", "no_name"})
        CHECK(r.said.at(call) == -2); // CPL_LB_EARGUMENT
    CHECK(r.complaints_with("region 'kernel': flops = '2 +': position 4: expected a number") == 2); // on each process
    CHECK(r.complaints_with("region 'kernel': there is no quantity 'flop'") == 2);
    CHECK(r.complaints_with("there is no region 2") == 2);
    CHECK(r.complaints_with("vflops = '('") == 2); // not a thousand times
    CHECK(r.complaints_with("ocean, region 'kernel', loads: parameter 'nope' has no value") == 1);
    CHECK(r.complaints_with("ocean, region 'kernel', stores: division by zero") == 1);
    CHECK(r.complaints_with("ocean, region 'kernel', bytes: unbounded") == 1);
    CHECK(r.complaints_with("processes gave different expressions: '2' and '3'") == 1);
    for (const char *quantity : {"loads", "stores", "bytes", "flops"})
        CHECK(annotation(r, "kernel", quantity).at("value").is_null());
}

TEST_CASE("switched off, nothing is looked at") {
    const auto r = run("off", 2, "", false);
    CHECK(r.exit_code == 0);
    CHECK(r.complaints.empty());
}
