// --allowed: lists, rules and files of counts that a component can take, in balance, predict and tune.
#include "tests/json.hpp"
#include "tests/tools/command.hpp"
#include "tests/tools/coupled_run.hpp"
#include "tools/balance/allowed_rules.hpp"

#include <algorithm>
#include <fstream>
#include <set>

using namespace cpl_lb;
using nlohmann::json;
using namespace cpl_lb::test;

namespace {

// 60 / p and 40 / p, measured with 1 to 4 cores.
std::string scaling(const TemporaryFolder &folder, const std::string &more) {
    return "balance --curves " +
           write_curves(folder, "atm,1,60\natm,2,30\natm,4,15\nocn,1,40\nocn,2,20\nocn,4,10\n") +
           " --layout 'max(atm,ocn)' " + more;
}

json processes_of(const Result &r) {
    INFO(r.errors);
    REQUIRE(r.status == 0);
    return json::parse(r.output).at("processes");
}

std::string error_of(const Result &r) {
    CHECK(r.status == 1);
    CHECK(std::count(r.errors.begin(), r.errors.end(), '\n') == 1);
    return r.errors;
}

bool has_words(const std::string &text, const std::string &part) {
    if (text.find(part) != std::string::npos) return true;
    UNSCOPED_INFO(text);
    return false;
}

std::set<std::int64_t> all_of(const std::string &words, std::int64_t most,
                              const std::vector<std::int64_t> &threads = {1}) {
    const AllowedRules rules = allowed_rules("ocean=" + words, {"ocean"});
    std::set<std::int64_t> counts;
    for (std::int64_t n = 1; n <= most; ++n)
        if (rules.at("ocean").allows(n, threads)) counts.insert(n);
    return counts;
}

} // namespace

TEST_CASE("allowed: the counts that a rule has") {
    CHECK(all_of("64:8", 100) == std::set<std::int64_t>{8, 64});
    CHECK(all_of("multiple-of-6", 20) == std::set<std::int64_t>{6, 12, 18});
    CHECK(all_of("multiple-of-6:7", 14) == std::set<std::int64_t>{6, 7, 12});
    // NX of 1 to 3, NY of 1 or 2: 1, 2, 3 and 2, 4, 6.
    CHECK(all_of("tiles-to-3x2", 20) == std::set<std::int64_t>{1, 2, 3, 4, 6});
    // NX at most 2: even numbers as 2 x n, odd ones as 1 x n; so all.
    CHECK(all_of("tiles-to-2xany", 9).size() == 9);
    // Squares, and 1 x 2, 2 x 3 (1.5), 2 x 4, 3 x 4, 3 x 5 (1.67), 3 x 6, 4 x 5; not 1 x 3, 1 x 5, 1 x 7, 2 x 5
    // (2.5).
    CHECK(all_of("tiles-to-anyxany-ratio-2", 20) == std::set<std::int64_t>{1, 2, 4, 6, 8, 9, 12, 15, 16, 18, 20});
    // In 5 x 5: 16 only as 4 x 4, 20 as 4 x 5, 10 as 2 x 5; 7, 11, 13, 14 = 2 x 7 do not fit.
    const std::set<std::int64_t> five = all_of("tiles-to-5x5", 25);
    CHECK(five == std::set<std::int64_t>{1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 15, 16, 20, 25});
    // The definition itself, counted out.
    std::set<std::int64_t> products;
    for (std::int64_t x = 1; x <= 40; ++x)
        for (std::int64_t y = 1; y <= 25; ++y)
            if (std::max(x, y) <= 3 * std::min(x, y)) products.insert(x * y);
    CHECK(all_of("tiles-to-40x25-ratio-3", 1000) == products);
    // Tiles are processes: with two threads each 2 and 4 cores are 1 and 2 processes, 6 and 8 are 3 and 4. Odd cores
    // are never filled, and left to who looks at that.
    CHECK(all_of("tiles-to-2x1", 8, {2}) == std::set<std::int64_t>{1, 2, 3, 4, 5, 7});
    // With one thread or two: 4 cores are 2 x 2 or, as two processes, no square.
    CHECK(all_of("tiles-to-2x2-ratio-1", 8, {1}) == std::set<std::int64_t>{1, 4});
    CHECK(all_of("tiles-to-2x2-ratio-1", 8, {1, 2}) == std::set<std::int64_t>{1});
    CHECK(tiles_within({40, 25, 0}, 1000) == std::pair<std::int64_t, std::int64_t>{40, 25});
    CHECK(tiles_within({0, 0, 0}, 12) == std::pair<std::int64_t, std::int64_t>{3, 4});
    CHECK(tiles_within({6, 2, 0}, 12) == std::pair<std::int64_t, std::int64_t>{6, 2});
    CHECK(tiles_within({5, 2, 0}, 12) == std::pair<std::int64_t, std::int64_t>{0, 0});
}

