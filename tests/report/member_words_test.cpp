// Members of an ensemble in words and tables; a made run whose figures are known.
#include "analysis/members.hpp"
#include "io/json/info_json.hpp"
#include "report/text_summary.hpp"
#include "tests/json.hpp"
#include "tests/named_run.hpp"
#include "tests/report/checked_words.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

using namespace cpl_lb;

namespace {

// 8 members of 4 cores and 50 steps of 1 s; the seventh takes a tenth longer, and the others wait for it where they
// get from the assimilation, which takes 0.001 s: 50 x 1.101 s are 55.05 s.
CoupledRun slow_member(const std::string &name = "atmosphere") {
    std::vector<std::string> names;
    for (int m = 1; m <= 8; ++m)
        names.push_back(name + "_0" + std::to_string(m));
    names.emplace_back("assimilation");
    CoupledRun run = test::named_run(names);
    std::int32_t rank = 0;
    for (Component &c : run.components) {
        const bool is_member = c.id <= 8;
        for (int p = 0; p < (is_member ? 4 : 1); ++p)
            c.ranks.push_back(rank++);
        c.last_terminate = from_seconds(60);
        if (!is_member) continue;
        ComponentBalance &b = c.balance;
        b.loop_s = 55.05;
        b.computing_s = c.id == 7 ? 55 : 50;
        b.waiting_s = b.loop_s - b.computing_s;
        b.coupling_cost = b.waiting_s / b.loop_s;
        b.startup.length_s = 2;
        b.waiting_for = {{9, b.waiting_s, 0}};
    }
    run.clock.error_bound_s = 1e-6;
    run.run.wall_s = 60;
    return run;
}

bool holds(const std::string &text, const std::string &part) {
    const bool is = text.find(part) != std::string::npos;
    if (!is) UNSCOPED_INFO(text);
    return is;
}

std::string as_one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

// The cells of a row.
std::vector<std::string> row_of(const std::string &text, const std::string &name) {
    std::istringstream lines(text);
    std::vector<std::string> words;
    for (std::string line; std::getline(lines, line) && words.empty();) {
        if (!line.starts_with(name + " ")) continue;
        std::istringstream cells(line.substr(name.size()));
        for (std::string word; cells >> word;)
            words.push_back(word);
    }
    return words;
}

} // namespace

// Computing is 7 x 50 s and 55 s: 50.625 s in the mean. Waiting is 7 x 5.05 s and 0.05 s: 4.425 s, of loops of 55.05
// s 8.04 %. 8 x 4 processes.
TEST_CASE("members are one row with their means, least and most, on the screen and in the text") {
    CoupledRun run = slow_member();
    for (const std::string &shown : {screen_summary(run, ".", {}), text_summary(run)}) {
        INFO(shown);
        CHECK(row_of(shown, "atmosphere_* x 8") == std::vector<std::string>{"32", "50.625", "(50.000", "to",
                                                                            "55.000)", "4.425", "(0.050", "to",
                                                                            "5.050)"});
        CHECK(holds(shown, "\natmosphere_* x 8       8.04  assimilation\n")); // the second part of a wide table
        CHECK(holds(as_one_line(shown),
                    "Components whose names differ in a number are one row: means, from the least "
                    "to the most. --members none (or cn_members) shows each. "));
    }
    std::istringstream lines(screen_summary(run, ".", {}));
    for (std::string line; std::getline(lines, line);)
        CHECK(line.size() <= 80);
    CHECK(screen_summary(run, ".", {}).find("atmosphere_03") == std::string::npos);
    CHECK(holds(text_summary(run), "\natmosphere_03 ")); // in the tables that have all figures
    run.run.members = "atmosphere_*";
    CHECK(holds(screen_summary(run, ".", {}), "\natmosphere_* x 8 "));
    CHECK_FALSE(holds(screen_summary(run, ".", {}) + " ", "whose names differ"));
    run.run.members = "none";
    CHECK(holds(screen_summary(run, ".", {}), "\natmosphere_03 "));
    CHECK_FALSE(holds(text_summary(run) + " ", "atmosphere_*"));
}

// The longer name is cut, the number of members is not.
TEST_CASE("a row of members of a long name says how many they are") {
    const CoupledRun run = slow_member("atmosphere_of_the_forecast");
    CHECK(holds(screen_summary(run, ".", {}), "\natmospher...st_* x 8 "));
}

// Timers of CESM with several instances: loops of 10, 20 and 30 s, of which they wait a tenth.
TEST_CASE("members from timers are one row") {
    CoupledRun run;
    for (std::int32_t m = 1; m <= 3; ++m) {
        Component &c = run.components.emplace_back();
        c.name = "CPL:ATM_000" + std::to_string(m);
        c.id = m;
        c.ranks = {m};
        c.balance.loop_s = 10.0 * m;
        c.balance.computing_s = 9.0 * m;
        c.balance.waiting_s = 1.0 * m;
        run.component_names.push_back(c.name);
    }
    run.sources = {{"computing_s", "CPL:ATM_RUN"}};
    CHECK(row_of(screen_summary(run, ".", {}), "CPL:ATM_* x 3") ==
          std::vector<std::string>{"3", "18.000", "(9.000", "to", "27.000)", "2.000", "(1.000", "to", "3.000)"});
    const std::vector<std::string> words = plain_words(run);
    CHECK(std::ranges::count(words, "CPL:ATM_* (3 members) waits 10 % of the loop, by its own timers.") == 1);
}

TEST_CASE("the verdict speaks of members as one") {
    const CoupledRun run = slow_member(); // without a critical path
    CHECK(
        test::checked_words(run, 0).at(0) ==
        "assimilation seems to be the bottleneck: atmosphere_* (8 members) spends 8.0 % of its time waiting for it.");
    CoupledRun each = slow_member();
    each.run.members = "none";
    CHECK(holds(test::checked_words(each, 0).at(0), "atmosphere_01 spends 9.2 % of its time waiting for it, "));
}

// Each of eight has a twelfth of the path, the assimilation a third: together they have two thirds.
TEST_CASE("no single member is the bottleneck where all of them are") {
    CoupledRun run = slow_member();
    for (Component &c : run.components)
        c.balance.critical_share = c.name == "assimilation" ? 4.0 / 12 : 1.0 / 12;
    run.balance.slow_side = 9;
    CHECK(test::checked_words(run, 0).at(0) ==
          "atmosphere_* (8 members) is the bottleneck: it makes up 67 % of the critical path. The longest wait: "
          "atmosphere_* (8 members) spends 8.0 % of its time waiting for assimilation.");
}

TEST_CASE("the json has each component, and no groups; those of older files are left alone") {
    const CoupledRun run = slow_member();
    auto json = nlohmann::json::parse(info_json(run));
    CHECK(json["components"].size() == 9);
    CHECK_FALSE(json.contains("members"));
    json["members"] = {{{"name", "atmosphere_*"}, {"of", {{{"component", "atmosphere_01"}}}}}};
    json["run"]["members"] = "atmosphere_*";
    const CoupledRun back = run_from_json("a.json", json.dump());
    CHECK(back.components.size() == 9);
    CHECK(holds(screen_summary(back, ".", {}), "\natmosphere_* x 8 "));
}
