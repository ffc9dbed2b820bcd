// How waiting processes sleep: without MPI and without a clock, as two processes that answer each other would.
#include "mpi/patience.hpp"

#include <catch2/catch.hpp>

using cpl_lb::Patience;
using std::chrono::microseconds;

namespace {

constexpr microseconds longest{2000};

// The sleeps of a process whose message comes after so long: when it sees it.
microseconds seen_after(microseconds comes) {
    microseconds waited{0};
    while (waited < comes)
        waited += Patience::sleep_after(waited, longest);
    return waited;
}

} // namespace

TEST_CASE("sleeps are an eighth of the time waited, within bounds") {
    CHECK(Patience::sleep_after(microseconds{0}, longest) == microseconds{20});
    CHECK(Patience::sleep_after(microseconds{800}, longest) == microseconds{100});
    CHECK(Patience::sleep_after(microseconds{10'000'000}, longest) == longest);
}

TEST_CASE("who waits for an hour tests at most once in 2 ms") {
    CHECK(Patience::sleep_after(std::chrono::hours{1}, longest) == longest);
}

// One works for 300 microseconds, then each waits for the other's answer in turn. What a process sees late by o makes
// the other wait for 300 + o, which sees that late by at most an eighth and 20 microseconds: o <= 20 + (300 + o) / 8,
// so o <= 66 for ever. With sleeps as long as the wait it would grow to 2 ms.
TEST_CASE("sleeping late does not grow from message to message") {
    microseconds late{0};
    for (int message = 0; message < 1000; ++message) {
        const microseconds comes = microseconds{300} + late;
        late = seen_after(comes) - comes;
        CHECK(late <= microseconds{66});
    }
}
