// What a recorder tells of its exchanges while it records: against the test's own clock.
#include "record/recorded_exchanges.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

using namespace cpl_lb;

namespace {

constexpr int put = 1, get = 2, map = 3;

void nap(int milliseconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

RecordedInterval since(const Recorder &recorder, const RecordedMoment &moment) {
    return recorded_since(recorder, moment, 1e9); // clock_gettime counts nanoseconds
}

} // namespace

TEST_CASE("computing lies between exchanges; other events count as computing; what was before does not count") {
    Recorder recorder({}, "ocean");
    const int sst = recorder.field("SST", "atmosphere"), flux = recorder.field("QNET", "atmosphere");
    recorder.begin(put, sst);
    recorder.end(put, sst);
    const RecordedMoment begin = recorded_now(recorder);
    nap(20);
    recorder.begin(map, 0);
    nap(10);
    recorder.end(map, 0);
    recorder.begin(put, sst);
    recorder.end(put, sst);
    recorder.begin(get, flux);
    nap(30);
    recorder.begin(get, sst); // inside of another: part of it
    recorder.end(get, sst);
    recorder.end(get, flux);
    nap(10);
    const RecordedInterval r = since(recorder, begin);
    REQUIRE(r.exchanges.size() == 2);
    CHECK(r.exchanges[0].is_put);
    CHECK(r.exchanges[0].field == sst);
    CHECK_FALSE(r.exchanges[1].is_put);
    CHECK(r.exchanges[1].field == flux);
    // Sleeps are late, never early.
    CHECK(r.exchanges[0].computing_s >= 0.030);
    CHECK(r.exchanges[1].seconds >= 0.030);
    CHECK(r.last_s >= 0.010);
    double sum = r.last_s;
    for (const RecordedExchange &e : r.exchanges)
        sum += e.computing_s + e.seconds;
    CHECK(sum == Approx(r.seconds).epsilon(1e-9));
    CHECK_FALSE(r.in_exchange);
    CHECK(r.complete);
    CHECK(since(recorder, recorded_now(recorder)).exchanges.empty());
}

TEST_CASE("an interval that begins or ends inside of an exchange says so") {
    Recorder recorder({}, "ocean");
    const RecordedMoment outside = recorded_now(recorder);
    recorder.begin(get, 0);
    CHECK(since(recorder, outside).in_exchange);
    const RecordedMoment inside = recorded_now(recorder);
    recorder.end(get, 0);
    CHECK(since(recorder, inside).in_exchange);
    CHECK_FALSE(since(recorder, outside).in_exchange);
}

TEST_CASE("intervals go over the ends of chunks, and past the memory's bound they say that events are missing") {
    Recorder::Setup setup;
    setup.max_bytes = 3 * chunk_bytes;
    Recorder recorder(std::move(setup), "ocean");
    const auto record = [&](std::size_t events) {
        for (std::size_t n = 0; n < events; ++n) {
            recorder.begin(get, 0);
            recorder.end(get, 0);
        }
    };
    record(20'000);
    const RecordedMoment begin = recorded_now(recorder);
    record(40'000); // 32,768 events fill a chunk
    const RecordedInterval r = since(recorder, begin);
    CHECK(r.exchanges.size() == 40'000);
    CHECK(r.complete);
    record(60'000);
    CHECK_FALSE(since(recorder, begin).complete);
}
