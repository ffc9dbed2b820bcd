// Pictures of scaling: marks, lines and bands stand where the numbers on the axes say.
#include "tools/balance/scaling_pictures.hpp"

#include "tests/svg_boxes.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <regex>
#include <utility>

using namespace cpl_lb;

namespace {

using Place = std::pair<double, double>;

// By their labels.
std::map<std::string, double> ticks_of(const std::string &svg, const std::string &kind) {
    std::map<std::string, double> ticks;
    const bool is_x = kind == "x";
    const std::regex tick(is_x ? "class='grid'/><text x='([-0-9.]+)' y='[-0-9.]+' text-anchor='middle'>([^<]+)<"
                               : "y2='([-0-9.]+)' class='grid'/><text x='[-0-9.]+' y='[-0-9.]+' "
                                 "text-anchor='end'>([^<]+)<");
    for (std::sregex_iterator t(svg.begin(), svg.end(), tick), end; t != end; ++t)
        ticks[(*t)[2]] = std::stod((*t)[1]);
    return ticks;
}

// The marks that have a title which begins so.
std::vector<Place> marks_of(const std::string &svg, const std::string &title) {
    std::vector<Place> marks;
    const std::regex mark("<circle cx='([-0-9.]+)' cy='([-0-9.]+)'[^>]*><title>" + title);
    for (std::sregex_iterator m(svg.begin(), svg.end(), mark), end; m != end; ++m)
        marks.emplace_back(std::stod((*m)[1]), std::stod((*m)[2]));
    return marks;
}

// The corners of a line or an area whose element holds that text.
std::vector<Place> corners_of(const std::string &svg, const std::string &element, const std::string &look) {
    const std::regex line("<" + element + " points='([^']*)'[^>]*" + look);
    std::smatch found;
    std::vector<Place> corners;
    if (!std::regex_search(svg, found, line)) return corners;
    const std::string points = found[1];
    const std::regex pair("([-0-9.]+),([-0-9.]+)");
    for (std::sregex_iterator p(points.begin(), points.end(), pair), end; p != end; ++p)
        corners.emplace_back(std::stod((*p)[1]), std::stod((*p)[2]));
    return corners;
}

ScalingPicture picture_of(std::vector<MeasuredTime> times, std::int64_t recommended) {
    ScalingPicture picture{"ocean", "a coupling cycle", std::move(times), {}, CurveForm::measured, 0, recommended};
    std::vector<ScalingSample> samples;
    for (const MeasuredTime &time : picture.times)
        samples.push_back({time.cores, time.seconds});
    picture.curve.emplace(samples);
    return picture;
}

std::string time_svg(const ScalingPicture &picture) {
    return svg_of(time_chart(picture, PictureSize::large));
}

// 60 % of the ideal speed-up is left on four times the cores.
const ScalingPicture three = picture_of({{"a", 60, 100, 1}, {"b", 90, 80, 1}, {"c", 240, 41.6, 1}}, 130);

// SVG has one decimal: of a decade of more than 100 units this is less than a thousandth.
constexpr double drawn = 0.003;

} // namespace

TEST_CASE("a measured time lands where the numbers on both logarithmic axes say") {
    const std::string svg = time_svg(three);
    const auto x = ticks_of(svg, "x"), y = ticks_of(svg, "y");
    REQUIRE((x.contains("100") && x.contains("200") && y.contains("50") && y.contains("100")));
    const std::vector<Place> b = marks_of(svg, "b: 90 cores");
    REQUIRE(b.size() == 1);
    CHECK((b[0].first - x.at("100")) / (x.at("200") - x.at("100")) == Approx(std::log2(0.9)).margin(drawn));
    CHECK((b[0].second - y.at("50")) / (y.at("100") - y.at("50")) == Approx(std::log2(1.6)).margin(drawn));
    const std::vector<Place> c =
        marks_of(svg, "c: 240 cores, 1 thread for each process, 41.600 s, efficiency 60.10 %");
    REQUIRE(c.size() == 1); // 100 x 60 / (41.6 x 240) = 0.60096
    CHECK((c[0].first - x.at("100")) / (x.at("200") - x.at("100")) == Approx(std::log2(2.4)).margin(drawn));
    CHECK(c[0].second > b[0].second); // faster is lower
}

