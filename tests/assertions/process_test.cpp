// What a process says of its regions while it runs, how it becomes figures, and which region came from which.
#include "assertions/process_annotations.hpp"
#include "assertions/quantities.hpp"
#include "record/regions.hpp"

#include <catch2/catch.hpp>
#include <map>

using namespace cpl_lb;

namespace {

struct Process {
    std::map<int, std::int64_t> calls;
    ProcessAnnotations says{[this](int region) { return calls[region]; }};

    Annotation only(int region) {
        says.finish();
        const auto all = says.of_region(region);
        REQUIRE(all.size() == 1);
        return all.front();
    }
};

NamedSpread counter(const std::string &name, double value) {
    NamedSpread c;
    c.name = name;
    c.over.add(value);
    return c;
}

RegionSummary region_with(const std::vector<std::pair<std::string, double>> &values,
                          std::vector<NamedSpread> counters) {
    RegionSummary region;
    region.name = "kernel";
    region.calls = 8;
    region.processes = 2;
    region.mean_s = 2;
    region.meters.counters = std::move(counters);
    for (const auto &[quantity, value] : values) {
        Annotation &a = region.annotations.emplace_back();
        a.quantity = quantity;
        a.value.add(value);
    }
    check_annotations(region);
    return region;
}

} // namespace

TEST_CASE("an amount is of a call, and calls add up") {
    Process p;
    CHECK(p.says.parameter("n", 10).empty());
    CHECK(p.says.expression(1, "flops", "2*n^2").empty());
    p.calls[1] = 6;
    const Annotation a = p.only(1);
    CHECK(a.value.mean() == 1200); // 6 x 2 x 100
    CHECK(a.expression == "2*n^2");
    CHECK(a.why_no_value.empty());
}

TEST_CASE("a parameter's new value holds for the calls that begin after it") {
    Process p;
    CHECK(p.says.expression(1, "flops", "n").empty());
    CHECK(p.says.expression(1, "avl", "n").empty());
    CHECK(p.says.expression(1, "calls", "n/4").empty());
    p.calls[1] = 2; // before the first value is known: it holds for them, too
    CHECK(p.says.parameter("n", 10).empty());
    CHECK(p.says.parameter("n", 10).empty()); // no change
    CHECK(p.says.parameter("n", 20).empty());
    p.calls[1] = 5;
    p.says.finish();
    const auto all = p.says.of_region(1);
    REQUIRE(all.size() == 3);
    CHECK(all[0].value.mean() == 80); // 2 x 10 + 3 x 20
    CHECK(all[1].value.mean() == 16); // 80 / 5
    CHECK(all[2].value.mean() == 5);  // once, at the last value
    const auto parameters = p.says.parameters();
    REQUIRE(parameters.size() == 1);
    CHECK(parameters[0].value.mean() == 20);
    CHECK(parameters[0].changes == 1);
}

TEST_CASE("what is refused, with words that name it") {
    Process p;
    CHECK(p.says.parameter("2x", 1).find("'2x' cannot be a parameter's name") == 0);
    CHECK(p.says.parameter("max", 1).find("'max' cannot be") == 0);
    CHECK(p.says.parameter("x", unknown) == "parameter 'x': the value is not a finite number");
    CHECK(p.says.expression(1, "flop", "1").find("there is no quantity 'flop'; there are: flops, vflops,") == 0);
    CHECK(p.says.expression(1, "flops", "2 +") ==
          "flops = '2 +': position 4: expected a number, a name or '(', found the end");
    CHECK(p.says.expression(1, "flops", "2").empty());
    CHECK(p.says.expression(1, "flops", "2").empty()); // in a time loop, again and again
    CHECK(p.says.expression(1, "flops", "3") == "flops: it has the expression '2' already; '3' is ignored");
    p.calls[1] = 1;
    CHECK(p.only(1).value.mean() == 2);
}

