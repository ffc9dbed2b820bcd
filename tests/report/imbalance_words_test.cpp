// Why processes wait for each other, in words and as a table; start-up in words. Literals with known figures.
#include "analysis/waiting_share.hpp"
#include "report/text_sections.hpp"
#include "report/verdict_parts.hpp"
#include "tests/inside_run.hpp"
#include "tests/report/checked_words.hpp"
#include "tests/report/example_run.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;

namespace {

// A loop of 100 s, in which the processes wait for each other 20 s.
CoupledRun with_parts(double processes_s, double random_s) {
    CoupledRun run;
    run.run.wall_s = 110;
    run.component_names = {"ocean"};
    run.components = {test::component("ocean", 1, 0, 4, from_seconds(110))};
    ComponentBalance &b = run.components[0].balance;
    b = test::balance(99, 1, {{2, 1, 0}});
    b.imbalance_s = processes_s + random_s;
    ImbalanceParts &p = b.imbalance_parts;
    p.processes_s = processes_s;
    p.random_s = random_s;
    p.why_no_nodes = "its processes are on one node";
    p.exchanges = 200;
    p.last = {{1, 0.95, 0.25}, {3, 0.05, 0.01}};
    return run;
}

// MPI was recorded: in the loop of 100 s the processes are so long in collective operations inside.
void record_mpi(Component &c, Spread in_collectives_s) {
    c.inside.length_s = 100;
    c.inside.useful_s = test::spread_of({80, 99});
    c.inside.exchanges_s = test::spread_of({1, 20});
    for (Spread &one : c.inside.in_class_s)
        one = test::spread_of({0, 0});
    c.inside.in_class_s[static_cast<std::size_t>(MpiClass::collective)] = in_collectives_s;
}

} // namespace

// Issue 51, 4: nothing inside makes independent pairs wait. The first is 90 s apart from the last, in the mean of
// both 45.
TEST_CASE("arrivals that nothing makes equal are a spread, no waiting") {
    CoupledRun run = with_parts(90, 0);
    run.components[0].balance.imbalance_parts.mean_s = 45;
    record_mpi(run.components[0], test::spread_of({0, 0}));
    CHECK(imbalance_sentence(run) ==
          "Inside ocean, processes come to exchanges at different times (90 % of the time lies between the first and "
          "the last), but they can have waited for each other less than 0.1 % of the time (no process is in MPI "
          "inside the component for longer): process 1 is nearly always last (90 %).");
    CHECK(test::what_is_false(run, {imbalance_sentence(run)}).empty());
}

// Of the 15 s from the first to the last, the mean process comes 5 s after the first: it would wait 10 s.
TEST_CASE("no more is called waiting than a process is in MPI inside") {
    CoupledRun run = with_parts(12, 3);
    Component &ocean = run.components[0];
    ocean.balance.imbalance_parts.mean_s = 5;
    const auto all = [&](double most_s) {
        record_mpi(ocean, test::spread_of({0.5, most_s}));
        CHECK(test::what_is_false(run, {imbalance_sentence(run)}).empty());
        return imbalance_sentence(run);
    };
    // 20 s in MPI are enough for 10 of 15: 12 x 10/15 = 8, 3 x 10/15 = 2; in 6 s go 6/15: 12 x 0.4 = 4.8, 3 x 0.4
    // = 1.2.
    CHECK(all(20) == "Inside ocean, processes spend 10 % of the time waiting for each other: process 1 is nearly "
                     "always last (8.0 %), the rest differs each time (2.0 %).");
    CHECK(all(6) == "Inside ocean, processes spend 6.0 % of the time waiting for each other: process 1 is nearly "
                    "always last (4.8 %), the rest differs each time (1.2 %).");
    // Less than half of 10 s.
    CHECK(all(4.9) ==
          "Inside ocean, processes come to exchanges at different times (15 % of the time lies between the first and "
          "the last), but they can have waited for each other 4.9 % of the time (no process is in MPI inside the "
          "component for longer): process 1 is nearly always last (12 %), the rest differs each time (3.0 %).");
    // Processes that write a file together wait, too: with 2 s there it is 6.9 s, no longer less than half of 10 s.
    record_mpi(ocean, test::spread_of({0.5, 4.9}));
    ocean.inside.in_class_s[static_cast<std::size_t>(MpiClass::files)] = test::spread_of({0, 2});
    CHECK(imbalance_sentence(run).starts_with(
        "Inside ocean, processes spend 6.9 % of the time waiting for each other"));
    // An operation over several components is one that all of its processes join: up to 20 s in exchanges are more.
    ocean.balance.waiting_for[0].sync_s = 0.5;
    CHECK(all(4.9).starts_with("Inside ocean, processes spend 10 % of the time waiting for each other"));
}

