// Time in MPI by class and by when: bins against a list of the calls.
#include "record/inside_times.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <vector>

using namespace cpl_lb;

namespace {

constexpr std::uint64_t start = 5'000'000'000'000; // as a counter of a machine that has been up for a while
constexpr std::uint64_t bin = std::uint64_t{1} << 18U;

// The second method: every call is kept.
struct Call {
    MpiClass mpi_class;
    std::uint64_t begin, end;
};
double ticks_in(const std::vector<Call> &calls, MpiClass c, std::uint64_t first, std::uint64_t last) {
    double sum = 0;
    for (const Call &call : calls) {
        const std::uint64_t from = std::max(call.begin, first), to = std::min(call.end, last);
        if (call.mpi_class == c && to > from) sum += static_cast<double>(to - from);
    }
    return sum;
}

constexpr auto p2p = MpiClass::point_to_point;
constexpr auto collective = MpiClass::collective;

} // namespace

TEST_CASE("inside: not used until it starts") {
    InsideTimes times;
    CHECK_FALSE(times.used());
    times.add(p2p, start, start + 10);
    CHECK_FALSE(times.used());
    CHECK(times.ticks_between(p2p, 0, 2 * start) == 0);
    times.starts(start);
    CHECK(times.used()); // without any call
    CHECK(times.calls(collective) == 0);
}

TEST_CASE("inside: a call across bins is in each of them") {
    InsideTimes times;
    times.starts(start);
    times.add(collective, start + bin / 2, start + 3 * bin); // half of the first bin, the second and the third
    times.add(p2p, start + 3 * bin, start + 3 * bin + 100);
    CHECK(times.ticks_between(collective, start, start + 4 * bin) == 2.5 * bin);
    CHECK(times.ticks_between(collective, start, start + bin) == 0.5 * bin);
    CHECK(times.ticks_between(collective, start + bin, start + 2 * bin) == 1.0 * bin);
    CHECK(times.ticks_between(collective, start + bin + bin / 4, start + 2 * bin) == 0.75 * bin);
    // A bin that is cut counts by the part of it that lies inside: a quarter of the half.
    CHECK(times.ticks_between(collective, start, start + bin / 4) == 0.125 * bin);
    CHECK(times.ticks_between(p2p, start, start + 4 * bin) == 100);
    CHECK((times.calls(p2p) == 1 && times.calls(collective) == 1 && times.calls(MpiClass::files) == 0));
}

TEST_CASE("inside: what began before the start counts from there") {
    InsideTimes times;
    times.starts(start);
    times.add(p2p, start - 50, start + 70);
    times.add(p2p, start - 50, start - 20);
    CHECK(times.ticks_between(p2p, 0, 2 * start) == 70);
}

// 4096 bins are full after 2^30 ticks; 40 times as long need 6 doublings.
TEST_CASE("inside: random calls of a long run, bins against the list") {
    const auto seed = GENERATE(1U, 2U, 3U);
    std::mt19937_64 random(seed);
    const std::uint64_t length = 40 * std::uint64_t{4096} * bin;
    InsideTimes times;
    times.starts(start);
    std::vector<Call> calls;
    for (std::uint64_t now = start; now < start + length;) {
        const std::uint64_t begin = now + random() % (40 * bin); // some in one bin, some over many
        const std::uint64_t end = begin + random() % (random() % 4 == 0 ? 60 * bin : bin / 8);
        calls.push_back({static_cast<MpiClass>(random() % mpi_class_count), begin, end});
        times.add(calls.back().mpi_class, begin, end);
        now = end;
    }
    const std::uint64_t last = calls.back().end;
    const double two_bins = 2.0 * static_cast<double>(last - start) / 2048; // at least half of the bins are in use
    for (std::size_t c = 0; c < mpi_class_count; ++c) {
        const auto mpi_class = static_cast<MpiClass>(c);
        CHECK(times.calls(mpi_class) == std::count_if(calls.begin(), calls.end(),
                                                      [&](const Call &call) { return call.mpi_class == mpi_class; }));
        CHECK(times.ticks_between(mpi_class, start, 2 * start) == ticks_in(calls, mpi_class, start, 2 * start));
        for (int i = 0; i < 50; ++i) {
            const std::uint64_t first = start + random() % length, end = first + random() % length;
            CHECK(times.ticks_between(mpi_class, first, end) ==
                  Approx(ticks_in(calls, mpi_class, first, end)).margin(two_bins));
        }
    }
}
