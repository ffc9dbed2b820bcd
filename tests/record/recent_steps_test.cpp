// The last coupling steps, while they are recorded: times are made by hand, with spans in the future of the clock.
#include "record/recent_steps.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

using namespace cpl_lb;

namespace {

constexpr int put = 1, get = 2, map = 3;
constexpr std::uint64_t s = 1'000'000'000; // clock_gettime counts nanoseconds

// A model whose clock is set by hand.
struct Model {
    Recorder recorder;
    RecentSteps recent;
    std::uint64_t now = read_ticks(ClockSource::gettime) + 1000 * s;
    int sst, flux;

    explicit Model(Recorder::Setup setup = {})
        : recorder(std::move(setup), "ocean"), sst(recorder.field("SST", "atmosphere")),
          flux(recorder.field("QNET", "atmosphere")) {}
    void computes(double seconds) { now += static_cast<std::uint64_t>(seconds * 1e9); }
    void exchanges(int kind, int field, double seconds) {
        const std::uint64_t begin = now;
        computes(seconds);
        recorder.span(kind, &field, 1, begin, now);
    }
    // A step: a PUT of no length, a GET, and the computing.
    void steps(int count, double waiting_s, double computing_s) {
        for (int i = 0; i < count; ++i) {
            exchanges(put, sst, 0);
            exchanges(get, flux, waiting_s);
            computes(computing_s);
        }
    }
    RecentTimes last(std::size_t steps) { return recent.last(recorder, steps, 1e9); }
};

void check(const RecentTimes &times, int steps, double seconds, double waiting_s) {
    CHECK(times.steps == steps);
    CHECK(times.seconds == Approx(seconds));
    CHECK(times.waiting_s == Approx(waiting_s));
}

} // namespace

TEST_CASE("recent steps: whole steps, as many as there are, and none before the second") {
    Model model;
    check(model.last(10), 0, 0, 0);
    model.steps(1, 3, 7);
    check(model.last(10), 0, 0, 0); // the step has not ended
    model.steps(4, 3, 7);
    check(model.last(1), 1, 10, 3);
    check(model.last(3), 3, 30, 9);
    check(model.last(1000), 4, 40, 12);
    CHECK(model.last(1000).coupling_s == Approx(12));
    CHECK(model.last(1000).own_s == 0);
}

TEST_CASE("recent steps: they follow a change, and the sum since the start does not") {
    Model model;
    model.steps(20, 3, 7);
    model.steps(21, 1, 4);
    check(model.last(10), 10, 50, 10);  // of 5 s each, 1 s waiting: 20 %
    check(model.last(20), 20, 100, 20); //
    check(model.last(40), 40, 300, 80); // 20 x 10 s and 20 x 5 s; 20 x 3 s and 20 x 1 s: 27 %
    model.steps(5, 0, 4);
    check(model.last(5), 5, 4 * 4 + 5, 1); // the last of these has begun and not ended
}

TEST_CASE("recent steps: asking often gives the same as asking once") {
    Model often, once;
    for (int i = 0; i < 30; ++i) {
        for (Model *model : {&often, &once})
            model->steps(1, i % 3, 5 + i % 2);
        static_cast<void>(often.last(1));
    }
    check(often.last(17), 17, once.last(17).seconds, once.last(17).waiting_s);
    CHECK(once.last(17).steps == 17);
}

TEST_CASE("recent steps: the time of the calls that ask is neither computing nor waiting") {
    Model model;
    model.steps(2, 3, 7);
    static_cast<void>(model.last(1));
    model.recent.add_own_time(2 * s); // of the 7 s after the second GET
    model.steps(2, 3, 7);
    check(model.last(3), 3, 10 + 8 + 10, 9);
    CHECK(model.last(3).own_s == Approx(2));
    check(model.last(1), 1, 10, 3);
    CHECK(model.last(1).own_s == 0);
    model.recent.add_own_time(100 * s); // longer than the time until the next mark: never below 0
    model.steps(2, 3, 7);
    check(model.last(2), 2, 3 + 10, 6);
    CHECK(model.last(2).own_s == Approx(7));
}

TEST_CASE("recent steps: operations inside a GET are not waiting; both are coupling") {
    Model model;
    const auto nap = [](int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); };
    for (int i = 0; i < 3; ++i) {
        model.recorder.begin(get, model.flux);
        nap(20);
        model.recorder.begin(map, model.flux);
        nap(30);
        model.recorder.end(map, model.flux);
        model.recorder.begin(put, model.sst); // an exchange inside of another begins no step
        nap(10);
        model.recorder.end(put, model.sst);
        model.recorder.end(get, model.flux);
        nap(10);
        model.recorder.begin(map, 0);
        nap(10);
        model.recorder.end(map, 0);
    }
    const RecentTimes times = model.last(2);
    // Sleeps are late, never early.
    CHECK(times.steps == 2);
    CHECK(times.waiting_s >= 2 * 0.030);
    CHECK(times.coupling_s - times.waiting_s >= 2 * 0.040);
    CHECK(times.seconds - times.coupling_s >= 2 * 0.010);
    CHECK(times.seconds - times.waiting_s >= 2 * 0.050);
}

