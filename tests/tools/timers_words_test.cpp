// cpl-lb with runs from timers: that texts, pages and messages say no more than timers tell, and where results go.
#include "tests/json.hpp"
#include "tests/run/timers/cesm_file.hpp"
#include "tests/tools/command.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>

using namespace cpl_lb;
using nlohmann::json;
using namespace cpl_lb::test;
using Catch::Contains;

namespace {

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
    const Result r = command(folder, "import timers " + path + " -o " + run);
    INFO(r.errors);
    REQUIRE(r.status == 0);
    return run;
}

std::string one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

} // namespace

// With n cores each the longest path is atm's, 12,800 / n s: 1600, 800 and 400 s on 16, 32 and 64 cores.
TEST_CASE("balance compares with the best run that its cores are enough for, in whatever order the runs come") {
    const TemporaryFolder folder;
    const std::string small = imported(folder, on_cores(8), "small"), large = imported(folder, on_cores(32), "large"),
                      medium = imported(folder, on_cores(16), "medium");
    const auto answer = [&](const std::string &runs, const std::string &more) {
        const Result r = command(folder, "balance " + runs + " " + more);
        INFO(r.errors);
        REQUIRE(r.status == 0);
        return r.output;
    };
    for (const std::string &runs : {small + " " + medium + " " + large, large + " " + small + " " + medium}) {
        const json at_40 = json::parse(answer(runs, "--total 40 --json"));
        CHECK(at_40.at("measured_run") == medium);
        CHECK(at_40.at("measured_s").get<double>() == Approx(800));
        // 32 and 8 of 40 cores take 400 s: twice as fast on 40 / 32 of the cores, so 1 - 40 x 400 / (32 x 800).
        CHECK_THAT(answer(runs, "--total 40"),
                   Contains("Compared with " + medium +
                            ", the fastest of the runs with at most 40 cores: 800.000 s on 32 cores.\n") &&
                       Contains("2.00 times as fast, 38 % cheaper"));
        CHECK(json::parse(answer(runs, "--total 70 --json")).at("measured_run") == large);
        CHECK_THAT(answer(runs, "--total 10"),
                   Contains("Compared with " + small +
                            ", the run with the fewest cores, because all have more than 10 cores: 1600.000 s on 16 "
                            "cores.\n"));
    }
    // All runs cost the same, so the cheapest is the first of them; of a single run nothing has to be said.
    CHECK_THAT(answer(small, "--total 40"), !Contains("Compared with"));
    CHECK(json::parse(answer(small, "--total 40 --json")).at("measured_run").is_null());
    const std::string page = folder / "page.html";
    answer(small, "--total 40 --html " + page);
    CHECK_THAT(contents(page), Contains("recommended, by ideal scaling") && !Contains("recommended, by the curve"));
    answer(small + " " + large, "--total 40 --html " + page);
    CHECK_THAT(contents(page), Contains("recommended, by the curve"));
}

TEST_CASE("compare: runs from timers have no steps, which is not few steps") {
    const TemporaryFolder folder;
    const std::string before = imported(folder, on_cores(8), "before"),
                      after = imported(folder, on_cores(16), "after"), page = folder / "page.html";
    const Result r = command(folder, "compare " + before + " " + after + " --html " + page);
    INFO(r.errors);
    REQUIRE(r.status == 0);
    CHECK_THAT(r.output, !Contains("coupling steps)") && !Contains("different length") &&
                             Contains("timers tell no coupling steps"));
    // 1750 and 875 s for ten days.
    CHECK_THAT(
        one_line(r.output),
        Catch::StartsWith("It is not known whether the run is slower (timers tell no coupling steps, and there "
                          "is one run of each): a day of the model takes 87.5 s instead of 175 s.") &&
            Contains("One run of each, without coupling steps: no interval can be given."));
    CHECK_THAT(contents(page), Contains("<h2>Each day of the model</h2>") && !Contains("Step by step") &&
                                   !Contains("coupling step</h2>"));
    // With two runs of each the spread between them is an interval.
    CesmFile again = on_cores(8), again_after = on_cores(16);
    again.run_s = 1752;
    again_after.run_s = 876;
    again.lid = "3.host.260104-030405";
    again_after.lid = "4.host.260104-030405";
    const json both = json::parse(command(folder, "compare --json " + before + " " + after + " --also-before " +
                                                      imported(folder, again, "again") + " --also-after " +
                                                      imported(folder, again_after, "again_after"))
                                      .output);
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
    CHECK_THAT(text, !Contains("OASIS Operations") && !Contains("Additional information") && !Contains("oasis") &&
                         !Contains("jitter") && !Contains("from the arrival of its last process") &&
                         !Contains("cpl_lb_set") && !Contains("nn_cores") && !Contains("ln_energy"));
    CHECK_THAT(text, Contains("Component  procs  cores      loop  computing\n"
                              "atm            8      8  1750.000   1600.000\n"));
    CHECK_THAT(text, Contains("Component  phase      length\n(all)      start-up   20.000\n"
                              "(all)      shut-down   0.500\n\n"));
    CHECK_THAT(text, Contains("\nspeed_over_s and loop_s of each component: Run Time (run.txt, line ") &&
                         Contains("\ncomputing_s of atm: ATM Run Time (run.txt, line "));
    CHECK_THAT(text, Contains("Started: 2026-01-02T03:04:05 (the machine's local time)\n"));
    CHECK_THAT(text, Contains("ASYPD (the timers do not tell the time of submission: cpl-lb\ncpmip --submitted)"));
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
    CHECK_THAT(summary, Contains("calls  processes     mean\n") && !Contains("imbalance %"));
    CHECK_THAT(summary, !Contains("n/a SYPD")); // the simulated time, and so the speed, are not in the file
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
    REQUIRE(command(folder, "import timers " + files + " -o " + out).status == 0);
    std::vector<std::string> names;
    for (const auto &entry : std::filesystem::directory_iterator(out))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    CHECK(names == std::vector<std::string>{"_._.._evil.8.host.260102-030405", "_hidden.16.host.260102-030405"});
    // The folder above: which of those inside can be given.
    for (const char *what : {"summary ", "report ", "predict "}) {
        const Result above = command(folder, what + out);
        CHECK(above.status == 1);
        CHECK_THAT(above.errors, Contains("holds no timeline_<component>.nc; runs are in folders inside, give one of "
                                          "these: _._.._evil.8.host.260102-030405, _hidden.16.host.260102-030405\n"));
    }
    CHECK_THAT(command(folder, "summary " + (folder / "deep")).errors, !Contains("runs are in"));
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
    CHECK_THAT(one.errors, Contains("foreign: holds no timers of kind cesm") && Contains("1 file of 2"));
    // A damaged file of that kind says what is damaged.
    const std::string cut = write(folder, "cut", on_cores(8).text().substr(0, 900));
    CHECK_THAT(command(folder, "import timers --kind cesm " + cut + " -o " + out).errors, Contains("cut: line "));
}
