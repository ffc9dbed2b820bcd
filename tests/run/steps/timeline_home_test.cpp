// Where a master writes its timeline, and what becomes of it.
#include "run/live/steps/output_folder.hpp"

#include "data/error_codes.hpp"
#include "tests/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace cpl_lb;
using cpl_lb::test::TemporaryFolder;

namespace {

OutputFolder folder_at(const std::string &path) {
    OutputFolder folder;
    folder.path = path;
    folder.token = "0123456789abcdef";
    return folder;
}

} // namespace

TEST_CASE("home: in the folder for the root, and for who sees the root's file there") {
    const TemporaryFolder results;
    OutputFolder folder = folder_at(results.path());
    const TimelineHome of_root = home_of_timeline(folder, true, "ocean");
    CHECK(of_root.path == results / "timeline_ocean.nc");
    CHECK(of_root.is == TimelineIs::in_the_folder);
    folder.probe = std::make_shared<FolderProbe>(folder.path, folder.token);
    const TimelineHome seen = home_of_timeline(folder, false, "ocean");
    CHECK(seen.path == results / "timeline_ocean.nc");
    CHECK(seen.is == TimelineIs::in_the_folder);
}

// The root's file is not there: the path means another folder here, which can be written to all the same.
TEST_CASE("home: a folder of its own where the root's is not seen, which goes with its file") {
    const TemporaryFolder other;
    const TimelineHome home = home_of_timeline(folder_at(other.path()), false, "ocean");
    CHECK(home.is == TimelineIs::on_another_node);
    const std::filesystem::path own = std::filesystem::path(home.path).parent_path();
    if (std::getenv("TMPDIR") == nullptr) CHECK(own.parent_path() == other.path());
    // Only this user may enter it, and what others know of the run does not tell its name.
    CHECK(own.filename().string().find("cpl_lb_") == 0);
    CHECK(own.filename().string().find("0123456789abcdef") == std::string::npos);
    CHECK(std::filesystem::status(own).permissions() == std::filesystem::perms::owner_all);
    std::ofstream(home.path) << "rows";
    remove_local(home.path);
    CHECK_FALSE(std::filesystem::exists(own));
}

TEST_CASE("home: a timeline that could not be written is missing, told, and leaves nothing") {
    const TemporaryFolder other;
    ProblemList problems(4, {});
    const TimelineHome here{other / "timeline_ocean.nc", TimelineIs::in_the_folder};
    CHECK(note_timeline(here, "", problems).is == TimelineIs::in_the_folder);
    CHECK(problems.all().empty());
    CHECK_FALSE(problems.results_lost());
    const TimelineHome home = home_of_timeline(folder_at(other.path()), false, "ocean");
    std::ofstream(home.path) << "half of the rows";
    CHECK(note_timeline(home, "no space left", problems).is == TimelineIs::missing);
    CHECK_FALSE(std::filesystem::exists(home.path));
    REQUIRE(problems.all().size() == 1);
    CHECK(problems.all()[0].cause == "no space left");
    CHECK(problems.code() == error::io);
    CHECK(problems.results_lost());
}
