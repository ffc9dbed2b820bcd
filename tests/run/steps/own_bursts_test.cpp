// How often a process came to exchange: marks by hand, with the computing between them.
#include "run/live/steps/tie_messages.hpp"
#include "tests/run/steps/step_by_hand.hpp"

#include <catch2/catch.hpp>
#include <utility>

using namespace cpl_lb;
using namespace cpl_lb::testing;

namespace {

constexpr std::uint64_t ms = 1'000'000;

std::size_t bursts_of(std::vector<Mark> marks) {
    std::size_t bursts = 0;
    with_record([&](ProcessRecord &record) {
        record.recorder = recorder_of(std::move(marks), "ocean", "atmosphere");
        ProblemList problems(0, {});
        const DecodedRecord decoded = decode_record(record, problems);
        bursts = count_own_bursts(record, decoded);
    });
    return bursts;
}

// Computes, and then exchanges for 50 ms, so many times right after each other. Waiting does not count.
void step(std::vector<Mark> &marks, std::uint64_t computing_ms, int exchanges, Kind kind = Kind::get) {
    for (int n = 0; n < exchanges; ++n) {
        marks.push_back(make_mark(n == 0 ? computing_ms * ms : ms / 10, 1, begin_code(static_cast<int>(kind))));
        marks.push_back(make_mark(50 * ms, 1, end_code(static_cast<int>(kind))));
    }
}

} // namespace

TEST_CASE("bursts: exchanges right after each other count once, also where some steps have more") {
    std::vector<Mark> marks;
    for (int n = 0; n < 12; ++n)
        step(marks, 20, n % 3 == 0 ? 5 : 3);
    CHECK(bursts_of(marks) == 12);
}

TEST_CASE("bursts: one exchange in each step is one, beside a process that was stopped once") {
    std::vector<Mark> marks;
    for (int n = 0; n < 12; ++n)
        step(marks, n == 5 ? 50'000 : 20, 1);
    CHECK(bursts_of(marks) == 12);
}

TEST_CASE("bursts: what is no exchange is computing") {
    std::vector<Mark> marks;
    for (int n = 0; n < 8; ++n) {
        step(marks, 20, 2);
        step(marks, 0, 1, Kind::map);
    }
    CHECK(bursts_of(marks) == 8);
}

TEST_CASE("bursts: too few exchanges tell nothing") {
    std::vector<Mark> marks;
    step(marks, 20, 1);
    step(marks, 20, 1);
    CHECK(bursts_of(marks) == 0);
}
