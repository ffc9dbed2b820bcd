// Time in MPI inside the components, on ranks in memory: the recorder's sums of each process, in its component's
// coupling loop, on the master.
#include "run/live/inside_gather.hpp"

#include "data/raster.hpp"
#include "io/timeline/timeline_reader.hpp"
#include "run/live/steps/collect_components.hpp"
#include "run/live/steps/gather_components.hpp"
#include "tests/run/steps/step_by_hand.hpp"

#include "tests/temporary_folder.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>

using namespace cpl_lb;
using namespace cpl_lb::testing;

namespace {

constexpr auto p2p = static_cast<std::size_t>(MpiClass::point_to_point);
constexpr auto collective = static_cast<std::size_t>(MpiClass::collective);
constexpr auto one_sided = static_cast<std::size_t>(MpiClass::one_sided);
constexpr auto files = static_cast<std::size_t>(MpiClass::files);

// Bins are 2^18 ns, 4096 of them: 20 s need 5 doublings, 2^23 ns. Two of them lie across the ends of the loop.
constexpr double two_bins_s = 2 * 8388608e-9;

// Beside the exchanges of record_by_hand.hpp: ocean 3-4, 7-8, ... s, atmosphere 2-4, 6-8, ... s.
void add_calls(int rank, InsideTimes &times) {
    const auto call = [&](MpiClass c, double from_s, double to_s) {
        times.add(c, static_cast<std::uint64_t>(from_s * 1e9), static_cast<std::uint64_t>(to_s * 1e9));
    };
    const int place = rank / 2; // in the component
    times.starts(0);
    call(MpiClass::point_to_point, 0.5, 1.5);          // before the loop
    call(MpiClass::collective, 9, 9.5 + 0.25 * place); // longer from process to process
    call(MpiClass::point_to_point, 13, 13.25);         // on all
    if (rank == 0) call(MpiClass::files, 17, 17.75);   // the ocean's first process alone
}

using Change = std::function<void(int rank, ProcessRecord &record, DecodedRecord &decoded)>;

OfRanks<LedComponents> gathered(const WorldSetup &setup, const Change &change) {
    return step_on<LedComponents>(setup, [&](Transport &t, LedComponents &led) {
        ProcessRecord record = record_of(t, settings_in(""));
        ProblemList problems(t.rank(), {});
        add_calls(t.rank(), record.recorder->inside());
        DecodedRecord decoded = decode_record(record, problems);
        if (change) change(t.rank(), record, decoded);
        led = gather_components(record, decoded, agreed_by(t.size(), ""), problems);
    });
}

} // namespace

TEST_CASE("inside: in the coupling loop of each component, by hand") {
    const int ranks = GENERATE(1, 3, 8);
    INFO(ranks << " ranks");
    const auto all = gathered(quick_world(ranks), {});
    REQUIRE(all.good());
    for (int r = 0; r < std::min(ranks, 2); ++r) {
        INFO("rank " << r);
        const auto c = unpacked<Component>(packed(all.results[static_cast<std::size_t>(r)].components.at(0)), "it");
        const ComponentInside &inside = c.inside;
        const int n = r == 0 ? (ranks + 1) / 2 : ranks / 2; // its processes
        REQUIRE(inside.known());
        CHECK(inside.why_not.empty());
        CHECK_FALSE(inside.of_whole_run);
        CHECK(inside.length_s == Approx(12)); // ocean 7 to 19 s, atmosphere 6 to 18 s
        CHECK(inside.useful_s.count == n);
        CHECK(inside.exchanges_s.mean() == Approx(r == 0 ? 3 : 6)); // three of 1 s, three of 2 s
        // 0.5, 0.75, 1, ... s: the mean is 0.5 + 0.25 (n - 1) / 2.
        const double mean_collective = 0.5 + 0.25 * (n - 1) / 2;
        CHECK(inside.in_class_s[collective].mean() == Approx(mean_collective).margin(two_bins_s));
        CHECK(inside.in_class_s[collective].max == Approx(0.5 + 0.25 * (n - 1)).margin(two_bins_s));
        CHECK(inside.in_class_s[p2p].mean() == Approx(0.25).margin(two_bins_s));
        CHECK(inside.in_class_s[one_sided].max == 0);
        CHECK(inside.in_class_s[files].max == Approx(r == 0 ? 0.75 : 0).margin(two_bins_s));
        CHECK(inside.startup_s.count == n);
        CHECK(inside.startup_s.mean() == Approx(1).margin(two_bins_s)); // 0.5 to 1.5 s
        CHECK(inside.calls[p2p] == n + n);
        CHECK(inside.calls[collective] == n);
        CHECK(inside.calls[files] == (r == 0 ? 1 : 0));
        // Loop - exchanges - the three classes, the files of one process shared out over all.
        const double mean = 12 - (r == 0 ? 3 : 6) - mean_collective - 0.25 - (r == 0 ? 0.75 / n : 0);
        CHECK(inside.useful_s.mean() == Approx(mean).margin(two_bins_s));
        // The ocean's second process has 0.25 s more of collectives and 0.75 s less of files than the first.
        const double least_mpi = r == 1 ? 0.75 : n == 1 ? 1.5 : 1;
        CHECK(inside.useful_s.max == Approx(12 - (r == 0 ? 3 : 6) - least_mpi).margin(two_bins_s));
    }
}

