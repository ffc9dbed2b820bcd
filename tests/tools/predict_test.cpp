// cpl-lb predict as a user runs it, on timelines written here; the arithmetic is in the comments.
#include "tests/svg_boxes.hpp"
#include "tests/tools/told.hpp"

#include <fstream>

using namespace cpl_lb;
using nlohmann::json;
using namespace cpl_lb::test;

TEST_CASE("predict: graph, cycle, critical path, other counts") {
    const TemporaryFolder folder;
    write_run(folder.path(), sleepers());
    const json now = told(folder, "predict " + folder.path());
    // Loops: ocean from 14 to 104, atmosphere from 20 to 110; in common 84 s, all cycles are 10 s.
    CHECK(now.at("measured_s").get<double>() == Approx(84));
    CHECK(now.at("alpha").get<double>() == Approx(1));
    CHECK(now.at("predicted_s").is_null());
    CHECK(now.at("cycle").at("measured_mean_s").get<double>() == Approx(10));
    CHECK(now.at("cycle").at("measured_spread_s").get<double>() == Approx(0).margin(1e-9));
    CHECK(now.at("exchanges").at(0).at("transfer") == "synchronous");
    CHECK(now.at("components").at(1).at("critical_s").get<double>() == Approx(80));

    // Twice the processes, ideally: 5 s; with half of it serial 5 + 10 x 0.5 x 2 / 4 = 7.5 s.
    const std::string other = "predict " + folder.path() + " --pes atmosphere=4";
    const json ideal = told(folder, other);
    CHECK(ideal.at("cycle_mean_s").get<double>() == Approx(5));
    CHECK(ideal.at("uncertainty_s").is_null()); // one run
    const json serial = told(folder, other + " --curves atmosphere=0.5");
    CHECK(serial.at("cycle_mean_s").get<double>() == Approx(7.5));
    const auto with_curves = [&](const std::string &curves, const std::string &words, int status) {
        shows(refused(folder, other + curves, status), words);
    };
    with_curves(" --curves hslb --curves linear", "--curves: two forms, hslb and linear: give one", 2);
    with_curves(" --curves hlsb", "--curves: neither a form (measured, hslb, linear), a table nor a share: 'hlsb'",
                2);
    with_curves(" --curves nowhere/x=1/table.csv", "nowhere/x=1/table.csv", 1);
    with_curves(" --curves atmosphere=1.5", "--curves: atmosphere needs a share from 0 to 1", 1);
    // A table of two times tells a / p + k: 10 s with 2, 6 with 4: a = 16, k = 2; 8: 4 s, and ocean needs 4.
    const std::string table = folder / "curves.csv";
    std::ofstream(table) << "component,processes,seconds\natmosphere,2,10\natmosphere,4,6\n";
    const json curve = told(folder, "predict " + folder.path() + " --curves " + table + " --pes atmosphere=4");
    CHECK(curve.at("cycle_mean_s").get<double>() == Approx(6));
    // All seven cycles are alike and the table is exact; another run may begin and end half a cycle elsewhere:
    // 84 s x 6 / 10 = 50.4 s, times the square root of 0.5^2 + 0.5^2, 0.7071, over 7: 5.091 s.
    CHECK(curve.at("uncertainty_s").get<double>() == Approx(5.091).epsilon(1e-3));

    // Eight PUTs lie whole in the 84 s, from 24 to 94 s: seven cycles between them.
    const auto text = command(folder, "predict " + folder.path() + " --pes atmosphere=4");
    CHECK(text.status == 0);
    shows(text.output,
          "Coupling cycle: 10.000 s on average, 0.000 s standard deviation, 10.000 to 10.000 s over 7 cycles");
    // What it rests on stands in the first line.
    CHECK_THAT(text.output,
               Catch::StartsWith("Extrapolated by ideal scaling, a bound and no proof: atmosphere (measured with 2 "
                                 "cores, here 4).\n"));
    CHECK(ideal.at("ideal_scaling") == json::array({"atmosphere"}));
    // The summary's loops are the components' own, 14 to 104 and 20 to 110 s: 90 s each.
    shows(text.output, "Common part of the coupling loops: measured 84.000 s");
    CHECK(text.output.find("the components' own loops are longer: ocean 90.000 s, atmosphere "
                           "90.000 s)") != std::string::npos);
    // The same two lengths in the summary, and which is which.
    const std::string summary = command(folder, "summary " + folder.path()).output;
    shows(summary, "Common loop: 84.000 s, by the model",
          "The common loop is what the components' own coupling loops (next table) have in\n"
          "common: the verdict and cpl-lb predict are about it.\n");
}

