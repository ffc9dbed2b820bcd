// The estimator of Kim, Larson and Chiu on their own worked examples, and on what their equations leave open.
#include "prediction/coupling_graph.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;

namespace {

constexpr std::size_t a = 0, b = 1, c = 2;

void meet(std::vector<Constituent> &model, PointPlace one, PointPlace other) {
    model[one.component].points[one.point].waits_for.push_back(other);
    model[other.component].points[other.point].waits_for.push_back(one);
}

Constituent constituent(const std::string &name, const std::vector<double> &intervals) {
    Constituent result{name, {}, intervals.back()};
    for (std::size_t k = 0; k + 1 < intervals.size(); ++k)
        result.points.push_back({intervals[k], {}});
    return result;
}

// A computes 0, 4, 8, 4 and B 6, 6, 6, 6 around three shared points.
std::vector<Constituent> figure_1() {
    std::vector<Constituent> model = {constituent("A", {0, 4, 8, 4}), constituent("B", {6, 6, 6, 6})};
    for (std::size_t k = 0; k < 3; ++k)
        meet(model, {a, k}, {b, k});
    return model;
}

// B has two more points, with C, and then `last` seconds; C computes 22, 0, 2.
std::vector<Constituent> figure_2(double last) {
    std::vector<Constituent> model = {constituent("A", {0, 4, 8, 4}), constituent("B", {6, 6, 6, 0, 4, last}),
                                      constituent("C", {22, 0, 2})};
    for (std::size_t k = 0; k < 3; ++k)
        meet(model, {a, k}, {b, k});
    meet(model, {b, 3}, {c, 0});
    meet(model, {b, 4}, {c, 1});
    return model;
}

double length(const std::vector<Constituent> &model) {
    return CouplingGraph(model).length_s(std::vector<double>(model.size(), 1.0));
}

} // namespace

TEST_CASE("figure 1: 26 s") {
    // max(0, 6) = 6; max(6 + 4, 6 + 6) = 12; max(12 + 8, 12 + 6) = 20; max(20 + 4, 20 + 6) = 26.
    CHECK(length(figure_1()) == Approx(26));
    const CouplingGraph graph(figure_1());
    CHECK(graph.computing_s() == std::vector<double>{16, 24});
    // Equation 4: a half of A's 16 s and three quarters of B's 24 s.
    const CriticalPath path = graph.critical_path(graph.schedule({1, 1}), {1, 1});
    CHECK(path.seconds[a] == Approx(8));
    CHECK(path.seconds[b] == Approx(18));
    CHECK(path.hops == 2); // B, A, B
}

TEST_CASE("figure 2: 28 s, and 32 s with 6 s at B's end") {
    // B and C meet at max(20, 22) = 22, then at max(26, 22) = 26; the end is max(24, 26 + 2, 26 + 2) = 28.
    CHECK(length(figure_2(2)) == Approx(28));
    CHECK(length(figure_2(6)) == Approx(32));
}

TEST_CASE("other computing times than measured") {
    // Equation 4 where the same terms win: B half as fast: max(0, 12), 24, max(24 + 8, 36), max(36 + 4, 48) = 48.
    CHECK(CouplingGraph(figure_1()).length_s({1, 2}) == Approx(48));
    // A twice as slow: 6; max(6 + 8, 12) = 14; max(14 + 16, 20) = 30; max(30 + 8, 36) = 38.
    CHECK(CouplingGraph(figure_1()).length_s({2, 1}) == Approx(38));
}

TEST_CASE("the critical path with other computing times is as long as the loop with them") {
    // A twice as slow: B's 6 s, then A's 16, 8 x 2 = 16 and 4 x 2 = 8: 6 + 8 + 16 + 8 = 38.
    const CouplingGraph graph(figure_1());
    const std::vector<double> factors = {2, 1};
    const CriticalPath path = graph.critical_path(graph.schedule(factors), factors);
    CHECK(path.seconds[a] == Approx(2 * (4 + 8 + 4)));
    CHECK(path.seconds[b] == Approx(6));
    CHECK(path.hops == 1);
}

TEST_CASE("where two come at the same time, the path stays with the component itself") {
    // Both meet at 6. B ends at 12, A at 10: B's own 6 s are as late as A's.
    std::vector<Constituent> model = {constituent("A", {6, 4}), constituent("B", {6, 6})};
    meet(model, {a, 0}, {b, 0});
    const CouplingGraph graph(model);
    const CriticalPath path = graph.critical_path(graph.schedule({1, 1}), {1, 1});
    CHECK(path.seconds[a] == 0);
    CHECK(path.seconds[b] == Approx(12));
    CHECK(path.hops == 0);
}

TEST_CASE("a hub waits for all, its partners only for it") {
    // Hub H arrives at 2, X at 5, Y at 1. H leaves at 5; X at max(5, 2) = 5; Y at max(1, 2) = 2.
    std::vector<Constituent> model = {constituent("H", {2, 0}), constituent("X", {5, 0}), constituent("Y", {1, 3.5})};
    meet(model, {0, 0}, {1, 0});
    meet(model, {0, 0}, {2, 0});
    const CouplingGraph graph(model);
    const Schedule s = graph.schedule({1, 1, 1});
    CHECK(s.leave_s[graph.flat({0, 0})] == Approx(5));
    CHECK(s.leave_s[graph.flat({1, 0})] == Approx(5));
    CHECK(s.leave_s[graph.flat({2, 0})] == Approx(2));
    CHECK(s.length_s == Approx(5.5)); // Y: 2 + 3.5
}

TEST_CASE("a buffered send lets the sender go on") {
    // A sends at 1 and computes 3 more; B comes for it at 6. Synchronous: A ends at 6 + 3 = 9. Buffered: at 4, B
    // at 7.
    std::vector<Constituent> model = {constituent("A", {1, 3}), constituent("B", {6, 1})};
    model[1].points[0].waits_for = {{0, 0}};
    CHECK(length(model) == Approx(7));
    meet(model, {0, 0}, {1, 0});
    CHECK(length(model) == Approx(9));
}

TEST_CASE("points that wait for each other in a ring, or for nobody, are refused") {
    std::vector<Constituent> ring = {constituent("A", {1, 1, 1}), constituent("B", {1, 1, 1})};
    ring[0].points[0].waits_for = {{1, 1}};
    ring[1].points[0].waits_for = {{0, 1}};
    CHECK_THROWS_AS(CouplingGraph(ring), PredictionError);
    ring[0].points[0].waits_for = {{1, 2}};
    CHECK_THROWS_AS(CouplingGraph(ring), PredictionError);
}

TEST_CASE("who does not decide the end does not make the loop longer") {
    std::vector<Constituent> model = {constituent("A", {3, 1}), constituent("server", {1, 7})};
    model[1].points[0].waits_for = {{0, 0}};
    CHECK(length(model) == Approx(10)); // the server leaves at 3 and works 7 s more
    model[1].decides_end = false;
    model[0].decides_end = true;
    CHECK(length(model) == Approx(4));
}
