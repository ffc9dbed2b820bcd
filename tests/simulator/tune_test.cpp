// cpl-lb tune with a simulated model (simulated_model.cpp) as its command: from bad starts to the best counts, and
// what it says of runs that left nothing to go by.
#include "tests/json.hpp"
#include "tests/simulator/as_run.hpp"
#include "tests/simulator/tuned_models.hpp"
#include "tests/tools/command.hpp"

#include <filesystem>
#include <fstream>

using namespace cpl_lb;
using namespace cpl_lb::simulator;
using cpl_lb::test::command;
using nlohmann::json;

namespace {

constexpr std::int64_t cores = 24;

// Seconds of a step; the slower component decides.
double ocean_s(std::int64_t p) {
    return 0.6 / static_cast<double>(p) + 0.1;
}
double atmosphere_s(std::int64_t p) {
    return 1.8 / static_cast<double>(p) + 0.05;
}

// tune with the log F/log.txt, so with the folders F/log_1, F/log_2, ...
test::Result tune(const test::TemporaryFolder &folder, const std::string &options, const std::string &model) {
    return command(folder, "tune --log " + (folder / "log.txt") + " --total " + std::to_string(cores) + " " +
                               options + " -- " + model);
}

std::string simulated(const std::string &name) {
    return CPL_LB_SIMULATED_MODEL " " + name + " '{ocean}' '{atmosphere}'";
}

// The model of this name with so many cores for the ocean, else another one.
std::string either(const std::string &ocean, const std::string &name, const std::string &otherwise) {
    return "sh -c 'test {ocean} = " + ocean + " && name=" + name + " || name=" + otherwise + "; exec " +
           CPL_LB_SIMULATED_MODEL " $name {ocean} {atmosphere}'";
}

struct Tuned {                // NOLINT(bugprone-exception-escape): by the json in it
    std::vector<Counts> runs; // ocean, atmosphere
    json end;
    double best_s = 0; // true seconds of a step, with the best counts
};

Tuned tuned(const test::TemporaryFolder &folder, const std::string &name, const Counts &start,
            const std::string &options = "") {
    const auto r = tune(folder,
                        "--json --start ocean=" + std::to_string(start[0]) +
                            ",atmosphere=" + std::to_string(start[1]) + " " + options,
                        simulated(name));
    INFO(r.errors);
    REQUIRE(r.status == 0);
    Tuned result{{}, json::parse(r.output)};
    for (const json &run : result.end.at("runs"))
        result.runs.push_back({run.at("processes").at("ocean"), run.at("processes").at("atmosphere")});
    const json &best = result.end.at("processes");
    result.best_s = std::max(ocean_s(best.at("ocean")), atmosphere_s(best.at("atmosphere")));
    return result;
}

bool holds(const std::string &text, const std::string &part) {
    if (text.find(part) != std::string::npos) return true;
    UNSCOPED_INFO(text);
    return false;
}

} // namespace

// The best of all 23 splits of 24 cores is 9,15: ocean 0.6 / 9 + 0.1 = 0.1667 s, atmosphere 1.8 / 15 + 0.05 = 0.17 s.
// 8,16: 0.175 and 0.1625 s. 10,14: 0.16 and 0.1786 s.
TEST_CASE("tune: from five bad starts within 2 % of the best of all splits") {
    double least_s = 1e9;
    for (std::int64_t p = 1; p < cores; ++p)
        least_s = std::min(least_s, std::max(ocean_s(p), atmosphere_s(cores - p)));
    REQUIRE(least_s == Approx(0.17));
    for (const std::string name : {"example", "noisy"}) {
        for (const Counts &start : {Counts{1, 23}, Counts{23, 1}, Counts{2, 20}, Counts{18, 4}, Counts{12, 12}}) {
            INFO(name << " " << start[0] << "," << start[1]);
            const test::TemporaryFolder folder;
            const Tuned t = tuned(folder, name, start);
            CHECK(t.runs.front() == start);
            CHECK(t.runs.size() <= 5);
            CHECK(t.best_s <= 1.02 * least_s);
            CHECK(t.end.at("best_s").get<double>() == Approx(least_s).epsilon(0.03)); // with its noise
        }
    }
}