TEST_CASE("recent steps: an exchange in bursts begins a step once") {
    Model model;
    for (int i = 0; i < 30; ++i) {
        for (int field = 0; field < 4; ++field) {
            model.exchanges(put, model.sst, 0.01);
            model.computes(0.001);
        }
        model.computes(10);
    }
    // A step: four PUTs of 0.01 s, four gaps of 0.001 s, and 10 s.
    check(model.last(5), 5, 5 * 10.044, 5 * 0.04);
    CHECK(model.last(1000).steps == 28); // of 30 begins the first may be cut, and the last has no end
    // A model that gets a hundred times faster has no bursts.
    Model faster;
    faster.steps(20, 0, 10);
    for (int i = 1; i < 20; ++i) {
        faster.steps(1, 0, 0.1);
        const int quick = i - 1; // whole ones
        check(faster.last(4), 4, std::min(quick, 4) * 0.1 + std::max(4 - quick, 0) * 10.0, 0);
    }
}

TEST_CASE("recent steps: the most frequent exchange of late begins them") {
    Model model;
    const int grid = model.recorder.field("grid", "atmosphere");
    for (int i = 0; i < 300; ++i) // set-up
        model.exchanges(put, grid, 1);
    model.steps(500, 1, 9);
    check(model.last(10), 10, 100, 10);
    Model twice; // SST once in a step, QNET twice
    for (int i = 0; i < 20; ++i) {
        twice.exchanges(put, twice.sst, 0);
        for (int part = 0; part < 2; ++part) {
            twice.exchanges(get, twice.flux, 2);
            twice.computes(3);
        }
    }
    check(twice.last(10), 10, 50, 20);
}

TEST_CASE("recent steps: each component of a process has its own, without the time away") {
    Model model;
    model.recorder.stop(); // nothing yet: component marks are read by the clock, so sleeps
    Recorder recorder({}, "driver");
    RecentSteps recent;
    const int to_ice = recorder.field("SST", "ice"), to_ocean = recorder.field("ice", "ocean");
    const auto nap = [](int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); };
    RecentTimes ocean, ice;
    for (int i = 0; i < 4; ++i) {
        recorder.component_begin("ocean");
        recorder.begin(put, to_ice);
        nap(5);
        recorder.end(put, to_ice);
        nap(20);
        ocean = recent.last(recorder, 1000, 1e9);
        CHECK(ocean.component == 1);
        CHECK(recorder.component_end());
        recorder.component_begin("ice");
        recorder.begin(get, to_ocean);
        nap(10);
        recorder.end(get, to_ocean);
        ice = recent.last(recorder, 1000, 1e9);
        CHECK(ice.component == 2);
        CHECK(recorder.component_end());
    }
    CHECK(recent.last(recorder, 1000, 1e9).steps == 0); // of the driver
    CHECK(ocean.steps == 3);
    CHECK(ice.steps == 3);
    CHECK(ocean.seconds >= 3 * 0.025);
    CHECK(ocean.waiting_s >= 3 * 0.005);
    CHECK(ice.waiting_s >= 3 * 0.010);
    CHECK(ice.waiting_s > 0.5 * ice.seconds); // the ocean's time is away
}

TEST_CASE("recent steps: not over what is not recorded, and forgotten ends do not grow") {
    Recorder::Setup setup;
    setup.sliced = true;
    setup.date_first_s = 100;
    Model model(std::move(setup));
    const auto steps = [&](int count) {
        for (int i = 0; i < count; ++i) {
            model.recorder.begin(put, model.sst);
            model.recorder.end(put, model.sst);
        }
        return model.last(1000).steps;
    };
    CHECK(steps(5) == 0);
    model.recorder.date(100);
    CHECK(steps(5) > 0);
    model.recorder.date(99);
    CHECK(steps(5) == 0);
    model.recorder.date(101);
    CHECK(steps(1) == 0);
    CHECK(steps(1) >= 0);
    Model forgetful;
    for (int i = 0; i < 5000; ++i)
        forgetful.recorder.begin(map, 0);
    forgetful.steps(5, 1, 1);
    check(forgetful.last(2), 2, 4, 2);
}

TEST_CASE("recent steps: the last thousand, over the ends of chunks") {
    Model model;
    model.steps(40'000, 1, 3); // 160,000 words: three chunks
    model.steps(500, 2, 2);
    check(model.last(499), 499, 499 * 4.0, 499 * 2.0);
    check(model.last(1000), 1000, 4000, 499 * 2 + 501 * 1);
    check(model.last(5000), 1000, 4000, 499 * 2 + 501 * 1);
}
