// --allowed: lists, a rule and files of counts that a component can take, in balance and predict.
#include "tests/json.hpp"
#include "tests/tools/command.hpp"
#include "tests/tools/coupled_run.hpp"
#include "tools/balance/allowed_rules.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

using namespace cpl_lb;
using nlohmann::json;
using namespace cpl_lb::test;

namespace {

// 60 / p and 40 / p, measured with 1 to 4 cores.
std::string scaling(const TemporaryFolder &folder, const std::string &more) {
    return "balance table --curves " +
           write_curves(folder, "atm,1,60\natm,2,30\natm,4,15\nocn,1,40\nocn,2,20\nocn,4,10\n") +
           " --layout 'max(atm,ocn)' " + more;
}

json processes_of(const Result &r) {
    INFO(r.errors);
    REQUIRE(r.status == 0);
    return json::parse(r.output).at("processes");
}

std::set<std::int64_t> all_of(const std::string &words, std::int64_t most) {
    const AllowedRules rules = allowed_rules("ocean=" + words, {"ocean"});
    std::set<std::int64_t> counts;
    for (std::int64_t n = 1; n <= most; ++n)
        if (rules.at("ocean").allows(n)) counts.insert(n);
    return counts;
}

} // namespace

TEST_CASE("allowed: the counts that a rule has") {
    CHECK(all_of("64:8", 100) == std::set<std::int64_t>{8, 64});
    CHECK(all_of("multiple-of-6", 20) == std::set<std::int64_t>{6, 12, 18});
    CHECK(all_of("multiple-of-6:7", 14) == std::set<std::int64_t>{6, 7, 12});
}

TEST_CASE("allowed: balance has no other counts in its answer") {
    const TemporaryFolder folder;
    // 10 cores: 6 and 4 would be best. In multiples of 4 for atm: 4, 15 s, for which ocn needs 3; 8 and 2, 20 s.
    CHECK(processes_of(command(folder, scaling(folder, "--total 10 --allowed atm=multiple-of-4 --json"))) ==
          json({{"atm", 4}, {"ocn", 3}}));
    std::ofstream(folder / "counts.txt") << "# what the grid allows\n3\n\n  5 # in rows\r\n";
    const std::string file = "=@" + (folder / "counts.txt");
    // 5 and 5: 12 s; with 3 for atm 20 s.
    CHECK(processes_of(command(folder, scaling(folder, "--total 10 --allowed atm" + file + ",ocn" + file +
                                                           " --json"))) == json({{"atm", 5}, {"ocn", 5}}));
    // For all: 8 and 4 take 10 s, 4 and 8 take 15.
    CHECK(processes_of(command(folder, scaling(folder, "--total 12 --allowed multiple-of-4 --json"))) ==
          json({{"atm", 8}, {"ocn", 4}}));
    // For all, from a file in a folder with a sign in its name: 5 and 5.
    std::filesystem::create_directory(folder / "x=1");
    std::filesystem::copy_file(folder / "counts.txt", folder / "x=1/counts");
    CHECK(processes_of(command(folder, scaling(folder, "--total 10 --allowed @" + (folder / "x=1/counts") +
                                                           " --json"))) == json({{"atm", 5}, {"ocn", 5}}));
    CHECK(says(error_of(command(folder, scaling(folder, "--total 10 --allowed atm=multiple-of-12"))),
               "one of --allowed multiple-of-12"));
}

TEST_CASE("allowed: what is no rule is told in one line") {
    const TemporaryFolder folder;
    for (const char *wrong :
         {"multiple-of-0", "multiple-of-", "multiple-of-x", "tiles-to-4x4", "4x4", "0", "-3", "2.5", "", "4:"}) {
        CHECK(says(error_of(command(folder, scaling(folder, std::string("--total 10 --allowed atm=") + wrong))),
                   "--allowed: not a number of processes, multiple-of-6 or @FILE: '"));
    }
    const std::string path = folder / "counts.txt";
    const auto with_file = [&](const std::string &text) {
        std::ofstream(path) << text;
        return error_of(command(folder, scaling(folder, "--total 10 --allowed atm=@" + path)));
    };
    CHECK(says(with_file("3\n# four\nfour\n"),
               path + ":3: not a number of processes: 'four'; write one a line, comments after #"));
    CHECK(says(with_file("3 4\n"), path + ":1: not a number of processes: '3 4'"));
    CHECK(says(with_file("3\n0\n"), path + ":2: "));
    CHECK(says(with_file("# nothing\n\n"), path + ": --allowed: there is no count in it"));
    CHECK(says(error_of(command(folder, scaling(folder, "--total 10 --allowed atm=@" + folder.path() + "/none"))),
               "/none: "));
}

TEST_CASE("allowed: a count of the run, or one that is asked for, that breaks the rule is told") {
    const TemporaryFolder folder;
    write_run(folder.path(), sleepers()); // ocean 1 process, atmosphere 2
    const std::string remark =
        "Remark: ocean has 1 core in this run, which --allowed (multiple-of-2) does not have.\n";
    const std::string arguments = folder.path() + " --allowed ocean=multiple-of-2";
    CHECK(says(command(folder, "balance --total 8 " + arguments).output, remark));
    CHECK_FALSE(says(command(folder, "balance --total 8 " + arguments + ",atmosphere=multiple-of-2").output,
                     "atmosphere has 2"));
    CHECK(command(folder, "predict " + arguments + " --pes ocean=4").status == 0);
    CHECK(says(error_of(command(folder, "predict " + arguments + " --pes ocean=3")),
               "--pes: ocean cannot have 3, by --allowed: multiple-of-2"));
    CHECK(says(error_of(command(folder, "predict " + arguments)), "--allowed is of use with --pes only"));
}