TEST_CASE("without MPI, who is a step ahead of the last one does not wait for it") {
    CoupledRun run = with_parts(12, 3);
    double &overtaken_s = run.components[0].balance.imbalance_parts.overtaken_s;
    overtaken_s = 7; // less than half of 15 s
    CHECK(imbalance_sentence(run).starts_with("Inside ocean, processes spend 15 % of the time waiting"));
    CHECK(test::what_is_false(run, {imbalance_sentence(run)}).empty());
    overtaken_s = 8;
    CHECK(imbalance_sentence(run) ==
          "Inside ocean, processes come to exchanges at different times (15 % of the time lies between the first and "
          "the last), but they can have waited for each other 7.0 % of the time (in the rest the first are already a "
          "coupling "
          "step ahead): process 1 is nearly always last (12 %), the rest differs each time "
          "(3.0 %).");
    CHECK(test::what_is_false(run, {imbalance_sentence(run)}).empty());
}

TEST_CASE("waiting is told before a larger spread of another component") {
    CoupledRun run = with_parts(90, 0);
    run.component_names.emplace_back("ice");
    run.components[0].balance.imbalance_parts.overtaken_s = 80;
    run.components.push_back(with_parts(6, 0).components[0]);
    run.components[1].id = 2;
    run.components[1].name = "ice";
    CHECK(imbalance_sentence(run) ==
          "Inside ice, processes spend 6.0 % of the time waiting for each other: process 1 is "
          "nearly always last (6.0 %).");
    CHECK(test::what_is_false(run, {imbalance_sentence(run)}).empty());
    run.components[1].balance.imbalance_s = 4.9;
    CHECK(imbalance_sentence(run).starts_with("Inside ocean, processes come to exchanges at different times"));
    CHECK(test::what_is_false(run, {imbalance_sentence(run)}).empty());
}

TEST_CASE("one process that is always last, and a rest") {
    const CoupledRun run = with_parts(12, 3);
    CHECK(imbalance_sentence(run) ==
          "Inside ocean, processes spend 15 % of the time waiting for each other: process 1 is nearly "
          "always last (12 %), the rest differs each time (3.0 %).");
    CHECK(test::what_is_false(run, {imbalance_sentence(run)}).empty());
}

TEST_CASE("the largest part comes first, and small ones are not said") {
    CoupledRun run = with_parts(4, 10.5);
    ImbalanceParts &p = run.components[0].balance.imbalance_parts;
    p.why_no_nodes = "";
    p.nodes_s = 5.5;
    p.late_node_process = 2;
    p.last[0].share = 0.4;
    run.components[0].balance.imbalance_s = 20;
    CHECK(imbalance_parts_in_words(run.components[0]) == "the processes on node of process 2 are late as a rule (5.5 "
                                                         "%), the same processes are late as a rule, mostly "
                                                         "process 1 (4.0 %), the rest differs each time (10 %)");
    CHECK(test::what_is_false(run, {imbalance_sentence(run)}).empty());
    p.processes_s = 1.5;
    p.random_s = 13;
    CHECK(imbalance_parts_in_words(run.components[0]).find("the same processes") == std::string::npos);
    CHECK(test::what_is_false(run, {imbalance_sentence(run)}).empty());
}

TEST_CASE("steps that stall are said once, with the step and its seconds") {
    CoupledRun run = with_parts(8, 7);
    Stalls &stalls = run.components[0].balance.imbalance_parts.stalls;
    stalls = {1, 3, 512, 3};
    CHECK(imbalance_parts_in_words(run.components[0]) ==
          "process 1 is nearly always last (8.0 %), the rest differs each time (7.0 %); step 512 stalls (3.000 s)");
    CHECK(test::what_is_false(run, {imbalance_sentence(run)}).empty());
    CHECK(imbalance_section(run).text.find("ocean: step 512 stalls (3.000 s)\n") != std::string::npos);
    stalls = {4, 6, 512, 3};
    CHECK(imbalance_parts_in_words(run.components[0])
              .ends_with("; 4 steps stall (6.000 s), step 512 for longest (3.000 s)"));
    CHECK(test::what_is_false(run, {imbalance_sentence(run)}).empty());
    stalls = {1, 1, 512, 1}; // less than a tenth of 15 s
    CHECK(imbalance_parts_in_words(run.components[0]).find("stall") == std::string::npos);
    CHECK(imbalance_section(run).text.find("stall") == std::string::npos);
}

