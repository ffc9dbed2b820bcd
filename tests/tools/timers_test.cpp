// cpl-lb with runs from timers: balance, compare, and what such runs cannot do.
#include "tests/json.hpp"
#include "tests/run/timers/cesm_file.hpp"
#include "tests/tools/command.hpp"
#include "tests/tools/coupled_run.hpp"

#include <algorithm>

using namespace cpl_lb;
using nlohmann::json;
using namespace cpl_lb::test;

namespace {

// The three runs of CIME's test of its load balancing tool (tools/load_balancing_tool/tests/timing): all components
// on 2, 4 and 8 processes, ten days; seconds of ATM, LND, ICE and OCN, and of CPL and ROF, which its layout leaves
// out.
struct CimeRun {
    int tasks;
    double total, cpl, atm, lnd, ice, ocn, rof;
};
const CimeRun cime_runs[] = {{2, 450.174, 324.956, 20.444, 29.597, 45.316, 0.383, 5.402},
                             {4, 318.103, 230.786, 10.763, 15.610, 25.715, 0.200, 3.775},
                             {8, 266.378, 192.504, 6.064, 9.020, 15.208, 0.132, 3.640}};

// Imports them, and gives the folders.
std::string import_cime_runs(const TemporaryFolder &folder) {
    std::string files, folders;
    for (const CimeRun &r : cime_runs) {
        CesmFile file;
        file.driver = "";
        file.old_words = true;
        file.cores = file.node = 8;
        file.lid = "170911-10" + std::to_string(5000 + r.tasks);
        file.run_s = r.total;
        file.rows = {{"cpl", "cpl", 0, r.tasks, 1, 1, r.cpl},
                     {"atm", "xatm", 0, r.tasks, 1, 1, r.atm},
                     {"lnd", "xlnd", 0, r.tasks, 1, 1, r.lnd},
                     {"ice", "xice", 0, r.tasks, 1, 1, r.ice},
                     {"ocn", "xocn", 0, r.tasks, 1, 1, r.ocn},
                     {"rof", "xrof", 0, r.tasks, 1, 1, r.rof},
                     {"esp", "sesp", 0, 8, 1, 1, 0}};
        files += " " + write(folder, "timing_" + std::to_string(r.tasks), file.text());
        folders += " " + (folder / "runs") + "/made.up." + file.lid;
    }
    const Result r = command(folder, "import timers" + files + " -o " + (folder / "runs"));
    INFO(r.errors);
    REQUIRE(r.status == 0);
    return folders;
}

std::int64_t cores_of(const json &answer, const std::string &name) {
    return answer.at("processes").at(name).get<std::int64_t>();
}

} // namespace

TEST_CASE("published: CIME's test of its load balancing tool, from the files themselves") {
    const TemporaryFolder folder;
    const std::string folders = import_cime_runs(folder);
    const std::string arguments = "balance table" + folders +
                                  " --total 64 --without cpl,rof --curves linear --json "
                                  "--layout 'max(max(ice,lnd)+atm,ocn)' --allowed ";
    // test_solve_from_timing_dir: NTASKS_ATM = 62 in blocks of 2.
    const Result twos = command(folder, arguments + "multiple-of-2");
    INFO(twos.errors);
    REQUIRE(twos.status == 0);
    CHECK(cores_of(json::parse(twos.output), "atm") == 62);
    // test_set_blocksize_atm: with blocks of 4 for the atmosphere 60, and 4 for the ocean.
    const json fours = json::parse(
        command(folder, arguments + "atm=multiple-of-4,lnd=multiple-of-2,ice=multiple-of-2,ocn=multiple-of-2")
            .output);
    CHECK(cores_of(fours, "atm") == 60);
}

TEST_CASE("manager: runs from timers are refused, whether their layout is known or not") {
    const TemporaryFolder folder;
    const std::string no_layout = import_cime_runs(folder);
    REQUIRE(command(folder,
                    "import timers " + write(folder, "timing", CesmFile{}.text()) + " -o " + (folder / "with_layout"))
                .status == 0);
    for (const std::string &runs : {no_layout, " " + (folder / "with_layout")}) {
        const Result r = command(folder, "manager" + runs + " --total 100");
        INFO(r.output << r.errors);
        CHECK(r.status == 1);
        CHECK(r.errors.find("holds a run from timers of its model, without the timelines that this needs\n") !=
              std::string::npos);
        CHECK(r.errors.find("--layout") == std::string::npos);
    }
}

TEST_CASE("the layout of the first run, and seconds for the same simulated time") {
    const TemporaryFolder folder;
    CesmFile one, two;
    one.rows = {{"atm", "cam", 0, 16, 1, 1, 800}, {"ocn", "pop", 16, 16, 1, 1, 200}};
    one.cores = 32;
    // Twice the cores and the simulated time: a day takes half as long.
    two.rows = {{"atm", "cam", 0, 32, 1, 1, 800}, {"ocn", "pop", 32, 32, 1, 1, 200}};
    two.cores = 64;
    two.stop = "ndays, stop_n = 20";
    two.length = "20 days (20.0 for ocean)";
    two.lid = "2.host.260103-030405";
    const std::string files = write(folder, "a", one.text()) + " " + write(folder, "b", two.text());
    REQUIRE(command(folder, "import timers " + files + " -o " + (folder / "runs")).status == 0);
    const std::string runs =
        (folder / "runs") + "/made.up." + one.lid + " " + (folder / "runs") + "/made.up." + two.lid;
    const Result r = command(folder, "balance " + runs + " --total 40 --json");
    INFO(r.errors);
    REQUIRE(r.status == 0);
    const json answer = json::parse(r.output);
    // Ideal scaling: 12,800 and 3,200 core seconds in 10 days; 32 and 8 of 40 cores take 400 s each.
    CHECK(cores_of(answer, "atm") == 32);
    CHECK(cores_of(answer, "ocn") == 8);
    CHECK(answer.at("seconds").get<double>() == Approx(400));
    CHECK(answer.at("measured_s").get<double>() == Approx(800)); // the first run's, on 16 and 16
    // 60 days where 10 and 20 were asked for: the length is not believed, and that is told.
    const std::string words = "How long these runs simulated is not known";
    CHECK(command(folder, "balance " + runs + " --total 40").output.find(words) == std::string::npos);
    one.length = two.length = "60 days (60.0 for ocean)";
    const std::string wrong = write(folder, "c", one.text()) + " " + write(folder, "d", two.text());
    REQUIRE(command(folder, "import timers " + wrong + " -o " + (folder / "runs")).status == 0);
    CHECK(command(folder, "balance " + runs + " --total 40").output.find(words) != std::string::npos);
}

