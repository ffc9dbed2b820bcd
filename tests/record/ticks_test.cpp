// Where the listener's calls lie: after events, never inside one, so that what it takes is measured as nobody's.
// The clock is CLOCK_MONOTONIC, whose ticks are nanoseconds.
#include "events/decode.hpp"
#include "record/recorder.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <thread>
#include <vector>

using namespace cpl_lb;

namespace {

constexpr int put = 1;
constexpr int get = 2;
constexpr Nanoseconds second = 1'000'000'000;

void busy_for(Nanoseconds length) {
    const std::uint64_t start = monotonic_ns();
    while (monotonic_ns() - start < static_cast<std::uint64_t>(length)) {
    }
}

// Notes when it is called, and stays for `takes`. Due again after `wait`.
struct Listener final : TickListener {
    explicit Listener(Nanoseconds takes_ns, Nanoseconds wait_ns = 0) : takes(takes_ns), wait(wait_ns) {}
    std::uint64_t tick(std::uint64_t ticks) noexcept override {
        called.push_back(static_cast<Nanoseconds>(monotonic_ns()));
        busy_for(takes);
        gone.push_back(static_cast<Nanoseconds>(monotonic_ns()));
        return ticks + static_cast<std::uint64_t>(wait);
    }
    Nanoseconds takes, wait;
    std::vector<Nanoseconds> called, gone;
};

LocalTimeline events_of(const Recorder &recorder) {
    DecodeInput input;
    input.chunks = recorder.store().chunk_count();
    input.chunk = [&](std::size_t i) { return recorder.store().chunk(i); };
    input.fields = 4;
    return decode(input).components.at(0);
}

// The number of pairs of a call and an event that overlap.
int calls_inside(const Listener &listener, const LocalTimeline &events) {
    int inside = 0;
    for (std::size_t c = 0; c < listener.called.size(); ++c)
        for (std::size_t e = 0; e < events.size(); ++e)
            if (listener.gone[c] > events.start[e] && listener.called[c] < events.stop[e]) ++inside;
    return inside;
}

void whole(Recorder &recorder, int kind) {
    recorder.begin(kind, 0);
    recorder.end(kind, 0);
}

} // namespace

TEST_CASE("what the listener takes lies in no event") {
    Listener listener(5'000'000); // due at every event
    Recorder recorder(Recorder::Setup{}, "ocean");
    recorder.listen(listener);
    for (int i = 0; i < 4; ++i) {
        whole(recorder, put);
        whole(recorder, get);
    }
    const LocalTimeline events = events_of(recorder);
    REQUIRE(events.size() == 8);
    CHECK(listener.called.size() == 8); // once behind each
    CHECK(calls_inside(listener, events) == 0);
    // Seven calls of 5 ms lie between the first begin and the last end, and so between the events.
    Nanoseconds between = 0;
    for (std::size_t i = 1; i < 8; ++i)
        between += events.start[i] - events.stop[i - 1];
    CHECK(between >= 35'000'000);
}

TEST_CASE("of events inside others, the listener waits for the end of the outermost") {
    Listener listener(5'000'000);
    Recorder recorder(Recorder::Setup{}, "ocean");
    recorder.listen(listener);
    for (int i = 0; i < 3; ++i) {
        recorder.begin(put, 0);
        recorder.begin(get, 0);
        whole(recorder, get);
        recorder.date(i);
        recorder.end(get, 0);
        whole(recorder, get);
        recorder.end(put, 0);
    }
    const LocalTimeline events = events_of(recorder);
    REQUIRE(events.size() == 12);
    CHECK(listener.called.size() == 3); // once behind each PUT
    CHECK(calls_inside(listener, events) == 0);
}

TEST_CASE("a date between events is a place for the listener, and so is a region's end, but not its begin") {
    Listener listener(5'000'000);
    Recorder recorder(Recorder::Setup{}, "ocean");
    const int region = recorder.regions().id("dynamics");
    recorder.listen(listener);
    recorder.date(0);
    CHECK(listener.called.size() == 1);
    const auto before = static_cast<Nanoseconds>(monotonic_ns());
    recorder.region_begin(region);
    CHECK(listener.called.size() == 1);
    recorder.region_end(region);
    const auto after = static_cast<Nanoseconds>(monotonic_ns());
    REQUIRE(listener.called.size() == 2);
    // What the region and the listener have between them is no longer than all of it.
    const auto length = static_cast<Nanoseconds>(recorder.regions().timers()[0].total_ticks);
    CHECK(length + (listener.gone[1] - listener.called[1]) <= after - before);
    // Inside an event, it waits for that event's end.
    recorder.begin(put, 0);
    recorder.region_begin(region);
    recorder.region_end(region);
    CHECK(listener.called.size() == 2);
    recorder.end(put, 0);
    CHECK(listener.called.size() == 3);
}