// The loop ends at the first dropped event, and nothing is left that occurs three times.
TEST_CASE("inside: without a coupling loop over the whole run") {
    const auto all = gathered(quick_world(1), [](int, ProcessRecord &, DecodedRecord &decoded) {
        decoded.process.first_dropped = 9 * second;
    });
    REQUIRE(all.good());
    const Component &c = all.results[0].components.at(0);
    REQUIRE_FALSE(is_known(c.balance.loop_s));
    CHECK(c.inside.of_whole_run);
    CHECK(c.inside.startup_s.count == 0);
    CHECK(c.inside.length_s == Approx(20));
    CHECK(c.inside.exchanges_s.sum == Approx(5)); // five of 1 s
    CHECK(c.inside.in_class_s[p2p].sum == Approx(1.25).margin(two_bins_s));
    CHECK(c.inside.useful_s.sum == Approx(20 - 5 - 1.25 - 0.5 - 0.75).margin(two_bins_s));
}

TEST_CASE("inside: nothing where MPI was not recorded, and why where it was on some processes only") {
    const bool none = GENERATE(true, false);
    const auto all = gathered(quick_world(8), [&](int rank, ProcessRecord &, DecodedRecord &decoded) {
        if (none || rank == 4) decoded.facts[0].mpi_recorded = 0;
    });
    REQUIRE(all.good());
    const ComponentInside &ocean = all.results[0].components.at(0).inside;
    CHECK_FALSE(ocean.known());
    CHECK(ocean.why_not == (none ? "" : "MPI was recorded on 3 of its 4 processes only"));
    CHECK(all.results[1].components.at(0).inside.known() != none);
}

TEST_CASE("inside: not of processes that run several components in turn") {
    const auto all = gathered(quick_world(1), [](int, ProcessRecord &, DecodedRecord &decoded) {
        decoded.process.components[0].away = {{1 * second, 2 * second}};
    });
    REQUIRE(all.good());
    const ComponentInside &inside = all.results[0].components.at(0).inside;
    CHECK_FALSE(inside.known());
    CHECK(inside.why_not == "its processes run several components in turn");
}

// Operations inside an exchange are work of the component.
TEST_CASE("inside: exchanges on this process's own times, less the operations inside them") {
    RasterInput raster;
    raster.kind_of_class = {Kind::put, Kind::get, Kind::map, Kind::out};
    const std::vector<std::uint32_t> classes = {1, 2, 0, 0, 3, 1};
    //                    GET     MAP in it  PUT       PUT inside   OUT       absent
    Row row{{10, 12, 20, 22, 40, absent}, {18, 15, 30, 35, 50, absent}, {}};
    OwnRow own(std::move(row), classes, std::move(raster));
    CHECK(own.look_at_loop({0, 100}, {}).exchanges == ExchangeTime{(8 - 3) + 15, true}); // 10-12 and 15-18; 20-35
    CHECK(own.look_at_loop({16, 21}, {}).exchanges == ExchangeTime{2 + 1, true});
    CHECK(own.look_at_loop({36, 100}, {}).exchanges == ExchangeTime{0, false});
}

