// Calls of MPI inside an open PUT or GET are part of it; the others are inside the component.
#include "record/recorder.hpp"

#include <catch2/catch.hpp>
#include <cstdint>

using namespace cpl_lb;

namespace {

constexpr int put = 1, get = 2, map = 3;

// Whether a call of MPI counts as inside the component now.
bool counts(Recorder &recorder) {
    const std::uint64_t now = read_ticks(recorder.clock());
    const std::int64_t before = recorder.inside().calls(MpiClass::collective);
    recorder.mpi_call(MpiClass::collective, now, now + 1);
    return recorder.inside().calls(MpiClass::collective) == before + 1;
}

} // namespace

TEST_CASE("MPI between exchanges is inside the component, MPI in one is not") {
    Recorder recorder(Recorder::Setup{}, "ocean");
    CHECK(counts(recorder));
    recorder.begin(put, 0);
    CHECK_FALSE(counts(recorder));
    CHECK_FALSE(counts(recorder));
    recorder.end(put, 0);
    CHECK(counts(recorder));
    // Between two calls nothing but whole exchanges.
    for (int i = 0; i < 3; ++i) {
        recorder.begin(get, 0);
        recorder.end(get, 0);
    }
    CHECK(counts(recorder));
}

TEST_CASE("of events inside each other the innermost counts") {
    Recorder recorder(Recorder::Setup{}, "ocean");
    const int sst = recorder.field("sst", "");
    recorder.begin(put, sst);
    recorder.begin(map, sst);
    CHECK(counts(recorder)); // the coupler's work
    recorder.begin(get, 0);
    CHECK_FALSE(counts(recorder));
    recorder.end(map, sst); // before what began inside it
    CHECK_FALSE(counts(recorder));
    recorder.end(get, 0);
    CHECK_FALSE(counts(recorder)); // the PUT is still open
    recorder.end(put, sst);
    CHECK(counts(recorder));
}

TEST_CASE("a forgotten end is an exchange that goes on; ends without a begin change nothing") {
    Recorder recorder(Recorder::Setup{}, "ocean");
    recorder.end(get, 0);
    CHECK(counts(recorder));
    recorder.begin(get, 0);
    recorder.begin(put, 0);
    recorder.end(put, 0);
    CHECK_FALSE(counts(recorder));
    // However many were forgotten, memory does not grow; the last 32 are known.
    for (int i = 0; i < 1000; ++i)
        recorder.begin(get, 0);
    CHECK_FALSE(counts(recorder));
    for (int i = 0; i < 31; ++i)
        recorder.end(get, 0);
    CHECK_FALSE(counts(recorder));
    recorder.end(get, 0);
    CHECK(counts(recorder));
}

// A chunk holds 65,536 words: 32,767 whole events and the begin of the next, or less.
TEST_CASE("an exchange that is open where a chunk ends is open in the next one") {
    Recorder recorder(Recorder::Setup{}, "ocean");
    recorder.begin(map, 0); // so that begins and ends lie otherwise in the second chunk
    for (int i = 0; i < 200'000; ++i) {
        recorder.begin(get, 0);
        if (counts(recorder)) FAIL("counts inside GET " << i);
        recorder.end(get, 0);
    }
    CHECK(recorder.store().chunk_count() >= 6);
    CHECK(counts(recorder));
    recorder.begin(put, 0);
    CHECK_FALSE(counts(recorder));
}

TEST_CASE("outside of a slice nothing counts") {
    Recorder::Setup setup;
    setup.sliced = true;
    setup.date_first_s = 10;
    setup.date_last_s = 20;
    Recorder recorder(std::move(setup), "ocean");
    CHECK_FALSE(counts(recorder));
    recorder.begin(get, 0);
    recorder.date(10); // inside the GET
    CHECK_FALSE(counts(recorder));
    recorder.end(get, 0);
    CHECK(counts(recorder));
    recorder.begin(put, 0);
    recorder.date(30);
    recorder.end(put, 0);
    CHECK_FALSE(counts(recorder));
}
