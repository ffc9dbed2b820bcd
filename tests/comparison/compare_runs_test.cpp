// What of two runs can be compared, and what else differs.
#include "comparison/compare_runs.hpp"
#include "tests/inside_run.hpp"
#include "tests/report/example_run.hpp"

#include <catch2/catch.hpp>
#include <tuple>

using namespace cpl_lb;

namespace {

// 10 processes; 20 coupling steps of an hour of the model, each with the same computing and waiting.
Component component(const std::string &name, std::int32_t id, double computing_s, double waiting_s,
                    std::int64_t hour_s = 3600) {
    Component c = test::component(name, id, 10 * (id - 1), 10, 100'000'000'000);
    c.balance.has_dates = true;
    c.balance.step_count = 20;
    for (int i = 0; i < 20; ++i) {
        Step step;
        step.length_s = computing_s + waiting_s;
        step.computing_s = computing_s;
        step.waiting_s = waiting_s;
        step.date = i * hour_s;
        c.balance.steps.push_back(step);
    }
    return c;
}

CoupledRun run_of(std::vector<Component> components) {
    CoupledRun run;
    for (const Component &c : components)
        run.component_names.push_back(c.name);
    run.components = std::move(components);
    return run;
}

} // namespace

TEST_CASE("components are compared by name, and the run by the one with the most core time") {
    CoupledRun before = run_of({component("ocean", 1, 3, 1), component("atmosphere", 2, 4, 0)});
    CoupledRun after =
        run_of({component("atmosphere", 1, 5, 0), component("ocean", 2, 3, 2), component("ice", 3, 1, 4)});
    before.components[0].balance.waiting_for = {{2, 20, 0}}; // 1 s in each of 20 steps
    after.components[1].balance.waiting_for = {{1, 36, 0}, {3, 4, 0}};
    const Comparison c = compare_runs({before}, {after});
    REQUIRE(c.components.size() == 2);
    CHECK(c.components[0].name == "ocean");
    CHECK(c.components[0].computing.change == Approx(0));
    CHECK(c.components[0].waiting.change == Approx(1));    // 2 s instead of 1
    CHECK(c.components[0].waits_more_for == "atmosphere"); // 0.8 s of it, 0.2 for ice
    CHECK(c.components[1].computing.change == Approx(0.25));
    CHECK(c.length.change == Approx(0.25));
    CHECK(c.added == std::vector<std::string>{"ice"});
    CHECK(c.gone.empty());
    CHECK(c.length.larger());
    CHECK_FALSE(c.of_model_days);
}

TEST_CASE("why processes wait for each other, as shares of the loop and means over the runs") {
    const auto with = [](double processes_s, double random_s) {
        CoupledRun run = run_of({component("ocean", 1, 3, 1)});
        ComponentBalance &b = run.components[0].balance;
        b.loop_s = 80;
        b.imbalance_parts.processes_s = processes_s;
        b.imbalance_parts.random_s = random_s;
        return run;
    };
    const Comparison c = compare_runs({with(8, 4), with(4, 4)}, {with(2, 4)});
    CHECK(c.components[0].imbalance_before.processes == Approx(0.075)); // (8 + 4) / 2 of 80 s
    CHECK(c.components[0].imbalance_after.processes == Approx(0.025));
    CHECK(c.components[0].imbalance_before.random == Approx(0.05));
    CHECK_FALSE(is_known(c.components[0].imbalance_before.nodes)); // not known in these runs
    CHECK_FALSE(is_known(
        compare_runs({with(8, 4)}, {run_of({component("ocean", 1, 3, 1)})}).components[0].imbalance_after.random));
}

TEST_CASE("messages inside a component, as means over the runs, and who is late in all of them") {
    // 10 processes, a loop of 80 s: 800 s of core time. 20 steps.
    const auto with = [](std::int64_t messages, std::int32_t late, double late_s) {
        CoupledRun run = run_of({component("ocean", 1, 3, 1)});
        ComponentInside &inside = run.components[0].inside;
        inside.length_s = 80;
        inside.useful_s = test::spread_of({1});
        inside.traffic.groups = 10;
        inside.traffic.pairs = {{0, 1, messages, 1024 * messages, 0}};
        inside.traffic.waited_for = {{late, 9, 100, 0, late_s, late_s}};
        return run;
    };
    const Comparison c = compare_runs({with(400, 3, 40), with(800, 3, 80)}, {with(2000, 7, 80), with(2000, 7, 8)});
    const InsideMessages &before = c.components[0].inside_before, &after = c.components[0].inside_after;
    CHECK(before.messages.mean == Approx(30)); // (20 + 40) / 2
    CHECK(before.messages.most == Approx(40));
    CHECK(after.bytes.mean == Approx(100 * 1024));
    CHECK(after.messages.is_apart(before.messages));
    CHECK_FALSE(before.messages.is_apart({30, 25, 35}));
    CHECK(before.processes == 10);
    CHECK(before.late == 3);
    CHECK(before.late_share.mean == Approx(0.075)); // (40 + 80) / 2 of 800
    CHECK(after.late == -1);                        // 8 s are 1 %: nobody is late in the second run
    CHECK(after.late_share.least == 0);
    CHECK_FALSE(after.nobody_is_late());
    const Comparison two = compare_runs({with(400, 3, 40), with(400, 5, 40)}, {with(400, 3, 40)});
    CHECK(two.components[0].inside_before.late == -1); // now one, now another
    CHECK(two.components[0].inside_after.late == 3);
    const Comparison none = compare_runs({with(400, 3, 8)}, {run_of({component("ocean", 1, 3, 1)})});
    CHECK(none.components[0].inside_before.nobody_is_late());
    CHECK_FALSE(none.components[0].inside_after.nobody_is_late()); // nobody knows
    CHECK_FALSE(is_known(none.components[0].inside_after.messages.mean));
    // 20 messages in an hour, and 20 in half an hour: 480 and 960 in a day.
    CoupledRun half = with(400, 3, 8);
    half.components[0].balance.steps = component("ocean", 1, 3, 1, 1800).balance.steps;
    const Comparison days = compare_runs({with(400, 3, 8)}, {half});
    CHECK(days.components[0].inside_before.messages.mean == Approx(480));
    CHECK(days.components[0].inside_after.messages.mean == Approx(960));
}

TEST_CASE("coupling steps of different length are compared for a day of the model") {
    // 4 s for an hour, 2.2 s for half an hour: 96 and 105.6 s for a day, + 10 %.
    const Comparison c =
        compare_runs({run_of({component("ocean", 1, 3, 1)})}, {run_of({component("ocean", 1, 2, 0.2, 1800)})});
    CHECK(c.of_model_days);
    CHECK(c.length.before == Approx(96));
    CHECK(c.length.after == Approx(105.6));
    CHECK(c.length.change == Approx(0.1));
}

TEST_CASE("other cores and another machine are told") {
    CoupledRun before = run_of({component("ocean", 1, 4, 0)}), after = run_of({component("ocean", 1, 3, 0)});
    after.components[0].ranks.resize(20); // from 10
    before.cpmip.platform = "one";
    after.cpmip.platform = "two";
    const Comparison c = compare_runs({before}, {after});
    // 3 / 4 of the time on twice the cores: 1.5 times the core time.
    CHECK(c.notes ==
          std::vector<std::string>{"another machine: one before, two after",
                                   "ocean has 20 cores after, 10 before: its computing takes 50.0 % more core time"});
}

TEST_CASE("speed and cost are as uncertain as the steps") {
    CoupledRun before = run_of({component("ocean", 1, 4, 0)}), after = run_of({component("ocean", 1, 5, 0)});
    before.cpmip.sypd = 10;
    after.cpmip.sypd = 8;
    before.cpmip.chsy = 24;
    after.cpmip.chsy = 30;
    for (std::size_t i = 0; i < 20; ++i)
        after.components[0].balance.steps[i].length_s += i % 3 == 0 ? 0.4 : -0.2; // the sum: 7 x 0.4 - 13 x 0.2 = 0.2
    const Comparison c = compare_runs({before}, {after});
    CHECK(c.sypd.change == Approx(-0.2));
    CHECK(c.sypd.smaller());
    CHECK(c.chsy.change == Approx(0.25));
    // Relative to the new value both reach as far: longer steps are less speed and more cost.
    CHECK((1 + c.chsy.high) / 1.25 == Approx(0.8 / (1 + c.sypd.low)));
    CHECK((1 + c.chsy.high) / 1.25 == Approx((1 + c.length.high) / (1 + c.length.change)));
}

TEST_CASE("steps so uneven that a step may have taken no time tell nothing of the speed") {
    CoupledRun before = run_of({component("ocean", 1, 4, 0)}), after = run_of({component("ocean", 1, 4, 0)});
    before.cpmip.sypd = after.cpmip.sypd = 10;
    before.components[0].balance.steps[3].length_s = 500; // one step holds a restart
    after.components[0].balance.steps[9].length_s = 500;
    const Comparison c = compare_runs({before}, {after});
    REQUIRE(c.length.low == -1);
    CHECK_FALSE(c.sypd.has_interval());
    CHECK(c.sypd.why_no_interval == "the steps are too uneven");
}

TEST_CASE("runs without a loop, or with one step, say why there is no verdict") {
    CoupledRun none = run_of({component("ocean", 1, 4, 0)});
    none.components[0].balance.steps.clear();
    const Comparison c = compare_runs({none}, {run_of({component("ocean", 1, 4, 0)})});
    CHECK_FALSE(is_known(c.length.change));
    CHECK(c.steps_of.empty());
    CHECK(c.components[0].computing.why_no_interval == "the figure before or after is not known");
}

TEST_CASE("a component that one repetition lacks is named once, and is neither gone nor new") {
    const CoupledRun both = run_of({component("ocean", 1, 3, 1), component("ice", 2, 1, 3)});
    const CoupledRun one = run_of({component("ocean", 1, 3, 1)});
    for (const auto &[before, after, said] :
         std::vector<std::tuple<std::vector<CoupledRun>, std::vector<CoupledRun>, std::string>>{
             {{both, one}, {both}, "ice is not in all runs before: it is not compared"},
             {{one, both}, {both}, "ice is not in all runs before: it is not compared"},
             {{both}, {both, one}, "ice is not in all runs after: it is not compared"},
             {{both}, {one, both}, "ice is not in all runs after: it is not compared"}}) {
        const Comparison c = compare_runs(before, after);
        CHECK(c.gone.empty());
        CHECK(c.added.empty());
        REQUIRE(c.components.size() == 1);
        CHECK(c.notes == std::vector<std::string>{said});
    }
    // In a later repetition of one state only.
    const Comparison gone = compare_runs({one, both}, {one}), added = compare_runs({one}, {one, both});
    CHECK(gone.gone == std::vector<std::string>{"ice"});
    CHECK(gone.added.empty());
    CHECK(added.added == std::vector<std::string>{"ice"});
    CHECK(added.gone.empty());
}