// In each step the atmosphere waits 4 s for T, and then computes 6 s, in which the ocean waits for Q. W is sent once.
TEST_CASE("predict: the longest waits come first, and what is in no cycle is one line") {
    const TemporaryFolder folder;
    TimelineLiteral ocean{"ocean", 1, {0}, {}, {}}, atmosphere{"atmosphere", 2, {1, 2}, {}, {}};
    for (int n = 0; n < 11; ++n) {
        const double t = 10.0 * n;
        ocean.events.push_back({Kind::put, 1, 2, t + 4, t + 4});
        ocean.events.push_back({Kind::get, 2, 2, t + 4, t + 10});
        atmosphere.events.push_back({Kind::get, 1, 1, t, t + 4});
        atmosphere.events.push_back({Kind::put, 2, 1, t + 10, t + 10});
    }
    ocean.events.push_back({Kind::put, 3, 2, 115, 115});
    atmosphere.events.push_back({Kind::get, 3, 1, 115, 115});
    write_run(folder.path(), {ocean, atmosphere});
    const auto r = command(folder, "predict " + folder.path());
    INFO(r.output << r.errors);
    REQUIRE(r.status == 0);
    const std::size_t q = r.output.find("\nQ "), t = r.output.find("\nT ");
    CHECK(q != std::string::npos);
    CHECK((t != std::string::npos && q < t));
    CHECK_THAT(r.output, !Catch::Contains("\nW "));
    shows(r.output, "1 exchange in no cycle, 1 time in all: at set-up, or now and then.\n");
}

TEST_CASE("predict: components in turn on the same processes, from the times away in their timelines") {
    // Ice computes 4 s on the ocean's process while the ocean is away; the atmosphere needs 10 s.
    const TemporaryFolder folder;
    std::vector<TimelineLiteral> run = sleepers();
    TimelineLiteral ice{"ice", 3, {0}, {}, {{0, from_seconds(1)}}};
    for (int n = 0; n < 11; ++n) {
        const double t = 10.0 * n;
        run[0].events[static_cast<std::size_t>(n)] = {Kind::put, 1, 2, t + 7, t + 10};
        run[0].away.push_back({from_seconds(t + 1), from_seconds(t + 5)});
        ice.events.push_back({Kind::put, 2, 2, t + 2, t + 2});
        ice.away.push_back({from_seconds(t + 5), from_seconds(t + 11)});
        run[1].events.push_back({Kind::get, 2, 3, t + 10.5, t + 10.5});
    }
    std::sort(run[1].events.begin(), run[1].events.end(),
              [](const TimedEvent &a, const TimedEvent &b) { return a.start_s < b.start_s; });
    run.push_back(ice);
    write_run(folder.path(), run);
    const std::string predict = "predict " + folder.path() + " --curves " + (folder / "curves.csv") + " --pes ";
    std::ofstream(folder / "curves.csv") << "component,processes,seconds\natmosphere,2,10\natmosphere,20,1\n"
                                            "ice,1,4\nice,2,16\n";
    const json fast = told(folder, predict + "atmosphere=20");
    CHECK(fast.at("cycle_mean_s").get<double>() == Approx(7).epsilon(0.02)); // 1 + 4 + 2
    // Ice four times as slow: 1 + 16 + 2 s on the shared process.
    CHECK(told(folder, predict + "atmosphere=20,ice=2").at("predicted_linear_s").get<double>() >
          2 * fast.at("predicted_linear_s").get<double>());

    run[0].away.clear(); // as OASIS's own timelines: nobody knows who computes when
    write_run(folder.path(), run);
    shows(refused(folder, "predict " + folder.path()), "share processes");
}

