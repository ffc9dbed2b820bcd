// Mapping, output and restart of each step, by hand.
#include "tests/analysis/loop_literals.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;

using namespace cpl_lb::literals;

TEST_CASE("operations of a step last from the first process's begin to the last one's end") {
    // Steps of 10 s begin with a GET. In each both map, one 0.1 s after the other; in every second they write.
    std::vector<Recorded> first, second;
    for (int n = 0; n < 6; ++n) {
        const double at = 10.0 * n;
        for (std::vector<Recorded> *process : {&first, &second})
            process->push_back(get(at, at + 1));
        first.push_back(map(at + 2, at + 2.3));
        second.push_back(map(at + 2.1, at + 2.4));
        if (n % 2 == 0) first.push_back(out(at + 3, at + 5));
        if (n == 2) second.push_back(rst(at + 4, at + 6));
    }
    const std::vector<StepWork> work = balance_of({first, second}, 0, 60).step_work;
    REQUIRE(work.size() == 4); // steps 1 to 4
    for (std::size_t j = 0; j < 4; ++j) {
        INFO(j);
        CHECK(work[j].mapping_s == Approx(0.4)); // 2.0 to 2.4
        // A restart is output, too: 3 to 6 s in step 2, 3 to 5 s in step 4.
        CHECK(work[j].output_s == Approx(j == 1 ? 3 : j == 3 ? 2 : 0));
        CHECK(work[j].restart_s == Approx(j == 1 ? 2 : 0));
    }
}

TEST_CASE("a component without operations has none in any step") {
    CHECK(balance_of({repeated(5, [](int n) { return get(10.0 * n, 10.0 * n + 1); })}, 0, 60).step_work.empty());
}
