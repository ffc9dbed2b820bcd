// Plain words: the sentence fits the numbers.
#include "report/words.hpp"
#include "unit/report_example_run.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using test::balance;
using test::component;

namespace {

// Equal components of 10 processes with the given balances.
CoupledRun run_of(const std::vector<ComponentBalance> &balances) {
    const std::vector<std::string> names = {"ocean", "atmosphere", "ice", "land", "rivers"};
    CoupledRun run;
    run.component_names = names;
    for (std::size_t i = 0; i < balances.size(); ++i) {
        const auto id = static_cast<std::int32_t>(i + 1);
        run.components.push_back(component(names[i], id, 10 * (id - 1), 10, 100'000'000'000));
        run.components.back().balance = balances[i];
    }
    return run;
}

} // namespace

TEST_CASE("the slow side is named with the wait for it") {
    // 23 of 100 s; the cores: 10 x 23 of 20 x 100 = 11.5 %.
    const CoupledRun run = run_of({balance(77, 23, {{2, 23, 0}}), balance(100, 0, {{1, 0, 0}})});
    const std::vector<std::string> words = plain_words(run);
    REQUIRE(words.size() == 2);
    CHECK(words[0] == "atmosphere is the slow side: ocean waits 23 % of its time for it.");
    CHECK(words[1] == "Waiting takes 12 % of the core time in the coupling loop; perfect balance on the same cores "
                      "would shorten it by at most that share.");
    CHECK(waiting_share_of_cores(run) == Approx(0.115));
}

TEST_CASE("several wait for the slow side, the longest wait first") {
    const CoupledRun run = run_of({balance(77, 23, {{2, 23, 0}}), balance(100, 0, {{1, 0, 0}}),
                                   balance(50, 50, {{1, 10, 0}, {2, 30, 10}}), balance(90, 10, {{2, 0, 10}}),
                                   balance(95, 5, {{2, 5, 0}})});
    CHECK(plain_words(run)[0] == "atmosphere is the slow side: ice waits 40 % of its time for it, ocean 23 %, land "
                                 "10 % and 1 more.");
}

TEST_CASE("two that wait for each other") {
    const CoupledRun run = run_of({balance(60, 40, {{2, 40, 0}}), balance(65, 35, {{1, 35, 0}})});
    CHECK(plain_words(run)[0] ==
          "ocean and atmosphere wait for each other: ocean 40 % of its time for atmosphere, atmosphere 35 % of its "
          "time for ocean; parts of them run one after the other, or their steps are uneven.");
}

TEST_CASE("balanced components") {
    const CoupledRun run = run_of({balance(98.5, 1.5, {{2, 1.5, 0}}), balance(100, 0, {{1, 0, 0}})});
    const std::vector<std::string> words = plain_words(run);
    CHECK(words[0] == "The components are balanced: none waits more than 1.5 % of its time.");
    CHECK(words[1] == "Waiting takes 0.8 % of the core time in the coupling loop: little is left to gain.");
}

TEST_CASE("one recorded component") {
    CHECK(plain_words(run_of({balance(70, 30, {{2, 30, 0}})})) ==
          std::vector<std::string>{
              "atmosphere is the slow side (it was not recorded itself): ocean waits 30 % of its time for it.",
              "Its cores wait 30 % of the time in the coupling loop."});
    CHECK(plain_words(run_of({balance(70, 30, {{0, 30, 0}})}))[0] ==
          "ocean waits 30 % of its time in exchanges whose other end is not known.");
    CHECK(plain_words(run_of({balance(70, 30, {{1, 30, 0}})}))[0] ==
          "ocean waits 30 % of its time in exchanges with itself.");
    CHECK(plain_words(run_of({balance(99.5, 0.5, {{2, 0.5, 0}})}))[0] == "ocean hardly waits: 0.5 % of its time.");
}

TEST_CASE("nothing coupled, nothing judged, nothing recorded") {
    CHECK(plain_words(run_of({balance(10, 0, {}), balance(10, 0, {})})) ==
          std::vector<std::string>{"No component exchanged a coupling field, so none waits for another."});
    ComponentBalance none;
    none.why_no_window = "GET of SST occurs twice";
    CHECK(plain_words(run_of({none, none})) ==
          std::vector<std::string>{"Not judged: ocean and atmosphere (GET of SST occurs twice)."});
    CHECK(plain_words(run_of({none, none, ComponentBalance{}, none, none}))[0] ==
          "Not judged: ocean, atmosphere, land and 1 more (GET of SST occurs twice); ice (it has no coupling loop).");
    CHECK(plain_words(CoupledRun{}) == std::vector<std::string>{"No component was recorded."});
}
