// Parts of a cycle as a model gives them: the paper's worked examples, and what is refused.
#include "prediction/cycle_parts.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;

namespace {

using Numbers = std::vector<double>;

double length_of(const std::vector<Numbers> &numbers) {
    std::vector<CycleParts> parts;
    for (std::size_t c = 0; c < numbers.size(); ++c)
        parts.push_back(unpack_parts(numbers[c], static_cast<int>(c + 1), static_cast<int>(numbers.size())));
    return graph_of_parts(parts).length_s(std::vector<double>(numbers.size(), 1));
}

std::string refusal(const std::vector<Numbers> &numbers) {
    try {
        length_of(numbers);
    } catch (const PredictionError &e) {
        return e.what();
    }
    return {};
}

} // namespace

TEST_CASE("figures 1 and 2 of Kim, Larson and Chiu") {
    // A computes 0, 4, 8, 4 and B 6, 6, 6, 6 around three meetings: 26 s.
    const Numbers a = {0, 1, 2, 4, 1, 2, 8, 1, 2, 4};
    CHECK(length_of({a, {6, 1, 1, 6, 1, 1, 6, 1, 1, 6}}) == Approx(26));
    // B meets C twice more after 0 and 4 s and ends 2 s later; C computes 22, 0, 2: 28 s.
    const Numbers c = {22, 1, 2, 0, 1, 2, 2};
    CHECK(length_of({a, {6, 1, 1, 6, 1, 1, 6, 1, 1, 0, 1, 3, 4, 1, 3, 2}, c}) == Approx(28));
    CHECK(length_of({a, {6, 1, 1, 6, 1, 1, 6, 1, 1, 0, 1, 3, 4, 1, 3, 6}, c}) == Approx(32));
}

TEST_CASE("a hub waits for all partners, a partner only for the hub") {
    // The hub comes at 1, its partners at 2 and 5; then they compute 10, 10 and 1 s. Hub: 5 + 10. The partner that
    // came at 2 leaves at 2.
    CHECK(length_of({{1, 2, 2, 3, 10}, {2, 1, 1, 10}, {5, 1, 1, 1}}) == Approx(15));
    CHECK(length_of({{1, 2, 2, 3, 1}, {2, 1, 1, 10}, {5, 1, 1, 1}}) == Approx(12));
}

TEST_CASE("a buffered sender does not wait") {
    CHECK(length_of({{1, 1, 2, 3}, {5, 1, 1, 0}}) == Approx(8));  // leaves at 5
    CHECK(length_of({{1, 1, -2, 3}, {5, 1, 1, 0}}) == Approx(5)); // leaves at 1
    CHECK(length_of({{5, 1, -2, 0}, {1, 1, 1, 3}}) == Approx(8)); // the receiver does
}

// Two components that send, receive what the other sent in this step, and compute 2 and 3 s: 1002 is a PUT to 2,
// -1002 one that did not wait, 2002 a GET from 2.
TEST_CASE("PUTs are matched with GETs, not with the other side's PUTs") {
    const Numbers a = {0, 1, -1002, 0, 1, 2002, 2}, b = {0, 1, -1001, 0, 1, 2001, 3};
    CHECK(length_of({a, b}) == Approx(3));
    // The second receives before it sends: 1 s, its PUT, then 2 s; the first waits for that and computes 2 s.
    CHECK(length_of({a, {1, 1, 2001, 0, 1, -1001, 2}}) == Approx(3));
    CHECK(length_of({{5, 1, -1002, 0, 1, 2002, 0}, {1, 1, 2001, 3, 1, -1001, 0}}) == Approx(8)); // 5 + 3
    CHECK(refusal({{1, 1, 1002, 1}, {1, 1, 1001, 1}}) ==
          "component 1 sends to component 2 1 time, and the other way round it is 0 times");
    CHECK(refusal({{1, 1, 1001, 1}, {1}}) == "value 3 must be the number of another component");
    CHECK(refusal({{1, 1, 3002, 1}, {1}}) == "value 3 must be the number of another component");
    CHECK(refusal({{1, 1, 1000, 1}, {1}}) == "value 3 must be the number of another component");
}

// Each receives, computes 2 and 3 s, and sends. Without a lag they would wait for each other in a ring.
TEST_CASE("what is received was sent a cycle before: the measured cycle tells which") {
    const std::vector<Numbers> numbers = {{0, 1, 2002, 2, 1, -1002, 0}, {0, 1, 2001, 3, 1, -1001, 0}};
    const std::vector<CycleParts> parts = {unpack_parts(numbers[0], 1, 2), unpack_parts(numbers[1], 2, 2)};
    const auto length = [&](double measured_s) { return graph_of_parts(parts, measured_s).length_s({1, 1}); };
    CHECK(length(3.01) == Approx(3)); // both of the cycle before: at the same time
    CHECK(length(5.02) == Approx(5)); // one of them in this cycle: one after the other
}

TEST_CASE("writing then reading is the identity") {
    const Numbers numbers = {0.25, 2, -2, 3, 0.5, 1, 3, 0.25, 1, -1002, 0.5, 1, 2003, 0.125};
    CHECK(pack_parts(unpack_parts(numbers, 1, 3)) == numbers);
}

TEST_CASE("what is refused says why") {
    CHECK(refusal({{1, 1, 2, 1}, {1, 1, 1, 1, 1, 1, 1}}) ==
          "component 1 meets component 2 1 time, and the other way round it is 2 times");
    CHECK(refusal({{1, 1, 2, 1}, {1}}) ==
          "component 1 meets component 2 1 time, and the other way round it is 0 times");
    CHECK(refusal({{1, 1, 1, 1}, {1}}) == "value 3 must be the number of another component");
    CHECK(refusal({{1, 1, 7, 1}, {1}}) == "value 3 must be the number of another component");
    CHECK(refusal({{1, 1}, {1}}) == "value 3 must be the number of another component");
    CHECK(refusal({{1, 0.5, 2, 1}, {1}}) == "value 2 must be a number of partners from 1 to 1");
    CHECK(refusal({{-1, 1, 2, 1}, {1}}) == "value 1 must be seconds >= 0");
    CHECK(refusal({{1, 1, 2}, {1}}) == "the seconds after the last meeting are missing");
    // Each waits for the other's second meeting at its first: 1 with 2, then 3; 2 with 3, then 1; 3 with 1, then 2.
    CHECK_FALSE(refusal({{1, 1, 2, 1, 1, 3, 0}, {1, 1, 3, 1, 1, 1, 0}, {1, 1, 1, 1, 1, 2, 0}}).empty());
}
