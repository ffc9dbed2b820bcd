// Samples to equal intervals, energy to components, and a process's meters on the events that happen anyway.
#include "analysis/energy.hpp"
#include "meters/figures.hpp"
#include "meters/process_meters.hpp"
#include "meters/processors.hpp"
#include "tests/meters/recorded_tree.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <cfenv>
#include <thread>

using namespace cpl_lb;
using cpl_lb_test::RecordedTree;

namespace {

constexpr Nanoseconds second = 1'000'000'000;

Component component(std::int32_t id, std::vector<std::int32_t> ranks, std::int32_t threads) {
    Component c;
    c.id = id;
    c.ranks = std::move(ranks);
    c.threads = threads;
    return c;
}

NodeMeters node(double total_J, double gpu_J = unknown) {
    NodeMeters n;
    n.energy.total_J = total_J;
    n.energy.gpu_J = gpu_J;
    if (!is_known(total_J)) n.why_no_energy = "energy_uj: permission denied";
    return n;
}

ProcessMeters::Setup setup_on(const RecordedTree &tree, double sample_s) {
    ProcessMeters::Setup setup;
    setup.readers.sysfs_root = tree.root();
    setup.sample_s = sample_s;
    setup.leads_node = true;
    setup.start = take_clock_point(ClockSource::gettime);
    return setup;
}

// As a spool file: what is told survives.
class SurvivingChunks final : public ChunkSource {
public:
    explicit SurvivingChunks(double &told) : told_(told) {}
    [[nodiscard]] Mark *allocate() noexcept override { return memory_.allocate(); }
    void release(Mark *chunk) noexcept override { memory_.release(chunk); }
    [[nodiscard]] bool survives() const noexcept override { return true; }
    void lost_processor(double times_per_s) noexcept override { told_ = times_per_s; }

private:
    MemoryChunks memory_;
    double &told_;
};

Recorder recorder_with_gettime() {
    return Recorder(Recorder::Setup{}, "ocean");
}

} // namespace

TEST_CASE("intervals: the sampling interval, longer where the run is long") {
    CHECK(bins_of(10 * second, second).count == 10);
    CHECK(bins_of(10 * second + 1, second).count == 11);
    // 2560 s over at most 256 points: 10 s each.
    CHECK(bins_of(2560 * second, second).step == 10 * second);
    CHECK(bins_of(2560 * second, second).count == 256);
    CHECK(bins_of(0, second).count == 0);
    CHECK(bins_of(256, 0).count == 256); // rn_sample = 0
}

TEST_CASE("a gauge in intervals: the largest, else the one before, nothing outside") {
    const Bins bins{second, 6};
    const std::vector<TimedValue> samples = {{second + second / 2, 5},
                                             {second + second / 2 + 1, 7},
                                             {2 * second, 6},
                                             {3 * second, unknown},
                                             {4 * second + 1, 1}};
    const std::vector<double> values = largest_in(bins, samples);
    CHECK_FALSE(is_known(values[0])); // before the first
    CHECK(values[1] == 7);            // of 5, 7 and, at the very end, 6
    CHECK(values[2] == 6);            // held: the sample in it is missing
    CHECK(values[3] == 6);
    CHECK(values[4] == 1);
    CHECK_FALSE(is_known(values[5])); // after the last
}

TEST_CASE("a counter in intervals and at one instant") {
    // 100 J in 2 s, then 30 J in 1 s: 50 W, 50 W, 30 W.
    const std::vector<TimedValue> joules = {{0, 0}, {2 * second, 100}, {3 * second, 130}};
    const std::vector<double> watts = rate_in({second, 4}, joules);
    CHECK(watts[0] == Approx(50));
    CHECK(watts[1] == Approx(50));
    CHECK(watts[2] == Approx(30));
    CHECK_FALSE(is_known(watts[3]));
    CHECK(value_at(second, joules) == Approx(50));
    CHECK(value_at(2 * second + second / 2, joules) == Approx(115));
    CHECK(value_at(3 * second, joules) == Approx(130));
    CHECK_FALSE(is_known(value_at(3 * second + 1, joules)));
    CHECK_FALSE(is_known(value_at(-1, joules)));
}