TEST_CASE("tune: allowed counts and whole nodes hold for every run") {
    const test::TemporaryFolder folder;
    const Tuned t = tuned(folder, "example", {2, 20}, "--allowed ocean=2:4:6:12,atmosphere=multiple-of-4");
    for (std::size_t n = 1; n < t.runs.size(); ++n) {
        const std::int64_t ocean = t.runs[n][0];
        CHECK((ocean == 2 || ocean == 4 || ocean == 6 || ocean == 12));
        CHECK(t.runs[n][1] % 4 == 0);
    }
    // 6,16: 0.2 and 0.1625 s. 12,12: 0.15 and 0.2 s. As good: 6 with 16, or 12 with 12.
    CHECK(t.best_s == Approx(0.2));

    // Nodes of 8 cores: 8,16 with 0.175 s is the best of two splits. By ideal scaling from 20,4 that is 16,8: 0.163
    // and 0.25 s, but it takes 0.275 s. What the ocean took is then 0.6 / p + 0.1, the form that hslb fits.
    const test::TemporaryFolder nodes;
    const Tuned n = tuned(nodes, "example", {20, 4}, "--cores-per-node 8");
    CHECK(n.runs == std::vector<Counts>{{20, 4}, {16, 8}, {8, 16}});
    CHECK(n.end.at("processes") == json({{"ocean", 8}, {"atmosphere", 16}}));

    // A start that the rule does not have is told.
    const test::TemporaryFolder other;
    CHECK(holds(
        tune(other, "--runs 1 --start ocean=3,atmosphere=20 --allowed ocean=multiple-of-2", simulated("example"))
            .output,
        "Remark: ocean has 3 cores in this run, which --allowed (multiple-of-2) does not have."));
}

TEST_CASE("tune: nobody waits and all cores are taken: one run is enough") {
    const test::TemporaryFolder folder;
    const Tuned t = tuned(folder, "even", {8, 16}); // 0.1 s each
    CHECK(t.runs == std::vector<Counts>{{8, 16}});
    CHECK(t.end.at("why") == "the best counts by the runs so far were run: atmosphere=16,ocean=8");
}

TEST_CASE("tune: it stops where little is to be gained, and after so many runs") {
    // Ideally scaled from 1,23: ocean 0.7 s x 1, atmosphere 0.128 s x 23 = 2.95: with 5,19 0.14 and 0.155 s, 78 %
    // less.
    const test::TemporaryFolder one;
    const Tuned enough = tuned(one, "example", {1, 23}, "--enough 90");
    CHECK(enough.runs.size() == 1);
    CHECK(enough.end.at("why") == "by the runs so far no other counts make a cycle more than 90 % shorter");
    const test::TemporaryFolder two;
    const Tuned few = tuned(two, "example", {1, 23}, "--runs 1 --enough 0");
    CHECK(few.runs.size() == 1);
    CHECK(few.end.at("why") ==
          "as many runs were made as --runs allows, 1; by these a cycle would be 78 % shorter with "
          "atmosphere=19,ocean=5");
}

TEST_CASE("tune: what is printed, and written down") {
    const test::TemporaryFolder folder;
    const auto r =
        tune(folder, "--runs 2 --enough 0 --start ocean=1,atmosphere=23 --launch mpirun", simulated("example"));
    INFO(r.errors);
    REQUIRE(r.status == 0);
    CHECK(r.errors.empty());
    CHECK(r.output.starts_with("Run 1: atmosphere=23,ocean=1.\nRun 2: atmosphere=19,ocean=5.\n"));
    // The second run: ocean 0.6 / 5 + 0.1 = 0.22 s, against 0.7 s.
    CHECK(holds(r.output, "\natmosphere=19,ocean=5\nStop: as many runs were made as --runs allows, 2; "));
    CHECK(holds(r.output, "\nThe best is run 2 with 0.220 s a coupling cycle.\n"));
    CHECK(holds(r.output, "\nmpirun -np 5 ./ocean : -np 19 ./atmosphere\n"));
    CHECK(test::contents(folder / "log.txt") == r.output);
    for (const std::string run : {"log_1", "log_2"}) {
        CHECK(test::contents(folder / (run + "/output.txt")) == "model example has run\n");
        CHECK_FALSE(std::filesystem::exists(folder / (run + "/not_taken.txt")));
    }

    // It goes on from the folders, and adds to the log. The template's text alone is for scripts.
    std::ofstream(folder / "job.in") << "{total}: {ocean} {atmosphere}\n";
    const auto again = tune(folder, "--runs 2 --enough 0 --template " + (folder / "job.in"), simulated("example"));
    CHECK(again.output == "24: 5 19\n");
    CHECK_FALSE(std::filesystem::exists(folder / "log_3"));
    CHECK(test::contents(folder / "log.txt").starts_with(r.output + "atmosphere=19,ocean=5\nStop: "));
    // Its old name.
    CHECK(command(folder, "tune run --log " + (folder / "log.txt") + " --total 24 --runs 2 --enough 0 -- " +
                              simulated("example"))
              .output.starts_with("atmosphere=19,ocean=5\nStop: "));
    // A template that is wrong is told before any other run.
    std::ofstream(folder / "job.in") << "{oecan}\n";
    CHECK(holds(tune(folder, "--template " + (folder / "job.in"), simulated("example")).errors,
                "there is no name {oecan}"));
    CHECK_FALSE(std::filesystem::exists(folder / "log_3"));
}

