// Timelines from nodes that do not see the folder to the root's.
#include "run/live/steps/collect_components.hpp"

#include "data/error_codes.hpp"
#include "tests/run/steps/step_by_hand.hpp"
#include "tests/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

using namespace cpl_lb;
using namespace cpl_lb::testing;
using cpl_lb::test::TemporaryFolder;

namespace {

struct Brought {
    std::vector<TimelineIs> all; // on the root
    std::vector<Problem> problems;
    bool results_lost = false;
};

// Each rank leads a component, c1, c2, ... Odd ranks wrote theirs elsewhere: `local` has a folder for each.
class OddRanksElsewhere {
public:
    OddRanksElsewhere(int ranks, std::size_t length) : ranks_(ranks), length_(length) {
        for (int r = 1; r < ranks; r += 2) {
            std::filesystem::create_directory(folder_of(r));
            std::ofstream(home_of(r).path, std::ios::binary) << text_of(r);
        }
    }
    [[nodiscard]] std::string folder_of(int rank) const { return local / ("node" + std::to_string(rank)); }
    [[nodiscard]] TimelineHome home_of(int rank) const {
        return {folder_of(rank) + "/timeline.nc",
                rank % 2 == 0 ? TimelineIs::in_the_folder : TimelineIs::on_another_node};
    }
    [[nodiscard]] std::string text_of(int rank) const {
        std::string text;
        text.assign(length_, static_cast<char>('a' + rank));
        return text;
    }
    [[nodiscard]] std::string result_of(int rank) const {
        return results / ("timeline_c" + std::to_string(rank + 1) + ".nc");
    }

    [[nodiscard]] OfRanks<Brought> bring(const WorldSetup &setup) const {
        return step_on<Brought>(setup, [&](Transport &t, Brought &mine) {
            const ProcessRecord record = record_of(t, settings_in(results.path()));
            Agreed agreed = agreed_by(ranks_, results.path());
            agreed.catalogue.component_names.clear();
            agreed.catalogue.members.clear();
            for (int r = 0; r < ranks_; ++r) {
                agreed.catalogue.component_names.push_back("c" + std::to_string(r + 1));
                agreed.catalogue.members.push_back({r});
                if (t.rank() == 0) mine.all.push_back(home_of(r).is);
            }
            ProblemList problems(t.rank(), {});
            bring_timelines(record, agreed, {home_of(t.rank())}, mine.all, problems);
            mine.problems = problems.all();
            mine.results_lost = problems.results_lost();
        });
    }

    TemporaryFolder local, results;

private:
    int ranks_;
    std::size_t length_;
};

} // namespace

TEST_CASE("bringing: what lay elsewhere is in the folder, and nowhere else") {
    const int ranks = GENERATE(1, 3, 8);
    const OddRanksElsewhere run(ranks, 3000);
    const OfRanks<Brought> all = run.bring(quick_world(ranks));
    REQUIRE(all.good());
    CHECK(all.results[0].all == std::vector<TimelineIs>(static_cast<std::size_t>(ranks), TimelineIs::in_the_folder));
    for (int r = 0; r < ranks; ++r) {
        INFO("rank " << r);
        const Brought &mine = all.results[static_cast<std::size_t>(r)];
        CHECK(mine.problems.empty());
        CHECK_FALSE(mine.results_lost);
        if (r % 2 == 0) continue;
        CHECK(test::contents(run.result_of(r)) == run.text_of(r));
        CHECK_FALSE(std::filesystem::exists(run.folder_of(r)));
    }
}

// A message takes 1 s, and a piece two: that it is asked for, and that it comes. In half of rn_timeout, 10 s, five or
// six pieces come of twelve. The clock is that of the messages: by the machine's this test takes no time at all.
TEST_CASE("bringing: a file that takes more than half of rn_timeout stays where it is, and is told") {
    const OddRanksElsewhere run(3, std::size_t{12} << 20U);
    WorldSetup setup = quick_world(3);
    setup.delay_ns = [](int, int, std::mt19937_64 &) { return second; };
    const OfRanks<Brought> all = run.bring(setup);
    REQUIRE(all.good());
    CHECK(all.results[0].all[1] == TimelineIs::missing);
    CHECK(all.results[0].results_lost);
    CHECK(all.results[0].problems.empty()); // the other says it
    CHECK_FALSE(std::filesystem::exists(run.result_of(1)));
    const Brought &owner = all.results[1];
    REQUIRE(owner.problems.size() == 1);
    CHECK(owner.problems[0].code == error::io);
    CHECK(owner.problems[0].cause.find(run.home_of(1).path + " stays on ") == 0);
    CHECK(owner.problems[0].cause.find("bringing it there took more than half of rn_timeout") != std::string::npos);
    CHECK(owner.results_lost);
    CHECK(test::contents(run.home_of(1).path) == run.text_of(1));
}

TEST_CASE("bringing: a file that cannot be read again, or not be written there") {
    const bool readable = GENERATE(true, false);
    const OddRanksElsewhere run(3, 3000);
    if (readable)
        std::filesystem::remove(run.results.path());
    else
        std::filesystem::remove(run.home_of(1).path);
    const OfRanks<Brought> all = run.bring(quick_world(3));
    REQUIRE(all.good());
    CHECK(all.results[0].all[1] == TimelineIs::missing);
    CHECK(all.results[0].problems.size() == (readable ? 1U : 0U)); // why it cannot be written
    REQUIRE(all.results[1].problems.size() == 1);
    CHECK(all.results[1].problems[0].cause.find(readable ? "it could not be written there"
                                                         : "it cannot be read again") != std::string::npos);
    CHECK(all.results[1].results_lost);
}
