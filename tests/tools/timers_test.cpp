// cpl-lb with runs from timers: balance, compare, and what such runs cannot do; that texts, pages and messages say no
// more than timers tell, and where results go.
#include "tests/run/timers/cesm_file.hpp"
#include "tests/tools/told.hpp"

#include <sstream>

using namespace cpl_lb;
using namespace cpl_lb::test;
using nlohmann::json;

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
    answer_to(folder, "import timers" + files + " -o " + (folder / "runs"));
    return folders;
}

std::int64_t cores_of(const json &answer, const std::string &name) {
    return answer.at("processes").at(name).get<std::int64_t>();
}

// Two components side by side that scale ideally: 12,800 and 3,200 core seconds in ten days, on n and n cores.
CesmFile on_cores(int n) {
    CesmFile file;
    file.rows = {{"atm", "cam", 0, n, 1, 1, 12'800.0 / n}, {"ocn", "pop", n, n, 1, 1, 3'200.0 / n}};
    file.cores = 2 * n;
    file.run_s = 14'000.0 / n;
    file.lid = std::to_string(n) + ".host.260102-030405";
    return file;
}

std::string imported(const TemporaryFolder &folder, const CesmFile &file, const std::string &name) {
    const std::string path = write(folder, name + ".txt", file.text());
    std::string run = folder / name;
    answer_to(folder, "import timers " + path + " -o " + run);
    return run;
}

std::string one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

const char *const no_timelines = "holds a run from timers of its model, without the timelines that this needs\n";

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
    const json fours =
        told(folder, arguments + "atm=multiple-of-4,lnd=multiple-of-2,ice=multiple-of-2,ocn=multiple-of-2");
    CHECK(cores_of(fours, "atm") == 60);
}