TEST_CASE("energy goes to components by their cores on each node") {
    CoupledRun run;
    // Node 0: ranks 0 and 1 of ocean with 2 threads, rank 2 of atmosphere with 4; node 1: rank 3 of atmosphere alone.
    run.components = {component(1, {0, 1}, 2), component(2, {2, 3}, 4)};
    run.meters.nodes = {node(80, 16), node(50, 10)};
    const std::vector<std::int32_t> nodes = {0, 0, 0, 1};
    share_energy(run, nodes);
    // 4 of 8 cores: 40 J each, and 50 J more for the atmosphere.
    CHECK(run.components[0].meters.energy_J == Approx(40));
    CHECK(run.components[1].meters.energy_J == Approx(90));
    CHECK(run.components[1].meters.gpu_J == Approx(18));
    CHECK(run.components[0].meters.energy_is_estimate);
    CHECK(run.meters.energy_J == Approx(130));
    CHECK(run.meters.nodes[0].processes == 3);
    CHECK(run.meters.nodes[0].cores == 8);
}

TEST_CASE("a component alone on its nodes is measured; a node without energy leaves no figure") {
    CoupledRun run;
    run.components = {component(1, {0, 1}, 1), component(2, {2}, 1)};
    run.meters.nodes = {node(80), node(unknown)};
    const std::vector<std::int32_t> nodes = {0, 0, 1};
    share_energy(run, nodes);
    CHECK(run.components[0].meters.energy_J == 80);
    CHECK_FALSE(run.components[0].meters.energy_is_estimate);
    CHECK_FALSE(is_known(run.components[0].meters.gpu_J)); // no GPU: not 0
    CHECK_FALSE(is_known(run.components[1].meters.energy_J));
    CHECK(run.components[1].meters.why_no_energy == "energy_uj: permission denied");
    CHECK_FALSE(is_known(run.meters.energy_J));
}

TEST_CASE("a process counts once, for the first of its components") {
    CoupledRun run;
    run.components = {component(1, {0, 1}, 1), component(2, {0, 1}, 1)};
    run.meters.nodes = {node(10)};
    const std::vector<std::int32_t> nodes = {0, 0};
    share_energy(run, nodes);
    CHECK(run.components[0].meters.energy_J == 10);
    CHECK_FALSE(is_known(run.components[1].meters.energy_J));
    CHECK_FALSE(run.components[1].meters.why_no_energy.empty());
}

TEST_CASE("samples come on events, not oftener than asked") {
    RecordedTree tree("two_sockets");
    ProcessMeters meters(setup_on(tree, 0.02)); // the first sample of process and node: 2
    Recorder recorder = recorder_with_gettime();
    meters.attach(recorder);
    const auto start = std::chrono::steady_clock::now();
    std::int64_t events = 0;
    while (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(100)) {
        recorder.begin(1, 0);
        recorder.end(1, 0);
        ++events;
    }
    const double passed_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    meters.finish(read_ticks(ClockSource::gettime));
    // 100 ms at 20 ms: 5 more of each and the last ones; a busy machine takes fewer, never more.
    CHECK(meters.samples() >= 4);
    CHECK(meters.samples() <= 2 * (2 + static_cast<std::int64_t>(passed_s / 0.02)));
    CHECK(events > 100);
    CHECK(meters.series("rss").size() >= 2);
}

TEST_CASE("joules while no event comes, and what regions get of them") {
    // The thread runs when nobody else wants the processor: on a busy machine it is given more time to show itself.
    std::int64_t samples = 0;
    for (const int milliseconds : {60, 1000, 10000}) {
        RecordedTree tree("two_sockets"); // 19.5 J by hand, see the tree
        ProcessMeters::Setup setup = setup_on(tree, 0.005);
        setup.longest_silence_s = 0.01; // instead of a minute
        ProcessMeters meters(std::move(setup));
        Recorder recorder = recorder_with_gettime();
        const int region = recorder.regions().id("all the time");
        meters.attach(recorder);
        recorder.region_begin(region);
        tree.step();
        std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
        meters.finish(read_ticks(ClockSource::gettime));
        REQUIRE(meters.energy() != nullptr);
        CHECK(meters.energy()->totals().package_and_dram_J == Approx(19.5));
        // Open from just after the attach to the end: all but microseconds of 60 ms.
        CHECK(recorder.regions().timers()[0].energy_J == Approx(19.5).epsilon(0.05));
        CHECK(meters.absences().empty());
        samples = meters.samples();
        if (samples >= 6) break;
    }
    // Process and node at the start and at the end make 4; the others are the thread's, because no event came.
    CHECK(samples >= 6);
}