TEST_CASE("the region in which a process is late") {
    CoupledRun run = with_parts(12, 3);
    // Process 1 is 12 s late in all: 11 s in dynamics, of these 10.5 s in advection inside it, and 1 s in physics.
    const auto region = [](const char *name, double fastest_s, double slowest_s, std::int32_t slowest) {
        RegionSummary r;
        r.name = name;
        r.min_s = fastest_s;
        r.max_s = slowest_s;
        r.slowest = slowest;
        return r;
    };
    Component &ocean = run.components[0];
    ocean.regions = {region("dynamics", 40, 51, 1), region("advection", 20, 30.5, 1), region("physics", 20, 21, 1),
                     region("ice", 1, 30, 2)};
    CHECK(imbalance_parts_in_words(ocean) ==
          "process 1 is nearly always last, in region advection (12 %), the rest differs each time (3.0 %)");
    CHECK(test::what_is_false(run, {imbalance_sentence(run)}).empty());
    ocean.regions = {region("physics", 20, 21, 1)};
    CHECK(imbalance_parts_in_words(ocean).starts_with("process 1 is nearly always last (12 %)"));
}

TEST_CASE("a node by its name, or by a process of it") {
    CoupledRun run = with_parts(1, 1);
    ImbalanceParts &p = run.components[0].balance.imbalance_parts;
    p.why_no_nodes = "";
    p.nodes_s = 13;
    run.components[0].balance.imbalance_s = 15;
    p.late_node_process = 2;
    CHECK(imbalance_parts_in_words(run.components[0]) ==
          "the processes on node of process 2 are late as a rule (13 %)");
    p.late_node = "nid0007";
    CHECK(imbalance_parts_in_words(run.components[0]) == "the processes on node nid0007 are late as a rule (13 %)");
}

TEST_CASE("the rest alone is said to differ each time, and a small imbalance is not said") {
    CHECK(imbalance_sentence(with_parts(0.2, 9.8)) == "Inside ocean, processes spend 10 % of the time waiting for "
                                                      "each other: who is late, and by how much, differs "
                                                      "each time.");
    CHECK(imbalance_sentence(with_parts(4.9, 0)).empty());
    CoupledRun not_known = with_parts(12, 3);
    not_known.components[0].balance.imbalance_parts = {};
    CHECK(imbalance_sentence(not_known).empty());
    CHECK(imbalance_section(not_known).text.empty());
}

TEST_CASE("the section has a line for who is last, and for what is missing") {
    const std::string text = imbalance_section(with_parts(12, 3)).text;
    CHECK(text.find("ocean: process 1 is last for 95 % of the imbalance, 0.250 s later than the mean\n") !=
          std::string::npos);
    CHECK(text.find("ocean: same nodes n/a, because its processes are on one node\n") != std::string::npos);
}

TEST_CASE("a false sentence on the imbalance is found") {
    const CoupledRun run = with_parts(12, 3);
    const auto wrong = [&](const std::string &text) { return !test::what_is_false(run, {text}).empty(); };
    CHECK(wrong("Inside ocean, processes spend 25 % of the time waiting for each other: process 1 is nearly always "
                "last (12 %), the "
                "rest differs each time (3.0 %)."));
    CHECK(wrong("Inside ocean, processes spend 15 % of the time waiting for each other: the rest differs each time "
                "(3.0 %)."));
    CHECK(wrong("Inside ocean, processes spend 15 % of the time waiting for each other: who is late, and by "
                "how much, differs each time."));
    CHECK(
        wrong("Inside ocean, processes come to exchanges at different times (15 % of the time lies between the first "
              "and the last), but they can have waited for each other 7.0 % of the time (in the rest the first "
              "are already a coupling step ahead): process 1 is nearly always last (12 %), the rest differs "
              "each time (3.0 %)."));
    CoupledRun apart = run;
    apart.components[0].balance.imbalance_parts.overtaken_s = 8;
    CHECK_FALSE(test::what_is_false(apart, {imbalance_sentence(run)}).empty());
}