TEST_CASE("an expression without a value says why, and gives no number") {
    const auto reason = [](const std::string &quantity, const std::string &text) {
        Process p;
        CHECK(p.says.parameter("n", 3).empty());
        CHECK(p.says.expression(1, quantity, text).empty());
        p.calls[1] = 1;
        const Annotation a = p.only(1);
        CHECK(a.value.count == 0);
        return a.why_no_value;
    };
    CHECK(reason("flops", "nope").find("parameter 'nope' has no value") == 0);
    CHECK(reason("flops", "1/(n-3)").find("division by zero") == 0);
    CHECK(reason("bytes", "exp(n*1000)").find("unbounded") == 0);
    CHECK(reason("mv", "12") == "mv must be 00, 10, 01 or 11, but the expression gives 12");
    CHECK(reason("sl", "n") == "sl must be 0, 1 or 2, but the expression gives 3");
    CHECK(reason("avl", "0.5") == "avl must be at least 1, but the expression gives 0.5");
    CHECK(reason("loads", "-n") == "loads must not be below 0, but the expression gives -3");
}

TEST_CASE("a region that was never entered has no annotations") {
    Process p;
    CHECK(p.says.expression(1, "flops", "1").empty());
    p.says.finish();
    CHECK(p.says.of_region(1).empty());
}

TEST_CASE("compared with the clock, the calls and the counters") {
    const RegionSummary r = region_with({{"flops", 900}, {"seconds", 3}, {"calls", 5}, {"bytes", 64}, {"tl", 1}},
                                        {counter("PAPI_DP_OPS", 1000), counter("PAPI_L3_TCM", 2)});
    const auto find = [&](const char *quantity) { return *annotation_of(r, quantity); };
    CHECK(find("flops").measured == 1000);
    CHECK(find("flops").error() == Approx(0.1)); // (1000 - 900) / 1000
    CHECK(find("flops").measured_by == "PAPI_DP_OPS");
    CHECK(find("seconds").measured == 2);
    CHECK(find("seconds").error() == Approx(-0.5)); // (2 - 3) / 2: too much said
    CHECK(find("calls").measured == 4);             // 8 calls of 2 processes
    CHECK(find("calls").error() == Approx(-0.25));
    CHECK(find("bytes").measured == 128); // 2 lines of 64 bytes
    CHECK(find("bytes").error() == Approx(0.5));
    CHECK_FALSE(is_known(find("tl").measured));
    CHECK(find("tl").why_not_measured == "no counter counts it");
}

TEST_CASE("compared with the messages that MPI sends, where it is recorded") {
    RegionSummary r = region_with({{"messages", 8}, {"message_bytes", 600}}, {});
    const auto find = [&](const char *quantity) { return *annotation_of(r, quantity); };
    CHECK_FALSE(is_known(find("messages").measured));
    CHECK(find("message_bytes").why_not_measured == "MPI was not recorded: put cpl-lb-record in front");
    r.meters.messages.add(6);
    r.meters.messages.add(14); // of another process
    r.meters.message_B.add(600);
    check_annotations(r);
    CHECK(find("messages").measured == 10);
    CHECK(find("messages").error() == Approx(0.2)); // (10 - 8) / 10
    CHECK(find("messages").measured_by == "MPI");
    CHECK(find("message_bytes").error() == 0);
    CHECK(find("message_bytes").why_not_measured.empty());
}

TEST_CASE("vector instructions by width, and no figure from half of the counters") {
    const std::string fp = "FP_ARITH_INST_RETIRED:";
    const auto all = {counter(fp + "SCALAR_DOUBLE", 10), counter(fp + "128B_PACKED_DOUBLE", 3),
                      counter(fp + "256B_PACKED_DOUBLE", 5)};
    // 10 + 2 x 3 + 4 x 5 = 36; vector 26; 26 / (3 + 5) = 3.25 numbers in an instruction
    CHECK(measured_by_counters("flops", all).value == 36);
    CHECK(measured_by_counters("vflops", all).value == 26);
    CHECK(measured_by_counters("avl", all).value == 3.25);
    const Measured half = measured_by_counters("vflops", {counter(fp + "128B_PACKED_DOUBLE", 3)});
    CHECK_FALSE(is_known(half.value));
    CHECK(half.why == "no counter for it in cn_counters that works here");
    CHECK(measured_by_counters("vflops", all).by ==
          "2 x " + fp + "128B_PACKED_DOUBLE + 4 x " + fp + "256B_PACKED_DOUBLE");
    // No vector instruction at all has no average length.
    CHECK_FALSE(is_known(
        measured_by_counters("avl", {counter(fp + "128B_PACKED_DOUBLE", 0), counter(fp + "256B_PACKED_DOUBLE", 0)})
            .value));
}

