// Plain words: the sentence fits the numbers.
#include "analysis/waiting_share.hpp"
#include "report/words.hpp"
#include "tests/report/example_run.hpp"
#include "tests/report/sentence_check.hpp"

#include <algorithm>
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
    run.balance.waiting_share = waiting_share_of_cores(run);
    run.balance.why_no_path = run.balance.why_no_gain = "it was not looked for";
    return run;
}

// The same with shares of the critical path.
CoupledRun run_with_path(const std::vector<ComponentBalance> &balances, const std::vector<double> &shares,
                         std::int32_t slow) {
    CoupledRun run = run_of(balances);
    run.balance.why_no_path.clear();
    run.balance.why_no_gain.clear();
    run.balance.loop_s = 100;
    run.balance.slow_side = slow;
    for (std::size_t i = 0; i < shares.size(); ++i)
        run.components[i].balance.critical_share = shares[i];
    return run;
}

// The component with this id has so many processes, not 10.
CoupledRun with_cores(CoupledRun run, std::int32_t id, std::size_t cores) {
    run.components[static_cast<std::size_t>(id) - 1].ranks.resize(cores);
    run.balance.waiting_share = waiting_share_of_cores(run);
    return run;
}

} // namespace

TEST_CASE("without a critical path, who is waited for most is the bottleneck") {
    // 23 of 100 s; the cores: 10 x 23 of 20 x 100 = 11.5 %.
    const CoupledRun run = run_of({balance(77, 23, {{2, 23, 0}}), balance(100, 0, {{1, 0, 0}})});
    const std::vector<std::string> words = plain_words(run);
    REQUIRE(words.size() == 2);
    CHECK(words[0] == "atmosphere seems to be the bottleneck: ocean spends 23 % of its time waiting for it.");
    CHECK(words[1] ==
          "Lost to waiting: 12 % of the core time in the coupling loop. The possible gain is not known: it "
          "was not looked for.");
    CHECK(waiting_share_of_cores(run) == Approx(0.115));
}

TEST_CASE("several wait for the slow side, the longest wait first") {
    const CoupledRun run = run_of({balance(77, 23, {{2, 23, 0}}), balance(100, 0, {{1, 0, 0}}),
                                   balance(50, 50, {{1, 10, 0}, {2, 30, 10}}), balance(90, 10, {{2, 0, 10}}),
                                   balance(95, 5, {{2, 5, 0}})});
    CHECK(plain_words(run)[0] == "atmosphere seems to be the bottleneck: ice spends 40 % of its time waiting for it, "
                                 "ocean 23 %, land 10 % and 1 more.");
}

TEST_CASE("the critical path decides, and the gain says how") {
    CoupledRun run = run_with_path({balance(77, 23, {{2, 23, 0}}), balance(100, 0, {{1, 0, 0}})}, {0.02, 0.97}, 2);
    run.balance.best_s = 88.6;
    run.balance.gain_s = 11.4;
    run.balance.best_cores = {9, 11};
    CHECK(plain_words(run) ==
          std::vector<std::string>{
              "atmosphere is the bottleneck: ocean spends 23 % of its time waiting for it.",
              "Lost to waiting: 12 % of the core time in the coupling loop. With ocean on 9 cores and atmosphere on "
              "11, "
              "the coupling loop would take about 88.6 s instead of 100 s (if both scale perfectly)."});
    run.components[0].threads = 2;
    CHECK_THAT(plain_words(run)[1], Catch::Contains("With ocean on 9 cores and atmosphere on 11, the"));
    run.balance.gain_s = 1.9; // less than 2 %
    CHECK_THAT(
        plain_words(run)[1],
        Catch::Contains(
            "loop. According to the model, no other split of the same cores would make the loop much shorter."));
}

