// XIOS's reports: of one process, of several in one log, of several files.
#include "data/time.hpp"
#include "tests/run/timers/read_timers.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using namespace timer_files;

namespace {

std::string xios_client(const std::string &whole, const std::string &total, const std::string &wait,
                        const std::string &ratio) {
    return "-> info : Client side context is finalized\n"
           "-> report :  Performance report : Whole time from XIOS init and finalize: " +
           whole + " s\n-> report :  Performance report : total time spent for XIOS : " + total +
           " s\n-> report :  Performance report : time spent for waiting free buffer : " + wait +
           " s\n-> report :  Performance report : Ratio : " + ratio +
           " %\n-> report :  Performance report : This ratio must be close to zero. Otherwise it may be usefull\n"
           "-> report :  Memory report : Minimum buffer size required : 81920 bytes\n";
}

std::string xios_server(const std::string &whole, const std::string &events, const std::string &ratio) {
    return "-> report : Performance report : Time spent for XIOS : " + whole +
           "\n-> report : Performance report : Time spent in processing events : " + events +
           "\n-> report : Performance report : Ratio : " + ratio + "%\n";
}

} // namespace

TEST_CASE("XIOS: a client's times") {
    const TimedRun run =
        only_run(read_xios_report, "run7/xios_client_00.out", xios_client("200", "12.5", "1.5", "0.75"));
    CHECK(run.id == "run7");
    CHECK(run.remarks.empty()); // 100 x 1.5 / 200 = 0.75
    const TimedComponent &client = component_of(run, "xios_client");
    CHECK(client.loop_s.value == 200.0);
    CHECK(client.output_s.value == 12.5);
    CHECK_FALSE(client.computing_s.known());
    CHECK_FALSE(client.waiting_s.known()); // what else it waits for is not known
    REQUIRE(client.waits.size() == 1);
    CHECK(client.waits[0].component == "xios_server");
    CHECK(client.waits[0].seconds.value == 1.5);
}

TEST_CASE("XIOS: a server is an I/O server that waits when it has no events") {
    const std::string timers = "Timer : Process events    -->   cumulated time : 30\n"
                               "Timer : Files : close    -->   cumulated time : 2.5\n";
    const TimedRun run = only_run(read_xios_report, "xios_server_12.out", xios_server("120", "30", "25") + timers);
    CHECK(run.remarks.empty());
    const TimedComponent &server = component_of(run, "xios_server");
    CHECK(server.is_io_server);
    CHECK(server.loop_s.value == 120.0);
    CHECK(server.computing_s.value == 30.0);
    CHECK(server.waiting_s.value == 90.0);
    CHECK(server.parts.size() == 3); // one timer is the report's own
    CHECK(part_of(server, "Files : close").mean_s == 2.5);
    // The ratio that it prints, 25 %, is ours.
    const CoupledRun coupled = run_of_timers(run);
    CHECK(100 * coupled.components.at(0).balance.computing_s / coupled.components[0].balance.loop_s == Approx(25.0));
    CHECK(coupled.components[0].balance.idle_s == 90.0);
}

TEST_CASE("XIOS: the files of a folder are one run") {
    std::vector<TimedRun> runs;
    for (const auto &[name, text] : {std::pair{"r/xios_client_0.out", xios_client("200", "12", "1", "0.5")},
                                     std::pair{"r/xios_client_1.out", xios_client("202", "15", "4", "1.9802")},
                                     std::pair{"r/xios_client_2.out", xios_client("204", "18", "1", "0.490196")},
                                     std::pair{"r/xios_server_3.out", xios_server("206", "103", "50")}})
        runs.push_back(only_run(read_xios_report, name, text));
    runs.push_back(only_run(read_xios_report, "other/xios_client_0.out", xios_client("9", "1", "0", "0")));
    const std::vector<TimedRun> joined = joined_runs(runs);
    REQUIRE(joined.size() == 2);
    CHECK(joined[0].remarks.empty());
    const TimedComponent &client = component_of(joined[0], "xios_client");
    CHECK(client.processes == 3);
    CHECK(client.loop_s.value == Approx(202.0));            // (200 + 202 + 204) / 3
    CHECK(client.output_s.value == Approx(15.0));           // (12 + 15 + 18) / 3
    CHECK(client.waits.at(0).seconds.value == Approx(2.0)); // (1 + 4 + 1) / 3
    const TimedPart &part = part_of(client, "XIOS");
    CHECK(part.processes == 3);
    CHECK(part.min_s == 12.0);
    CHECK(part.mean_s == Approx(15.0));
    CHECK(part.max_s == 18.0);
    CHECK(client.output_s.from.find(
              "the mean of 3 processes, the first: total time spent for XIOS (xios_client_0.out") == 0);
    CHECK(component_of(joined[0], "xios_server").processes == 1);
}

