// Executables with and without the library in one job: the model's results, output and exit status are those of a job
// that has it nowhere, and those who have it record.
#include "run_scenario.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <set>
#include <sstream>

static const scenario::Program program("scenarios");

namespace {

using scenario::Result;

struct Executable {
    std::string name;
    int processes = 1;
    bool has_library = true;
    std::string more = {}; // arguments
};

// "-n 2 PROGRAM ocean : -n 1 PROGRAM atmosphere"
std::string job_of(const std::vector<Executable> &executables, bool on_several_nodes = false) {
    std::string job;
    for (const Executable &e : executables) {
        if (!job.empty()) job += " : " SCENARIOS_NUMPROC_FLAG " ";
        job += std::to_string(e.processes) + " " + (on_several_nodes ? scenario::as_on_several_nodes : "") + "'" +
               scenario::beside(e.has_library ? "stranger_with" : "stranger_without") + "' " + e.name + " " + e.more;
    }
    return job;
}

// What the model itself wrote. UCX under MPICH tells of messages that nobody received, which a process without the
// library has when rank 0's executable lacks it.
std::set<std::string> model_lines(const Result &r) {
    std::istringstream in(r.output);
    std::set<std::string> lines;
    for (std::string line; std::getline(in, line);)
        if (line.find("_result ") != std::string::npos) lines.insert(line);
    return lines;
}

std::set<std::string> without_library(std::vector<Executable> executables) {
    for (Executable &e : executables)
        e.has_library = false;
    const Result r = scenario::run_job(job_of(executables), "");
    REQUIRE(r.exit_code == 0);
    return model_lines(r);
}

// The longest that cpl_lb_init took: "ocean_init 0 took 1.003".
double longest_init_s(const Result &r) {
    std::ifstream in(r.folder / "stderr");
    double longest = 0;
    for (std::string line; std::getline(in, line);)
        if (const std::size_t at = line.find(" took "); at != std::string::npos)
            longest = std::max(longest, std::atof(line.c_str() + at + 6));
    return longest;
}

// The init time of one executable's first process.
double init_s(const Result &r, const std::string &name) {
    std::istringstream in(scenario::slurp(r.folder / "stderr"));
    for (std::string line; std::getline(in, line);) {
        const std::size_t at = line.find(" took ");
        const bool is_it = at != std::string::npos && line.find(name) != std::string::npos;
        if (is_it) return std::atof(line.c_str() + at + 6);
    }
    FAIL("no line of " << name);
    return 0;
}

std::set<std::string> recorded(const Result &r) {
    std::set<std::string> names;
    if (!r.has("load_balancing_info.json")) return names;
    const nlohmann::json info = r.info();
    for (const auto &c : info.at("components"))
        names.insert(c.at("name").get<std::string>());
    return names;
}

// All subsets but "none" and "all".
void try_all_subsets(const std::vector<Executable> &executables, bool on_several_nodes = false) {
    const std::set<std::string> expected = without_library(executables);
    REQUIRE(expected.size() == executables.size());
    for (unsigned subset = 1; subset + 1 < 1U << executables.size(); ++subset) {
        std::vector<Executable> job = executables;
        std::set<std::string> with;
        std::string names;
        for (std::size_t e = 0; e < job.size(); ++e) {
            job[e].has_library = (subset >> e & 1U) != 0;
            if (!job[e].has_library) continue;
            with.insert(job[e].name);
            names += job[e].name + " ";
        }
        INFO("with the library: " << names);
        const Result off = scenario::run_job(job_of(job, on_several_nodes), "CPL_LB_TIMEOUT=1");
        CHECK(off.exit_code == 0);
        CHECK(model_lines(off) == expected);
        CHECK(recorded(off).empty());
        // Rank 0 says "off" when it comes, and nobody waits. Without it the others wait, and say so.
        CHECK(off.complaints_with("switched off") == (job.front().has_library ? 0 : 1));
        CHECK(off.complaints.size() == (job.front().has_library ? 0 : 1));
        const Result on = scenario::run_job(job_of(job, on_several_nodes), "CPL_LB_TIMEOUT=1 CPL_LB_ENABLED=1");
        CHECK(on.exit_code == 0);
        CHECK(model_lines(on) == expected);
        CHECK(recorded(on) == with);
        CHECK(on.complaints_with("did not come to cpl_lb_init") == 1);
        CHECK(on.complaints.size() == 1);
        CHECK(scenario::slurp(on.folder / "load_balancing_info.txt").find("did not come to cpl_lb_init") !=
              std::string::npos);
    }
}

} // namespace

TEST_CASE("two executables, each of which may lack the library") {
    try_all_subsets({{"ocean", 2}, {"atmosphere", 2}});
}