TEST_CASE("allowed: balance has no other counts in its answer") {
    const TemporaryFolder folder;
    // 10 cores: 6 and 4 would be best. In multiples of 4 for atm: 4, 15 s, for which ocn needs 3; 8 and 2, 20 s.
    CHECK(processes_of(command(folder, scaling(folder, "--total 10 --allowed atm=multiple-of-4 --json"))) ==
          json({{"atm", 4}, {"ocn", 3}}));
    // ocn in at most 2 x 2: 4 and 6; 3 x 1 is not in it.
    CHECK(processes_of(command(folder, scaling(folder, "--total 9 --allowed ocn=tiles-to-2x2 --json"))) ==
          json({{"atm", 5}, {"ocn", 4}}));
    std::ofstream(folder / "counts.txt") << "# what the grid allows\n3\n\n  5 # in rows\r\n";
    const std::string file = "=@" + (folder / "counts.txt");
    // 5 and 5: 12 s; with 3 for atm 20 s.
    CHECK(processes_of(command(folder, scaling(folder, "--total 10 --allowed atm" + file + ",ocn" + file +
                                                           " --json"))) == json({{"atm", 5}, {"ocn", 5}}));
    // With --block both hold.
    CHECK(
        processes_of(command(folder, scaling(folder, "--total 12 --block 4 --allowed atm=multiple-of-6:8 --json"))) ==
        json({{"atm", 8}, {"ocn", 4}}));
    CHECK(has_words(error_of(command(folder, scaling(folder, "--total 10 --allowed atm=multiple-of-12"))),
                    "one of --allowed multiple-of-12"));
}

TEST_CASE("allowed: what is no rule is told in one line") {
    const TemporaryFolder folder;
    for (const char *wrong : {"multiple-of-0", "multiple-of-", "multiple-of-x", "tiles-to-4", "tiles-to-4x",
                              "tiles-to-x4", "tiles-to-0x4", "tiles-to-4x4-ratio-0.5", "tiles-to-4x4-ratio-",
                              "tiles-to-4x4-ratio-inf", "tiles-to-4x4x4", "4x4", "0", "-3", "2.5", "", "4:"}) {
        CHECK(has_words(
            error_of(command(folder, scaling(folder, std::string("--total 10 --allowed atm=") + wrong))),
            "--allowed: not a number of processes, multiple-of-6, tiles-to-40x25, tiles-to-40x25-ratio-2 or "
            "@FILE: '"));
    }
    const std::string path = folder / "counts.txt";
    const auto with_file = [&](const std::string &text) {
        std::ofstream(path) << text;
        return error_of(command(folder, scaling(folder, "--total 10 --allowed atm=@" + path)));
    };
    CHECK(has_words(with_file("3\n# four\nfour\n"),
                    path + ":3: not a number of processes: 'four'; write one a line, comments after #"));
    CHECK(has_words(with_file("3 4\n"), path + ":1: not a number of processes: '3 4'"));
    CHECK(has_words(with_file("3\n0\n"), path + ":2: "));
    CHECK(has_words(with_file("# nothing\n\n"), path + ": --allowed: there is no count in it"));
    CHECK(
        has_words(error_of(command(folder, scaling(folder, "--total 10 --allowed atm=@" + folder.path() + "/none"))),
                  "/none: "));
}

TEST_CASE("allowed: a count of the run, or one that is asked for, that breaks the rule is told") {
    const TemporaryFolder folder;
    write_run(folder.path(), sleepers()); // ocean 1 process, atmosphere 2
    const std::string remark =
        "Remark: ocean has 1 core in this run, which --allowed (multiple-of-2) does not have.\n";
    const std::string arguments = folder.path() + " --allowed ocean=multiple-of-2";
    CHECK(has_words(command(folder, "balance --total 8 " + arguments).output, remark));
    CHECK(command(folder, "balance --total 8 " + arguments + ",atmosphere=multiple-of-2")
              .output.find("atmosphere has 2") == std::string::npos);
    CHECK(command(folder, "predict " + arguments + " --pes ocean=4").status == 0);
    CHECK(has_words(error_of(command(folder, "predict " + arguments + " --pes ocean=3")),
                    "--pes: ocean cannot have 3, by --allowed: multiple-of-2"));
    CHECK(has_words(error_of(command(folder, "predict " + arguments)), "--allowed is of use with --pes only"));
    const std::string tune = "tune next --total 8 --allowed ocean=multiple-of-2 --log " + (folder / "tune.csv");
    CHECK(has_words(error_of(command(folder, tune + " --start ocean=3,atmosphere=2")),
                    "--start: ocean cannot have 3, by --allowed: multiple-of-2"));
    CHECK(command(folder, tune + " --start ocean=2,atmosphere=2").status == 0);
    const auto next = command(folder, tune + " " + folder.path());
    CHECK(has_words(next.output, remark));
}

TEST_CASE("allowed: tune prints the next counts, and the best ones, in the forms of balance") {
    const TemporaryFolder folder;
    write_run(folder.path(), sleepers());
    const std::string tune = "tune next --total 8 --log " + (folder / "tune.csv") + " ";
    // Before there is a run: as --start says.
    const auto first = command(folder, tune + "--start ocean=2,atmosphere=4 --launch mpirun");
    CHECK(has_words(first.output, "\nmpirun -np 2 ./ocean : -np 4 ./atmosphere\n"));
    // With 4 and 10 s, 8 cores are ideally 2 and 6: 2 s and 20/6 s; 1 and 7: 4 s.
    const std::string pattern = folder / "job.in";
    std::ofstream(pattern) << "{total}: {ocean} {atmosphere}\n";
    CHECK(command(folder, tune + folder.path() + " --template " + pattern).output == "8: 2 6\n");
    const json answer = json::parse(command(folder, tune + "--launch lsf,mpirun --json").output);
    CHECK(answer.at("launch") ==
          json({{"lsf", "#BSUB -n 8\n"}, {"mpirun", "mpirun -np 2 ./ocean : -np 6 ./atmosphere\n"}}));
    CHECK(command(folder, tune).output.find("mpirun") == std::string::npos);
    CHECK(
        has_words(error_of(command(folder, tune + "--print '{ocean}' --launch mpirun")), "--print is for one text"));
}