TEST_CASE("XIOS: several processes in one log, in any order, also without the whole time") {
    const std::string a = xios_client("200", "12", "1", "0.5"), b = xios_client("202", "18", "3", "1.4");
    const std::size_t middle = a.rfind('\n', a.find("total time")) + 1;
    const TimedRun run = only_run(read_xios_report, "log", a.substr(0, middle) + b + a.substr(middle));
    CHECK(component_of(run, "xios_client").processes == 2);
    CHECK(component_of(run, "xios_client").output_s.value == 15.0);
    const std::string first = xios_client("1", "12", "1", "0.5");
    const TimedRun old =
        only_run(read_xios_report, "log", first.substr(first.rfind('\n', first.find("total time")) + 1));
    CHECK_FALSE(component_of(old, "xios_client").loop_s.known());
    CHECK(component_of(old, "xios_client").processes == 1);
}

TEST_CASE("XIOS: what is wrong is told") {
    const auto of = [](const std::string &text) { return refusal(read_xios_report, text); };
    const std::string whole = xios_client("200", "12", "1", "0.5");
    CHECK(of(whole.substr(0, whole.find("-> report :  Performance report : time spent"))).find("the file is cut") !=
          std::string::npos);
    CHECK(of(xios_client("200", "12", "1,5", "0.5"))
              .find("line 4: time spent for waiting free buffer is '1,5': a comma") != std::string::npos);
    CHECK(of(xios_client("nan", "12", "1", "0.5")).find("line 2: ") != std::string::npos);
    CHECK(of(replaced(whole, "12 s", "12 ms")).find("line 3: total time spent for XIOS is not in seconds") !=
          std::string::npos);
    CHECK(of(xios_server("30", "120", "400")).find("took longer than all of XIOS") != std::string::npos);
    CHECK(of("nothing\n").find("no performance report") != std::string::npos);
    const TimedRun other = only_run(read_xios_report, "log", xios_server("120", "30", "26"));
    CHECK(other.remarks.at(0).find("prints 26 %, and its own times give 25 %") != std::string::npos);
}

TEST_CASE("XIOS: reports that stand twice count once") {
    const std::string a = xios_client("200", "12", "1", "0.5"), b = xios_client("202", "18", "3", "1.48515");
    const TimedRun twice = only_run(read_xios_report, "log",
                                    a + b + xios_server("120", "30", "25") + a + b + xios_server("120", "30", "25"));
    CHECK(component_of(twice, "xios_client").processes == 2);
    CHECK(component_of(twice, "xios_client").output_s.value == 15.0);
    CHECK(component_of(twice, "xios_server").processes == 1);
    CHECK(has_remark(twice.remarks, "the file has 2 reports twice, with the same figures. Each counts once."));
    CHECK(has_remark(twice.remarks, "the file has 1 report twice"));
    CHECK(only_run(read_xios_report, "log", a + b).remarks.empty());
    try { // a process has one report
        only_run(read_xios_report, "r/xios_client_00.out", a + b);
        FAIL("was read");
    } catch (const FileError &error) {
        CHECK(std::string(error.what()).find("line 9: a second run begins here") != std::string::npos);
    }
}
