// Bars: as long as their values say, with labels that do not lie on each other.
#include "data/time.hpp"
#include "report/plot.hpp"
#include "tests/svg_boxes.hpp"

#include <catch2/catch.hpp>
#include <regex>
#include <string>
#include <vector>

using namespace cpl_lb;

namespace {

struct Rectangle {
    double x = 0, y = 0, wide = 0, high = 0;
};

std::vector<Rectangle> bars_of(const std::string &svg) {
    std::vector<Rectangle> bars;
    const std::regex bar("<rect x='([0-9.]+)' y='([0-9.]+)' width='([0-9.]+)' height='([0-9.]+)' fill='#");
    for (std::sregex_iterator b(svg.begin(), svg.end(), bar), end; b != end; ++b)
        bars.push_back({std::stod((*b)[1]), std::stod((*b)[2]), std::stod((*b)[3]), std::stod((*b)[4])});
    std::erase_if(bars, [](const Rectangle &r) { return r.x == 0; }); // of the legend
    return bars;
}

struct Label {
    double x = 0, y = 0;
    std::string text;
};

std::vector<Label> labels_of(const std::string &svg) {
    std::vector<Label> labels;
    const std::regex label("<text x='([0-9.]+)' y='([0-9.]+)'[^>]*class='value'[^>]*>([^<]*)<");
    for (std::sregex_iterator l(svg.begin(), svg.end(), label), end; l != end; ++l)
        labels.push_back({std::stod((*l)[1]), std::stod((*l)[2]), (*l)[3]});
    return labels;
}

} // namespace

TEST_CASE("bars side by side: lengths, marks, and labels behind both") {
    BarChart chart{"T", "[s]", {"one", "two"}, "measured", {}};
    chart.panels.push_back({"P", {{"a", {4, 2}, {3, 8}}, {"b", {unknown, 1}, {unknown, unknown}}}});
    const std::string svg = svg_of_bars(chart);
    const std::vector<Rectangle> bars = bars_of(svg);
    REQUIRE(bars.size() == 3);
    // The longest of bars and marks, 8, takes 520.
    CHECK(bars[0].wide == Approx(260));
    CHECK(bars[1].wide == Approx(130));
    CHECK(bars[2].wide == Approx(65));
    for (std::size_t i = 1; i < 3; ++i)
        CHECK(bars[i].y >= bars[i - 1].y + bars[i - 1].high);
    const std::vector<Label> labels = labels_of(svg);
    REQUIRE(labels.size() == 3);
    CHECK(labels[0].text == "4 (3)");
    CHECK(labels[1].text == "2 (8)");
    CHECK(labels[2].text == "1");
    CHECK(labels[0].x > bars[0].x + 260);
    CHECK(labels[1].x > bars[1].x + 520); // behind the mark
    for (std::size_t i = 1; i < 3; ++i)
        CHECK(labels[i].y >= labels[i - 1].y + 11); // a line of text
    CHECK(svg.find("measured") != std::string::npos);
}

TEST_CASE("parts of a bar: per cent of the sum, with a label where there is room") {
    BarChart chart{"T", "%", {"one", "two", "three"}, "", {}, true};
    chart.panels.push_back({"P", {{"a", {6, 3.7, 0.3}}, {"b", {0, unknown, 5}}}});
    const std::string svg = svg_of_bars(chart);
    const std::vector<Rectangle> bars = bars_of(svg);
    REQUIRE(bars.size() == 4);          // nothing is drawn of what is 0 or not known
    CHECK(bars[0].wide == Approx(312)); // 60 % of 520
    CHECK(bars[1].x == Approx(bars[0].x + 312).margin(0.11));
    CHECK(bars[2].wide == Approx(15.6)); // 3 %
    CHECK(bars[3].wide == Approx(520));
    const std::vector<Label> labels = labels_of(svg);
    REQUIRE(labels.size() == 3);
    CHECK(labels[0].text == "60 %");
    CHECK(labels[1].text == "37 %");
    CHECK(labels[2].text == "100 %");
}

TEST_CASE("names from outside cannot break the picture, nor run over the bars") {
    BarChart chart{"a < b & c", "", {"<b>"}, "", {}};
    chart.panels.push_back({"<p>", {{std::string(200, 'x') + "<script>", {1}, {}}}});
    const std::string svg = svg_of_bars(chart);
    CHECK(svg.find("<script>") == std::string::npos);
    CHECK(svg.find("<b>") == std::string::npos);
    CHECK(svg.find("a &lt; b &amp; c") != std::string::npos);
    // 34 letters of 0.64 x 13 and 20 beside them.
    CHECK(bars_of(svg)[0].x == Approx(20 + 34 * 0.64 * 13).margin(0.06));
}

TEST_CASE("no text of bars lies on another one, none leaves the picture, however long they are") {
    BarChart chart{
        "A title that is longer than the bars are wide, because it says all that there is to say of them, at length",
        "And an axis that also has a lot to say, of each bar, and of each mark, and of what they have in common, and "
        "so on",
        {},
        "what was measured",
        {}};
    for (int s = 0; s < 7; ++s)
        chart.series.push_back("a card with a long name, number " + std::to_string(s));
    BarPanel panel{"A domain", {}};
    for (int r = 0; r < 5; ++r)
        panel.rows.push_back({std::string(static_cast<std::size_t>(8 * r + 1), 'W'),
                              std::vector<double>(7, 1.23e-15 * (r + 1)), std::vector<double>(7, 4.56e-15)});
    chart.panels = {panel, panel};
    CHECK_THAT(test::unreadable_texts(svg_of_bars(chart), 13), Catch::Equals(""));
    chart.stacked = true;
    CHECK_THAT(test::unreadable_texts(svg_of_bars(chart), 13), Catch::Equals(""));
}
