// Bars at the terminal and how far a run is: worked out from literals.
#include "report/words.hpp"
#include "run/recovered/recovery.hpp"
#include "tests/run/spool_builder.hpp"
#include "tools/watch/progress_of_run.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;

namespace {

// ocean waits 4 of 10 s for atmosphere; steps of 2 s, each 3600 s of model time.
CoupledRun example() {
    CoupledRun run;
    run.run.id = "r";
    run.run.processes = 3;
    run.run.wall_s = 12;
    run.run.year_days = 365;
    run.component_names = {"ocean", "atmosphere"};
    run.components.resize(2);
    for (std::int32_t i = 0; i < 2; ++i) {
        Component &c = run.components[static_cast<std::size_t>(i)];
        c.name = run.component_names[static_cast<std::size_t>(i)];
        c.id = i + 1;
        c.ranks.resize(1);
        c.balance.loop_s = 10;
        c.balance.waiting_s = i == 0 ? 4 : 0;
        c.balance.computing_s = 10 - c.balance.waiting_s;
        c.balance.has_dates = true;
    }
    run.components[0].balance.waiting_for = {{2, 3.5, 0.5}};
    for (int k = 0; k < 5; ++k) {
        Step step;
        step.start_s = 2.0 * k;
        step.length_s = 2;
        step.date = std::int64_t{3600} * k;
        run.components[0].balance.steps.push_back(step);
        step.date = std::int64_t{1800} * k; // half as fast
        run.components[1].balance.steps.push_back(step);
    }
    run.components[0].table.keys = {{Kind::get, 1, 2, 0, 0}, {Kind::get, 1, 2, 18000, 0}};
    run.components[1].table.keys = {{Kind::put, 1, 1, 0, 0}, {Kind::put, 1, 1, 9000, 0}};
    return run;
}

} // namespace

TEST_CASE("bars are as long as what they stand for") {
    // 80 columns less 16 of the name, 32 of words and 2 blanks leave 30: 40 % of them are 12.
    const std::string bars = balance_bars(example(), 80, false);
    CHECK_THAT(bars, Catch::Contains("ocean            " + std::string(18, '=') + std::string(12, '.') +
                                     " waits 40 %, most for atmosphere\n"));
    CHECK_THAT(bars, Catch::Contains("atmosphere       " + std::string(30, '=') + " does not wait\n"));
    CHECK(bars.find('\x1b') == std::string::npos);
    CoupledRun server = example();
    server.components[0].balance.is_io_server = true;
    CHECK_THAT(balance_bars(server, 80, false),
               Catch::Contains("ocean            " + std::string(18, '=') + std::string(12, ' ') +
                               " idle 40 %, takes data only\n"));
    CHECK_THAT(balance_bars(example(), 80, true), Catch::Contains("\x1b[38;5;208m............\x1b[0m"));
    CHECK_THAT(balance_bars(example(), 80, false, 1), !Catch::Contains("atmosphere  ")); // only the largest
    CHECK(balance_bars(CoupledRun{}, 80, false).empty());
    CoupledRun nasty = example();
    nasty.components[0].name = "a\nb\x1b[31m";
    CHECK(balance_bars(nasty, 80, false).find('\x1b') == std::string::npos);
}

TEST_CASE("how far a run is") {
    const RunProgress progress = run_progress_of(example(), SpoolRun{});
    CHECK(progress.simulated_s == 9000); // of the component that is behind
    // 1800 s in 2 s are 900 model seconds a second, so 900 / 365 years a day.
    CHECK(progress.sypd == Approx(900.0 / 365));
    CHECK_FALSE(is_known(progress.planned_s));
    CHECK_FALSE(is_known(progress.left_s));
    RunProgress planned = progress;
    planned.planned_s = 99000;
    planned.left_s = 100;
    CHECK_THAT(watch_text(example(), planned, false),
               Catch::StartsWith(
                   "r: 3 processes, 12 s so far, 0.1042 days simulated of 1.146, 2.466 SYPD, about 100 s left\n"));
    const RunProgress nothing = run_progress_of(CoupledRun{}, SpoolRun{});
    CHECK_FALSE(is_known(nothing.simulated_s));
    CHECK_FALSE(is_known(nothing.sypd));
}

