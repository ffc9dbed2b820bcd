// Where the computing time is: the figures of processes, and the parts of the grid that the model described, in
// timelines of real runs.
#include "run_scenario.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

using scenario::run;

static const scenario::Program program("scenarios");

TEST_CASE("map: blocks of real processes, with their computing; coordinates do nothing") {
    const auto r = run("domains", 4);
    REQUIRE(r.exit_code == 0);
    CHECK(r.said.at("block") == 0);
    CHECK(r.said.at("points") == 0);
    CHECK(r.complaints.empty());
    const cpl_lb::ProcessFigures ocean = scenario::timeline(r, "ocean").header.figures;
    REQUIRE(ocean.parts.size() == 2);
    CHECK(ocean.parts[0].size == std::array<std::int64_t, 2>{8, 3});
    CHECK(ocean.parts[0].points == 15);
    REQUIRE(ocean.parts[1].pieces.size() == 1);
    CHECK(ocean.parts[1].pieces[0].first == std::array<std::int64_t, 2>{6, 1});
    CHECK(ocean.parts[1].pieces[0].count == std::array<std::int64_t, 2>{3, 3});
    // A sleep is never too short, and nothing lasts longer than the loop.
    const double loop_s = r.component("ocean").at("loop_s").get<double>();
    REQUIRE(ocean.computing_s.size() == 2);
    CHECK(ocean.computing_s[0] >= 0.99 * r.said.at("slept_0"));
    CHECK(ocean.computing_s[1] >= 0.99 * r.said.at("slept_1"));
    for (const double computing_s : ocean.computing_s)
        CHECK(computing_s <= loop_s);
    // Computing is the loop less a process's own waiting, of which the summary has mean, least and most.
    const auto waiting = r.component("ocean").at("process_waiting_s");
    const double most = std::max(ocean.computing_s[0], ocean.computing_s[1]);
    CHECK(most == Approx(loop_s - waiting.at("min").get<double>()).epsilon(1e-9));
    CHECK(ocean.computing_s[0] + ocean.computing_s[1] ==
          Approx(2 * (loop_s - waiting.at("mean").get<double>())).epsilon(1e-9));
    CHECK(ocean.memory_B.size() == 2);
    // Regions: by their sleeps, and as the summary has them.
    REQUIRE(ocean.regions.size() == 2);
    CHECK(ocean.regions[0].region == "stepping");
    CHECK(ocean.regions[1].region == "only on process 1");
    REQUIRE(ocean.regions[0].seconds.size() == 2);
    CHECK(ocean.regions[0].seconds[0] >= 0.99 * r.said.at("region_0"));
    CHECK(ocean.regions[0].seconds[1] >= 0.99 * r.said.at("region_1"));
    CHECK(ocean.regions[1].seconds[0] == 0);
    CHECK(ocean.regions[1].seconds[1] >= 0.99 * r.said.at("region_1"));
    for (const auto &region : r.component("ocean").at("regions")) {
        const auto of = region.at("name") == "stepping" ? 0U : 1U;
        CHECK(*std::max_element(ocean.regions[of].seconds.begin(), ocean.regions[of].seconds.end()) ==
              Approx(region.at("max_s").get<double>()).epsilon(1e-6)); // float on the way
    }
    CHECK(ocean.mpi_inside_s.empty());
    const cpl_lb::ProcessFigures atmosphere = scenario::timeline(r, "atmosphere").header.figures;
    CHECK(atmosphere.parts.empty());
    CHECK(atmosphere.why_no_parts.empty());
}

