// Which operation lies in unusual steps: tables by hand.
#include "analysis/arrival_tests.hpp"

#include "tests/analysis/loop_literals.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;

namespace {

using namespace cpl_lb::literals;

// Forty steps of 10 s. The second process comes 0.1 s late to each PUT, and 5 s in every tenth.
ComponentLiteral forty_steps(std::size_t output_every, std::size_t map_every) {
    std::vector<Recorded> first, second;
    for (std::size_t n = 0; n < 40; ++n) {
        const double begin_s = 10.0 * static_cast<double>(n);
        const double late_s = n % 10 == 4 ? 5 : 0.1;
        for (std::vector<Recorded> *process : {&first, &second}) {
            if (n % map_every == 0) process->push_back(map(begin_s + 0.5, begin_s + 0.6));
            if (n % output_every == 4 % output_every) process->push_back(out(begin_s + 1, begin_s + 1.5));
        }
        first.push_back(put(begin_s + 3, begin_s + 9));
        second.push_back(put(begin_s + 3 + late_s, begin_s + 9));
    }
    return component_of({first, second});
}

std::string cause_of(const ComponentLiteral &component) {
    const Window window = find_window(component.table);
    const ChosenExchanges chosen = choose_exchanges(component.table, window, 2, 1000);
    std::vector<std::uint8_t> unusual;
    for (const ChosenExchange &e : chosen.list)
        unusual.push_back(e.jitter > from_seconds(1) ? 1 : 0);
    return cause_of_steps(chosen, unusual, component.table, {"SST"});
}

} // namespace

TEST_CASE("output in the unusual steps and in no others is the cause") {
    CHECK(cause_of(forty_steps(10, 1)) == "OUT of SST");
}

TEST_CASE("what lies in all steps, or in others, is no cause") {
    CHECK(cause_of(forty_steps(1, 1)).empty());
    CHECK(cause_of(forty_steps(7, 1)).empty());
}