TEST_CASE("manager: runs from timers are refused, whether their layout is known or not") {
    const TemporaryFolder folder;
    const std::string no_layout = import_cime_runs(folder);
    REQUIRE(command(folder,
                    "import timers " + write(folder, "timing", CesmFile{}.text()) + " -o " + (folder / "with_layout"))
                .status == 0);
    for (const std::string &runs : {no_layout, " " + (folder / "with_layout")}) {
        CHECK_THAT(refused(folder, "manager" + runs + " --total 100"),
                   Catch::Contains(no_timelines) && !Catch::Contains("--layout"));
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
    answer_to(folder, "import timers " + files + " -o " + (folder / "runs"));
    const std::string runs =
        (folder / "runs") + "/made.up." + one.lid + " " + (folder / "runs") + "/made.up." + two.lid;
    const json answer = told(folder, "balance " + runs + " --total 40");
    // Ideal scaling: 12,800 and 3,200 core seconds in 10 days; 32 and 8 of 40 cores take 400 s each.
    CHECK(cores_of(answer, "atm") == 32);
    CHECK(cores_of(answer, "ocn") == 8);
    CHECK(answer.at("seconds").get<double>() == Approx(400));
    CHECK(answer.at("measured_s").get<double>() == Approx(800)); // the first run's, on 16 and 16
    // 60 days where 10 and 20 were asked for: the length is not believed, and that is told.
    const std::string words = "How long these runs simulated is not known";
    CHECK_THAT(command(folder, "balance " + runs + " --total 40").output, !Catch::Contains(words));
    one.length = two.length = "60 days (60.0 for ocean)";
    const std::string wrong = write(folder, "c", one.text()) + " " + write(folder, "d", two.text());
    answer_to(folder, "import timers " + wrong + " -o " + (folder / "runs"));
    shows(command(folder, "balance " + runs + " --total 40").output, words);
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
    answer_to(folder, "import timers" + files + " -o " + (folder / "runs"));
    const std::string text = command(folder, "balance" + folders + " --total 40").output;
    shows(text, "How long these runs simulated is not known", "the best if all runs simulated the same time");
    CHECK_THAT(text, !Catch::Contains("proven"));
    CHECK_FALSE(told(folder, "balance" + folders + " --total 40").at("proven_optimal").get<bool>());
    answer_to(folder, "import timers" + files + " --simulated 864000 -o " + (folder / "runs"));
    shows(command(folder, "balance" + folders + " --total 40").output, "proven");
}

TEST_CASE("runs from timers beside each other, and where timelines are needed") {
    const TemporaryFolder folder, timelines;
    CesmFile one, two;
    two.lid = "2.host.260103-030405";
    two.run_s = 500;
    const std::string files = write(folder, "a", one.text()) + " " + write(folder, "b", two.text());
    answer_to(folder, "import timers " + files + " -o " + (folder / "runs"));
    const std::string a = (folder / "runs") + "/made.up." + one.lid, b = (folder / "runs") + "/made.up." + two.lid;
    // 1000 s and 500 s for 10 days.
    const json compared = told(folder, "compare " + a + " " + b);
    CHECK(compared.at("seconds_of") == "day of the model");
    const json &atm = compared.at("components").at(1);
    CHECK(atm.at("name") == "atm");
    CHECK(atm.at("length_s").at("before").get<double>() == Approx(100));
    CHECK(atm.at("length_s").at("after").get<double>() == Approx(50));
    CHECK(atm.at("computing_s").at("after").get<double>() == Approx(50)); // 500 s of its run phase
    CHECK(atm.at("waiting_s").at("after").is_null());
    CHECK(command(folder, "report " + a).status == 0);
    shows(contents(a + "/load_balancing_report.html"), "timers of the model, which tell sums");
    CHECK(command(folder, "summary " + a).output.find("CHPSY) :") != std::string::npos);
    for (const char *what : {"predict --pes atm=8 ", "export --to csv -o x "}) {
        shows(refused(folder, what + a), no_timelines);
    }
    write_run(timelines.path(), {{"ocean", 1, {0}, {{Kind::put, 1, 2, 1, 2}}, {}}});
    const Result mixed = command(folder, "balance --total 8 " + a + " " + timelines.path());
    CHECK(mixed.status == 1);
    shows(mixed.errors, "cannot be mixed with runs from timers");
}

TEST_CASE("import timers: some files are damaged") {
    const TemporaryFolder folder;
    const std::string good = write(folder, "good", CesmFile().text());
    const std::string bad = write(folder, "bad", CesmFile().text().substr(0, 1200));
    const Result r = command(folder, "import timers " + bad + " " + good + " -o " + (folder / "out"));
    CHECK(r.status == 1);
    shows(r.errors, "bad: line ", "1 file of 2 could not be read");
    shows(r.output, "2.367 SYPD"); // the other is there
    CHECK(command(folder, "import timers " + good + " --kind abacus -o " + (folder / "out")).status == 2);
    shows(command(folder, "import timers " + good + " --simulated 86400 -o " + (folder / "out")).output,
          "0.237 SYPD"); // one day instead of ten
}

// With n cores each the longest path is atm's, 12,800 / n s: 1600, 800 and 400 s on 16, 32 and 64 cores.
TEST_CASE("balance compares with the best run that its cores are enough for, in whatever order the runs come") {
    const TemporaryFolder folder;
    const std::string small = imported(folder, on_cores(8), "small"), large = imported(folder, on_cores(32), "large"),
                      medium = imported(folder, on_cores(16), "medium");
    const auto answer = [&](const std::string &runs, const std::string &more) {
        return answer_to(folder, "balance " + runs + " " + more);
    };
    for (const std::string &runs : {small + " " + medium + " " + large, large + " " + small + " " + medium}) {
        const json at_40 = json::parse(answer(runs, "--total 40 --json"));
        CHECK(at_40.at("measured_run") == medium);
        CHECK(at_40.at("measured_s").get<double>() == Approx(800));
        // 32 and 8 of 40 cores take 400 s: twice as fast on 40 / 32 of the cores, so 1 - 40 x 400 / (32 x 800).
        shows(answer(runs, "--total 40"),
              "Compared with " + medium + ", the fastest of the runs with at most 40 cores: 800.000 s on 32 cores.\n",
              "2.00 times as fast, 38 % cheaper");
        CHECK(json::parse(answer(runs, "--total 70 --json")).at("measured_run") == large);
        shows(answer(runs, "--total 10"),
              "Compared with " + small +
                  ", the run with the fewest cores, because all have more than 10 cores: 1600.000 s on 16 "
                  "cores.\n");
    }
    // All runs cost the same, so the cheapest is the first of them; of a single run nothing has to be said.
    CHECK_THAT(answer(small, "--total 40"), !Catch::Contains("Compared with"));
    CHECK(json::parse(answer(small, "--total 40 --json")).at("measured_run").is_null());
    const std::string page = folder / "page.html";
    answer(small, "--total 40 --html " + page);
    CHECK_THAT(contents(page),
               Catch::Contains("recommended, by ideal scaling") && !Catch::Contains("recommended, by the curve"));
    answer(small + " " + large, "--total 40 --html " + page);
    shows(contents(page), "recommended, by the curve");
}

TEST_CASE("compare: runs from timers have no steps, which is not few steps") {
    const TemporaryFolder folder;
    const std::string before = imported(folder, on_cores(8), "before"),
                      after = imported(folder, on_cores(16), "after"), page = folder / "page.html";
    const Result r = command(folder, "compare " + before + " " + after + " --html " + page);
    INFO(r.errors);
    REQUIRE(r.status == 0);
    CHECK_THAT(r.output, !Catch::Contains("coupling steps)") && !Catch::Contains("different length") &&
                             Catch::Contains("timers tell no coupling steps"));
    // 1750 and 875 s for ten days.
    CHECK_THAT(
        one_line(r.output),
        Catch::StartsWith("It is not known whether the run is slower (timers tell no coupling steps, and there "
                          "is one run of each): a day of the model takes 87.5 s instead of 175 s.") &&
            Catch::Contains("One run of each, without coupling steps: no interval can be given."));
    CHECK_THAT(contents(page), Catch::Contains("<h2>Each day of the model</h2>") &&
                                   !Catch::Contains("Step by step") && !Catch::Contains("coupling step</h2>"));
    // With two runs of each the spread between them is an interval.
    CesmFile again = on_cores(8), again_after = on_cores(16);
    again.run_s = 1752;
    again_after.run_s = 876;
    again.lid = "3.host.260104-030405";
    again_after.lid = "4.host.260104-030405";
    const json both =
        told(folder, "compare " + before + " " + after + " --also-before " + imported(folder, again, "again") +
                         " --also-after " + imported(folder, again_after, "again_after"));
    CHECK(both.at("verdict") == "faster");
    // How long the runs simulated is not known: it is that, and no lack of steps.
    CesmFile wrong = on_cores(8), wrong_after = on_cores(16);
    wrong.length = wrong_after.length = "60 days (60.0 for ocean)";
    const std::string unknown_length = one_line(command(folder, "compare " + imported(folder, wrong, "wrong") + " " +
                                                                    imported(folder, wrong_after, "wrong_after"))
                                                    .output);
    CHECK_THAT(unknown_length, Catch::StartsWith("It is not known whether the run is slower: how long the runs "
                                                 "simulated, or how long they took, is not known of both."));
}

TEST_CASE("the text of a run from timers: what they tell first, no tables of n/a, sources that can be read") {
    const TemporaryFolder folder;
    const std::string run = imported(folder, on_cores(8), "run");
    const std::string text = contents(run + "/load_balancing_info.txt");
    INFO(text);
    // 1750 s of run, 20 and 0.5 of its ends; 10 days: 864000 / (365 x 1750) SYPD, and 16 cores.
    const std::size_t table = text.find("\n\nComponent  Processes  Computing s\natm                8     1600.000\n"
                                        "ocn                8      400.000\n\n");
    CHECK(text.find("16 processes, 1770.500 s, 1.353 SYPD, 283.889 CHSY\n") < table);
    CHECK(table < text.find("Coupled model simulation time"));
    CHECK_THAT(text, !Catch::Contains("OASIS Operations") && !Catch::Contains("Additional information") &&
                         !Catch::Contains("oasis") && !Catch::Contains("jitter") &&
                         !Catch::Contains("from the arrival of its last process") && !Catch::Contains("cpl_lb_set") &&
                         !Catch::Contains("nn_cores") && !Catch::Contains("ln_energy"));
    shows(text,
          "Component  procs  cores      loop  computing\n"
          "atm            8      8  1750.000   1600.000\n",
          "Component  phase      length\n(all)      start-up   20.000\n"
          "(all)      shut-down   0.500\n\n",
          "\nspeed_over_s and loop_s of each component: Run Time (run.txt, line ",
          "\ncomputing_s of atm: ATM Run Time (run.txt, line ",
          "Started: 2026-01-02T03:04:05 (the machine's local time)\n",
          "ASYPD (the timers do not tell the time of submission: cpl-lb\ncpmip --submitted)");
    std::istringstream sources(text.substr(0, text.find("\nAbout the run")).substr(text.find("Which timer told")));
    for (std::string line; std::getline(sources, line);)
        CHECK(line.size() <= 80);
}

TEST_CASE("the timers of one process do not tell how much slower the others were") {
    const TemporaryFolder folder;
    const std::string file = write(folder, "model_timing.0000",
                                   "\n************ PROCESS      0 (     0) ************\n\nStats for thread 0:\n"
                                   "  On  Called Recurse     Wallclock          max          min     UTR Overhead \n"
                                   "  \"CPL:RUN_LOOP\" - 48 - 200.0 5.0 4.0 0.0\n"
                                   "  \"CPL:ATM_RUN\" - 48 - 100.0 2.5 2.0 0.0\n"
                                   "  \"a:CAM_run1\" - 48 - 60.0 2.0 1.0 0.0\n\nOverhead sum =  0.01 seconds\n");
    const Result r = command(folder, "import timers " + file + " -o " + (folder / "run"));
    INFO(r.errors);
    REQUIRE(r.status == 0);
    const std::string summary = contents(folder / "run/load_balancing_info.txt");
    INFO(summary);
    CHECK_THAT(summary, Catch::Contains("calls  processes     mean\n") && !Catch::Contains("imbalance %"));
    CHECK_THAT(summary, !Catch::Contains("n/a SYPD")); // the simulated time, and so the speed, are not in the file
}

TEST_CASE("import timers: folders of runs stay inside, and are seen") {
    const TemporaryFolder folder;
    const auto named = [&](const std::string &path, const std::string &name, int cores) {
        std::string text = on_cores(cores).text();
        const std::size_t at = text.find("made.up");
        return write(folder, path, text.replace(at, 7, name));
    };
    const std::string files = named("a", "../../evil", 8) + " " + named("b", ".hidden", 16),
                      out = folder / "deep/er/out";
    answer_to(folder, "import timers " + files + " -o " + out);
    std::vector<std::string> names;
    for (const auto &entry : std::filesystem::directory_iterator(out))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    CHECK(names == std::vector<std::string>{"_._.._evil.8.host.260102-030405", "_hidden.16.host.260102-030405"});
    // The folder above: which of those inside can be given.
    for (const char *what : {"summary ", "report ", "predict "}) {
        const Result above = command(folder, what + out);
        CHECK(above.status == 1);
        shows(above.errors, "holds no timeline_<component>.nc; runs are in folders inside, give one of "
                            "these: _._.._evil.8.host.260102-030405, _hidden.16.host.260102-030405\n");
    }
    CHECK_THAT(command(folder, "summary " + (folder / "deep")).errors, !Catch::Contains("runs are in"));
    // For programs: a list of both.
    const Result r = command(folder, "import timers " + files + " -o " + out + " --json");
    const json both = json::parse(r.output);
    REQUIRE(both.size() == 2);
    CHECK(both.at(0).at("run").at("id") == "../../evil.8.host.260102-030405");
    CHECK(both.at(1).at("components").at(0).at("name") == "atm");
}

TEST_CASE("import timers --kind: a file of something else is told as that") {
    const TemporaryFolder folder;
    const std::string foreign = write(folder, "foreign", "A log of something else.\n"),
                      cesm = write(folder, "cesm", on_cores(8).text()), out = folder / "out";
    const std::string words = ": holds no timers of kind fms: leave out --kind, and the kind is recognised\n";
    CHECK(command(folder, "import timers --kind fms " + foreign + " -o " + out).errors ==
          "cpl-lb: " + foreign + words);
    CHECK(command(folder, "import timers --kind fms " + cesm + " -o " + out).errors == "cpl-lb: " + cesm + words);
    CHECK_FALSE(std::filesystem::exists(out));
    const Result one = command(folder, "import timers --kind cesm " + foreign + " " + cesm + " -o " + out);
    CHECK(one.status == 1);
    shows(one.errors, "foreign: holds no timers of kind cesm", "1 file of 2");
    // A damaged file of that kind says what is damaged.
    const std::string cut = write(folder, "cut", on_cores(8).text().substr(0, 900));
    shows(command(folder, "import timers --kind cesm " + cut + " -o " + out).errors, "cut: line ");
}
