// Step 9 alone, last part: which files appear, and what is told.
#include "run/live/steps/write_results.hpp"

#include "data/error_codes.hpp"
#include "io/json/info_json.hpp"
#include "tests/run/steps/step_by_hand.hpp"
#include "tests/run/told.hpp"
#include "tests/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <filesystem>

using namespace cpl_lb;
using namespace cpl_lb::testing;
using cpl_lb::test::TemporaryFolder;

namespace {

struct Written {
    int code = 0;
    bool results_lost = false;
    std::vector<std::string> lines;
};

using ChangeRecord = std::function<void(ProcessRecord &, Agreed &)>;

Written write_to(const std::string &folder, const ChangeRecord &change = {}) {
    Written written;
    WorldSetup setup = quick_world(1);
    setup.starts_at_ns[0] = 23 * second; // 3 s after the last arrival
    MemoryWorld world(setup);
    world.run([&](int /*rank*/, std::unique_ptr<Carrier> carrier) {
        Transport t(std::move(carrier), 20);
        ProcessRecord record = record_of(t, settings_in(folder));
        Agreed agreed = agreed_by(1, folder);
        if (change) change(record, agreed);
        CoupledRun run;
        run.run.id = "by hand";
        run.component_names = agreed.catalogue.component_names;
        run.remarks = {"an event was dropped"};
        Component &ocean = run.components.emplace_back();
        ocean.name = "ocean";
        ocean.id = 1;
        ocean.ranks = {0};
        ProblemList problems(0, {});
        const Told told;
        write_results(std::move(run), record, agreed, {TimelineIs::missing}, problems);
        written = {problems.code(), problems.results_lost(), told.lines()};
    });
    return written;
}

} // namespace

TEST_CASE("results: two summaries; remarks are told, and how long it took stands in them") {
    const TemporaryFolder folder;
    const Written written = write_to(folder.path());
    CHECK(written.code == 0);
    CHECK_FALSE(written.results_lost);
    CHECK(written.lines == std::vector<std::string>{"an event was dropped"});
    CHECK(folder.entries() == 2);
    CHECK(std::filesystem::exists(folder / "load_balancing_info.txt"));
    const std::string path = folder / "load_balancing_info.json";
    const CoupledRun run = run_from_json(path, test::contents(path));
    CHECK(run.run.id == "by hand");
    CHECK(run.analysis_s == Approx(3).margin(0.001));
    CHECK(run.remarks == std::vector<std::string>{"an event was dropped"});
}

// Told in cpl_lb_init, asked for, and told when the folder was made: not again, but the files say so.
TEST_CASE("results: what is no problem stands in the files, and is not told again") {
    const TemporaryFolder folder;
    const Written written = write_to(folder.path(), [](ProcessRecord &record, Agreed &agreed) {
        record.partial = "one process is not recorded";
        record.settings.date_first_s = 20;
        agreed.folder.remark = "another run had the folder";
    });
    CHECK(written.lines == std::vector<std::string>{"an event was dropped"});
    const std::string path = folder / "load_balancing_info.json";
    const CoupledRun run = run_from_json(path, test::contents(path));
    REQUIRE(run.remarks.size() == 4);
    CHECK(run.remarks[0] == "one process is not recorded");
    CHECK(run.remarks[1] == "an event was dropped");
    CHECK(run.remarks[2].find("only a slice of the run was recorded, model dates from 20 s to the end") == 0);
    CHECK(run.remarks[3] == "another run had the folder");
}

TEST_CASE("results: the page, where it is wanted; no file where there is no folder") {
    const TemporaryFolder folder;
    CHECK(write_to(folder.path(), [](ProcessRecord &record, Agreed & /*agreed*/) {
              record.settings.report = true;
          }).code == 0);
    CHECK(folder.entries() == 3);
    const TemporaryFolder other;
    const Written written = write_to(other.path(), [](ProcessRecord &record, Agreed &agreed) {
        record.settings.report = true;
        agreed.folder.missing = true;
    });
    CHECK(written.code == 0);                                                 // it was told before
    CHECK(written.lines == std::vector<std::string>{"an event was dropped"}); // the remarks all the same
    CHECK(other.entries() == 0);
}

TEST_CASE("results: a file that cannot be written is told once, and the other is there") {
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder / "load_balancing_info.txt/in the way");
    const Written written = write_to(folder.path());
    CHECK(written.code == error::io);
    CHECK(written.results_lost);
    REQUIRE(written.lines.size() == 2);
    CHECK(written.lines[0] == "an event was dropped");
    CHECK(written.lines[1].find("load_balancing_info.txt") != std::string::npos);
    const std::string path = folder / "load_balancing_info.json";
    CHECK(run_from_json(path, test::contents(path)).remarks.size() == 2); // the failure, too
}
