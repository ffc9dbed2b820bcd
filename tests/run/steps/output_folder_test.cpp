// Step 4 alone, first half: the folder for results, the same for all.
#include "run/live/steps/output_folder.hpp"

#include "data/error_codes.hpp"
#include "tests/io/other_run.hpp"
#include "tests/run/steps/step_by_hand.hpp"
#include "tests/run/told.hpp"
#include "tests/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

using namespace cpl_lb;
using namespace cpl_lb::testing;
using cpl_lb::test::TemporaryFolder;

namespace {

struct Foldered {
    OutputFolder folder;
    std::vector<Problem> problems;
    bool results_lost = false;
};

using ChangeRecord = std::function<void(ProcessRecord &)>;

OfRanks<Foldered> agree_in(int ranks, const std::string &path, const ChangeRecord &change = {}) {
    return step_on<Foldered>(quick_world(ranks), [&](Transport &t, Foldered &mine) {
        ProcessRecord record = record_of(t, settings_in(path));
        if (t.rank() == 0 && change) change(record);
        record.run_id = t.rank() == 0 ? "named by the root" : "another name";
        Group present(t, first_ranks(t.size()));
        ProblemList problems(t.rank(), {});
        mine.folder = agree_on_folder(present, record, problems);
        mine.problems = problems.all();
        mine.results_lost = problems.results_lost();
    });
}

} // namespace

TEST_CASE("folder: the root makes it, and all know its path, its run and its token") {
    const int ranks = GENERATE(1, 3, 8);
    const TemporaryFolder temporary;
    const std::string path = temporary / "deep/results";
    const OfRanks<Foldered> all = agree_in(ranks, path);
    REQUIRE(all.good());
    CHECK(std::filesystem::is_directory(path));
    const std::string token = all.results[0].folder.token;
    CHECK_FALSE(token.empty());
    CHECK(FolderProbe::is_seen(path, token));
    for (std::size_t r = 0; r < all.results.size(); ++r) {
        const OutputFolder &folder = all.results[r].folder;
        CHECK(folder.path == path);
        CHECK(folder.run_id == "named by the root");
        CHECK(folder.token == token);
        CHECK_FALSE(folder.missing);
        CHECK((folder.probe != nullptr) == (r == 0));
        CHECK(folder.remark.empty());
        CHECK(all.results[r].problems.empty());
    }
}

TEST_CASE("folder: one that cannot be made is missing for all, and the root says why") {
    const int ranks = GENERATE(1, 3, 8);
    const TemporaryFolder temporary;
    std::ofstream(temporary / "file") << "no folder";
    const OfRanks<Foldered> all = agree_in(ranks, temporary / "file/results");
    REQUIRE(all.good());
    for (std::size_t r = 0; r < all.results.size(); ++r) {
        const Foldered &mine = all.results[r];
        CHECK(mine.folder.missing);
        CHECK(mine.results_lost == (r == 0));
        REQUIRE(mine.problems.size() == (r == 0 ? 1U : 0U));
        if (r > 0) continue;
        CHECK(mine.problems[0].code == error::io);
        CHECK(mine.problems[0].cause.find("file/results") != std::string::npos);
        CHECK(mine.problems[0].cause.find(": no results are written") != std::string::npos);
    }
}

TEST_CASE("folder: where another run has it, a new one inside, which is told") {
    const TemporaryFolder temporary;
    const test::OtherProcess theirs(temporary.path());
    const Told told;
    const OfRanks<Foldered> all = agree_in(3, temporary.path(), [&](ProcessRecord &record) {
        record.claim = std::make_unique<FolderClaim>(temporary.path(), test::run_named("mine"));
    });
    REQUIRE(all.good());
    const OutputFolder &root = all.results[0].folder;
    CHECK(std::filesystem::path(root.path).parent_path() == temporary.path());
    CHECK(std::filesystem::is_directory(root.path));
    CHECK(root.remark.find("the run other (process ") != std::string::npos);
    CHECK(root.remark.find("the results of this run are in " + root.path) != std::string::npos);
    CHECK(told.lines() == std::vector<std::string>{root.remark});
    for (const Foldered &mine : all.results)
        CHECK(mine.folder.path == root.path);
}