TEST_CASE("nothing is proven of runs of which nobody knows how long they simulated") {
    const TemporaryFolder folder;
    std::string files, folders;
    for (int i = 1; i <= 3; ++i) {
        CesmFile file; // 60 days where 10 were asked for: the length is not believed
        file.length = "60 days (60.0 for ocean)";
        file.lid = std::to_string(i) + ".host.260102-030405";
        file.rows = {{"atm", "cam", 0, 16 * i, 1, 1, 800.0 / i}, {"ocn", "pop", 16 * i, 16 * i, 1, 1, 200.0 / i}};
        file.cores = 32 * i;
        files += " " + write(folder, std::to_string(i), file.text());
        folders += " " + (folder / "runs") + "/made.up." + file.lid;
    }
    REQUIRE(command(folder, "import timers" + files + " -o " + (folder / "runs")).status == 0);
    const std::string text = command(folder, "balance" + folders + " --total 40").output;
    CHECK(text.find("How long these runs simulated is not known") != std::string::npos);
    CHECK(text.find("the best if all runs simulated the same time") != std::string::npos);
    CHECK(text.find("proven") == std::string::npos);
    CHECK_FALSE(json::parse(command(folder, "balance" + folders + " --total 40 --json").output)
                    .at("proven_optimal")
                    .get<bool>());
    REQUIRE(command(folder, "import timers" + files + " --simulated 864000 -o " + (folder / "runs")).status == 0);
    CHECK(command(folder, "balance" + folders + " --total 40").output.find("proven") != std::string::npos);
}

TEST_CASE("runs from timers beside each other, and where timelines are needed") {
    const TemporaryFolder folder, timelines;
    CesmFile one, two;
    two.lid = "2.host.260103-030405";
    two.run_s = 500;
    const std::string files = write(folder, "a", one.text()) + " " + write(folder, "b", two.text());
    REQUIRE(command(folder, "import timers " + files + " -o " + (folder / "runs")).status == 0);
    const std::string a = (folder / "runs") + "/made.up." + one.lid, b = (folder / "runs") + "/made.up." + two.lid;
    // 1000 s and 500 s for 10 days.
    const json compared = json::parse(command(folder, "compare --json " + a + " " + b).output);
    CHECK(compared.at("seconds_of") == "day of the model");
    const json &atm = compared.at("components").at(1);
    CHECK(atm.at("name") == "atm");
    CHECK(atm.at("length_s").at("before").get<double>() == Approx(100));
    CHECK(atm.at("length_s").at("after").get<double>() == Approx(50));
    CHECK(atm.at("computing_s").at("after").get<double>() == Approx(50)); // 500 s of its run phase
    CHECK(atm.at("waiting_s").at("after").is_null());
    CHECK(command(folder, "report " + a).status == 0);
    CHECK(contents(a + "/load_balancing_report.html").find("timers of the model, which tell sums") !=
          std::string::npos);
    CHECK(command(folder, "summary " + a).output.find("CHPSY) :") != std::string::npos);
    for (const char *what : {"predict --pes atm=8 ", "export --to csv -o x "}) {
        const Result r = command(folder, what + a);
        CHECK(r.status == 1);
        CHECK(r.errors.find("holds a run from timers of its model, without the timelines that this needs") !=
              std::string::npos);
    }
    write_run(timelines.path(), {{"ocean", 1, {0}, {{Kind::put, 1, 2, 1, 2}}, {}}});
    const Result mixed = command(folder, "balance --total 8 " + a + " " + timelines.path());
    CHECK(mixed.status == 1);
    CHECK(mixed.errors.find("cannot be mixed with runs from timers") != std::string::npos);
}

TEST_CASE("import timers: some files are damaged") {
    const TemporaryFolder folder;
    const std::string good = write(folder, "good", CesmFile().text());
    const std::string bad = write(folder, "bad", CesmFile().text().substr(0, 1200));
    const Result r = command(folder, "import timers " + bad + " " + good + " -o " + (folder / "out"));
    CHECK(r.status == 1);
    CHECK(r.errors.find("bad: line ") != std::string::npos);
    CHECK(r.errors.find("1 file of 2 could not be read") != std::string::npos);
    CHECK(r.output.find("2.367 SYPD") != std::string::npos); // the other is there
    CHECK(command(folder, "import timers " + good + " --kind abacus -o " + (folder / "out")).status == 2);
    CHECK(command(folder, "import timers " + good + " --simulated 86400 -o " + (folder / "out"))
              .output.find("0.237 SYPD") != std::string::npos); // one day instead of ten
}