// The kernel's count, from 0, over the 10 s by which the start is put back and what this takes; it only grows.
TEST_CASE("how often the processor was lost is kept where it survives, with each sample") {
    RecordedTree tree("two_sockets");
    const auto told_with = [&](std::int64_t first_switches) {
        double told = unknown;
        ProcessMeters::Setup setup = setup_on(tree, 0.001);
        setup.start.monotonic_ns -= 10 * second;
        setup.first_switches = first_switches;
        ProcessMeters meters(std::move(setup));
        Recorder::Setup recording;
        recording.chunks = std::make_unique<SurvivingChunks>(told);
        Recorder recorder(std::move(recording), "ocean");
        meters.attach(recorder);
        const auto start = std::chrono::steady_clock::now();
        while (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(20)) {
            recorder.begin(1, 0);
            recorder.end(1, 0);
        }
        meters.finish(read_ticks(ClockSource::gettime));
        return told;
    };
    const auto before = static_cast<double>(involuntary_switches());
    const auto start = std::chrono::steady_clock::now();
    const double told = told_with(0);
    const double took_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    CHECK(told >= before / (10 + took_s));
    CHECK(told <= static_cast<double>(involuntary_switches()) / 10);
    CHECK_FALSE(is_known(told_with(-1))); // what it was at the start is not known
}

TEST_CASE("what is not there has a reason") {
    RecordedTree tree("two_sockets");
    std::filesystem::remove_all(tree.root() + "/class");
    ProcessMeters::Setup setup = setup_on(tree, 1);
    setup.readers.counters = "NO_SUCH_EVENT";
    setup.wanted.counters = true;
    ProcessMeters meters(std::move(setup));
    meters.finish(0);
    CHECK(meters.energy() == nullptr);
    REQUIRE(meters.absences().size() == 2);
    CHECK(meters.absences()[0].what == "counters");
    CHECK(meters.absences()[1].what == "energy");
    CHECK(meters.absences()[1].of_node);
    CHECK_FALSE(meters.absences()[1].why.empty());
}

TEST_CASE("a thread that sleeps ends at once, and is not waited for in a forked process") {
    std::atomic<int> calls{0};
    {
        PeriodicThread thread;
        REQUIRE(thread.start(std::chrono::milliseconds(1), [&] {
            ++calls;
            return std::chrono::hours(1);
        }));
        for (int i = 0; i < 1000 && calls == 0; ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        CHECK(calls == 1);
    } // an hour is left: the destructor does not wait for it
    CHECK(calls == 1);
}

// A new thread has the environment of the one that makes it: here a model with traps that rounds upwards.
TEST_CASE("the thread works in the default floating-point environment, and the model keeps its own") {
    std::fenv_t usual;
    std::fegetenv(&usual);
    feenableexcept(FE_INVALID | FE_DIVBYZERO);
    std::fesetround(FE_UPWARD);
    std::atomic<int> traps{-1}, rounding{-1};
    PeriodicThread thread;
    const bool started = thread.start(std::chrono::nanoseconds(0), [&] {
        rounding = std::fegetround();
        traps = fegetexcept();
        return std::chrono::nanoseconds(second);
    });
    while (started && traps < 0)
        std::this_thread::yield();
    thread.stop();
    const int kept_traps = fegetexcept(), kept_rounding = std::fegetround();
    std::fesetenv(&usual);
    REQUIRE(started);
    CHECK(traps == 0);
    CHECK(rounding == FE_TONEAREST);
    CHECK(kept_traps == (FE_INVALID | FE_DIVBYZERO));
    CHECK(kept_rounding == FE_UPWARD);
}
