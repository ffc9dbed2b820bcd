// cpl-lb balance over cores and threads, from tables and runs.
#include "tests/json.hpp"
#include "tests/tools/command.hpp"
#include "tests/tools/coupled_run.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <random>

using namespace cpl_lb;
using nlohmann::json;
using namespace cpl_lb::test;

namespace {

std::string threads_table(const TemporaryFolder &folder, const std::string &rows) {
    return write_curves(folder, rows, "component,processes,threads,seconds");
}

// The atmosphere takes 10 s on 2 cores as two processes, 8 s as one with two threads; the ocean 4 s on one core.
struct OtherThreads {
    TemporaryFolder before, after;
    OtherThreads() {
        write_run(before.path(), sleepers());
        TimelineLiteral ocean{"ocean", 1, {0}, {}, {}}, atmosphere{"atmosphere", 2, {1}, {}, {}};
        atmosphere.threads = 2;
        for (int n = 0; n < 11; ++n) {
            ocean.events.push_back({Kind::put, 1, 2, 8.0 * n + 4, 8.0 * n + 8});
            atmosphere.events.push_back({Kind::get, 1, 1, 8.0 * n + 8, 8.0 * n + 8});
        }
        write_run(after.path(), {ocean, atmosphere});
    }
};

} // namespace

TEST_CASE("cores and threads: two axes of the curves, and advice over both") {
    const TemporaryFolder folder;
    // atm on 1, 2, 4, 8 cores: 32, 16, 10, 8 s with one thread for each process; on 2, 4, 8 cores 18, 9, 5 s with
    // two. ocn: 36 s / cores. With 8 cores 4 and 4, 9 s: with 5 or more for atm ocn takes 12 s, with 3 atm has
    // processes with one thread only, and more than 10 s.
    const std::string curves = folder / "threads.csv";
    std::ofstream(curves) << "component,processes,threads,seconds\n"
                             "atm,1,1,32\natm,2,1,16\natm,4,1,10\natm,8,1,8\n"
                             "atm,1,2,18\natm,2,2,9\natm,4,2,5\nocn,1,1,36\nocn,2,1,18\nocn,4,1,9\n";
    const std::string arguments = "balance table --curves " + curves + " --layout 'max(atm,ocn)' --total 8";
    const json answer = answer_of(folder, arguments);
    CHECK(answer.at("seconds").get<double>() == Approx(9));
    CHECK(answer.at("processes").at("atm") == 4);
    CHECK(answer.at("threads").at("atm") == 2);
    CHECK(answer.at("threads").at("ocn") == 1);
    CHECK(answer.at("proven_optimal") == true);
    const std::string text = command(folder, arguments).output;
    CHECK(says(text, "salloc -n 2 -c 2 : -n 4"));
    CHECK_FALSE(says(text, "mpirun")); // it has no word for different threads
    // With two threads atm may have 2 to 8; only 6 was not measured.
    const json next = answer.at("measure_next").at("atm");
    CHECK((next.is_null() || next == 6));
    // One thread only: 10 s for atm on four; with five ocn takes 12 s.
    const json one = answer_of(folder, arguments + " --threads atm=1");
    CHECK(one.at("seconds").get<double>() == Approx(10));
    CHECK(one.at("threads").at("atm") == 1);
    // Two threads only, on 6 cores: atm has 2 or 4 of them. 4 and 2: 18 s; 2 and 4: 18 s.
    const json two =
        answer_of(folder, "balance table --curves " + curves + " --layout 'max(atm,ocn)' --total 6 --threads atm=2");
    CHECK(two.at("seconds").get<double>() == Approx(18));
    CHECK(two.at("processes").at("atm").get<int>() % 2 == 0);
    CHECK(says(command(folder, arguments + " --threads atm=4").errors,
               "no run or table has atm with 4 threads for each process: it "
               "was measured with 1 and 2"));
    const auto pareto = command(folder, arguments + " --objective pareto");
    CHECK(says(pareto.output, "Time against cores (processes x threads):\n"));
    CHECK(says(pareto.output, "2 x 2"));
    std::ofstream(curves) << "component,processes,threads,seconds\natm,1,1.5,32\nocn,1,1,36\n";
    CHECK(says(command(folder, arguments).errors, "threads.csv:2: column threads: no whole number from 1 to 1e6"));
}

