// cpl-lb compare as a user runs it, on results written from literals.
#include "tests/report/example_run.hpp"
#include "tests/tools/inside_folder.hpp"

#include <cmath>

using namespace cpl_lb;
using namespace cpl_lb::test;
using nlohmann::json;

namespace {

// An ocean that waits for an atmosphere; 40 steps, whose noise sums to 0 over each 4.
std::string write_run(const TemporaryFolder &folder, const std::string &name, double ocean_s, double atmosphere_s,
                      int steps = 40, double no_processor_s = unknown, const std::string &ocean = "ocean") {
    CoupledRun run;
    run.run.id = name;
    run.component_names = {ocean, "atmosphere"};
    for (std::int32_t id = 1; id <= 2; ++id) {
        Component c =
            component(run.component_names[static_cast<std::size_t>(id) - 1], id, 10 * (id - 1), 10, 100'000'000'000);
        const double computing_s = id == 1 ? ocean_s : atmosphere_s;
        c.balance = balance(computing_s * steps, (atmosphere_s - computing_s) * steps, {});
        c.balance.step_count = steps;
        for (int i = 0; i < steps; ++i) {
            const double noise = 0.001 * (i % 4 == 0 ? 1 : i % 4 == 1 ? -1 : i % 4 == 2 ? 0.5 : -0.5);
            Step step;
            step.start_s = atmosphere_s * i;
            step.length_s = atmosphere_s + noise;
            step.computing_s = computing_s + noise;
            step.waiting_s = atmosphere_s - computing_s;
            step.jitter_s = 0;
            c.balance.steps.push_back(step);
        }
        if (is_known(no_processor_s)) c.balance.waiting_for = {{3 - id, (atmosphere_s - computing_s) * steps, 0}};
        if (id == 2) {
            c.no_processor.of_processes.add(no_processor_s);
            c.no_processor.outside.add(no_processor_s);
            c.no_processor.most = 12;
            c.no_processor.most_outside = 13;
        }
        run.components.push_back(std::move(c));
    }
    return written(folder, name, run);
}

json compared(const TemporaryFolder &folder, const std::string &arguments) {
    return told(folder, "compare " + arguments);
}

// Ten steps of the ocean: so much computing, and so much waiting in each.
std::string write_steps(const TemporaryFolder &folder, const std::string &name, double computing_s,
                        double waiting_s) {
    CoupledRun run;
    run.run.id = "chain";
    run.run.started = "2026-03-01T04:00:00Z";
    run.run.ended = "2026-03-01T05:00:00Z, " + name; // each is a job of its own
    run.component_names = {"ocean"};
    run.components = {component("ocean", 1, 0, 10, 100'000'000'000)};
    ComponentBalance &balance = run.components[0].balance;
    balance.loop_s = 10 * (computing_s + waiting_s);
    balance.computing_s = 10 * computing_s;
    balance.waiting_s = 10 * waiting_s;
    for (int i = 0; i < 10; ++i) {
        Step step;
        step.start_s = i * (computing_s + waiting_s);
        step.length_s = computing_s + waiting_s;
        step.computing_s = computing_s;
        step.waiting_s = waiting_s;
        balance.steps.push_back(step);
    }
    balance.step_count = 10;
    return written(folder, name, run);
}

std::string page_of(const TemporaryFolder &folder, const std::string &runs) {
    const std::string page = folder / "page.html";
    answer_to(folder, "compare " + runs + " --html " + page);
    return contents(page);
}

} // namespace

TEST_CASE("what the processes of a component send each other is told where it stands out") {
    const TemporaryFolder folder;
    // In a step 21 messages and 0.2051 MiB: 21 x 10 KiB = 210 KiB.
    const std::string before = write_inside(folder, "before", 420, 10240, 0, 3);
    int n = 0;
    const auto words = [&](std::int64_t messages, std::int64_t bytes, std::int32_t late, double late_s) {
        const std::string after = write_inside(folder, "after" + std::to_string(++n), messages, bytes, late, late_s);
        std::string text;
        const json answer = compared(folder, before + " " + after);
        for (const json &sentence : answer.at("words"))
            if (const auto said = sentence.get<std::string>(); said.starts_with("Inside")) text += said + "\n";
        return text;
    };
    CHECK(words(420, 10240, 0, 3).empty());
    // 23.1 are a tenth more, but 2.1 messages are less than one for each of 3 processes; 24 - 21 are not less.
    CHECK(words(462, 10240 * 10 / 11, 0, 3).empty());
    CHECK(words(480, 10240 * 7 / 8, 0, 3) ==
          "Inside atmosphere, processes send each other 24 messages in each step instead of 21.\n");
    // 300 KiB instead of 210, in as many messages; 213 are 3 more, but no tenth.
    CHECK(words(420, 14629, 0, 3) == // 300.00 / 1024
          "Inside atmosphere, processes send each other 0.293 MiB in each step instead of 0.2051.\n");
    CHECK(words(420, 10387, 0, 3).empty());
    CHECK(
        words(420, 10240, -1, 0) ==
        "Inside atmosphere, no process is late again and again any more; before, at least 5.0 % of the core time of "
        "the coupling loop went into waits for messages from process 0.\n");
    CHECK(words(420, 10240, 2, 9) ==
          "Inside atmosphere, process 2 is late again and again (at least 15 % of the core time goes into waits for "
          "it); before, it was process 0 (5.0 %).\n");
    CHECK(
        words(420, 10240, 0, 9) ==
        "Inside atmosphere, waits for messages from process 0, which is late again and again, take at least 15 % of "
        "the core time instead of 5.0 %.\n");
    CHECK(words(420, 10240, 0, 4).empty()); // 6.7 % are less than 2 points more
    const std::string none = write_inside(folder, "none", 420, 10240, -1, 0);
    const auto now = command(folder, "compare " + none + " " + before);
    shows(now.output, "Inside atmosphere, at least 5.0 % of the core time of the coupling loop now");
    const json answer = compared(folder, none + " " + before);
    const json &inside = answer.at("components").at(1).at("inside");
    CHECK(inside.at("before").at("late_process").is_null());
    CHECK(inside.at("before").at("late_share") == 0);
    CHECK(inside.at("after").at("late_process") == 0);
    CHECK(inside.at("after").at("messages").get<double>() == Approx(21));
    CHECK(inside.at("after").at("bytes").get<double>() == Approx(210 * 1024));
    CHECK(answer.at("components").at(0).at("inside").at("after").at("messages").is_null()); // not recorded
}

TEST_CASE("a slower atmosphere: words, exit status, json, JUnit and page") {
    const TemporaryFolder folder;
    const std::string before = write_run(folder, "before", 0.6, 1.0), after = write_run(folder, "after", 0.6, 1.1);
    const auto text = command(folder, "compare " + before + " " + after);
    INFO(text.output << text.errors);
    CHECK(text.status == 0);
    CHECK_THAT(text.output, Catch::StartsWith("The run takes 10.0"));
    shows(text.output, "more time: a coupling step takes 1.1 s\ninstead of 1 s.", "atmosphere computes 10.0",
          "ocean waits 25"); // 0.5 s instead of 0.4
    CHECK(command(folder, "compare --fail-if-slower 9 " + before + " " + after).status == 3);
    CHECK(command(folder, "compare --fail-if-slower 11 " + before + " " + after).status == 0);
    CHECK(command(folder, "compare --fail-if-slower 0 " + after + " " + before).status == 0); // faster

    const std::string junit = folder / "junit.xml", page = folder / "page.html";
    const auto r = command(folder, "compare --json --fail-if-slower 5 --junit " + junit + " --html " + page + " " +
                                       before + " " + after);
    CHECK(r.status == 3);
    const json answer = json::parse(r.output);
    CHECK(answer.at("schema") == "cpl_lb_compare/1");
    CHECK(answer.at("verdict") == "slower");
    CHECK(answer.at("run").at("length_s").at("change").get<double>() == Approx(0.1));
    CHECK(answer.at("components").at(0).at("computing_s").at("change").get<double>() == Approx(0).margin(1e-9));
    CHECK(answer.at("components").at(0).at("waiting_s").at("change").get<double>() == Approx(0.25));
    shows(contents(junit), "failures=\"1\"", "<failure message=\"The run takes 10.0");
    shows(contents(page), "class=verdict>The run takes 10.0", "atmosphere, after");
    for (const char *elsewhere : {"src=", "href=", "url("}) // opens offline
        CHECK_THAT(contents(page), !Catch::Contains(elsewhere));
}

TEST_CASE("a folder of runs is a state with repetitions") {
    const TemporaryFolder folder;
    write_run(folder, "before/one", 0.6, 1.0);
    write_run(folder, "before/two", 0.6, 1.02);
    const std::string after = write_run(folder, "after", 0.6, 1.03);
    const json answer = compared(folder, (folder / "before") + " " + after);
    CHECK(answer.at("runs").at("before") == 2);
    CHECK(answer.at("verdict") == "no difference shown"); // 2 % more than the mean, where two runs differ by 2 %
    const auto three = command(folder, "compare --json --also-after " + (folder / "before/two") + " " +
                                           (folder / "before/one") + " " + after);
    CHECK(json::parse(three.output).at("runs").at("after") == 2);
}

// The loop of the atmosphere is 40 s long: 1.9 of them are below 5 %, 4 are 10 %.
TEST_CASE("a disturbed run among those compared is told, and one run of each has no intervals then") {
    const TemporaryFolder folder;
    const std::string quiet = write_run(folder, "quiet", 0.6, 1.0, 40, 1.9),
                      disturbed = write_run(folder, "disturbed", 0.6, 1.1, 40, 4.4); // of 44 s
    const auto text = command(folder, "compare " + quiet + " " + disturbed);
    CHECK_THAT(
        text.output,
        Catch::StartsWith("It is not known whether the run is slower (a run was disturbed, and a state has\n"
                          "one run only): a coupling step takes 1.1 s instead of 1 s.\n") &&
            Catch::Contains("Note: the run after was disturbed: processes of atmosphere were ready to compute\n"
                            "and had no processor for up to 4.4 s (10 %) of the loop, process 13 most.\n") &&
            !Catch::Contains("before was disturbed") && !Catch::Contains("waits"));
    const std::string again = write_run(folder, "again", 0.6, 1.0, 40, 4);
    const auto several = command(folder, "compare --json --also-before " + again + " " + disturbed + " " + quiet);
    const json answer = json::parse(several.output);
    CHECK(answer.at("notes") ==
          json{"2 of 2 runs before were disturbed: processes of atmosphere were ready to compute and had no "
               "processor for up to 4.4 s (10 %) of the loop, process 13 most"});
    CHECK(answer.at("verdict").is_null()); // the quiet run is alone
    const std::string calm = write_run(folder, "calm", 0.6, 1.01, 40, 1.9);
    const auto both = command(folder, "compare --json --also-before " + again + " --also-after " + calm + " " +
                                          disturbed + " " + quiet);
    CHECK_FALSE(json::parse(both.output).at("verdict").is_null()); // the spread between runs is in the interval
}

TEST_CASE("each n/a of the table has its reason, once") {
    const TemporaryFolder folder;
    const std::string one = write_run(folder, "one", 0.6, 1.0, 7), other = write_run(folder, "other", 0.6, 2.0, 7);
    // The atmosphere never waited: its other figures have the reason of short runs.
    shows(command(folder, "compare " + one + " " + other).output,
          "\nn/a: ocean, atmosphere computing, atmosphere length (fewer than 8 coupling\nsteps)\n"
          "n/a: atmosphere waiting (it was 0 before)\n"
          "n/a: SYPD, CHSY (the figure before or after is not known)\n");
}

TEST_CASE("a component that was called otherwise before is compared under its new name") {
    const TemporaryFolder folder;
    const std::string before = write_run(folder, "before", 0.6, 1.0, 40, unknown, "model color 3"),
                      after = write_run(folder, "after", 0.7, 1.0);
    const auto names_in = [&](const std::string &options) {
        const json answer = compared(folder, options + before + " " + after);
        std::string names;
        for (const auto &c : answer.at("components"))
            names += c.at("name").get<std::string>() + " ";
        return names;
    };
    CHECK(names_in("") == "atmosphere ");
    CHECK(names_in("--rename 'model color 3=ocean' ") == "ocean atmosphere ");
    const auto without = [&](const std::string &renames) {
        return refused(folder, "compare " + renames + " " + before + " " + after);
    };
    CHECK(without("--rename sea=ocean") == "cpl-lb: --rename: no run has a component 'sea'\n");
    CHECK(without("--rename ocean") == "cpl-lb: --rename: not OLD=NEW: 'ocean'\n");
    CHECK(without("--rename ocean=atmosphere") ==
          "cpl-lb: --rename: two components of a run are then called 'atmosphere'\n");
}

TEST_CASE("bad input of compare is one line") {
    const TemporaryFolder folder;
    const std::string before = write_run(folder, "before", 0.6, 1.0);
    for (const std::string &wrong : {before + " " + before, before + " " + (folder / "nowhere")})
        (void)refused(folder, "compare " + wrong);
    std::filesystem::copy(before, folder / "copy"); // would differ by 0 %, with an interval from 0 to 0
    CHECK(command(folder, "compare " + before + " " + (folder / "copy")).errors ==
          "cpl-lb: " + (folder / "copy") + ": holds the same job as " + before + ": before\n");
    CHECK(command(folder, "compare " + before).status == 2);
    CHECK(command(folder, "compare --fail-if-slower -1 " + before + " " + before).status == 2);
    // One coupling step each: no interval, no verdict, no failure.
    const std::string one = write_run(folder, "one", 0.6, 1.0, 1), other = write_run(folder, "other", 0.6, 2.0, 1);
    const auto r = command(folder, "compare --fail-if-slower 1 " + one + " " + other);
    CHECK(r.status == 0);
    CHECK_THAT(r.output,
               Catch::StartsWith("It is not known whether the run is slower (fewer than 8 coupling steps)"));
}

TEST_CASE("compare: the runs have the names of their folders, and lead to their pages") {
    const TemporaryFolder folder;
    const std::string one = write_steps(folder, "old grid", 1, 1), two = write_steps(folder, "new<grid>", 1, 2);
    write_result_file(one + "/load_balancing_report.html", "page");
    const std::string page = page_of(folder, "'" + one + "' '" + two + "/'");
    shows(page,
          "<p>Before: <a href=\"old%20grid/load_balancing_report.html\">old grid</a> (chain, "
          "2026-03-01T04:00:00Z)</p>",
          "<p>After: new&lt;grid&gt; (chain, 2026-03-01T04:00:00Z)</p>",
          "<th>Before: old grid</th><th>After: new&lt;grid&gt;</th>", ">ocean, before: old grid<",
          ">ocean, after: new&lt;grid&gt;<");
}

TEST_CASE("compare: folders of one name have as much of their paths as tells them apart") {
    const TemporaryFolder folder;
    const std::string page =
        page_of(folder, write_steps(folder, "a/results", 1, 1) + " " + write_steps(folder, "b/results", 1, 2));
    shows(page, "<th>Before: a/results</th><th>After: b/results</th>");
    // Several runs of a state.
    const std::string several = page_of(folder, (folder / "a/results") + " " + (folder / "b/results") +
                                                    " --also-after " + write_steps(folder, "b/again", 1, 2));
    shows(several, "<th>Before: a/results</th><th>After: 2 runs</th>", "<p>After: b/results (", ", b/again (");
}

TEST_CASE("compare: a bar is as long as its seconds are of the longer state") {
    const TemporaryFolder folder;
    const std::string page = page_of(folder, write_steps(folder, "a", 1, 1) + " " + write_steps(folder, "b", 1, 3));
    // 1 and 1 of 4 s; 1 and 3 of 4 s.
    shows(page,
          "<i class=computing style=\"width:25.00%\" title=\"computing 1.000 s\"></i><i class=waiting "
          "style=\"width:25.00%\" title=\"waiting 1.000 s\"></i>",
          "<i class=waiting style=\"width:75.00%\"");
}