TEST_CASE("start-up in words") {
    CoupledRun run = with_parts(0, 0);
    Component &ocean = run.components[0];
    ocean.balance.startup.length_s = 9;
    CHECK(startup_sentence(run).empty()); // 9 of 110 s
    run.run.wall_s = 80;
    ocean.balance.startup.setup_s = 7;
    CHECK(startup_sentence(run) ==
          "Start-up takes 9 s, 11 % of the run: ocean is the last to begin its coupling loop, with "
          "7 s in the coupler's set-up.");
    CHECK(test::what_is_false(run, {startup_sentence(run)}).empty());
    ocean.inside.startup_s.add(5); // of 9 s
    CHECK(startup_sentence(run) ==
          "Start-up takes 9 s, 11 % of the run: ocean is the last to begin its coupling loop, with "
          "7 s in the coupler's set-up, and 5 s in MPI inside the component.");
    CHECK(test::what_is_false(run, {startup_sentence(run)}).empty());
    ocean.balance.startup.setup_s = 0;
    CHECK(startup_sentence(run) ==
          "Start-up takes 9 s, 11 % of the run: ocean is the last to begin its coupling loop, with "
          "5 s in MPI inside the component.");
    ocean.balance.startup.setup_s = 7;
    ocean.inside = {};
    // 98 + 2 exchanges in 100 days: a step of a day in 100 / 98 s.
    ocean.balance.step_count = 98;
    run.run.simulated_s = 100 * 86'400.0;
    // 9 + 365 x 100 / 98 + 110 - 109 = 382.4 s
    CHECK(startup_sentence(run) ==
          "Start-up takes 9 s, 11 % of the run: ocean is the last to begin its coupling loop, with "
          "7 s in the coupler's set-up. A simulated year in one job takes 6.4 min, of which "
          "start-up 9 s.");
    CHECK(test::what_is_false(run, {startup_sentence(run)}).empty());
}

TEST_CASE("a sentence on who is waited for is checked") {
    CoupledRun run = with_parts(0, 0);
    Component &ocean = run.components[0];
    ocean.inside.useful_s.add(1);
    ocean.inside.length_s = 100;
    const auto core_s = 100.0 * static_cast<double>(ocean.ranks.size());
    ocean.inside.traffic.groups = traffic_groups(static_cast<std::int64_t>(ocean.ranks.size()));
    ocean.inside.traffic.waited_for = {{1, 1, 40, 0.1 * core_s, 0.1 * core_s, 0.1 * core_s}};
    const std::vector<std::string> said = late_sender_sentences(run);
    REQUIRE(said == std::vector<std::string>{"Inside ocean, at least 10 % of the core time of the coupling loop goes "
                                             "into waiting for messages from process 1, from it alone."});
    CHECK(test::what_is_false(run, said).empty());
    ocean.inside.traffic.waited_for[0].process = 0;
    CHECK_FALSE(test::what_is_false(run, said).empty());
    ocean.inside.traffic.waited_for[0] = {1, 1, 40, 0.1 * core_s, 0.1 * core_s, 0.2 * core_s};
    CHECK_FALSE(test::what_is_false(run, said).empty());
}