TEST_CASE("map: pieces of real processes, exact and as boxes around several") {
    const auto r = run("piece_domains", 4);
    REQUIRE(r.exit_code == 0);
    CHECK(r.said.at("pieces") == 0);
    CHECK(r.said.at("half") == 0);
    CHECK(r.complaints.empty());
    const cpl_lb::ProcessFigures ocean = scenario::timeline(r, "ocean").header.figures;
    REQUIRE(ocean.parts.size() == 2);
    for (std::size_t p = 0; p < 2; ++p) {
        CHECK(ocean.parts[p].points == 16);
        REQUIRE(ocean.parts[p].pieces.size() == 2);
        for (std::size_t n = 0; n < 2; ++n) {
            CHECK(ocean.parts[p].pieces[n].first ==
                  std::array<std::int64_t, 2>{1, static_cast<std::int64_t>(1 + p + 2 * n)});
            CHECK(ocean.parts[p].pieces[n].count == std::array<std::int64_t, 2>{8, 1});
        }
    }
    const cpl_lb::ProcessFigures atmosphere = scenario::timeline(r, "atmosphere").header.figures;
    REQUIRE(atmosphere.parts.size() == 2);
    for (std::size_t p = 0; p < 2; ++p) {
        CHECK(atmosphere.parts[p].points == 80); // 20 rows of 4
        CHECK(atmosphere.parts[p].pieces.size() == 16);
        std::int64_t in_boxes = 0;
        for (const cpl_lb::GridPiece &piece : atmosphere.parts[p].pieces)
            in_boxes += piece.count[0] * piece.count[1];
        CHECK(in_boxes == 96); // and four foreign rows
    }
}

TEST_CASE("map: blocks that overlap and processes without a part are one line each, and the rest is there") {
    const auto r = run("bad_domains", 4);
    REQUIRE(r.exit_code == 0);
    CHECK(r.complaints_with("no map of ocean: its processes 0 and 1 both have point (5, 1) of the grid") == 1);
    CHECK(r.complaints_with("no map of atmosphere: 1 of its 2 processes gave no part of the grid") == 1);
    CHECK(r.complaints.size() == 2);
    const cpl_lb::ProcessFigures ocean = scenario::timeline(r, "ocean").header.figures;
    CHECK(ocean.parts.empty());
    CHECK(ocean.computing_s.size() == 2);
    CHECK(ocean.why_no_parts == "its processes 0 and 1 both have point (5, 1) of the grid");
}

TEST_CASE("map: points that the model leaves out are a hole, and told apart from a mistake") {
    const auto r = run("left_out_domains", 4);
    REQUIRE(r.exit_code == 0);
    CHECK(r.said.at("left_out") == 0);
    CHECK(r.said.at("negative") == -2);
    CHECK(r.complaints_with("cpl_lb_set_domain_left_out: value out of range: ignored") == 1);
    CHECK(r.complaints_with(
              "no map of atmosphere: its processes say different numbers of points that are left out") == 1);
    CHECK(r.complaints.size() == 2);
    const cpl_lb::ProcessFigures ocean = scenario::timeline(r, "ocean").header.figures;
    REQUIRE(ocean.parts.size() == 2);
    CHECK(ocean.parts[0].points + ocean.parts[1].points == 21); // 7 of 8 columns
    CHECK(ocean.left_out == 3);
    CHECK(scenario::timeline(r, "atmosphere").header.figures.parts.empty());
}

TEST_CASE("map: wrong parts of the grid are refused, and what was said before holds") {
    const auto r = run("wrong_domains", 1);
    CHECK(r.said.at("pieces_before") == -1);
    CHECK(r.said.at("good") == 0);
    for (const char *wrong : {"beyond", "empty_grid", "null", "negative_pieces", "pieces_beyond", "null_size",
                              "null_first", "null_count", "no_grid", "twice"})
        CHECK(r.said.at(wrong) == -2);
    // When it is made first, and at the end how often.
    CHECK(r.complaints_with("cpl_lb_set_domain: value out of range: ignored") == 2);
    CHECK(r.complaints_with("cpl_lb_set_domain_pieces: value out of range: ignored") == 2);
    CHECK(r.complaints_with("cpl_lb_set_domain_pieces: two of its pieces have a point in common: ignored") == 1);
    const cpl_lb::ProcessFigures ocean = scenario::timeline(r, "ocean").header.figures;
    REQUIRE(ocean.parts.size() == 1);
    CHECK(ocean.parts[0].points == 24);
    CHECK(ocean.computing_s.empty()); // no coupling loop
}

TEST_CASE("map: without the library switched on the calls do nothing") {
    const auto r = run("wrong_domains", 1, "", false);
    CHECK(r.complaints_with("value out of range") == 0);
    CHECK(r.said.at("beyond") == 0);
}