TEST_CASE("who waits through a coupler process, waits for the slow side") {
    // ice is the coupler here, on one core: it waits 90 s for ocean and 5 for atmosphere, ocean 13 s for it.
    const ComponentBalance coupler = balance(5, 95, {{1, 90, 0}, {2, 5, 0}});
    const CoupledRun run = with_cores(
        run_with_path({balance(87, 13, {{3, 13, 0}}), balance(100, 0, {{3, 0, 0}}), coupler}, {0.0, 0.95, 0.05}, 2),
        3, 1);
    CHECK(plain_words(run)[0] ==
          "atmosphere is the bottleneck: ocean spends 13 % of its time waiting for it, through ice.");
    // Nobody but the coupler waits, and it has the fewest cores. (12 + 95) of 21 x 100 core seconds are 5.1 %.
    const std::vector<ComponentBalance> balanced = {balance(98.8, 1.2, {{3, 1, 0}}), balance(100, 0, {{3, 0, 0}}),
                                                    coupler};
    const CoupledRun even = run_with_path(balanced, {0.0, 0.95, 0.05}, 2);
    CHECK(
        plain_words(with_cores(even, 3, 1)) ==
        std::vector<std::string>{"The components are balanced: none waits more than 1.2 % of its time, except those "
                                 "that stand between others on one core: ice (95 %).",
                                 "Lost to waiting: 0.6 % of the core time in the coupling loop, ice not counted.",
                                 "Not counted as lost: 4.5 % of all core time, in which ice waits between other "
                                 "components. It has one core and cannot use fewer."});
    // On 10 cores, 12 + 950 of 3000 core seconds wait: ice could do with fewer.
    const std::vector<std::string> many = plain_words(even);
    CHECK(many[0] ==
          "atmosphere is the bottleneck: ice spends 5.0 % of its time waiting for it. The longest wait: ice "
          "spends 90 % of its time waiting for ocean.");
    CHECK_THAT(many[1], Catch::StartsWith("Lost to waiting: 32 % of the core time in the coupling loop."));
    // One that is fast and has one partner only stands between nobody.
    CHECK(plain_words(run_with_path({balance(30, 70, {{2, 70, 0}}), balance(100, 0, {{1, 0, 0}})}, {0, 1}, 2))[0] ==
          "atmosphere is the bottleneck: ocean spends 70 % of its time waiting for it.");
}

TEST_CASE("who exchanges with two that exchange with each other does not stand between them") {
    // ocean and ice each wait most of their time, and all three are each other's partners. In core time ocean waits
    // 60 s for atmosphere, and ice waits 5 s for atmosphere and 50 s for ocean.
    CHECK(plain_words(run_of({balance(40, 60, {{2, 60, 0}, {3, 0, 0}}), balance(100, 0, {{1, 0, 0}, {3, 0, 0}}),
                              balance(45, 55, {{1, 50, 0}, {2, 5, 0}})}))[0] ==
          "atmosphere seems to be the bottleneck: ocean spends 60 % of its time waiting for it and ice 5.0 %.");
}

TEST_CASE("no side is clearly slow; a longer wait for somebody else") {
    CHECK(plain_words(run_with_path({balance(90, 10, {{3, 10, 0}}), balance(90, 10, {{3, 10, 0}}),
                                     balance(80, 20, {{1, 10, 0}, {2, 10, 0}})},
                                    {0.47, 0.45, 0.05}, 1))[0] ==
          "No component is clearly the bottleneck: ocean makes up 47 % of the critical path, atmosphere 45 %; their "
          "steps are "
          "uneven, or parts of them run one after the other. The longest wait: ocean spends 10 % of its time waiting "
          "for ice.");
    CHECK(plain_words(run_with_path(
              {balance(100, 0, {{2, 0, 0}}), balance(95, 5, {{1, 5, 0}}), balance(70, 30, {{2, 30, 0}})},
              {0.9, 0.05, 0}, 1))[0] == "ocean is the bottleneck: atmosphere spends 5.0 % of its time waiting for "
                                        "it. The longest wait: ice spends 30 % of its time waiting for atmosphere.");
}

TEST_CASE("an I/O server is idle, and who waits for it is named") {
    CoupledRun run = run_with_path(
        {balance(70, 30, {{2, 10, 0}, {3, 0, 20}}), balance(100, 0, {{1, 0, 0}}), balance(5, 95, {{1, 95, 0}})},
        {0.1, 0.9, 0}, 2);
    Component &server = run.components[2];
    server.properties.is_io_server = server.balance.is_io_server = true;
    server.balance.idle_s = 95;
    run.balance.waiting_share = waiting_share_of_cores(run); // 10 x 30 of 20 x 100
    run.balance.gain_s = 0;
    CHECK(plain_words(run) ==
          std::vector<std::string>{
              "atmosphere is the bottleneck: ocean spends 10 % of its time waiting for it. The longest wait: ocean "
              "spends 20 % of its time waiting for ice.",
              "Lost to waiting: 15 % of the core time in the coupling loop, ice not counted. According to the model, "
              "no other split "
              "of the same cores would make the loop much shorter.",
              "ice is an I/O server, idle 95 % of its time (32 % of all core time); ocean spends 20 % of its time "
              "waiting for it."}); // 10 x 95 of 30 x 100 core seconds
    run.components[0].balance = balance(99, 1, {{2, 1, 0}, {3, 0, 0}});
    server.properties.is_io_server = false;
    CHECK(plain_words(run).back() ==
          "ice only takes data, idle 95 % of its time (32 % of all core time); nobody waits for it.");
    run.components[0].balance = balance(99, 1, {{2, 1, 0}}); // its sends to the server were not recorded
    CHECK(plain_words(run).back() == "ice only takes data, idle 95 % of its time (32 % of all core time).");
    CHECK(std::string(waiting_cell(server.balance).before) == "idle ");
    CHECK(waiting_cell(server.balance).value == 95);
    CHECK(std::string(waiting_cell(run.components[0].balance).before).empty());
    // In tables; id 0 is whom the model did not name.
    CHECK(awaited_text(run, server.balance, 1, 20) == "data of ocean");
    CHECK(awaited_text(run, server.balance, 0, 20) == "data");
    CHECK(awaited_text(run, run.components[0].balance, 2, 20) == "atmosphere");
    CHECK(awaited_text(run, run.components[0].balance, 0, 20) == "not known");
}