TEST_CASE("load instructions are not compared with numbers where one is several") {
    const auto counters = std::vector<NamedSpread>{counter("PAPI_LD_INS", 100)};
    CHECK(annotation_of(region_with({{"loads", 100}}, counters), "loads")->error() == 0);
    CHECK(annotation_of(region_with({{"loads", 100}, {"mv", 10}}, counters), "loads")->error() == 0);
    const RegionSummary vectorised = region_with({{"loads", 400}, {"mv", 11}}, counters);
    CHECK_FALSE(is_known(annotation_of(vectorised, "loads")->measured));
    CHECK(annotation_of(vectorised, "loads")->why_not_measured.find("one is several numbers") != std::string::npos);
}

TEST_CASE("remarks: no value, a part above the whole, parameters that differ") {
    CoupledRun run;
    Component &c = run.components.emplace_back();
    c.name = "ocean";
    c.regions.push_back(region_with({{"flops", 10}, {"vflops", 20}}, {}));
    c.regions.front().annotations.front().why_no_value = "";
    AssertedParameter &p = c.parameters.emplace_back();
    p.name = "nx";
    p.value.add(100);
    p.value.add(110);
    const auto remarks = annotation_remarks(run);
    REQUIRE(remarks.size() == 2);
    CHECK(remarks[0] == "ocean, region 'kernel': vflops are part of flops, and the expressions give 20 of 10");
    CHECK(remarks[1] == "ocean: parameter 'nx' differs between processes: 100 to 110");
}

TEST_CASE("control flow of annotated regions") {
    Regions regions;
    const int step = regions.id("step"), plain = regions.id("plain"), kernel = regions.id("kernel");
    regions.annotate(step);
    regions.annotate(kernel);
    const auto begin = [&](int r) { static_cast<void>(regions.begin(r, ClockSource::gettime)); };
    const auto end = [&](int r) { static_cast<void>(regions.end(r, ClockSource::gettime)); };
    for (int i = 0; i < 3; ++i) {
        begin(step);
        begin(plain); // not annotated: what is inside it counts as straight from step
        begin(kernel);
        begin(kernel); // calls itself: counts once
        end(kernel);
        end(kernel);
        end(plain);
        end(step);
    }
    begin(kernel); // from outside
    end(kernel);
    begin(step); // alternating places
    begin(kernel);
    end(kernel);
    end(step);
    const auto &edges = regions.flow()->edges();
    REQUIRE(edges.size() == 3);
    CHECK((edges[0].from == 0 && edges[0].to == step && edges[0].times == 4));
    CHECK((edges[1].from == step && edges[1].to == kernel && edges[1].times == 4));
    CHECK((edges[2].from == 0 && edges[2].to == kernel && edges[2].times == 1));
}

TEST_CASE("without annotations there is no control flow, and a region annotated while open is in it") {
    Regions regions;
    const int step = regions.id("step"), kernel = regions.id("kernel");
    static_cast<void>(regions.begin(step, ClockSource::gettime));
    CHECK(regions.flow() == nullptr);
    regions.annotate(step);
    regions.annotate(kernel);
    static_cast<void>(regions.begin(kernel, ClockSource::gettime));
    REQUIRE(regions.flow()->edges().size() == 2);
    CHECK(regions.flow()->edges()[1].from == step);
    // The outer one ends first.
    static_cast<void>(regions.end(step, ClockSource::gettime));
    static_cast<void>(regions.end(kernel, ClockSource::gettime));
    static_cast<void>(regions.begin(kernel, ClockSource::gettime));
    CHECK(regions.flow()->edges().back().from == 0);
}