TEST_CASE("the ideal line goes from the smallest count with slope -1") {
    const std::string svg = time_svg(three);
    const auto x = ticks_of(svg, "x"), y = ticks_of(svg, "y");
    const std::vector<Place> ideal = corners_of(svg, "polyline", "dasharray");
    REQUIRE(ideal.size() == 2);
    const double octave_x = x.at("200") - x.at("100"), octave_y = y.at("100") - y.at("50"); // the latter is negative
    const double right = (ideal[1].first - ideal[0].first) / octave_x,
                 down = (ideal[1].second - ideal[0].second) / octave_y;
    CHECK(right == Approx(2).margin(0.01)); // 60 to 240 cores
    CHECK(down / right == Approx(-1).margin(0.01));
    const Place first = marks_of(svg, "a: 60 cores").at(0);
    CHECK(ideal[0].first == Approx(first.first).margin(0.11));
    CHECK(ideal[0].second == Approx(first.second).margin(0.11));
}

TEST_CASE("efficiency is t0 c0 / (t c), on a linear axis from 0") {
    const std::string svg = svg_of(efficiency_chart(three, PictureSize::large));
    const auto y = ticks_of(svg, "y");
    REQUIRE((y.contains("0") && y.contains("100")));
    const auto per_cent = [&](const Place &place) {
        return 100 * (place.second - y.at("0")) / (y.at("100") - y.at("0"));
    };
    CHECK(per_cent(marks_of(svg, "a:").at(0)) == Approx(100).margin(0.1));
    CHECK(per_cent(marks_of(svg, "b:").at(0)) == Approx(83.333).margin(0.1)); // 6000 / (80 x 90)
    CHECK(per_cent(marks_of(svg, "c:").at(0)) == Approx(60.096).margin(0.1));
    for (const Place &corner : corners_of(svg, "polyline", "dasharray"))
        CHECK(per_cent(corner) == Approx(100).margin(0.1));
    CHECK(parallel_efficiency(*three.curve, 120, 100) == Approx(0.5));
}

TEST_CASE("the curve goes through measured times; its band has them in it, and widens between and beyond them") {
    for (const bool efficiency : {false, true}) {
        ScalingPicture picture = three;
        picture.recommended = 480;
        const std::string svg = svg_of(efficiency ? efficiency_chart(picture, PictureSize::large)
                                                  : time_chart(picture, PictureSize::large));
        const std::vector<Place> curve = corners_of(svg, "polyline", "stroke-width='2'"),
                                 band = corners_of(svg, "polygon", "");
        REQUIRE(curve.size() > 50);
        REQUIRE(band.size() == 2 * curve.size());
        const auto at = [](const std::vector<Place> &corners, double x) {
            std::vector<double> found;
            for (const Place &corner : corners)
                if (std::abs(corner.first - x) < 0.06) found.push_back(corner.second);
            return found;
        };
        const auto width_at = [&](double x) {
            const std::vector<double> edges = at(band, x);
            REQUIRE(edges.size() >= 2);
            return *std::max_element(edges.begin(), edges.end()) - *std::min_element(edges.begin(), edges.end());
        };
        for (const char *run : {"a:", "b:", "c:"}) {
            const Place mark = marks_of(svg, run).at(0);
            REQUIRE_FALSE(at(curve, mark.first).empty());
            CHECK(at(curve, mark.first).front() == Approx(mark.second).margin(0.11));
            const std::vector<double> edges = at(band, mark.first);
            CHECK(*std::min_element(edges.begin(), edges.end()) <= mark.second + 0.11);
            CHECK(*std::max_element(edges.begin(), edges.end()) >= mark.second - 0.11);
            CHECK(width_at(mark.first) < 0.3); // one run for each count: no scatter is known
        }
        CHECK(width_at(curve.back().first) > 10); // twice the largest count
    }
}

TEST_CASE("the recommended count stands on the curve, with its number") {
    const std::string svg = time_svg(three);
    CHECK(svg.find(">130</text>") != std::string::npos);
    CHECK(svg.find("<title>recommended: 130 cores, ") != std::string::npos);
    const std::string small = svg_of(time_chart(three, PictureSize::small));
    CHECK(small.find(">130</text>") == std::string::npos);
    CHECK(small.find("<title>recommended: 130 cores, ") != std::string::npos);
}

TEST_CASE("counts that double are the numbers on their axis") {
    const auto labels = [](const ScalingPicture &picture) {
        std::string all;
        for (const auto &[label, place] : ticks_of(time_svg(picture), "x"))
            all += label + " ";
        return all;
    };
    CHECK(labels(picture_of({{"a", 128, 9}, {"b", 256, 5}, {"c", 1024, 2}}, 300)) == "1024 128 256 512 ");
    // Nodes of 48 cores; a recommended count below all of them.
    CHECK(labels(picture_of({{"a", 96, 9}, {"b", 192, 5}}, 40)) == "192 48 96 ");
    CHECK(labels(picture_of({{"a", 96, 9}, {"b", 128, 5}}, 100)) == "128 96 ");
    CHECK(labels(picture_of({{"a", 1000, 9}, {"b", 3000, 5}}, 3000)) == "1000 1500 2000 3000 ");
    CHECK(labels(picture_of({{"a", 2, 9}, {"b", 3, 5}}, 5)) == "2 3 ");
    CHECK(labels(picture_of({{"a", 100, 9}, {"b", 103, 5}}, 103)) == "100 105 110 115 90 95 "); // 87 to 118
}