TEST_CASE("timelines that do not tell their numbers, in predict and balance: --order, else a remark") {
    const TemporaryFolder folder;
    std::vector<TimelineLiteral> run = sleepers();
    for (TimelineLiteral &component : run)
        component.id = 0;
    write_run(folder.path(), run);
    for (const std::string &what :
         {"predict " + folder.path(), "balance --total 4 " + folder.path(),
          "predict nodes --kinds cpu=4:1 " + folder.path(), "balance nodes --kinds cpu=4:1 " + folder.path()}) {
        INFO(what);
        const auto deduced = command(folder, what);
        CHECK(deduced.status == 0);
        CHECK(deduced.output.find(
                  "Remark: the timelines do not tell the numbers of their components; they are taken from the "
                  "only order that fits their exchanges: atmosphere 2, ocean 1") != std::string::npos);
        CHECK(told(folder, what).at("remarks").size() == 1);
        const auto said = command(folder, what + " --order ocean,atmosphere");
        CHECK(said.status == 0);
        CHECK_THAT(said.output, !Catch::Contains("Remark"));
        // The other way round each would exchange with itself.
        shows(refused(folder, what + " --order atmosphere,ocean"), "exchanges nothing");
        shows(refused(folder, what + " --order ocean"),
              "timeline_atmosphere.nc: --order does not name its component, atmosphere");
    }
}

// In each step of 20 s ocean computes 10 and atmosphere 20. With three exchanges the loops are one step each, from 30
// to 50 and from 40 to 60 s: in the 10 s that they have in common both compute. With five exchanges they have 40 to
// 90 s in common: the path is 40 s of atmosphere, then 10 of ocean.
TEST_CASE("a run whose common loop is a piece of a step names the slow side by its waits") {
    const auto verdict = [](int exchanges) {
        const TemporaryFolder folder;
        TimelineLiteral ocean{"ocean", 1, {0}, {}, {}}, atmosphere{"atmosphere", 2, {1}, {}, {}};
        for (int n = 0; n < exchanges; ++n) {
            const double t = 20.0 * n;
            ocean.events.push_back({Kind::put, 1, 2, t + 10, t + 10});
            ocean.events.push_back({Kind::get, 2, 2, t + 10, t + 20});
            atmosphere.events.push_back({Kind::get, 1, 1, t + 20, t + 20});
            atmosphere.events.push_back({Kind::put, 2, 1, t + 20, t + 20});
        }
        write_run(folder.path(), {ocean, atmosphere});
        const std::string text = command(folder, "summary " + folder.path()).output;
        return text.substr(0, text.find("\n\n"));
    };
    // atmosphere's loop is the time from its second exchange to its third one, 20 of 120 s.
    CHECK(verdict(3) == "The coupling loop takes 20 s of 120 s (17 %): the verdict is on that part.\n"
                        "atmosphere seems to be the bottleneck: ocean spends 50 % of its time waiting for\n"
                        "it.\n"
                        "Lost to waiting: 25 % of the core time in the coupling loop. The possible gain\n"
                        "is not known: the run is too short: its components have less than two coupling\n"
                        "steps in common.\n"
                        // Of 120 s 40 lie before atmosphere's second exchange.
                        "Start-up takes 40 s, 33 % of the run: atmosphere is the last to begin its\n"
                        "coupling loop.");
    CHECK_THAT(verdict(5), Catch::StartsWith("atmosphere is the bottleneck: ocean spends 50 %"));
}

