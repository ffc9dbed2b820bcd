// A process is suspended at every step of cpl_lb_init and of cpl_lb_terminate, each time for longer than anybody's
// patience: the model ends, with the results that it has without the library.
#include "run_scenario.hpp"
#include "side_by_side.hpp"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <list>
#include <set>
#include <sstream>

static const scenario::Program program("scenarios");

namespace {

using scenario::Result;

struct Job {
    Job(std::string named, std::string all, std::vector<int> ranks, bool is_strict = false)
        : name(std::move(named)), arguments(std::move(all)), suspended(std::move(ranks)), strict(is_strict) {}
    std::string name;
    std::string arguments;            // of mpirun
    std::vector<int> suspended;       // the ranks to try
    bool strict = false;              // as with an MPI that ends the model for a message that nobody receives
    std::set<std::string> lines = {}; // that the model prints
    mutable std::atomic<int> times_suspended = 0;
};

std::string program(const std::string &which, const std::string &component) {
    return "'" + scenario::beside("stranger_" + which) + "' " + component;
}
std::string by_names(const std::string &component) {
    return scenario::as_on_several_nodes + program("with", component);
}

std::string also(int processes) {
    return " : " SCENARIOS_NUMPROC_FLAG " " + std::to_string(processes) + " ";
}

std::set<std::string> model_lines(const Result &r) {
    std::istringstream in(r.output);
    std::set<std::string> lines;
    for (std::string line; std::getline(in, line);)
        if (line.find("_result ") != std::string::npos) lines.insert(line);
    return lines;
}

// Every wait of the library is below 4 s with this rn_timeout: 1 s, the confirmation as long, and the margins of 2 s.
Result run_stopped(const Job &job, int rank, int step) {
    const std::string sessions = scenario::own_sessions();
    return scenario::run_job(job.arguments, sessions +
                                                "STRANGER_SLEEPS=1 CPL_LB_ENABLED=1 CPL_LB_TIMEOUT=1 LD_PRELOAD=" +
                                                scenario::beside("libstopped.so") +
                                                (job.strict ? ":" + scenario::beside("libstrict.so") : "") +
                                                ":$LD_PRELOAD STOP_S=5 STOP_RANK=" + std::to_string(rank) +
                                                " STOP_STEP=" + std::to_string(step) + " timeout -k 5 60");
}

// Until the library has its communicator, and all.
std::pair<int, int> steps_of(const Job &job, int rank) {
    const Result r = run_stopped(job, rank, 1'000'000);
    const std::string err = scenario::slurp(r.folder / "stderr");
    const std::size_t at = err.find("steps: ");
    INFO(err);
    REQUIRE(at != std::string::npos);
    std::istringstream in(err.substr(at + 7));
    std::pair<int, int> steps;
    in >> steps.first >> steps.second;
    return steps;
}

struct Trial {
    const Job *job;
    int rank, step;
};

// Words for what went wrong; empty: nothing.
std::string try_it(const Trial &t) {
    const Result r = run_stopped(*t.job, t.rank, t.step);
    const std::string err = scenario::slurp(r.folder / "stderr");
    std::string wrong;
    if (err.find("stopped in ") != std::string::npos) ++t.job->times_suspended;
    if (r.exit_code != 0) wrong += " exit status " + std::to_string(r.exit_code) + ";";
    if (model_lines(r) != t.job->lines) wrong += " other results;";
    if (wrong.empty()) return {};
    return t.job->name + ", rank " + std::to_string(t.rank) + " before step " + std::to_string(t.step) + ":" + wrong +
           "\n" + err;
}

std::list<Job> jobs() {
    std::list<Job> all;
#ifdef CPL_LB_TEST_MPICH // its processes spin while they wait in the model
    all.emplace_back("all come", "2 " + program("with", "ocean") + also(1) + program("with", "atmosphere"),
                     std::vector<int>{0, 2});
    all.emplace_back("the first executable lacks the library",
                     "1 " + program("without", "ocean") + also(2) + program("with", "atmosphere"),
                     std::vector<int>{1});
    all.emplace_back("strict: the first executable lacks the library",
                     "1 " + program("without", "ocean") + also(2) + by_names("atmosphere"), std::vector<int>{1},
                     true);
    all.emplace_back("strict: the second executable lacks the library",
                     "1 " + by_names("ocean") + also(1) + program("without", "land") + also(1) +
                         by_names("atmosphere"),
                     std::vector<int>{0}, true);
#else
    all.emplace_back("all come", "4 " + program("with", "ocean") + also(4) + program("with", "atmosphere"),
                     std::vector<int>{0, 4});
    all.emplace_back("an executable lacks the library",
                     "4 " + program("with", "ocean") + also(1) + program("without", "land") + also(3) +
                         program("with", "atmosphere"),
                     std::vector<int>{0, 5});
    all.emplace_back("as on several nodes, an executable lacks the library",
                     "1 " + by_names("ocean") + also(1) + program("without", "land") + also(1) +
                         by_names("atmosphere"),
                     std::vector<int>{0, 2});
#endif
    return all;
}

} // namespace

// In the tests all steps until the library has its communicator, and some of the others; all with CPL_LB_STOP_STEP=1
// in the environment. A busy machine may end a wait early, and with it the run of the library: then a late step does
// not come.
TEST_CASE("a process is suspended before any step") {
    const char *given = std::getenv("CPL_LB_STOP_STEP");
    const int stride = given != nullptr ? std::max(std::atoi(given), 1) : 60;
    std::list<Job> all = jobs();
    std::vector<Trial> trials;
    int suspended = 0;
    for (Job &job : all) {
        const Result quiet = scenario::run_job(job.arguments, "");
        REQUIRE(quiet.exit_code == 0);
        job.lines = model_lines(quiet);
        REQUIRE(job.lines.size() >= 2);
        for (const int rank : job.suspended) {
            const auto [of_roll_call, total] = steps_of(job, rank);
            CHECK(of_roll_call >= 5); // before and after: it says that it is here, and makes its communicator
            CHECK(total > of_roll_call);
            for (int step = 0; step < total; step += step < of_roll_call ? 1 : stride)
                trials.push_back({&job, rank, step});
        }
    }
    const std::vector<std::string> wrong = scenario::side_by_side(trials.size(), SUSPENDED_JOBS_AT_ONCE,
                                                                  [&](std::size_t n) { return try_it(trials[n]); });
    std::string words;
    for (const std::string &w : wrong)
        words += w + "\n";
    for (const Job &job : all)
        suspended += job.times_suspended;
    INFO(words);
    CHECK(wrong.empty());
    CHECK(suspended * 2 >= static_cast<int>(trials.size()));
    WARN(trials.size() << " trials, " << suspended << " suspensions");
}
