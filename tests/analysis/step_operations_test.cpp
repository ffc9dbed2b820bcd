// Mapping, output and restart of each step, by hand.
#include "analysis/load_balance.hpp"

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
    const ComponentLiteral component = component_of({first, second});
    const Window window = find_window(component.table);
    REQUIRE(window.steps.size() == 5); // steps 1 to 4
    const StepOperations operations = operations_by_step(component.table, window);
    constexpr Nanoseconds s = 1'000'000'000;
    CHECK(operations.mapping == std::vector<Nanoseconds>(4, 4 * s / 10)); // 2.0 to 2.4
    // A restart is output, too: 3 to 6 s in step 2, 3 to 5 s in step 4.
    CHECK(operations.output == std::vector<Nanoseconds>{0, 3 * s, 0, 2 * s});
    CHECK(operations.restart == std::vector<Nanoseconds>{0, 2 * s, 0, 0});
}

TEST_CASE("a component without operations has none in any step") {
    const ComponentLiteral component = component_of({repeated(5, [](int n) { return get(10.0 * n, 10.0 * n + 1); })});
    const StepOperations none = operations_by_step(component.table, find_window(component.table));
    CHECK(none.mapping.empty());
    CHECK(none.output.empty());
}