TEST_CASE("a component that computes nothing keeps its cores, and the others are balanced") {
    const TemporaryFolder folder;
    // ice waits all the time for what atmosphere sends as it sends to ocean: at the end of each 10 s.
    std::vector<TimelineLiteral> all = sleepers();
    all[1].events.clear();
    TimelineLiteral ice{"ice", 3, {3, 4}, {}, {}};
    for (int n = 0; n < 11; ++n) {
        const double end = 10.0 * n + 10;
        all[1].events.push_back({Kind::get, 1, 1, end, end});
        all[1].events.push_back({Kind::put, 3, 3, end, end});
        ice.events.push_back({Kind::get, 3, 2, end - 10, end});
    }
    all.push_back(ice);
    write_run(folder.path(), all);
    // 10 cores, 2 of them ice's: ocean 4 / p and atmosphere 20 / p are shortest with 2 and 6, 20 / 6 s.
    const auto text = command(folder, "balance " + folder.path() + " --total 10");
    INFO(text.output << text.errors);
    REQUIRE(text.status == 0);
    shows(text.output, "ice computes nothing in the coupling loop, and keeps its 2 cores.\n");
    const json answer = told(folder, "balance " + folder.path() + " --total 10");
    CHECK(answer.at("processes") == json{{"ocean", 2}, {"atmosphere", 6}, {"ice", 2}});
    CHECK(answer.at("seconds").get<double>() / answer.at("measured_s").get<double>() == Approx(1. / 3));
    const json predicted = told(folder, "predict " + folder.path() + " --pes ocean=1,atmosphere=5");
    CHECK(predicted.at("cycle").at("measured_mean_s").get<double>() == Approx(10));
    CHECK(predicted.at("predicted_s").get<double>() / predicted.at("measured_s").get<double>() == Approx(0.4));
}

TEST_CASE("an I/O server that exchanges nothing is left out, and named") {
    const TemporaryFolder folder;
    std::vector<TimelineLiteral> all = sleepers();
    TimelineLiteral server{"ice", 3, {3}, {}, {}};
    for (int n = 0; n < 11; ++n)
        server.events.push_back({Kind::out, 2, 0, 10.0 * n, 10.0 * n + 1});
    all.push_back(server);
    write_run(folder.path(), all);
    const auto say = [&](bool is_io_server) { // ocean exchanges, and stays
        tell(folder, all, [&](Component &c) { c.properties.is_io_server = is_io_server && c.id != 2; });
    };
    say(false);
    shows(refused(folder, "predict " + folder.path()), "(--without ice leaves it out)");
    say(true);
    for (const std::string &what :
         std::vector<std::string>{"predict " + folder.path(), "balance " + folder.path() + " --total 4"}) {
        const auto text = command(folder, what);
        INFO(text.errors);
        REQUIRE(text.status == 0);
        shows(text.output, what.find("balance") == 0
                               ? "ice takes no part in the coupling and keeps its 1 core.\n"
                               : "Left out, and so are the cores: ice (only for output: no exchanges).\n");
        CHECK(told(folder, what).at("left_out") == json::array({"ice"}));
    }
    // All that must run has cores and is started: 1 for the server, 3 for the others.
    const auto balance = command(folder, "balance " + folder.path() + " --total 4");
    shows(balance.output, "mpirun -np 1 ./ocean : -np 2 ./atmosphere : -np 1 ./ice\n", "4 of 4 cores, ");
    const json counts = told(folder, "balance " + folder.path() + " --total 4");
    CHECK(counts.at("processes").at("ice") == 1);
    CHECK(counts.at("cores") == 4);
    shows(refused(folder, "balance " + folder.path() + " --total 1"),
          "components outside of the coupling (ice) need 1 core: none are left");
    shows(refused(folder, "balance " + folder.path() + " --total 2"), "2 cores, and there is 1");
    // As without the server: 10 s.
    const json now = told(folder, "predict " + folder.path());
    CHECK(now.at("cycle").at("measured_mean_s").get<double>() == Approx(10));
    CHECK(now.at("components").size() == 2);
    // A server that receives from anybody what no client recorded to send is left out like that, too.
    for (std::size_t n = 0; n < 11; ++n) {
        const double t = 10.0 * static_cast<double>(n);
        all.back().events[n] = {Kind::get, 3, 0, t, t + 9};
    }
    write_run(folder.path(), all);
    const auto from_anybody = command(folder, "predict " + folder.path() + " --json");
    CHECK(from_anybody.errors.empty());
    REQUIRE(from_anybody.status == 0);
    CHECK(json::parse(from_anybody.output).at("left_out") == json::array({"ice"}));
}