TEST_CASE("a silent run has no estimate, and says how long it has been silent") {
    // Steps of 2 s: silence from 10 s on, the least.
    CHECK_FALSE(is_known(run_progress_of(example(), SpoolRun{}, 9.9).silent_s));
    CHECK(run_progress_of(example(), SpoolRun{}, 10.1).silent_s == 10.1);
    CHECK_FALSE(is_known(run_progress_of(example(), SpoolRun{}, -5).silent_s)); // a clock that was set
    CHECK_FALSE(is_known(run_progress_of(example(), SpoolRun{}).silent_s));
    // With a step of 20 s in between, 41 s are not silence and 61 s are: three times the longest.
    CoupledRun slow = example();
    slow.components[0].balance.steps[2].length_s = 20;
    CHECK_FALSE(is_known(run_progress_of(slow, SpoolRun{}, 41).silent_s));
    CHECK(run_progress_of(slow, SpoolRun{}, 61).silent_s == 61);
    // No steps yet: a minute.
    CHECK_FALSE(is_known(run_progress_of(CoupledRun{}, SpoolRun{}, 59).silent_s));
    CHECK(run_progress_of(CoupledRun{}, SpoolRun{}, 61).silent_s == 61);

    News news;
    CoupledRun run;
    run.run.wall_s = 5;
    CHECK(news.at_look(run)); // the first look
    CHECK(news.at_look(run)); // one without anything new, and another one
    CHECK(news.at_look(run));
    CHECK_FALSE(news.at_look(run)); // the third
    CHECK_FALSE(news.at_look(run));
    run.run.wall_s = 6;
    CHECK(news.at_look(run));

    RunProgress killed = run_progress_of(example(), SpoolRun{}, 2460);
    killed.planned_s = 99000;
    const std::string text = watch_text(example(), killed, false);
    INFO(text);
    CHECK_THAT(text, !Catch::Contains(" left"));
    CHECK_THAT(text,
               Catch::StartsWith("r: 3 processes, 12 s so far, 0.1042 days simulated of 1.146, 2.466 SYPD\n\n"
                                 "Silent: the last event came 41 min ago, and no coupling step took longer than\n"
                                 "2.000 s"));
    CHECK_THAT(text, Catch::Contains("cpl-lb recover makes"));
    CHECK_THAT(watch_text(example(), run_progress_of(example(), SpoolRun{}, 1), false), !Catch::Contains("Silent"));
}

TEST_CASE("with a planned length there is an estimate as long as events come") {
    const spool_test::Folder folder;
    const std::string path = spool_path(folder.path().string(), "0123456789abcdef", 0);
    SpoolChunks(path, spool_test::identity(0, 1)).planned_length(99000);
    const SpoolRun spools = find_spools({folder.path().string()}, "");
    // 99000 - 9000 s at 900 model seconds a second.
    CHECK(run_progress_of(example(), spools, 1).left_s == Approx(100));
    CHECK_FALSE(is_known(run_progress_of(example(), spools, 2460).left_s));
}

TEST_CASE("the last event is where the run's length ends") {
    const spool_test::Folder folder;
    spool_test::leave(folder.path(), 0, 1, 3); // started at 1.7e9 s
    const SpoolRun spools = find_spools({folder.path().string()}, "");
    RecoveryOptions nothing_written;
    nothing_written.output.clear();
    const CoupledRun run = recover(spools, nothing_written).run;
    CHECK(since_last_event_s(run, spools, 1.7e9 + run.run.wall_s + 42) == Approx(42).epsilon(1e-6));
    CHECK_FALSE(is_known(since_last_event_s(run, SpoolRun{}, 1.7e9)));
}

TEST_CASE("one line for a log") {
    RunProgress progress;
    progress.simulated_s = 86'400;
    progress.sypd = 12;
    CHECK(watch_line(example(), progress) ==
          "r: 3 processes, 12 s so far, 1 day simulated, 12.000 SYPD. " + plain_words(example()).front() + "\n");
    progress.silent_s = 40;
    CHECK_THAT(watch_line(example(), progress), Catch::EndsWith(". Silent: the last event came 40 s ago.\n"));
}