TEST_CASE("durations in the unit that is read at a glance") {
    CHECK(duration_in_words(0.25) == "0.25 s");
    CHECK(duration_in_words(45) == "45 s");
    CHECK(duration_in_words(120) == "2 min");
    CHECK(duration_in_words(11'500) == "3.2 h");
    CHECK(duration_in_words(1'036'800) == "12 days");
    CHECK(duration_in_words(unknown) == "n/a");
}

TEST_CASE("a loop that takes less than half of the run is said first") {
    CoupledRun run = with_parts(0, 0);
    ComponentBalance &ocean = run.components[0].balance; // a loop of 100 s
    CHECK(coverage_sentence(run).empty());               // it is not known of what
    ocean.startup.length_s = 110;
    ocean.shutdown.length_s = 40;
    CHECK(coverage_sentence(run) == "The coupling loop takes 100 s of 250 s (40 %): the verdict is on that part.");
    CHECK(said_first(run) == std::vector<std::string>{coverage_sentence(run)});
    CHECK(test::what_is_false(run, {coverage_sentence(run)}).empty());
    CHECK_FALSE(
        test::what_is_false(run, {"The coupling loop takes 100 s of 250 s (60 %): the verdict is on that part."})
            .empty());
    // One component whose loop takes half of its run suffices, ...
    run.components.push_back(test::component("ice", 2, 4, 1, from_seconds(110)));
    run.components[1].balance = test::balance(99, 1, {{1, 1, 0}});
    run.components[1].balance.startup.length_s = 60;
    run.components[1].balance.shutdown.length_s = 40;
    CHECK(coverage_sentence(run).empty());
    // ... but no I/O server.
    run.components[1].balance.is_io_server = true;
    CHECK_FALSE(coverage_sentence(run).empty());
    // Of a slice of the run nobody asked how long the rest was.
    run.components[0].window_first = from_seconds(90);
    CHECK(coverage_sentence(run).empty());
    run.components[0].window_first = Component().window_first;
    CHECK_FALSE(coverage_sentence(run).empty());
    // Of a record that was full before the end the loop's length is not known.
    run.components[0].dropped_events = 1;
    CHECK(coverage_sentence(run).empty());
}

// ocean waits 0.05 s in each of 20 steps for the atmosphere, and 1.05 s in step 7: 19 x 0.05 + 1.05 = 2 of 6 s, and
// the stall adds 1 s of these.
TEST_CASE("what one step adds to the waiting is told, and whether splits were compared with it") {
    CoupledRun run;
    run.component_names = {"ocean", "atmosphere"};
    run.components = {test::component("ocean", 1, 0, 10, 0), test::component("atmosphere", 2, 10, 10, 0)};
    ComponentBalance &ocean = run.components[0].balance, &atmosphere = run.components[1].balance;
    ocean = test::balance(4, 2, {{2, 2, 0}});
    atmosphere = test::balance(6, 0, {{1, 0, 0}});
    double at = 0;
    for (int j = 1; j <= 20; ++j) {
        const double more_s = j == 7 ? 1 : 0;
        ocean.steps.push_back({at, 0.25 + more_s, 0.05 + more_s, 0.2, 0});
        atmosphere.steps.push_back({at, 0.25 + more_s, 0, 0.25 + more_s, 0});
        at += 0.25 + more_s;
    }
    ocean.step_count = atmosphere.step_count = 20;
    run.balance.waiting_share = waiting_share_of_cores(run); // 10 x 2 of 20 x 6
    run.balance.why_no_path = run.balance.why_no_gain = "it was not looked for";
    const std::string few = "50 % of this waiting comes from 1 of 20 steps of ocean: atmosphere computes 1.25 s in "
                            "its step 7, and 0.25 s "
                            "in its median step.";
    CHECK(test::checked_words(run, 0) ==
          std::vector<std::string>{
              "atmosphere seems to be the bottleneck: ocean spends 33 % of its time waiting for it.",
              "Lost to waiting: 17 % of the core time in the coupling loop. The possible gain is "
              "not known: it was not looked for.",
              few});
    run.balance.why_no_gain.clear();
    run.balance.loop_s = 6;
    run.balance.best_s = 5.95;
    run.balance.gain_s = 0.05;
    CHECK(few_steps_sentence(run) ==
          few + " Other splits were compared with these steps in them, as if more cores shortened them.");
    CHECK(test::what_is_false(run, test::checked_words(run, 0)).empty());
    std::vector<std::string> wrong = plain_words(run);
    wrong.back().replace(0, 4, "60 %"); // the steps add 50 %
    CHECK_FALSE(test::what_is_false(run, wrong).empty());
    // Not where the computing has a pattern of which it is, which is told; and not if nobody computes longer.
    run.balance.computing_changes = {{2, {}, {10, 1, 1.25, 0.25}}};
    CHECK(few_steps_sentence(run).empty());
    run.balance.computing_changes = {{2, {}, {10, 1, 0.5, 0.25}}}; // 1.25 s are more than 1.5 x 0.5 s
    CHECK(few_steps_sentence(run).starts_with(few));
    run.balance.computing_changes.clear();
    atmosphere.steps[6].computing_s = 0.25;
    CHECK(few_steps_sentence(run).starts_with(
        "50 % of this waiting comes from 1 of 20 steps of ocean: ocean waits 1.05 s in "
        "its step 7, and 0.05 s in its median step."));
    CHECK(test::what_is_false(run, test::checked_words(run, 0)).empty());
}
