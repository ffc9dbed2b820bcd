// Separate jobs of one ensemble, against figures worked out by hand.
#include "history/run_members.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;

namespace {

RunRecord job(const std::string &name, double sypd, double wall_s, std::int64_t cores = 128) {
    RunRecord run;
    run.name = name;
    run.sypd = sypd;
    run.wall_s = wall_s;
    run.cores = cores;
    return run;
}

} // namespace

// 24 / 4 = 6 h, 24 / 3 = 8 h, 24 / 6 = 4 h for a year. Core time in use: (6 + 8 + 4) / (3 x 8) = 75 %.
TEST_CASE("jobs of one ensemble by their speed") {
    const std::vector<RunRecord> runs = {job("ens_10", 4, 600), job("ens_9", 3, 900), job("control", 9, 10),
                                         job("ens_1", 6, 400)};
    const RunMembers m = run_members(runs, "ens_*");
    REQUIRE(m.of.size() == 3);
    CHECK(m.of[0].name == "ens_1");
    CHECK(m.of[2].name == "ens_10");
    CHECK(m.by_speed);
    CHECK(m.of[m.slowest].name == "ens_9");
    CHECK(m.of[m.fastest].name == "ens_1");
    CHECK(m.spread.max == Approx(8));
    CHECK(m.spread.min == Approx(4));
    CHECK(m.waiting_share == Approx(0.25));
}

// One does not tell its speed: the seconds of a run count. Of the chain ens_1: (300 + 500) / 2 = 400 s.
// 256 x 400 + 128 x 800 = 204800 of 384 x 800 = 307200 core seconds: a third waits.
TEST_CASE("a chain of jobs is one member, and without speed the seconds count") {
    const std::vector<RunRecord> runs = {job("ens_1", unknown, 300, 256), job("ens_1", 2, 500, 256),
                                         job("ens_2", 2, 800)};
    const RunMembers m = run_members(runs, "ens_*");
    REQUIRE(m.of.size() == 2);
    CHECK_FALSE(m.by_speed);
    CHECK(m.of[0].runs == 2);
    CHECK(m.of[0].wall_s == Approx(400));
    CHECK(m.of[m.slowest].name == "ens_2");
    CHECK(m.waiting_share == Approx(1.0 / 3));
}

// Of the chain ens_1: (20 + 30) / 2 = 25 s. Of ens_2 one of two is not known.
TEST_CASE("start-up of a chain is its mean, if all of its jobs tell it") {
    std::vector<RunRecord> runs = {job("ens_1", 2, 300), job("ens_1", 2, 500), job("ens_2", 2, 800),
                                   job("ens_2", 2, 800)};
    runs[0].startup.startup_s = 20;
    runs[1].startup.startup_s = 30;
    runs[2].startup.startup_s = 40;
    const RunMembers m = run_members(runs, "ens_*");
    CHECK(m.of[0].startup_s == Approx(25));
    CHECK_FALSE(is_known(m.of[1].startup_s));
    CHECK(m.runs.size() == 4);
}

namespace {

MemberGroup group_of(const std::vector<double> &startup_s) {
    MemberGroup group;
    for (const double seconds : startup_s) {
        group.of.emplace_back();
        group.startup.length_s.add(seconds);
    }
    return group;
}

} // namespace

TEST_CASE("a history keeps the number of members of a run, and the longest start-up of them") {
    CoupledRun run;
    const StartupRecord none = record_of(run, "").startup;
    CHECK(none.kept);
    CHECK(none.members == 0);
    CHECK_FALSE(is_known(none.startup_s));
    CHECK_FALSE(is_known(none.member_startup_s));
    // Two groups of three members; a smaller one does not count.
    run.members = {group_of({5, 7, 6}), group_of({90, 91}), group_of({8, 7, 6})};
    const StartupRecord of = record_of(run, "").startup;
    CHECK(of.members == 3);
    CHECK(of.member_startup_s == 8);
    run.members.push_back(group_of({1, unknown, 2}));
    CHECK_FALSE(is_known(record_of(run, "").startup.member_startup_s));
}

TEST_CASE("what is not known of a job is not worked out") {
    std::vector<RunRecord> runs = {job("ens_1", unknown, unknown), job("ens_2", 2, 800)};
    CHECK_FALSE(is_known(run_members(runs, "ens_*").waiting_share));
    runs[0] = job("ens_1", 2, 400, 0);
    CHECK_FALSE(is_known(run_members(runs, "ens_*").waiting_share));
    CHECK(run_members(runs, "ens_1*").of.empty()); // the * stands for something
}
