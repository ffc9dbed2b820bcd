// No analysis grows faster than n log n with the events, fields, components or processes of a run. Four times as many
// take 4 to 5 times as long then, and 16 times as long where each is compared with all others. It is processor time
// of one process, the least of a few trials: how fast the machine is, and what else it does, matters little.
#include "tests/run/growing_runs.hpp"

#include "analysis/energy.hpp"
#include "analysis/exchanges.hpp"
#include "analysis/model_rows.hpp"
#include "events/catalogue.hpp"
#include "events/decode.hpp"
#include "io/json/info_json.hpp"
#include "page/page_json.hpp"
#include "prediction/coupled_part.hpp"
#include "prediction/measured_graph.hpp"
#include "prediction/run_balance.hpp"
#include "prediction/scaling_curve.hpp"
#include "report/plot.hpp"
#include "report/text_summary.hpp"

#include <catch2/catch.hpp>
#include <ctime>
#include <functional>
#include <limits>

using namespace cpl_lb;
using namespace cpl_lb::growing;

namespace {

constexpr double most = 9; // between 4 log(4 n) / log(n) and 16

double now() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// As often as it takes to be measured.
double seconds_of(const std::function<void()> &work) {
    constexpr double enough_s = 0.01;
    const double begin = now();
    double spent = 0;
    int times = 0;
    for (; spent < enough_s; ++times) {
        work();
        spent = now() - begin;
    }
    return spent / times;
}

// How many times as long four times as many take.
double growth(const std::function<void()> &some, const std::function<void()> &four_times_as_many) {
    double less = std::numeric_limits<double>::infinity(), more = less;
    for (int trial = 0; trial < 3; ++trial) {
        less = std::min(less, seconds_of(some));
        more = std::min(more, seconds_of(four_times_as_many));
    }
    return more / less;
}

struct Analysis {
    const char *what;
    void (*of)(CoupledRun &run);
};
const std::vector<Analysis> analyses = {
    {"exchanges", [](CoupledRun &run) { count_order_violations(run, find_exchanges(run)); }},
    {"balance",
     [](CoupledRun &run) {
         // The same bounds for both sizes, which no loop reaches.
         judge_balance(run, find_exchanges(run), {.points = 1'000'000, .boxes = 1});
     }},
    {"text and json", [](CoupledRun &run) { static_cast<void>(text_summary(run).size() + info_json(run).size()); }},
    {"page", [](CoupledRun &run) { static_cast<void>(page_json(run).dump(-1).size()); }},
    {"graph",
     [](CoupledRun &run) {
         try {
             static_cast<void>(measured_graph(run));
         } catch (const PredictionError &) { // which is an answer, too
         }
     }},
    {"parts", [](CoupledRun &run) { static_cast<void>(coupled_part(run, {run.components[0].name}).kept.size()); }},
    {"energy",
     [](CoupledRun &run) {
         std::vector<std::int32_t> node_of_rank;
         for (std::size_t rank = 0; rank < 4 * run.meters.nodes.size(); ++rank)
             node_of_rank.push_back(static_cast<std::int32_t>(rank / 4));
         share_energy(run, node_of_rank);
     }},
};

// One component records each of so many fields, and another one records the opposite kinds.
std::vector<CatalogueEntry> entries_of(std::int64_t fields) {
    std::vector<CatalogueEntry> entries;
    for (std::int64_t f = 0; f < fields; ++f) {
        entries.push_back({"ocean", Kind::put, "field " + std::to_string(f), ""});
        entries.push_back({"atmosphere", Kind::get, "field " + std::to_string(f), ""});
    }
    return entries;
}

} // namespace

TEST_CASE("no analysis of a run grows faster than n log n") {
    for (const Shape &shape : shapes) {
        const std::string grows = shape.grows;
        const std::int64_t n = grows == "events"       ? 20'000
                               : grows == "fields"     ? 4'000
                               : grows == "components" ? 512
                                                       : 2'500;
        CoupledRun some = shape.make(n), more = shape.make(4 * n);
        for (const Analysis &analysis : analyses) {
            INFO(shape.grows << ", " << shape.what << ": " << analysis.what);
            CHECK(growth([&] { analysis.of(some); }, [&] { analysis.of(more); }) < most);
        }
    }
}

TEST_CASE("nor does what makes a list of names of the names of all processes") {
    const std::vector<CatalogueEntry> some = entries_of(4'000), more = entries_of(16'000);
    const auto catalogue = [](const std::vector<CatalogueEntry> &entries) {
        return [&] { static_cast<void>(make_catalogue(entries, {"ocean", "atmosphere"}, {{0}, {1}})); };
    };
    CHECK(growth(catalogue(some), catalogue(more)) < most);
}

TEST_CASE("nor a scaling study of many counts, its picture, and its curve") {
    const auto counts = [](std::size_t n) {
        std::vector<ScalingPoint> points;
        for (std::size_t i = 1; i <= n; ++i)
            points.push_back({"a=" + std::to_string(i), static_cast<double>(i), 1, static_cast<double>(24 * i)});
        return points;
    };
    const std::vector<ScalingPoint> some = counts(4'000), more = counts(16'000);
    CHECK(growth([&] { static_cast<void>(repetitions_as_one(some)); },
                 [&] { static_cast<void>(repetitions_as_one(more)); }) < most);
    const auto picture = [](std::size_t n) {
        return [n] {
            SvgChart chart{"many", {"x"}, {"y"}, {{"measured", {}}}};
            for (std::size_t i = 0; i < n; ++i)
                chart.series[0].points.push_back({static_cast<double>(i), static_cast<double>(i), "16 cores"});
            static_cast<void>(svg_of(chart));
        };
    };
    CHECK(growth(picture(1'000), picture(4'000)) < 3); // 4 where a place is looked for after the picture is full
    const auto curve = [](std::size_t n) {
        return [n] {
            std::vector<ScalingSample> samples;
            for (std::size_t i = 1; i <= n; ++i)
                samples.push_back({static_cast<double>(i), 60.0 / static_cast<double>(i) + 1});
            static_cast<void>(ScalingCurve(samples));
        };
    };
    CHECK(growth(curve(100), curve(400)) < most);
}

TEST_CASE("nor the search for who came last to an operation") {
    const auto search = [](std::size_t components) {
        return [components] {
            std::vector<Nanoseconds> arrivals;
            for (std::size_t c = 0; c < components; ++c)
                arrivals.push_back(static_cast<Nanoseconds>(c * 7919 % components));
            LastToCome last;
            last.set(arrivals);
            for (std::size_t c = 0; c < components; ++c)
                static_cast<void>(last.of(c, static_cast<Nanoseconds>(components / 2), 0));
        };
    };
    CHECK(growth(search(4'000), search(16'000)) < most);
}

TEST_CASE("nor the decoding of begins that are never ended") {
    const auto decoding = [](const std::vector<Mark> &marks) {
        return [&] {
            DecodeInput input;
            input.chunks = 1;
            input.chunk = [&](std::size_t) { return std::span<const Mark>(marks); };
            input.fields = 2;
            static_cast<void>(decode(input).components[0].size());
        };
    };
    const std::vector<Mark> some(50'000, make_mark(10, 1, begin_code(static_cast<int>(Kind::get))));
    const std::vector<Mark> more(200'000, some.front());
    CHECK(growth(decoding(some), decoding(more)) < most);
}