TEST_CASE("two that wait for each other") {
    const CoupledRun run = run_of({balance(60, 40, {{2, 40, 0}}), balance(65, 35, {{1, 35, 0}})});
    CHECK(plain_words(run)[0] ==
          "ocean and atmosphere wait for each other: ocean 40 % of its time for atmosphere, atmosphere 35 % of its "
          "time for ocean; parts of them run one after the other, or their steps are uneven.");
    CHECK_THAT(
        plain_words(run_with_path({balance(60, 40, {{2, 40, 0}}), balance(65, 35, {{1, 35, 0}})}, {0.4, 0.6}, 2))[0],
        Catch::EndsWith("or their steps are uneven. atmosphere is the bottleneck, with 60 % of the critical path."));
}

// Issue 51, 13: 1,000 steps of 40 ms, in which both compute 8 ms at the same time, and a field of 64 MB takes the
// other 32 ms. Of 32 ms in 40 the path holds no computing: 80 %; ocean has 12 % of it, atmosphere 8 %. 64e6 B = 61.04
// MiB; 61.04 MiB / 0.032 s = 1907 MiB/s. The field is sent 1,002 times, twice before or after the loop.
TEST_CASE("a coupling that moves much: the transfer takes the time, and neither side is slow or uneven") {
    CoupledRun run = run_with_path({balance(8, 32, {{2, 32, 0}}), balance(8, 32, {{1, 32, 0}})}, {0.12, 0.08}, 1);
    run.balance.loop_s = 40;
    run.balance.on_path_s = 8;
    run.components[0].balance.step_count = run.components[1].balance.step_count = 1000;
    const std::string begin = "The exchanges themselves take the most time",
                      end =
                          ": 80 % of the critical path passes after both sides have come; ocean, which computes most "
                          "on it, makes up 12 %. ocean spends 80 % of its time waiting in exchanges with atmosphere.";
    // Without bytes it may be something that was not recorded.
    CHECK_THAT(plain_words(run)[0], Catch::Contains("wait for each other"));
    run.components[0].fields = {{"SST", "atmosphere", 1002, 1002 * std::int64_t{64'000'000}},
                                {"SST", "ice", 1002, 1'000'000'000}};
    const std::string bytes = " (between ocean and atmosphere 61 MiB a step, at 1907 MiB/s)";
    CHECK(plain_words(run)[0] == begin + bytes + end);
    CHECK(test::what_is_false(run, {plain_words(run)[0]}).empty());
    run.balance.slow_side = 0;
    run.balance.equally_slow = {1, 2};
    CHECK(plain_words(run)[0] == begin + bytes + end);
    // Others move an eighth as much: the path's transfers may be theirs.
    run.components[0].fields[1].bytes = 1002 * std::int64_t{8'000'000};
    CHECK_THAT(plain_words(run)[0], !Catch::Contains("exchanges themselves"));
    // 0.095 MiB a step are no transfer that takes time.
    run.components[0].fields = {{"SST", "atmosphere", 1002, 1002 * std::int64_t{100'000}}};
    CHECK_THAT(plain_words(run)[0], !Catch::Contains("exchanges themselves"));
    // With 46 % of the path beside computing, atmosphere's 42 % is not clearly less: 4 points.
    run.balance.slow_side = 2;
    run.balance.equally_slow.clear();
    run.balance.on_path_s = 0.54 * 40;
    run.components[1].balance.critical_share = 0.42;
    CHECK_THAT(plain_words(run)[0], Catch::Contains("wait for each other"));
}

TEST_CASE("a false sentence on transfers is found") {
    CoupledRun run = run_with_path({balance(8, 32, {{2, 32, 0}}), balance(8, 32, {{1, 32, 0}})}, {0.12, 0.08}, 1);
    run.balance.loop_s = 40;
    run.balance.on_path_s = 8;
    run.components[0].balance.step_count = 1000;
    const auto wrong = [&](const std::string &share, const std::string &second, const std::string &wait,
                           const std::string &rate) {
        return !test::what_is_false(
                    run,
                    {"The exchanges themselves take the most time (between ocean and atmosphere 61 MiB a step, at " +
                     rate + " MiB/s): " + share +
                     " of the critical path passes after both sides have come; ocean, which computes most on it, "
                     "makes up " +
                     second + ". ocean spends " + wait + " of its time waiting in exchanges with atmosphere."})
                    .empty();
    };
    CHECK_FALSE(wrong("80 %", "12 %", "80 %", "1907"));
    CHECK(wrong("70 %", "12 %", "80 %", "1907"));
    CHECK(wrong("80 %", "8.0 %", "80 %", "1907"));
    CHECK(wrong("80 %", "12 %", "60 %", "1907"));
    CHECK(wrong("80 %", "12 %", "80 %", "1526")); // 61 MiB / 40 ms: the whole step
    run.components[1].balance.critical_share = 0.76;
    CHECK(wrong("80 %", "12 %", "80 %", "1907"));
}

TEST_CASE("the verdict says that it does not see other threads") {
    CoupledRun run = run_of({balance(77, 23, {{2, 23, 0}}), balance(100, 0, {{1, 0, 0}})});
    const std::size_t before = plain_words(run).size();
    run.run.elsewhere_calls = 2400;
    run.run.elsewhere_s = 1.25;
    REQUIRE(plain_words(run).size() == before + 1);
    CHECK(plain_words(run).back() == "Threads other than the one of MPI_Init called MPI 2400 times (1.25 s, all "
                                     "processes together): these figures do not show who waits there.");
}

namespace {

// A process of it had no processor for so long in its loop of 100 s, and so much of that outside of MPI.
void disturb(Component &component, double seconds, double outside_s, std::int32_t process) {
    component.no_processor.most_outside = process;
    component.no_processor.of_processes = {};
    component.no_processor.of_processes.add(0.5);
    component.no_processor.of_processes.add(seconds);
    component.no_processor.outside = {};
    component.no_processor.outside.add(outside_s);
    component.no_processor.most = process + 1; // another one: it waited
}

} // namespace

// 5 of 100 s are the bound.
TEST_CASE("a disturbed run is named where that explains who is waited for") {
    CoupledRun run = run_with_path({balance(60, 40, {{2, 40, 0}}), balance(100, 0, {{1, 0, 0}})}, {0.1, 0.9}, 2);
    disturb(run.components[1], 8, 4.9, 12);
    CHECK(plain_words(run).size() == 2); // it may have been ready only while it waited
    disturb(run.components[1], 8, 5, 12);
    CHECK(plain_words(run).front() ==
          "Caution: processes of atmosphere were ready to compute and had no core for up to 5 s "
          "(5.0 %) of the loop, process 12 most, so these figures may be unreliable.");
    // More of the ocean's, for which nobody waits, explains nothing.
    disturb(run.components[0], 20, 20, 3);
    CHECK_THAT(plain_words(run).front(), Catch::Contains("processes of atmosphere"));
    run.components[1].no_processor = {};
    CHECK(plain_words(run).size() == 2);
}

// What 0.2.0 called disturbed: more threads than processors, MPI's own yielding.
TEST_CASE("processes that share a processor and lose nothing are not disturbed") {
    CoupledRun run = run_with_path({balance(60, 40, {{2, 40, 0}}), balance(100, 0, {{1, 0, 0}})}, {0.1, 0.9}, 2);
    run.meters.crowding.add(2.5);
    run.meters.switches_per_s.add(174'543);
    CHECK(plain_words(run).size() == 2);
    disturb(run.components[0], 30, unknown, 0);
    disturb(run.components[1], 0.5, unknown, 1);
    CHECK(plain_words(run).size() == 2);
}

// ocean waits 40 of 100 s for atmosphere: half of that is 20.
TEST_CASE("two wait for each other where one waits at least half as long as the other") {
    const auto says_so = [](const CoupledRun &run) {
        return plain_words(run)[0].find("wait for each other") != std::string::npos;
    };
    for (const auto &[back_s, expected] : {std::pair{21.0, true}, {19.0, false}}) {
        INFO(back_s);
        const std::vector<ComponentBalance> both = {balance(60, 40, {{2, 40, 0}}),
                                                    balance(100 - back_s, back_s, {{1, back_s, 0}})};
        CHECK(says_so(run_of(both)) == expected);
        CHECK(says_so(run_with_path(both, {0.48, 0.5}, 2)) == expected);
    }
}

TEST_CASE("the longest wait of the run always stands in the verdict") {
    // A (ocean) waits 43 s for B; B and C (atmosphere, ice) wait 6.5 and 14 s for each other.
    const ComponentBalance a = balance(57, 43, {{2, 43, 0}}), b = balance(93.5, 6.5, {{3, 6.5, 0}, {1, 0, 0}}),
                           c = balance(86, 14, {{2, 14, 0}});
    CHECK(plain_words(run_with_path({a, b, c}, {0.1, 0.45, 0.43}, 2))[0] ==
          "No component is clearly the bottleneck: atmosphere makes up 45 % of the critical path, ice 43 %; their "
          "steps are "
          "uneven, or parts of them run one after the other. The longest wait: ocean spends 43 % of its time waiting "
          "for atmosphere.");
    const ComponentBalance even = balance(87, 13, {{3, 13, 0}, {1, 0, 0}});
    CHECK(plain_words(run_with_path({a, even, c}, {0.1, 0.45, 0.43}, 2))[0] ==
          "ice and atmosphere wait for each other: ice 14 % of its time for atmosphere, atmosphere 13 % of its time "
          "for ice; parts of them run one after the other, or their steps are uneven. The longest wait: ocean spends "
          "43 % of its time waiting for atmosphere.");
    // The slow side's own wait, for one without a name.
    CHECK_THAT(
        plain_words(
            run_with_path({balance(95, 5, {{2, 5, 0}}), balance(70, 30, {{0, 30, 0}, {1, 0, 0}})}, {0.2, 0.7}, 2))[0],
        Catch::EndsWith("The longest wait: atmosphere spends 30 % of its time waiting for one without a name."));
}

// 10 cores each, the coupler (ice) one: its 95 s cannot be saved. The ocean waits 13 of 100 s: (13 + 0) / 200 = 6.5
// %; of all core time the coupler waits 95 / 2100 = 4.5 %. On 10 cores its waiting is lost as that of any other: (13
// + 0 + 95) / 300 = 36 %, and on 2 cores (130 + 190) / 2200 = 15 %.
TEST_CASE("the waiting of a hub is lost core time, but on one core") {
    const CoupledRun run = run_with_path(
        {balance(87, 13, {{3, 13, 0}}), balance(100, 0, {{3, 0, 0}}), balance(5, 95, {{1, 5, 0}, {2, 90, 0}})},
        {0.1, 0.85, 0.05}, 2);
    CHECK(run.balance.waiting_share == Approx(0.36));
    CHECK_THAT(plain_words(run)[1],
               Catch::StartsWith("Lost to waiting: 36 % of the core time in the coupling loop."));
    CHECK_THAT(plain_words(run)[0], Catch::Contains("ice spends 90 % of its time waiting for it"));
    CHECK(with_cores(run, 3, 2).balance.waiting_share == Approx(320.0 / 2200));
    const CoupledRun on_one = with_cores(run, 3, 1);
    CHECK(on_one.balance.waiting_share == Approx(0.065));
    const std::vector<std::string> words = plain_words(on_one);
    REQUIRE(words.size() == 3);
    CHECK_THAT(words[1],
               Catch::StartsWith("Lost to waiting: 6.5 % of the core time in the coupling loop, ice not counted."));
    CHECK(words[2] ==
          "Not counted as lost: 4.5 % of all core time, in which ice waits between other components. It has "
          "one core and cannot use fewer.");
}

// Two couplers on one core each, between two models on 4: 2 x 98 of 10 x 100 core seconds, 19.6 %.
TEST_CASE("several that stand between others on one core") {
    CoupledRun run = run_with_path({balance(100, 0, {{3, 0, 0}, {4, 0, 0}}), balance(100, 0, {{3, 0, 0}, {4, 0, 0}}),
                                    balance(2, 98, {{1, 98, 0}}), balance(2, 98, {{2, 98, 0}})},
                                   {0.5, 0.5, 0, 0}, 0);
    for (std::int32_t id = 1; id <= 4; ++id)
        run = with_cores(std::move(run), id, id <= 2 ? 4 : 1);
    CHECK(plain_words(run) ==
          std::vector<std::string>{
              "The components are balanced: none waits more than 0.1 % of its time, except those "
              "that stand between others on one core: ice (98 %) and land (98 %).",
              "Lost to waiting: less than 0.1 % of the core time in the coupling loop, ice and land not counted.",
              "Not counted as lost: 20 % of all core time, in which ice and land wait between "
              "other components. Each has one core and cannot use fewer."});
}

// A relay between ocean and atmosphere: id 3 is no recorded component. The two seem to wait for each other through
// it.
TEST_CASE("whoever waits for one that was not recorded: no slow side, and nobody waits for each other") {
    const std::string words = plain_words(
        run_of({balance(60, 40, {{2, 10, 0}, {3, 30, 0}}), balance(65, 35, {{1, 10, 0}, {3, 25, 0}})}))[0];
    CHECK(words ==
          "ice was not recorded, and without its record nobody can know what the bottleneck is: ocean spends 30 "
          "% of its time waiting for it and atmosphere 25 %.");
    CoupledRun run = run_of({balance(60, 40, {{3, 40, 0}}), balance(100, 0, {})});
    run.component_names[2] = "not recorded"; // by cpl-lb-record
    CHECK(plain_words(run)[0] == "A program was not recorded, and without its record nobody can know what the "
                                 "bottleneck is: ocean spends 40 % of its time waiting for it.");
    // It was spawned, or connected (id 3 once more).
    run.component_names[2] = "another MPI world";
    const std::string exchanges = "This run exchanges with a program that has an MPI_COMM_WORLD of its own "
                                  "(MPI_Comm_spawn, MPI_Comm_connect)";
    const std::string elsewhere =
        ". That program is another run: if it was recorded, its result is in the folder that "
        "it names at its end. Which of them is slow cannot be known from one of the results.";
    CHECK(plain_words(run)[0] == exchanges + ": ocean spends 40 % of its time waiting for it" + elsewhere);
    // The longest wait is for one that was not recorded, and then 1 s of 100 for the other: it is told all the same.
    run.component_names.emplace_back("land");
    for (const double wait_s : {10.0, 1.0}) {
        run.components[0].balance = balance(60, 40, {{3, wait_s, 0}, {4, 40 - wait_s, 0}});
        const std::vector<std::string> said = plain_words(run);
        CHECK_THAT(said[0], Catch::StartsWith("land was not recorded, "));
        const std::string waiters = wait_s == 1 ? "" : ": ocean spends 10 % of its time waiting for it";
        CHECK(std::ranges::count(said, exchanges + waiters + elsewhere) == 1);
    }
    // Little is waited for it: the path tells.
    CHECK_THAT(plain_words(run_with_path({balance(60, 40, {{2, 39, 0}, {3, 1, 0}}), balance(100, 0, {{1, 0, 0}})},
                                         {0.2, 0.8}, 2))[0],
               Catch::StartsWith("atmosphere is the bottleneck: "));
}

// All exchange with the hub alone (id 3), which computes 2 of 100 s.
TEST_CASE("a hub that waits most of its own time is never the slow side") {
    const ComponentBalance hub = balance(2, 98, {{1, 30, 0}, {2, 68, 0}});
    CHECK(plain_words(run_of({balance(60, 40, {{3, 40, 0}}), balance(95, 5, {{3, 5, 0}}), hub}))[0] ==
          "atmosphere seems to be the bottleneck: ice spends 68 % of its time waiting for it.");
    // Nobody knows for whom it waits.
    CHECK(plain_words(run_of({balance(60, 40, {{3, 40, 0}}), balance(95, 5, {{3, 5, 0}}), balance(2, 98, {})}))[0] ==
          "The bottleneck is not known: ice waits most of its own time, and ocean spends 40 % of its time waiting "
          "for it and atmosphere 5.0 %.");
    // The ocean's waits for the atmosphere are less than those for the hub, and tell who is slow.
    CHECK(plain_words(run_of({balance(60, 40, {{2, 10, 0}, {3, 30, 0}}), balance(95, 5, {{3, 1, 0}}), hub}))[0] ==
          "atmosphere seems to be the bottleneck: ice spends 68 % of its time waiting for it and ocean 10 %.");
}

// The ocean waits for the hub for the atmosphere, the hub for the ocean: nothing runs one after the other by that.
TEST_CASE("nobody and a hub wait for each other") {
    const ComponentBalance hub = balance(10, 90, {{1, 50, 0}, {2, 40, 0}});
    CHECK(plain_words(
              with_cores(run_of({balance(55, 45, {{3, 45, 0}}), balance(60, 40, {{3, 40, 0}}), hub}), 3, 1))[0] ==
          "The bottleneck is not known: ice waits most of its own time, and ocean spends 45 % of its time waiting "
          "for it and atmosphere 40 %.");
}

// ocean waits so many of 100 s, atmosphere never; the cores wait half of that share.
TEST_CASE("from 2 % on a wait is told, and waiting is worth a search") {
    const auto words = [](double wait_s) {
        return plain_words(run_of({balance(100 - wait_s, wait_s, {{2, wait_s, 0}}), balance(100, 0, {{1, 0, 0}})}));
    };
    CHECK_THAT(words(1.9)[0], Catch::StartsWith("The components are balanced: "));
    CHECK(words(2.4)[0] == "atmosphere seems to be the bottleneck: ocean spends 2.4 % of its time waiting for it.");
    CHECK_THAT(words(3.8)[1],
               Catch::Contains("1.9 % of the core time in the coupling loop. Little is left to gain."));
    CHECK_THAT(words(4.8)[1], Catch::Contains("2.4 % of the core time in the coupling loop. The possible gain"));
}

TEST_CASE("balanced components") {
    const CoupledRun run = run_of({balance(98.5, 1.5, {{2, 1.5, 0}}), balance(100, 0, {{1, 0, 0}})});
    const std::vector<std::string> words = plain_words(run);
    CHECK(words[0] == "The components are balanced: none waits more than 1.5 % of its time.");
    CHECK(words[1] == "Lost to waiting: 0.8 % of the core time in the coupling loop. Little is left to gain.");
}

TEST_CASE("one that sends, and one that only takes data and idles") {
    // 10 cores each; the atmosphere idles 98 of 100 s: 49 % of the core time of both.
    CoupledRun run = run_of({balance(99.5, 0.5, {{2, 0.5, 0}}), balance(2, 98, {{1, 98, 0}})});
    run.components[1].balance.is_io_server = true;
    run.components[1].balance.idle_s = 98;
    run.balance.waiting_share = waiting_share_of_cores(run); // 0.5 %
    const std::vector<std::string> words = plain_words(run);
    CHECK(words[0] == "ocean hardly waits: 0.5 % of its time.");
    CHECK(words[1] == "Lost to waiting: 0.5 % of the core time in the coupling loop, atmosphere not counted.");
    CHECK(words[2] ==
          "atmosphere only takes data, idle 98 % of its time (49 % of all core time); nobody waits for it.");
}

TEST_CASE("one recorded component") {
    CHECK(plain_words(run_of({balance(70, 30, {{2, 30, 0}})})) ==
          std::vector<std::string>{"atmosphere was not recorded, and without its record nobody can know what the "
                                   "bottleneck is: ocean spends 30 % of its time waiting for it.",
                                   "Its cores wait 30 % of the time in the coupling loop."});
    CHECK(plain_words(run_of({balance(70, 30, {{0, 30, 0}})}))[0] ==
          "ocean spends 30 % of its time waiting in exchanges whose other end is not known.");
    CHECK(plain_words(run_of({balance(70, 30, {{1, 30, 0}})}))[0] ==
          "ocean spends 30 % of its time waiting in exchanges with itself.");
    CHECK(plain_words(run_of({balance(99.5, 0.5, {{2, 0.5, 0}})}))[0] == "ocean hardly waits: 0.5 % of its time.");
}

// It waits 0.5 of 100 s. What is outside the run may wait for it all the time.
TEST_CASE("one that hardly waits for a program outside the run: nobody knows what is left to gain") {
    for (const std::string outside : {"atmosphere", "not recorded", "another MPI world"}) {
        CoupledRun run = run_of({balance(99.5, 0.5, {{2, 0.5, 0}})});
        run.component_names[1] = outside;
        run.balance.waiting_share = waiting_share_of_cores(run);
        const std::string left = outside == "atmosphere" ? " Little is left to gain." : "";
        CHECK(plain_words(run)[1] == "Lost to waiting: 0.5 % of the core time in the coupling loop." + left);
    }
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

TEST_CASE("windows in which nobody sees who waits: that is said, and no verdict") {
    // 5 of 100 s in messages. Each process of the ocean polls twice in each of 20 steps, and may wait for any time.
    CoupledRun run = run_of({balance(95, 5, {{2, 5, 0}}), balance(100, 0, {{1, 0, 0}})});
    for (Component &c : run.components)
        c.balance.step_count = 20;
    const auto processes = static_cast<std::int64_t>(run.components[0].ranks.size());
    run.components[0].fields = {{"window accesses", "atmosphere", 2 * 20 * processes, 0}};
    run.balance.waiting_share = waiting_share_of_cores(run);
    CHECK_FALSE(is_known(run.balance.waiting_share));
    const std::string hidden =
        "ocean and atmosphere exchange through windows of MPI: who waits there is not known, and "
        "looks like computing. So who is slow, and what another split could gain, cannot be known.";
    CHECK(plain_words(run) ==
          std::vector{hidden + " In other exchanges ocean spends 5.0 % of its time waiting for atmosphere."});
    // A window of the set-up, or shared memory: the messages tell what they did.
    for (const FieldTraffic &field : {FieldTraffic{"window accesses", "atmosphere", 20 * processes - 1, 0},
                                      {"shared memory", "atmosphere", 1, 0}}) {
        run.components[0].fields = {field};
        const auto words = plain_words(run);
        CHECK(words[0] ==
              "ocean and atmosphere exchange through windows of MPI, too: who waits there is not known, and "
              "looks like computing.");
        CHECK(words[1] == "atmosphere seems to be the bottleneck: ocean spends 5.0 % of its time waiting for it.");
    }
    // Shared memory alone; and so of the parts of a program, which do not know each other's names.
    for (Component &c : run.components)
        c.balance.waiting_for.clear();
    CHECK(plain_words(run) == std::vector{hidden});
    run.components[0].fields = {{"shared memory", "another part", 1, 0}};
    CHECK(plain_words(run) == std::vector{hidden});
    run.components[0].fields = {{"window accesses", "not recorded", 20, 0}};
    CHECK(plain_words(run)[0].starts_with(
        "ocean and a program that was not recorded exchange through windows of MPI: "));
}

TEST_CASE("what the figures do not know is said first") {
    CoupledRun run = run_of({balance(77, 23, {{2, 23, 0}}), balance(100, 0, {{1, 0, 0}})});
    CHECK(said_first(run).empty());
    run.run.processes = 2;
    run.run.missing_count = 3;
    run.run.missing = {2, 3, 4};
    CHECK(plain_words(run)[0] == "3 of 5 processes are missing: ranks 2 to 4. The figures cover only the others.");
    CHECK(plain_words(run)[1] == verdict_words(run)[0]);
    run.run.missing_count = 1;
    run.run.missing = {7};
    CHECK_THAT(plain_words(run)[0], Catch::StartsWith("1 of 3 processes is missing: rank 7."));
    run.run.missing_count = 2;
    run.run.missing = {4, 5};
    CHECK_THAT(plain_words(run)[0], Catch::Contains(": ranks 4 and 5."));
    run.run.missing_count = 6;
    run.run.missing = {1, 4, 5, 6, 9, 11};
    CHECK_THAT(plain_words(run)[0], Catch::Contains(": ranks 1, 4 to 6, 9 and 11."));
    run.run.missing_count = 4000; // the first are named only
    CHECK_THAT(plain_words(run)[0], Catch::Contains(": ranks 1, 4 to 6, 9, 11 and 3994 more."));
    run.run.missing_count = 0;
    run.run.origin = Origin::recovered;
    run.components[0].dropped_events = 17;
    CHECK(said_first(run) ==
          std::vector<std::string>{
              "The run did not end: these figures cover what its processes had recorded until then.",
              "17 events of ocean were dropped, because the memory for them was full: the figures cover the time "
              "before that."});
    run.run.origin = Origin::imported;
    CHECK_THAT(said_first(run)[0], Catch::StartsWith("The run was not recorded by cpl_lb"));
}

// 100 s: the ocean computes 2 s in each of 20 steps, then 1 s in each of 60; the atmosphere has a pattern only.
TEST_CASE("what changes for good is said first, a pattern and the advice after the verdict") {
    CoupledRun run = run_with_path({balance(77, 23, {{2, 23, 0}}), balance(100, 0, {{1, 0, 0}})}, {0.02, 0.97}, 2);
    run.balance.best_s = 88.6;
    run.balance.gain_s = 11.4;
    run.balance.best_cores = {9, 11};
    ComputingChange ocean, air;
    ocean.component = 1;
    ocean.parts = {{1, 20, 0, 40, 2}, {21, 80, 40, 100, 1}};
    air.component = 2;
    air.pattern = {3, 1, 2, 1};
    run.balance.computing_changes = {ocean, air};
    const std::vector<std::string> words = plain_words(run);
    REQUIRE(words.size() == 5);
    CHECK(words[0] == "ocean computes 2 s a step until step 20 of its loop, then 1 s.");
    CHECK(said_first(run) == std::vector<std::string>{words[0]});
    CHECK_THAT(words[1], Catch::StartsWith("atmosphere is the bottleneck"));
    CHECK_THAT(words[2], Catch::Contains("would take about"));
    CHECK(words[3] == "atmosphere computes 2 s in 1 of every 3 steps, and 1 s in the others.");
    CHECK(words[4] == "These figures and the best split describe the whole loop, not any single part of it.");
    run.balance.best_s = run.balance.gain_s = unknown;
    run.balance.why_no_gain = "it was not looked for";
    CHECK(plain_words(run).back() == "These figures describe the whole loop, not any single part of it.");
}

TEST_CASE("a title is a name, not an id that was made up") {
    CoupledRun run = run_of({balance(77, 23, {{2, 23, 0}}), balance(100, 0, {{1, 0, 0}})});
    run.run.started = "2026-11-22T00:00:00Z";
    run.run.id = "2026-11-22T00:00:00Z-1f2e";
    CHECK(run_title(run) == "ocean and atmosphere");
    run.run.id = "piControl";
    CHECK(run_title(run) == "piControl");
    CHECK(run_title(CoupledRun{}) == "a coupled run");
    // The importer makes up names, too; --run gives one.
    run.run.origin = Origin::imported;
    run.run.id = "esmf-2026-11-22T00:00:00Z";
    CHECK(run_title(run) == "ocean and atmosphere");
    run.run.id = "esmf-piControl";
    CHECK(run_title(run) == "esmf-piControl");
    run.run.started.clear();
    run.run.id = "esmf-3-17";
    CHECK(run_title(run) == "ocean and atmosphere");
}