TEST_CASE("predict refuses in one line what the run cannot answer") {
    const TemporaryFolder folder;
    const auto without = [&](const std::vector<TimelineLiteral> &run, const std::string &options = "") {
        const TemporaryFolder other;
        write_run(other.path(), run);
        return refused(folder, "predict " + other.path() + options);
    };
    std::vector<TimelineLiteral> hole = sleepers();
    for (int n = 0; n < 11; ++n)
        hole[1].events.push_back({Kind::get, 3, 0, 10.0 * n + 11, 10.0 * n + 12});
    shows(without(hole), " for W, which nobody that was recorded sends");

    std::vector<TimelineLiteral> lonely = sleepers();
    TimelineLiteral ice{"ice", 3, {3}, {}, {}};
    for (int n = 0; n < 11; ++n)
        ice.events.push_back({Kind::out, 2, 0, 10.0 * n, 10.0 * n + 1});
    lonely.push_back(ice);
    shows(without(lonely), "ice exchanges nothing");
    CHECK(without(sleepers(), " --pes wave=2").find("no component 'wave'; there are ocean, atmosphere") !=
          std::string::npos);
    shows(without(sleepers(), " --pes ocean=0"), "not a number of processes: '0'");
    shows(without(sleepers(), " --pes ocean=2 --curves ocean=2"), "share from 0 to 1");
    shows(without(sleepers(), " --without wave"), "--without");
    shows(without({sleepers()[0]}), "nobody to wait for");
    shows(refused(folder, "predict " + folder.path() + "/missing"), "missing");
    CHECK(command(folder, "predict").status == 2);
    CHECK(command(folder, "predict --help").status == 0);
}

// What a summary says of the run is in the json: of the atmosphere's processes one has no record.
TEST_CASE("predict and balance give no times with other cores of a component that lacks processes") {
    const TemporaryFolder folder;
    write_run(folder.path(), sleepers());
    const auto say = [&](std::int64_t missing) {
        tell(folder, sleepers(), [&](Component &c) { c.missing_processes = c.id == 2 ? missing : 0; });
    };
    const std::string predict = "predict " + folder.path(), balance = "balance " + folder.path() + " --total 4";
    say(0);
    CHECK(command(folder, predict + " --pes ocean=1").status == 0);
    CHECK(command(folder, balance).status == 0);
    say(1);
    CHECK(command(folder, predict).status == 0);
    for (const std::string &what : {predict + " --pes ocean=1", balance}) {
        shows(refused(folder, what),
              "1 process of atmosphere is missing: what it takes with other cores is not known");
    }
}

TEST_CASE("predict: the page of what if") {
    const TemporaryFolder folder;
    write_run(folder.path(), sleepers());
    const std::string page = folder / "what_if.html";
    // 10 s in each cycle by atmosphere alone; twice as fast 5 s, which is more than ocean's 4 s. Seven cycles.
    const auto r = command(folder, "predict changes " + folder.path() + " --faster atmosphere=2 --html " + page);
    INFO(r.errors);
    REQUIRE(r.status == 0);
    const std::string text = contents(page);
    for (const char *words :
         {"<code>--faster atmosphere=2</code>", ">Cycles 1 to 7<", ">unchanged: 70.000 s (70.000 s as recorded)<",
          ">with the changes: 35.000 s<", "<h2>Each change by itself</h2>",
          "<tr><td>atmosphere twice as fast</td><td>-50.0</td></tr>",
          "<tr><td>ocean twice as fast</td><td>0.0</td></tr>"})
        shows(text, words);
    std::size_t drawings = 0;
    for (std::size_t at = text.find("<svg"); at != std::string::npos; at = text.find("<svg", at + 1), ++drawings)
        CHECK(unreadable_texts(text.substr(at, text.find("</svg>", at) - at + 6), 13).empty());
    CHECK(drawings == 2);

    CHECK(command(folder, "predict what-if " + folder.path() + " --html " + page).status == 0);
    CHECK_THAT(contents(page), !Catch::Contains("Before and after"));
    CHECK(command(folder, "predict changes " + folder.path() + " --html " + page).status == 2);
}
