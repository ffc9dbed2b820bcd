// Names in pictures: none lies on another, all are there, and a legend says what the marks mean.
#include "analysis/model_rows.hpp"
#include "report/plot.hpp"
#include "report/plot_parts.hpp"
#include "tests/svg_boxes.hpp"
#include "tests/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <limits>

using namespace cpl_lb;
using test::count_of;
using test::texts_of_svg;
using test::unreadable_texts;

namespace {

constexpr double model_plot_size = 12, chart_size = 13; // of the usual text

ModelRow run_like(double resolution, double sypd, const std::string &name = "MY-ESM") {
    ModelRow row;
    row.model = name;
    row.resolution = resolution;
    row.sypd = sypd;
    row.complexity = 50;
    return row;
}

} // namespace

TEST_CASE("the models of table 1 with a run in their midst") {
    // At 1.2e8 points and 5 SYPD ARPEGE5-NEMO T stands itself.
    for (const ModelRow &run :
         {run_like(1.2e8, 5), run_like(1.3e8, 4), run_like(4.9e8, 1.1), run_like(3.9e6, 36.5)}) {
        std::vector<ModelRow> rows = read_model_rows(test::contents(CPL_LB_TABLE1));
        rows.push_back(run);
        const std::string svg = model_plot_svg(rows);
        CHECK_THAT(unreadable_texts(svg, model_plot_size), Catch::Equals(""));
        for (const ModelRow &row : rows)
            CHECK(count_of(svg, ">" + row.model + (row.mode == ' ' ? "" : std::string(" ") + row.mode) + "</text>") ==
                  1);
        for (const char *words : {"this run", "run for speed (S)", "for throughput (T)", "20 variables",
                                  "100 variables", "number not known"})
            CHECK(count_of(svg, ">" + std::string(words) + "</text>") == 1);
    }
}

TEST_CASE("a model whose resolution or speed is no number is not drawn, and the others are") {
    const double inf = std::numeric_limits<double>::infinity();
    for (const ModelRow &odd : {run_like(inf, 5, "ODD"), run_like(1e7, inf, "ODD"), run_like(-1, 5, "ODD")}) {
        const std::vector<ModelRow> rows = {odd, run_like(1e8, 5)};
        CHECK(model_plot_svg(rows).find("ODD") == std::string::npos);
        CHECK(model_plot_svg(rows).find("MY-ESM") != std::string::npos);
    }
}

TEST_CASE("forty models at one place, long names, and more than there is room for") {
    std::vector<ModelRow> rows;
    rows.reserve(540);
    for (int i = 0; i < 40; ++i)
        rows.push_back(run_like(1e7 * (1 + 0.001 * i), 10, "Model number " + std::to_string(i)));
    const std::string svg = model_plot_svg(rows);
    CHECK_THAT(unreadable_texts(svg, model_plot_size), Catch::Equals(""));
    for (int i = 0; i < 40; ++i)
        CHECK(count_of(svg, ">Model number " + std::to_string(i) + "</text>") == 1);
    CHECK(count_of(svg, "number not known") == 0); // no such mark, no such line in the legend
    for (int i = 0; i < 500; ++i)
        rows.push_back(
            run_like(1e7, 10, "A model whose name is longer than the names of others " + std::to_string(i)));
    const std::string full = model_plot_svg(rows);
    CHECK_THAT(unreadable_texts(full, model_plot_size), Catch::Equals(""));
    CHECK(count_of(full, " names: no room</text>") == 1);
}

TEST_CASE("labels of a chart, and numbers of its axes") {
    ChartSeries points{"measured", {}};
    for (int i = 0; i < 30; ++i)
        points.points.push_back({1000 + 3. * i, 10 + 0.01 * i, std::to_string(96 + i) + " cores"});
    SvgChart chart{"Speed", {"cost", true}, {"speed"}, {points}};
    chart.x.ticks = {1000, 1001, 1002, 1050, 1060, 1090}; // as many as a caller likes
    const std::string svg = svg_of(chart);
    CHECK_THAT(unreadable_texts(svg, chart_size), Catch::Equals(""));
    CHECK(count_of(svg, " cores</text>") == 30);
    const auto texts = texts_of_svg(svg, chart_size);
    CHECK(std::any_of(texts.begin(), texts.end(), [](const auto &t) { return t.text == "1000"; }));
    CHECK(std::none_of(texts.begin(), texts.end(), [](const auto &t) { return t.text == "1001"; }));
}

TEST_CASE("titles, axes and legends of a chart stay inside, however long; an axis always has a number") {
    const std::string words =
        "more words than there is room for, said again and again, to the end of the line and beyond it, on and on";
    SvgChart chart{words, {words, true}, {words}, {}};
    for (int s = 0; s < 30; ++s)
        chart.series.push_back({words, {{3, 1.0 + s, ""}}});
    const std::string svg = svg_of(chart);
    CHECK_THAT(unreadable_texts(svg, chart_size), Catch::Equals(""));
    CHECK(count_of(svg, ">3</text>") == 1);
}

TEST_CASE("places: beside the mark where it is free, never outside, a line where it is far") {
    SvgLabels labels({0, 0, 200, 100});
    const SvgBox mark{50, 40, 60, 50};
    const auto first = labels.place(mark, "name", 10);
    REQUIRE(first);
    CHECK(first->x > 60);
    CHECK(first->x < 70);
    CHECK_FALSE(first->far);
    labels.add_text({0, 0, 130, 100}); // all around it
    const auto away = labels.place(mark, "name", 10);
    REQUIRE(away);
    CHECK(away->far);
    CHECK(away->box.left >= 130);
    CHECK(leader_of(mark, *away).find("<line x1='55.0' y1='45.0'") == 0);
    labels.add_text({0, 0, 200, 100});
    CHECK_FALSE(labels.place(mark, "name", 10));
}