TEST_CASE("tune: who is not in the command keeps its processes") {
    const test::TemporaryFolder folder;
    const auto start = [](const std::string &model) {
        return "--json --start ocean=2,atmosphere=20 -- " CPL_LB_SIMULATED_MODEL " server " + model;
    };
    const std::string all = "tune --log " + (folder / "log.txt") + " --total 24 --runs 2 ";
    const auto held = command(folder, all + start("'{ocean}' '{atmosphere}' 2"));
    INFO(held.errors);
    REQUIRE(held.status == 0);
    // Ideally scaled from 2,20: ocean 0.4 s of 2, atmosphere 0.14 s of 20. 22 cores: 0.8 / p = 2.8 / (22 - p), p
    // = 4.9; with 5,17: 0.16 and 0.165 s; 4,18: 0.2 and 0.156 s.
    CHECK(json::parse(held.output).at("runs").at(1).at("processes") ==
          json({{"ocean", 5}, {"atmosphere", 17}, {"ioserver", 2}}));
    // Who is in it may be one that balance leaves alone, but not one that is not there.
    const auto wrong = command(folder, all + start("'{ocean}' '{atmosphere}' 2 '{a}'"));
    CHECK(wrong.status == 1);
    CHECK(holds(wrong.errors, "{a}: there is no component 'a'; there are ocean, atmosphere, ioserver"));
    // One component alone cannot get more cores.
    const test::TemporaryFolder other;
    const Tuned one{{},
                    json::parse(command(other, "tune --log " + (other / "log.txt") +
                                                   " --total 24 --json --start ocean=4 -- " CPL_LB_SIMULATED_MODEL
                                                   " example '{ocean}' 18")
                                    .output)};
    for (const json &run : one.end.at("runs"))
        CHECK(run.at("processes").at("atmosphere") == 18);
}

TEST_CASE("tune: a run without results is told and not taken, and after two in a row somebody has to look") {
    const test::TemporaryFolder folder;
    // The second run fails, the third does not: the same counts again.
    const auto once = tune(folder, "--runs 2 --json --start ocean=2,atmosphere=20",
                           "sh -c 'case {dir} in *log_2) exit 9;; esac; exec " CPL_LB_SIMULATED_MODEL
                           " example {ocean} {atmosphere}'");
    INFO(once.errors);
    REQUIRE(once.status == 0);
    CHECK(once.errors == "cpl-lb: run 2: not taken: the command ended with exit status 9 (its output: " +
                             (folder / "log_2/output.txt") + ")\n");
    const json runs = json::parse(once.output).at("runs");
    REQUIRE(runs.size() == 3);
    CHECK(runs[1].at("state") == "refused");
    CHECK(runs[1].at("processes") == runs[2].at("processes"));
    CHECK(runs[2].at("state") == "taken");

    const test::TemporaryFolder other;
    const auto twice = tune(other, "", "sh -c 'kill -9 $$ {ocean} {atmosphere}'");
    CHECK(twice.status == 1);
    CHECK(holds(twice.output, "Run 1: atmosphere=12,ocean=12.\n")); // as many for each
    CHECK(holds(twice.errors, "run 1: not taken: the command was ended by signal 9"));
    CHECK(holds(twice.errors, "two runs in a row gave no usable result; see " + (other / "log_2") + "\n"));
    // Who has looked goes on.
    CHECK(tune(other, "", simulated("example")).status == 0);
    CHECK(std::filesystem::exists(other / "log_3/timeline_ocean.nc"));
}