// It waits for 2^32 ticks.
TEST_CASE("an event that stays open does not keep the listener waiting for ever") {
    Listener listener(0, 1000);
    Recorder recorder(Recorder::Setup{}, "ocean");
    recorder.listen(listener);
    recorder.begin(get, 0); // no end
    whole(recorder, put);
    CHECK(listener.called.empty());
    std::this_thread::sleep_for(std::chrono::nanoseconds((std::uint64_t{1} << 32U) + second / 10));
    recorder.begin(put, 0);
    CHECK(listener.called.empty());
    recorder.end(put, 0);
    REQUIRE(listener.called.size() == 1);
    // From then on it counts no more.
    for (int i = 0; i < 2; ++i) {
        busy_for(2000);
        recorder.begin(put, 0);
        whole(recorder, put);
        CHECK(listener.called.size() == static_cast<std::size_t>(1 + i));
        recorder.end(put, 0);
        CHECK(listener.called.size() == static_cast<std::size_t>(2 + i));
    }
}

TEST_CASE("an end too many, while nothing is due, moves no call into an event") {
    Listener listener(0, second / 100);
    Recorder recorder(Recorder::Setup{}, "ocean");
    recorder.listen(listener);
    recorder.date(0);
    REQUIRE(listener.called.size() == 1);
    recorder.end(put, 0); // of nothing
    busy_for(second / 50);
    recorder.begin(put, 0);
    whole(recorder, get);
    CHECK(listener.called.size() == 1);
    recorder.end(put, 0);
    CHECK(listener.called.size() == 2);
}

TEST_CASE("spans and what is recorded in a slice's pause have their calls, too") {
    Listener listener(0);
    Recorder::Setup setup;
    setup.sliced = true;
    setup.date_first_s = 10;
    Recorder recorder(std::move(setup), "ocean");
    recorder.listen(listener);
    recorder.begin(put, 0); // before the slice
    CHECK(listener.called.empty());
    recorder.end(put, 0);
    CHECK(listener.called.size() == 1);
    recorder.date(10);
    CHECK(listener.called.size() == 2);
    const std::uint64_t now = monotonic_ns();
    const int fields[] = {0, 0};
    recorder.span(get, fields, 2, now, now + 10);
    CHECK(listener.called.size() == 3); // both fields are one event inside the other
    const LocalTimeline events = events_of(recorder);
    REQUIRE(events.size() == 2);
    for (const std::size_t i : {0U, 1U})
        CHECK(events.stop[i] - events.start[i] == 10);
}

TEST_CASE("of the fields of one span the last ones may end earlier") {
    Recorder recorder(Recorder::Setup{}, "ocean");
    const std::uint64_t now = monotonic_ns();
    const int fields[] = {0, recorder.field("heat", ""), recorder.field("ice", "")};
    recorder.span(get, fields, 3, now, now + 10, 2, now + 4);
    const LocalTimeline events = events_of(recorder);
    REQUIRE(events.size() == 3);
    CHECK(std::vector<Nanoseconds>{events.stop[0] - events.start[0], events.stop[1] - events.start[1],
                                   events.stop[2] - events.start[2]} == std::vector<Nanoseconds>{10, 4, 4});
}

TEST_CASE("events are recorded as before while somebody listens") {
    Listener listener(0);
    Recorder recorder(Recorder::Setup{}, "ocean");
    recorder.listen(listener); // at every event
    for (int i = 0; i < 10; ++i) {
        whole(recorder, 1);
    }
    CHECK(listener.called.size() == 10);
    listener.wait = Nanoseconds{1} << 62; // not again
    whole(recorder, 1);
    CHECK(listener.called.size() == 11);
    whole(recorder, 1);
    // A time mark opens the chunk: 2 words; then one word for each begin and end.
    CHECK(recorder.marks_in_last_chunk() == 2 + 24);
    recorder.stop();
    whole(recorder, 1);
    CHECK(listener.called.size() == 11);
}