TEST_CASE("cores and threads: the best of all that can be counted out") {
    // Every count of cores that processes with 1, 2 or 3 threads fill is in the table, so no curve is between points.
    constexpr int total = 12, tables = 12;
    std::mt19937 random(20261127);
    std::uniform_real_distribution<double> share(0, 1);
    for (int n = 0; n < tables; ++n) {
        const TemporaryFolder folder;
        const std::string curves = folder / "threads.csv";
        std::ofstream file(curves);
        file << "component,processes,threads,seconds\n";
        std::map<std::string, std::vector<double>> least; // by component and cores
        for (const std::string name : {"atm", "ocn"}) {
            least[name].assign(total + 1, 1e9);
            const double work = 20 + 40 * share(random), serial = share(random);
            for (int threads = 1; threads <= 3; ++threads) {
                const double slower = 0.7 + 0.6 * share(random);
                for (int cores = threads; cores < total; cores += threads) {
                    const double seconds = std::round(1000 * slower * (work / cores + serial)) / 1000;
                    file << name << ',' << cores / threads << ',' << threads << ',' << seconds << '\n';
                    double &best = least[name][static_cast<std::size_t>(cores)];
                    best = std::min(best, seconds);
                }
            }
        }
        file.close();
        double best = 1e9;
        for (std::size_t atm = 1; atm < total; ++atm)
            for (std::size_t ocn = 1; atm + ocn <= total; ++ocn)
                best = std::min(best, std::max(least["atm"][atm], least["ocn"][ocn]));
        const auto r = command(folder, "balance table --curves " + curves +
                                           " --layout 'max(atm,ocn)' --json --total " + std::to_string(total));
        INFO(n << r.errors);
        REQUIRE(r.status == 0);
        CHECK(json::parse(r.output).at("seconds").get<double>() == Approx(best).epsilon(1e-9));
    }
}

TEST_CASE("balance from runs with other threads on the same cores") {
    const OtherThreads runs;
    const TemporaryFolder &before = runs.before, &after = runs.after;
    const std::string arguments = "balance " + before.path() + " " + after.path() + " --total 3";
    const auto r = command(before, arguments);
    INFO(r.errors << r.output);
    REQUIRE(r.status == 0);
    CHECK(
        says(r.output, "Give each process of atmosphere 2 threads instead of 1: 1.25 times as fast, 20 % cheaper; "));
    CHECK(says(r.output, "salloc -n 1 : -n 1 -c 2 "));
    // They were measured on these very cores: nothing is extrapolated.
    CHECK_FALSE(says(r.output, "xtrapolated"));
    // The other way round there is nothing to do.
    CHECK(says(command(before, "balance " + after.path() + " " + before.path() + " --total 3").output,
               "Nothing to move"));
    // With five cores the ocean keeps one or two: the atmosphere's three processes 6.67 s, or two with two threads
    // each 4 s on four cores (ideally) beside the ocean's 4 s.
    const json five = answer_of(before, "balance " + before.path() + " " + after.path() + " --total 5");
    CHECK(five.at("seconds").get<double>() == Approx(0.4 * five.at("measured_s").get<double>()));
    CHECK(five.at("processes").at("atmosphere") == 4);
    CHECK(five.at("threads").at("atmosphere") == 2);
}

TEST_CASE("the energy of the run is that with its own threads") {
    const OtherThreads runs;
    // 8.4 cycles: 84 s as measured, 67.2 s with two threads; the ocean computes 9 x 4 s. Three cores idle at 4 W,
    // and computing ones take 5 W more: 4 x 3 x 84 + 5 x (36 + 2 x 84), and 4 x 3 x 67.2 + 5 x (36 + 2 x 67.2).
    const json answer =
        answer_of(runs.before, "balance " + runs.before.path() + " " + runs.after.path() + " --total 3 --power 9:4");
    CHECK(answer.at("measured_J").get<double>() == Approx(2028.));
    CHECK(answer.at("energy_J").get<double>() == Approx(1658.4));
}

TEST_CASE("who sets counts only keeps the threads of the first run") {
    const OtherThreads runs;
    // The run with other threads tells nothing that they may use.
    const std::string alone = runs.after.path() + " --total 4", both = runs.after.path() + " " + runs.before.path();
    const Result manager = command(runs.before, "manager " + alone);
    REQUIRE(manager.status == 0);
    CHECK(command(runs.before, "manager " + both + " --total 4").output == manager.output);
}