TEST_CASE("three executables, any of which may lack the library") {
    try_all_subsets({{"ocean", 1}, {"atmosphere", 1}, {"land", 1}});
}

// The launcher keeps the notices, instead of the node's disk.
TEST_CASE("as on several nodes: two executables, each of which may lack the library") {
    try_all_subsets({{"ocean", 1}, {"atmosphere", 2}}, true);
}

TEST_CASE("all have it: no line, no wait, switched on and off") {
    const std::vector<Executable> job = {{"ocean", 2}, {"atmosphere", 1}};
    const std::set<std::string> expected = without_library(job);
    const Result off = scenario::run_job(job_of(job), "");
    CHECK(off.exit_code == 0);
    CHECK(model_lines(off) == expected);
    CHECK(off.complaints.empty());
    CHECK(longest_init_s(off) < 4.0); // nobody's patience of 5 s was used
    const Result on = scenario::run_job(job_of(job), "CPL_LB_ENABLED=1");
    CHECK(on.exit_code == 0);
    CHECK(model_lines(on) == expected);
    CHECK(on.complaints.empty());
    CHECK(recorded(on) == std::set<std::string>{"ocean", "atmosphere"});
    CHECK(longest_init_s(on) < 4.0);
}

TEST_CASE("switched off by nobody's word, rank 0's executable without: some 5 s, and one line that says so") {
    const Result r = scenario::run_job(job_of({{"ocean", 1, false}, {"atmosphere", 1}}), "");
    CHECK(r.exit_code == 0);
    CHECK(r.complaints_with("switched off; 1 of 2 processes did not answer in cpl_lb_init (rank 0)") == 1);
    CHECK(longest_init_s(r) > 4.0);
    CHECK(longest_init_s(r) < 9.0);
}

TEST_CASE("switched off by nobody's word, a later executable without: nobody waits, no line") {
    const Result r = scenario::run_job(job_of({{"ocean", 1}, {"atmosphere", 1, false}}), "");
    CHECK(r.exit_code == 0);
    CHECK(r.complaints.empty());
    CHECK(longest_init_s(r) < 4.0); // not the 5 s
}

// 7 s late, more than the 5 s that anybody would wait for a word.
TEST_CASE("switched off, all have it, one executable is late: the late one waits for nobody") {
    const bool the_first = GENERATE(true, false);
    const Result r = scenario::run_job(
        job_of({{"ocean", 2, true, the_first ? "4 7" : "4"}, {"atmosphere", 2, true, the_first ? "4" : "4 7"}}), "");
    CHECK(r.exit_code == 0);
    CHECK(model_lines(r).size() == 2);
    CHECK(r.complaints_with("link") == (the_first ? 1 : 0)); // who waits 5 s for rank 0 cannot know that it is late
    CHECK(init_s(r, the_first ? "ocean" : "atmosphere") < 2.5);
    if (!the_first) CHECK(init_s(r, "ocean") < 2.5);
}

// The others wait 3 s, as they are told; the late ones would wait as long if they found no decision.
TEST_CASE("switched on, an executable is later than the others wait: it finds that at once, and one line says so") {
    const bool the_first = GENERATE(true, false);
    const Result r = scenario::run_job(
        job_of({{"ocean", 2, true, the_first ? "4 6" : "4"}, {"atmosphere", 2, true, the_first ? "4" : "4 6"}}),
        "CPL_LB_ENABLED=1 CPL_LB_TIMEOUT=3");
    CHECK(r.exit_code == 0);
    CHECK(model_lines(r).size() == 2);
    CHECK(recorded(r) == std::set<std::string>{the_first ? "atmosphere" : "ocean"});
    CHECK(r.complaints_with("did not come to cpl_lb_init") == 1);
    CHECK(r.complaints_with("too late and are not recorded") == 1);
    CHECK(r.complaints.size() == 2);
    CHECK(init_s(r, the_first ? "ocean" : "atmosphere") < 2.0);
}

TEST_CASE("ranks in the results are those of the model, also where rank 0 is not recorded") {
    const Result r =
        scenario::run_job(job_of({{"ocean", 1, false}, {"atmosphere", 2}}), "CPL_LB_TIMEOUT=1 CPL_LB_ENABLED=1");
    REQUIRE(r.exit_code == 0);
    CHECK(scenario::timeline(r, "atmosphere").header.ranks == std::vector<std::int32_t>{1, 2});
    // A second of waiting for who never comes is not the model's time, which is some milliseconds.
    CHECK(longest_init_s(r) > 0.9);
    CHECK(r.info().at("run").at("wall_s").get<double>() < 0.9 * longest_init_s(r));
    // Steps 2 to 4 of rank 1's four GET from the ocean, which nobody recorded: its counterpart is seen from outside.
    CHECK(r.component("atmosphere").at("waiting_for").contains("neighbour"));
}

