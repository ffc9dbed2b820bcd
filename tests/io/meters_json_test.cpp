// What meters measured goes through load_balancing_info.json and comes back; what they did not is null and stays NaN.
#include "io/json/info_json.hpp"
#include "report/text_sections.hpp"
#include "tests/json.hpp"
#include "tests/report/example_run.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using nlohmann::json;

namespace {

Spread of(std::initializer_list<double> values) {
    Spread s;
    for (const double v : values)
        s.add(v);
    return s;
}

CoupledRun metered() {
    CoupledRun run = test::appendix3();
    run.meters.memory_wanted = run.meters.energy_wanted = true;
    run.meters.hwm_B = of({100, 300});
    run.meters.samples = of({4, 6});
    run.meters.energy_J = 50;
    run.meters.node_power = {2.0, {of({10}), Spread{}, of({20, 40})}};
    run.meters.nodes.resize(1);
    run.meters.nodes[0].energy.package_J = 45;
    run.meters.nodes[0].energy_source = "rapl";
    run.meters.not_there = {"GPUs"};
    run.run.platform_facts = {"gaea", "Haswell", 48128, 2.3, 16};
    ComponentMeters &m = run.components[0].meters;
    m.hwm_B = of({100, 300});
    m.energy_J = 12.5;
    m.energy_is_estimate = true;
    m.loop_counters = {{"PAPI_TOT_INS", of({1, 2, 6}), ""}, {"PAPI_L1_DCM", {}, "no event"}};
    RegionSummary region{"dynamics", 4, 2, 1, 2, 3};
    region.meters.memory_B = of({-5, 7});
    region.meters.memory_calls = 4;
    region.meters.messages = of({3, 5});
    region.meters.message_B = of({24, 40});
    run.components[0].regions = {region};
    return run;
}

MeterFigures figures(const std::string &meter, const std::string &quantity, const std::string &unit) {
    MeterFigures f;
    f.meter = meter;
    f.quantity = quantity;
    f.unit = unit;
    return f;
}

CoupledRun with_other_meters() {
    CoupledRun run = metered();
    MeterFigures load = figures("load", "load", "1");
    load.of_node = true;
    load.over = {.min = 1, .max = 5, .sum = 7, .count = 2};
    load.series = {2.0, {of({1, 5}), Spread{}}};
    MeterFigures packets = figures("net", "packets", "1");
    packets.counts_up = true;
    packets.over = of({10, 30});
    packets.rate_per_s = of({1, 3});
    MeterFigures heat = figures("heat", "core", "K");
    heat.why_missing = "no sensor";
    run.meters.others = {load, packets, heat};
    return run;
}

} // namespace

TEST_CASE("a spread knows its mean and imbalance, and takes no NaN") {
    const Spread s = of({1, unknown, 2, 6});
    CHECK(s.count == 3);
    CHECK(s.mean() == 3);                          // 9 / 3
    CHECK(s.imbalance() == Approx(0.5));           // (6 - 3) / 6
    CHECK_FALSE(is_known(of({unknown}).mean()));   // nobody knows it: not 0
    CHECK_FALSE(is_known(of({0, 0}).imbalance())); // nothing to share
    Spread both = of({5});
    both.add(s);
    CHECK((both.min == 1 && both.max == 6 && both.sum == 14 && both.count == 4));
}

TEST_CASE("meters in the json") {
    const json info = json::parse(info_json(metered()));
    const json &ocean = info.at("components").at(0);
    CHECK(ocean.at("hwm_B") == 400); // 100 + 300: of all its processes
    CHECK(ocean.at("energy_J") == 12.5);
    CHECK(ocean.at("memory").at("hwm_B").at("mean") == 200);
    CHECK(ocean.at("memory").at("rss_B").at("mean").is_null());
    CHECK(ocean.at("energy").at("is_estimate") == true);
    CHECK(ocean.at("loop_counters").at(1).at("mean").is_null());
    CHECK(ocean.at("loop_counters").at(1).at("why_missing") == "no event");
    CHECK(ocean.at("regions").at(0).at("imbalance") == Approx((3. - 2.) / 3.));
    CHECK(info.at("meters").at("node_power_W").at("mean") == json::array({10, nullptr, 30}));
    CHECK(info.at("meters").at("nodes").at(0).at("psys_J").is_null());
    CHECK(info.at("run").at("platform").at("cores") == 48128);
    // A component without meters.
    CHECK(info.at("components").at(1).at("hwm_B").is_null());
    CHECK(info.at("components").at(1).at("energy_J").is_null());
}

TEST_CASE("meters come back from the json") {
    const std::string text = info_json(metered());
    const CoupledRun back = run_from_json("x.json", text);
    CHECK(info_json(back) == text);
    CHECK_FALSE(is_known(back.components[1].meters.energy_J));
    CHECK(back.components[0].meters.loop_counters.at(0).over.mean() == 3);
}

TEST_CASE("a meter without figures of its own, in the json and back") {
    CHECK_FALSE(json::parse(info_json(metered())).at("meters").contains("others"));
    const std::string text = info_json(with_other_meters());
    const json others = json::parse(text).at("meters").at("others");
    REQUIRE(others.size() == 3);
    CHECK(others.at(0).at("of") == "node");
    CHECK(others.at(0).at("measure") == "gauge");
    CHECK(others.at(0).at("over").at("mean") == 3.5); // 7 / 2
    CHECK(others.at(0).at("series").at("max") == json::array({5, nullptr}));
    CHECK_FALSE(others.at(0).contains("rate_per_s"));
    CHECK(others.at(1).at("over").at("sum") == 40);
    CHECK(others.at(1).at("rate_per_s").at("mean") == 2);
    CHECK(others.at(2).at("over").at("mean").is_null());
    CHECK(others.at(2).at("why_missing") == "no sensor");
    CHECK(info_json(run_from_json("x.json", text)) == text);
}

TEST_CASE("a meter without figures of its own, in the text") {
    const std::string text = other_meter_table(run_from_json("x.json", info_json(with_other_meters())));
    CHECK(text == R"(Meter  quantity  unit  of each     min    mean     max     sum  per second
load   load      1     node      1.000   3.500   5.000
net    packets   1     process  10.000  20.000  30.000  40.000       2.000
heat   core      K     process     n/a     n/a     n/a
n/a: core: no sensor
)");
    CHECK(other_meter_table(metered()).empty());
}