TEST_CASE("nothing is proven where threads were measured with one count only") {
    const TemporaryFolder folder;
    const std::string one = "atm,1,1,32\natm,2,1,16\natm,4,1,8\n", ocean = "ocn,1,1,36\nocn,2,1,18\nocn,4,1,9\n";
    const std::string options = " --layout 'max(atm,ocn)' --total 8";
    const auto asked = [&](const std::string &rows, const std::string &more = "") {
        return command(folder, "balance table --curves " + threads_table(folder, rows) + options + more);
    };
    CHECK(says(asked(one + ocean), "proven: no other counts are better"));
    // Two threads on 4 cores take 20 s, so nobody takes them; that they scale as one thread does is assumed.
    const Result slow = asked(one + ocean + "atm,2,2,20\n");
    CHECK(says(slow, "the best if what was measured with one count scales as assumed"));
    CHECK_FALSE(slow.output.find("proven") != std::string::npos);
    // They take 5 s on 4 cores: 5 x 8 / 16 = 10 s on two... of one thread, 16 s there: 16 x 5 / 8 = 10 s.
    const json two = json::parse(asked(one + ocean + "atm,2,2,5\n", " --max atm=2 --json").output);
    CHECK(two.at("threads").at("atm") == 2);
    CHECK(says(asked(one + ocean + "atm,2,2,5\n", " --max atm=2"),
               "Taken to scale as with other threads: atm (measured with 4 cores, here 2)."));
}

TEST_CASE("threads and limits: nodes, multiples, counts that nobody fills") {
    const TemporaryFolder folder;
    const std::string rows = "atm,1,1,32\natm,4,1,10\natm,8,1,8\natm,1,3,9\natm,2,3,4\natm,1,2,18\natm,4,2,5\n"
                             "ocn,1,1,36\nocn,2,1,18\nocn,4,1,9\n";
    const std::string arguments =
        "balance table --curves " + threads_table(folder, rows) + " --layout 'max(atm,ocn)' --total 16 ";
    // Three threads are the fastest, but a process of three leaves a core of a node of four idle or lies on two.
    CHECK(answer_of(folder, arguments).at("threads").at("atm") == 3);
    CHECK(answer_of(folder, arguments + "--cores-per-node 4").at("threads").at("atm") < 3);
    CHECK(says(command(folder, arguments + "--cores-per-node 4 --threads atm=3"),
               "--threads: atm: a process with these does not fit into a node"));
    const json blocks = answer_of(folder, arguments + "--allowed multiple-of-4");
    CHECK(blocks.at("processes").at("atm").get<int>() % 4 == 0);
    CHECK(says(command(folder, arguments + "--threads atm=3 --allowed atm=4:8"), "whole processes"));
    CHECK(says(command(folder, arguments + "--threads atm=0"), "--threads: not a number of threads: '0'"));
    CHECK(says(command(folder, arguments + "--threads 2"), "--threads: not COMPONENT=THREADS: '2'"));
    // In turn on the same cores: how many processes each has is said.
    const Result in_turn =
        command(folder, "balance table --curves " + folder.path() + "/curves.csv --layout 'atm+ocn' --total 6");
    CHECK(says(in_turn, "processes x threads: ./atm 2 x 3, ./ocn 6 x 1.\n"));
}

TEST_CASE("a count that was measured twice, and differently, is measured next") {
    const TemporaryFolder folder;
    std::ofstream(folder / "curves.csv") << "component,processes,seconds\natm,2,20\natm,4,10\natm,4,14\natm,8,6\n"
                                            "ocn,1,12\nocn,2,6\n";
    const json answer =
        answer_of(folder, "balance table --curves " + (folder / "curves.csv") + " --layout 'max(atm,ocn)' --total 5");
    CHECK(answer.at("processes").at("atm") == 4);
    CHECK(answer.at("measure_next").at("atm") == 4);
}

TEST_CASE("a table without the threads of the run says so") {
    const OtherThreads runs;
    const std::string table = threads_table(runs.before, "atmosphere,1,4,2\n");
    CHECK(
        says(command(runs.before, "predict " + runs.before.path() + " --curves " + table + " --threads atmosphere=4"),
             "no time of atmosphere with 1 thread for each process, as in the run"));
    // One count of each, and what never shrinks: ideal scaling but for that.
    CHECK(says(command(runs.before, "predict " + runs.before.path() + " " + runs.after.path() +
                                        " --threads atmosphere=2 --pes atmosphere=4 --curves atmosphere=0.5"),
               "Extrapolated by ideal scaling, except for what --curves says, a bound and no proof: atmosphere "));
}