TEST_CASE("a namelist only where rank 0 is not: one line says what to do") {
    const Result r = scenario::run_job("1 '" + scenario::beside("stranger_with") +
                                           "' ocean : " SCENARIOS_NUMPROC_FLAG " 1 /usr/bin/env CPL_LB_ENABLED=1 '" +
                                           scenario::beside("stranger_with") + "' atmosphere",
                                       "");
    CHECK(r.exit_code == 0);
    CHECK(recorded(r).empty());
    CHECK(r.complaints_with("process 1 is told to record, but the settings of process 0 count") == 1);
    CHECK(r.complaints.size() == 1);
}

TEST_CASE("the namelist lies where the model was started, and the model has gone elsewhere") {
    const Result r = scenario::run_job("2 '" + scenario::beside("scenarios") + "' elsewhere", "",
                                       "&namcpl_lb\n ln_print = .false.\n/\n");
    CHECK(r.exit_code == 0);
    CHECK(r.has("elsewhere/load_balancing_info.json")); // cn_dir is relative to where the model is now
}

TEST_CASE("an executable that comes seconds later than the others is waited for") {
    const Result r = scenario::run_job(job_of({{"ocean", 1}, {"atmosphere", 1, true, "4 1.5"}}), "CPL_LB_ENABLED=1");
    CHECK(r.exit_code == 0);
    CHECK(r.complaints.empty());
    CHECK(recorded(r) == std::set<std::string>{"ocean", "atmosphere"});
    CHECK(longest_init_s(r) > 1.0);
}

TEST_CASE("an intercommunicator: one line, switched off, nothing hangs") {
    const std::string on = GENERATE("", "CPL_LB_ENABLED=1 ");
    const Result r = scenario::run_job(job_of({{"ocean", 1}, {"atmosphere", 1}}), on + "STRANGER_INTERCOMM=1");
    CHECK(r.exit_code == 0);
    CHECK(model_lines(r).size() == 2);
    CHECK(recorded(r).empty());
    CHECK(r.complaints_with("intercommunicator") == 2); // each process for itself: they cannot talk
    CHECK(longest_init_s(r) < 4.0);
}

TEST_CASE("the model frees the communicator that it gave to the library") {
    for (const std::string late : {"0", "3"}) {
        INFO(late << " s late");
        const Result r =
            scenario::run_job(job_of({{"ocean", 2}, {"atmosphere", 2}}),
                              "CPL_LB_ENABLED=1 CPL_LB_TIMEOUT=6 STRANGER_COPY=1 STRANGER_COPY_LATE=" + late);
        CHECK(r.exit_code == 0);
        CHECK(model_lines(r).size() == 2);
        CHECK(r.complaints.empty());
        CHECK(recorded(r) == std::set<std::string>{"ocean", "atmosphere"});
    }
}

// With tests/stubs/strict.c in front.
TEST_CASE("several nodes, and the launcher keeps no names: switched off, and one line says why", "[strict]") {
    const std::string nowhere = "STRICT_NO_NAMES=1 CPL_LB_TIMEOUT=1 ";
    for (const bool all_have_it : {true, false}) {
        const std::string job = job_of({{"ocean", 2}, {"atmosphere", 1, all_have_it}}, true);
        const Result on = scenario::run_job(job, nowhere + "CPL_LB_ENABLED=1");
        CHECK(on.exit_code == 0);
        CHECK(model_lines(on).size() == 2);
        CHECK(recorded(on).empty());
        CHECK(on.complaints_with("cannot find out which of them have cpl_lb") == 1);
        CHECK(on.complaints.size() == 1);
        CHECK(longest_init_s(on) < 0.9); // nobody is waited for
        const Result off = scenario::run_job(job, nowhere);
        CHECK(off.exit_code == 0);
        CHECK(off.complaints.empty());
    }
    const Result said = scenario::run_job(job_of({{"ocean", 2}, {"atmosphere", 1}}, true),
                                          nowhere + "CPL_LB_ENABLED=1 CPL_LB_LINKED=all");
    CHECK(said.exit_code == 0);
    CHECK(said.complaints.empty());
    CHECK(recorded(said) == std::set<std::string>{"ocean", "atmosphere"});
}

TEST_CASE("a model that lets MPI_COMM_WORLD return errors gets those without a communicator returned", "[strict]") {
    const Result r =
        scenario::run_job(job_of({{"ocean", 1}, {"atmosphere", 1}}, true), "CPL_LB_ENABLED=1 STRANGER_ASKS=1");
    CHECK(r.exit_code == 0);
    CHECK(model_lines(r).size() == 2);
    CHECK(recorded(r).size() == 2);
    const std::string err = scenario::slurp(r.folder / "stderr");
    CHECK(err.find("nobody there") != err.rfind("nobody there")); // on both
}