TEST_CASE("tune: a clock that jumps, a process without a record and an interrupted run are not taken") {
    const test::TemporaryFolder folder;
    const auto jumped = tune(folder, "--runs 2 --start ocean=2,atmosphere=20", either("2", "example", "jumped"));
    CHECK(jumped.status == 1);
    CHECK(holds(jumped.errors, "run 2: not taken: one coupling cycle takes 50."));

    // One of the atmosphere's 20 processes left no record: that the others were as fast tells nothing of 20.
    const test::TemporaryFolder lacking;
    const auto missing = tune(lacking, "--start ocean=2,atmosphere=20", simulated("missing"));
    CHECK(missing.status == 1);
    CHECK(holds(missing.errors,
                "not taken: 1 process of atmosphere is missing: what it takes with other cores is not known\n"));

    // tune was killed during its first run, whose results are there, but may be half of it.
    const test::TemporaryFolder killed;
    REQUIRE(tune(killed, "--runs 1 --start ocean=1,atmosphere=23", simulated("example")).status == 0);
    std::ofstream(killed / "log_1/not_taken.txt") << "the command was interrupted";
    const auto after = tune(killed, "--runs 1 --start ocean=2,atmosphere=22", simulated("example"));
    CHECK(after.status == 0);
    CHECK(holds(after.output, "Run 2: atmosphere=22,ocean=2.\n"));
    CHECK(holds(after.output, "not taken: the command was interrupted"));

    // Another model in the folder of a run.
    const test::TemporaryFolder mixed;
    REQUIRE(tune(mixed, "--runs 1 --start ocean=2,atmosphere=20", simulated("example")).status == 0);
    std::filesystem::create_directory(mixed / "log_2");
    write_timelines(mixed / "log_2", simulate(tuned_model("server"), {2, 20, 2}, {.steps = 24, .seed = 4}));
    const auto another = tune(mixed, "", simulated("example"));
    CHECK(another.status == 1);
    CHECK(holds(another.errors, "log_2 holds a run of another model than the first"));
}

TEST_CASE("tune: a model that does not take its counts does not go on for ever") {
    const test::TemporaryFolder folder;
    const auto r = tune(folder, "--json --start ocean=1,atmosphere=23",
                        "sh -c 'exec " CPL_LB_SIMULATED_MODEL " example 1 23 # {ocean} {atmosphere}'");
    INFO(r.errors);
    REQUIRE(r.status == 0);
    const json end = json::parse(r.output);
    CHECK(end.at("runs").size() == 2);
    CHECK(end.at("runs").at(1).at("expected_s").is_null()); // it was of other counts
    CHECK(holds(end.at("why"), "the best counts by the runs so far were run: "));
}

TEST_CASE("tune: what cannot be run is told in one line") {
    const test::TemporaryFolder folder;
    const auto error = [&](const std::string &options, const std::string &model) {
        const auto r = tune(folder, options, model);
        CHECK(r.status == 1);
        CHECK(std::count(r.errors.begin(), r.errors.end(), '\n') == 1);
        return r.errors;
    };
    const std::string good = simulated("example");
    CHECK(holds(error("", "./model"), "the command has no counts in it, such as {ocean}"));
    CHECK(holds(error("", "./model '{dir}' '{}' '{'"), "the command has no counts in it"));
    CHECK(
        holds(error("--start ocean=20,atmosphere=5", good), "the first run would take 25 cores, and --total is 24"));
    CHECK(holds(error("--start ocean=0,atmosphere=5", good), "--start: not a number of processes: '0'"));
    CHECK(holds(error("--start ocean=2,ocean=5", good), "--start: "));
    CHECK(holds(error("--start sea=2", good), "--start: there is no component 'sea'; there are ocean, atmosphere"));
    CHECK(holds(error("", "./is_not_there '{ocean}'"), "cannot start ./is_not_there: No such file or directory"));
    CHECK(command(folder, "tune").status == 2);
    CHECK(command(folder, "tune --total 24").status == 2);
}

// The same model with the manager that moves processes while it runs: its curves from three runs.
TEST_CASE("what the run-time manager would do with a model, by its runs") {
    const test::TemporaryFolder folder;
    std::string runs;
    for (const Counts &counts : {Counts{2, 4}, Counts{6, 12}, Counts{12, 20}}) {
        const std::string directory = folder / ("run" + std::to_string(counts[0]));
        std::filesystem::create_directory(directory);
        write_timelines(directory, simulate(tuned_model("example"), counts, {.steps = 24, .seed = runs.size()}));
        runs += " " + directory;
    }
    const auto r =
        command(folder, "manager" + runs + " --total 24 --start ocean=20,atmosphere=4 --json --intervals 12");
    INFO(r.errors);
    REQUIRE(r.status == 0);
    const json answer = json::parse(r.output);
    CHECK(answer.at("first_s").get<double>() == Approx(0.5).epsilon(0.02)); // 1.8 / 4 + 0.05
    CHECK(answer.at("final_s").get<double>() == Approx(0.17).epsilon(0.03));
    CHECK(answer.at("reallocations") >= 1);
    const auto start = command(folder, "manager" + runs + " --total 24 --start ocean=20,atmosphere=5");
    CHECK(start.errors.find("the start takes 25 cores for all components, and --total 24 leaves 24") !=
          std::string::npos);
}