TEST_CASE("with one count: a point, the ideal line, no curve and no band") {
    const ScalingPicture one = picture_of({{"a", 64, 10, 1}}, 64);
    CHECK_FALSE(has_curve(one));
    for (const std::string &svg : {time_svg(one), svg_of(efficiency_chart(one, PictureSize::small))}) {
        CHECK(test::count_of(svg, "<circle") == 1);
        CHECK(test::count_of(svg, "<polyline") == 1);
        CHECK(test::count_of(svg, "<polygon") == 0);
        const std::vector<Place> ideal = corners_of(svg, "polyline", "dasharray");
        REQUIRE(ideal.size() == 2);
        CHECK(ideal[1].first - ideal[0].first > 50); // to twice the count
    }
    // A share of --curves makes it a curve: half of 10 s, and the other half shared by twice the cores.
    ScalingPicture serial = one;
    serial.curve = ScalingCurve::with_serial_part({64, 10}, 0.5);
    serial.recommended = 128;
    CHECK(has_curve(serial));
    CHECK(time_svg(serial).find("recommended: 128 cores, 7.500 s by the curve<") != std::string::npos);
    CHECK(test::count_of(time_svg(serial), "<polygon") == 0); // nobody knows how uncertain that is
}

TEST_CASE("runs with other threads are hollow, and no part of the curve") {
    ScalingPicture picture = picture_of({{"a", 64, 10, 1}, {"b", 128, 6, 1}}, 128);
    picture.threads = 1;
    picture.times.push_back({"c", 128, 5, 4});
    picture.times.push_back({"d", 256, 5, 0}); // not said: as the curve's
    CHECK_FALSE(is_of_curve(picture, picture.times[2]));
    CHECK(is_of_curve(picture, picture.times[3]));
    const std::string svg = time_svg(picture);
    CHECK(svg.find("c: 128 cores, 4 threads for each process, 5.000 s, efficiency 100.00 %") != std::string::npos);
    CHECK(std::regex_search(svg, std::regex("<circle[^>]*fill='none'[^>]*><title>c: ")));
    CHECK_FALSE(std::regex_search(svg, std::regex("<circle[^>]*fill='none'[^>]*><title>a: ")));
}

TEST_CASE("texts of the pictures lie beside each other, and names are no markup") {
    std::vector<MeasuredTime> many;
    many.reserve(14);
    for (int n = 0; n < 14; ++n)
        many.push_back({"run <b>" + std::to_string(n), std::ldexp(3, n), 1e6 / (n + 1), 1});
    const ScalingPicture close = picture_of({{"a", 100, 9.1}, {"b", 103, 9.0}}, 102);
    for (const ScalingPicture &picture : {three, picture_of(many, 50000), close}) {
        for (const PictureSize size : {PictureSize::large, PictureSize::small}) {
            for (const std::string &svg :
                 {svg_of(time_chart(picture, size)), svg_of(efficiency_chart(picture, size))}) {
                const std::string unreadable = test::unreadable_texts(svg, 13);
                INFO(unreadable);
                CHECK(unreadable.empty());
                CHECK(svg.find("<b>") == std::string::npos);
                CHECK(svg.find("nan") == std::string::npos);
                CHECK(ticks_of(svg, "x").size() >= 2);
                CHECK(ticks_of(svg, "y").size() >= 2);
            }
        }
    }
}

TEST_CASE("each mark has its words in the legend") {
    CHECK(scaling_legend(CurveForm::measured, true, false).size() == 5);
    CHECK(scaling_legend(CurveForm::measured, true, true).size() == 6);
    CHECK(scaling_legend(CurveForm::measured, false, false).size() == 3);
    for (const ChartSeries &series : scaling_legend(CurveForm::hslb, true, true)) {
        CHECK_FALSE(series.name.empty());
        CHECK(series.name.find("90 of 100") == std::string::npos); // measured so for the measured form only
        CHECK(svg_key(series).find("<text") == std::string::npos);
        CHECK(svg_key(series).size() > 150);
    }
}