TEST_CASE("inside: a run is cut at the process's own init and arrival") {
    with_record([](ProcessRecord &record) {
        record.first_point = {1'000, 1'000, 0};
        InsideTimes &times = record.recorder->inside();
        times.starts(1'000);
        times.add(MpiClass::point_to_point, 5 * second, 6 * second);
        RunClock clock = agreed_by(1, "").clock;
        clock.zero = -2 * second; // the first process began two seconds earlier
        clock.first_init = 2 * second;
        clock.arrival = 22 * second;
        const ComponentInside inside = own_inside(record, clock, {{0, 30 * second}, true, {3 * second, true}});
        CHECK(inside.length_s == Approx(30));
        CHECK(inside.in_class_s[p2p].sum == Approx(1).margin(two_bins_s));
        CHECK(inside.useful_s.sum == Approx(20 - 3 - 1).margin(two_bins_s)); // 2 to 22 s
        // 6.5 to 7.5 s of the run are 4.5 to 5.5 s of the process: half of the call.
        const ComponentInside part = own_inside(record, clock, {{6'500'000'000, 7'500'000'000}, false, {}});
        CHECK(part.in_class_s[p2p].sum == Approx(0.5).margin(two_bins_s));
    });
}

TEST_CASE("inside: shares of the bins of the run, by hand") {
    with_record([](ProcessRecord &record) {
        InsideTimes &times = record.recorder->inside();
        times.starts(0);
        times.add(MpiClass::point_to_point, 5 * second, 6 * second);
        times.add(MpiClass::collective, 6 * second, 7 * second);
        times.add(MpiClass::files, 10 * second, 10'005'000'000); // 5 ms: half of a bin of 20 s / 2048 = 9.77 ms
        RunClock clock = agreed_by(1, "").clock;
        const std::vector<signed char> percent = inside_raster(record, clock);
        REQUIRE(percent.size() == raster_bins);
        const auto bin_at = [&](double s) { return static_cast<std::size_t>(s / 20 * raster_bins); };
        CHECK(std::all_of(percent.begin(), percent.begin() + 511, [](signed char p) { return p == 0; }));
        // The recorder's bins of 8.4 ms lie across the ends: those may spill into the bins beside.
        CHECK(std::all_of(percent.begin() + 514, percent.begin() + 715, [](signed char p) { return p == 100; }));
        CHECK(std::all_of(percent.begin() + 719, percent.begin() + 1022, [](signed char p) { return p == 0; }));
        CHECK(percent[bin_at(10)] + percent[bin_at(10) - 1] + percent[bin_at(10) + 1] == Approx(51).margin(2));
        const double all = std::accumulate(percent.begin(), percent.end(), 0.0) / 100 * 20 / raster_bins;
        CHECK(all == Approx(2.005).margin(0.001));
        // A process that came 2 s later than the first one and left before the last.
        record.first_point = {0, 0, 0};
        clock.zero = -2 * second;
        clock.first_init = 2 * second;
        clock.arrival = 8'500'000'000; // in the middle of its second call: what lies behind is not there
        clock.latest_arrival = 40 * second;
        const std::vector<signed char> later = inside_raster(record, clock);
        CHECK(std::all_of(later.begin(), later.begin() + 357, [](signed char p) { return p == 0; })); // 7 s: 358.4
        CHECK(std::all_of(later.begin() + 360, later.begin() + 434, [](signed char p) { return p == 100; }));
        CHECK(std::all_of(later.begin() + 436, later.end(), [](signed char p) { return p == 0; }));
    });
}

// Rows of the leader's node are written by their processes, the others' come to the leader.
TEST_CASE("inside: the shares of each process are in the timeline, on one node and on several, also compressed") {
    const int nodes = GENERATE(1, 4);
    const bool compress = GENERATE(false, true);
    const bool recorded = GENERATE(true, false);
    INFO(nodes << " nodes" << (compress ? ", compressed" : "") << (recorded ? "" : ", not recorded on one"));
    const test::TemporaryFolder folder;
    const auto all = step_on<LedComponents>(quick_world(8), [&](Transport &t, LedComponents &led) {
        Settings settings = settings_in(folder.path());
        settings.compress = compress;
        ProcessRecord record = record_of(t, settings);
        std::vector<std::int32_t> node_of_rank(8);
        for (int r = 0; r < 8; ++r)
            node_of_rank[static_cast<std::size_t>(r)] = r / 2 % nodes;
        record.process_map.node_of_rank = node_of_rank;
        ProblemList problems(t.rank(), {});
        add_calls(t.rank(), record.recorder->inside());
        DecodedRecord decoded = decode_record(record, problems);
        if (!recorded && t.rank() == 4) decoded.facts[0].mpi_recorded = 0;
        led = gather_components(record, decoded, agreed_by(t.size(), folder.path()), problems);
    });
    REQUIRE(all.good());
    TimelineReader ocean(folder / "timeline_ocean.nc");
    CHECK(ocean.has_inside() == recorded);
    if (!recorded) return;
    std::vector<signed char> percent(raster_bins);
    for (int process = 0; process < 4; ++process) {
        INFO("process " << process);
        ocean.read_inside(process, percent);
        const double s = std::accumulate(percent.begin(), percent.end(), 0.0) / 100 * 20 / raster_bins;
        // 1 s, then 0.5 s and more from process to process, 0.25 s; files of the first alone.
        CHECK(s == Approx(1 + 0.5 + 0.25 * process + 0.25 + (process == 0 ? 0.75 : 0)).margin(0.002));
    }
}
