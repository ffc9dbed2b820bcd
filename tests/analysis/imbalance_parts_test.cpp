// The parts of the imbalance against made components whose reasons are known.
#include "analysis/imbalance_parts.hpp"

#include "tests/analysis/made_arrivals.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

using namespace cpl_lb;

namespace {

using made::Reasons;

ImbalanceParts parts_of(const made::Made &m, std::size_t most = 16'384) {
    ArrivalsOfAll arrivals(m.table, find_window(m.table), m.rows.size(), most);
    for (std::size_t p = 0; p < m.rows.size(); ++p)
        arrivals.set(p, m.rows[p]);
    return arrivals.parts({}, m.nodes);
}

Reasons random_reasons(std::uint32_t seed) {
    std::mt19937 random(seed);
    const auto share = [&] { return std::uniform_real_distribution<double>(0, 1)(random); };
    const auto maybe = [&](double most) { return random() % 2 == 0 ? 0.0 : most * (0.2 + 0.8 * share()); };
    Reasons r;
    r.seed = seed;
    r.processes = 2 + random() % 63;
    r.steps = 120 + random() % 1000;
    r.nodes = r.processes >= 12 ? 3 + random() % (r.processes / 4) : 1;
    if (r.processes / r.nodes < 2) r.nodes = 3;
    r.always_s = maybe(0.4);
    r.node_s = r.nodes >= 3 && r.processes / r.nodes >= 3 ? maybe(0.4) : 0.0;
    r.moving_s = maybe(0.4);
    r.period = 12 + random() % 25;
    r.heavy_s = maybe(1.0);
    r.heavy_every = 2 + random() % 20;
    r.noise_s = 0.002 + maybe(0.1);
    if (random() % 2 == 0) r.date_step_s = 86'400 / static_cast<std::int64_t>(r.period);
    if (r.date_step_s > 0 && 86'400 % r.date_step_s != 0) r.date_step_s = 0;
    return r;
}

// Within 10 % of the truth, or one point of the loop.
bool right(double found_s, double truth_s, double loop_s) {
    return std::abs(found_s - truth_s) <= std::max(0.1 * std::abs(truth_s), 0.01 * loop_s);
}

// Without nodes that can be told, they are with the processes.
double nodes_of(const ImbalanceParts &p) {
    return p.why_no_nodes.empty() ? p.nodes_s : 0;
}

double sum_of(const ImbalanceParts &p) {
    return nodes_of(p) + p.processes_s + p.moving_s + p.steps_s + p.random_s;
}

// Two processes; the second comes so much later in each of 12 steps.
made::Made two_processes(const std::function<double(std::size_t step)> &late_s) {
    Reasons r;
    r.steps = 12;
    made::Delays d = made::delays_of(r);
    d.always = made::filled(r, [&](std::size_t k, std::size_t p) { return p == 1 ? late_s(k) : 0.0; });
    return made::component(r, d);
}

void check_made_components(int models) {
    int wrong = 0;
    for (int seed = 1; seed <= models; ++seed) {
        const Reasons r = random_reasons(static_cast<std::uint32_t>(seed));
        const made::Delays d = made::delays_of(r);
        const made::Truth t = made::truth_of(r, d);
        const made::Made m = made::component(r, d);
        const ImbalanceParts p = parts_of(m);
        const bool good = right(nodes_of(p), t.nodes_s, t.loop_s) && right(p.processes_s, t.processes_s, t.loop_s) &&
                          right(p.moving_s, t.moving_s, t.loop_s) && right(p.steps_s, t.steps_s, t.loop_s) &&
                          right(p.random_s, t.random_s, t.loop_s);
        if (!good) ++wrong;
        INFO("seed " << seed);
        CHECK(sum_of(p) ==
              Approx(choose_exchanges(m.table, find_window(m.table), r.processes, 16'384).imbalance_s).margin(1e-9));
    }
    WARN(wrong << " of " << models << " models have a part that is not right");
    // Where own delays lie by chance as if nodes were slow, or the other way round, nobody can tell them apart.
    CHECK(wrong <= models / 20);
}

} // namespace

TEST_CASE("the parts are those of a few made components, all at once") {
    check_made_components(40);
}

TEST_CASE("the parts are those of 500 made components", "[long]") {
    check_made_components(500);
}

TEST_CASE("noise alone is called random") {
    for (std::uint32_t seed = 1; seed <= 100; ++seed) {
        Reasons r = random_reasons(seed);
        r.always_s = r.node_s = r.moving_s = r.heavy_s = 0;
        r.noise_s = 0.1;
        const ImbalanceParts p = parts_of(made::component(r, made::delays_of(r)));
        INFO("seed " << seed << ", " << r.processes << " processes, " << r.steps << " steps");
        CHECK(p.processes_s == 0);
        CHECK(nodes_of(p) == 0);
        CHECK(p.moving_s == 0);
        CHECK(p.steps_s < 0.01 * sum_of(p)); // single steps are far off by chance
    }
}

TEST_CASE("a process that is always last by as much") {
    // The loop lasts from the latest arrival at the second exchange to that at the twelfth: ten delays lie in it.
    const ImbalanceParts p = parts_of(two_processes([](std::size_t) { return 0.2; }));
    CHECK(p.why_missing.empty());
    CHECK(sum_of(p) == Approx(2.0));
    CHECK(p.processes_s == Approx(2.0));
    REQUIRE(p.last.size() == 1);
    CHECK(p.last[0].process == 1);
    CHECK(p.last[0].share == 1);
    CHECK(p.last[0].late_s == Approx(0.1)); // 0.2 s behind the other, so 0.1 s behind the mean of both
    CHECK(p.why_no_nodes == "its processes are on one node");
}

TEST_CASE("two processes that take turns are not always the same") {
    const ImbalanceParts p = parts_of(two_processes([](std::size_t k) { return k % 2 == 0 ? 0.2 : -0.2; }));
    CHECK(p.processes_s == 0);
    CHECK(p.last.size() == 2);
}

TEST_CASE("a step of its own in which one process is late") {
    Reasons r;
    r.processes = 4;
    r.steps = 200;
    r.noise_s = 0.01;
    made::Delays d = made::delays_of(r);
    d.heavy[70][2] = 3;
    const ImbalanceParts p = parts_of(made::component(r, d));
    // What exceeds the usual 0.02 s (the range of four normal numbers is 2.06 standard deviations on the average).
    CHECK(p.steps_s == Approx(3 - 0.02).margin(0.03));
    CHECK(p.unusual == 1);
    CHECK(p.every == 0);
}

TEST_CASE("every twelfth step") {
    Reasons r;
    r.processes = 4;
    r.steps = 242; // 240 in the loop: 20 of them are heavy
    r.noise_s = 0.01;
    r.heavy_s = 0.5;
    r.heavy_every = 12;
    const ImbalanceParts p = parts_of(made::component(r, made::delays_of(r)));
    CHECK(p.steps_s == Approx(20 * (0.5 - 0.02)).margin(0.3));
    CHECK(p.every == 12);
    CHECK(p.unusual == 20);
}

TEST_CASE("a rule is found in a thinned list, too") {
    Reasons r;
    r.processes = 4;
    r.steps = 6000;
    r.noise_s = 0.01;
    r.heavy_s = 0.5;
    r.heavy_every = 12;
    const ImbalanceParts whole = parts_of(made::component(r, made::delays_of(r)));
    const ImbalanceParts thinned = parts_of(made::component(r, made::delays_of(r)), 1000);
    CHECK(thinned.exchanges <= 1000);
    CHECK(thinned.every == 12);
    CHECK(thinned.steps_s == Approx(whole.steps_s).epsilon(0.05));
    CHECK(sum_of(thinned) == Approx(sum_of(whole)).margin(1e-9));
}

TEST_CASE("a slow node is told by a process of it") {
    Reasons r;
    r.processes = 16;
    r.nodes = 4;
    r.steps = 120;
    r.noise_s = 0.02;
    made::Delays d = made::delays_of(r);
    d.node = made::filled(r, [&](std::size_t, std::size_t p) { return p / 4 == 2 ? 0.3 : 0.0; });
    const made::Made m = made::component(r, d);
    const ImbalanceParts p = parts_of(m);
    CHECK(p.nodes_s > 0.7 * sum_of(p));
    CHECK(p.late_node_process == 8); // the first of the third node
    // The others are on time: 0.3 s less a quarter of it, the mean of all.
    CHECK(p.late_node_s == Approx(0.225).margin(0.01));
    REQUIRE(p.late_s.size() == 16);
    CHECK(p.late_s[8] == Approx(0.3).margin(0.02));
    CHECK(p.late_s[0] == Approx(0.0).margin(0.02));
}

TEST_CASE("what moves has the period of a day by its dates") {
    Reasons r;
    r.processes = 8;
    r.steps = 240; // ten days
    r.noise_s = 0.01;
    r.moving_s = 0.4;
    r.period = 24;
    r.date_step_s = 3600;
    const made::Delays d = made::delays_of(r);
    const made::Truth t = made::truth_of(r, d);
    const ImbalanceParts p = parts_of(made::component(r, d));
    CHECK(right(p.moving_s, t.moving_s, t.loop_s));
    CHECK(p.period_s == Approx(24 * t.loop_s / static_cast<double>(r.steps - 2)).epsilon(0.01));
}

// Every third of 600 processes tells the period.
TEST_CASE("what moves through many processes shows its period without dates") {
    Reasons r;
    r.processes = 600;
    r.steps = 240;
    r.noise_s = 0.01;
    r.moving_s = 0.4;
    r.period = 24;
    const made::Delays d = made::delays_of(r);
    const made::Truth t = made::truth_of(r, d);
    const ImbalanceParts p = parts_of(made::component(r, d));
    CHECK(right(p.moving_s, t.moving_s, t.loop_s));
    // One exchange more or less is 4 %.
    CHECK(p.period_s == Approx(24 * t.loop_s / static_cast<double>(r.steps - 2)).epsilon(0.02));
}

TEST_CASE("what cannot be told says why") {
    Reasons r;
    const made::Made m = made::component(r, made::delays_of(r));
    const Window window = find_window(m.table);
    CHECK(choose_exchanges(m.table, window, 1, 1000).why_not == "it has one process");
    CHECK(choose_exchanges(m.table, Window(), 2, 1000).why_not == "there is no coupling loop");
    r.noise_s = 0.1;
    r.steps = 8; // 6 in the loop
    const made::Made few = made::component(r, made::delays_of(r));
    CHECK(parts_of(few).why_missing == "no field is exchanged 8 times by several of its processes");
    r.steps = 100;
    r.processes = 8;
    r.nodes = 2;
    CHECK(parts_of(made::component(r, made::delays_of(r))).why_no_nodes ==
          "its processes are on two nodes: a slow node looks like one half of the model");
}

TEST_CASE("a process that takes part in every second exchange only") {
    Reasons r;
    r.processes = 3;
    r.steps = 100;
    r.noise_s = 0.01;
    r.always_s = 0.2;
    made::Made m = made::component(r, made::delays_of(r));
    for (std::size_t k = 0; k < r.steps; k += 2)
        m.rows[0].start[k] = m.rows[0].stop[k] = absent;
    for (std::size_t k = 0; k < r.steps; ++k) {
        m.table.spans[k] = EventSpan();
        for (const Row &row : m.rows)
            if (row.start[k] != absent) m.table.spans[k].add(row.start[k], row.stop[k]);
    }
    const ImbalanceParts p = parts_of(m);
    CHECK(p.known());
    CHECK(sum_of(p) == Approx(choose_exchanges(m.table, find_window(m.table), 3, 1000).imbalance_s).margin(1e-9));
    CHECK(p.random_s >= 0);
}

TEST_CASE("each delay counts once, with the first field of a burst") {
    // Three PUTs, right after each other: the second process comes 0.2 s late to the first, and so to all.
    made::Made one = two_processes([](std::size_t) { return 0.2; });
    EventTable table;
    std::vector<EventKey> keys;
    for (std::size_t k = 0; k < one.table.spans.size(); ++k) {
        for (std::int32_t field = 1; field <= 3; ++field) {
            EventSpan span = one.table.spans[k];
            for (Nanoseconds *time : {&span.first_start, &span.last_start, &span.last_stop})
                *time += Nanoseconds{1'000'000} * (field - 1);
            table.spans.push_back(span);
            keys.push_back({Kind::put, field, 2, no_date, static_cast<std::int64_t>(k)});
        }
    }
    table.keys = EventKeys(keys);
    const ChosenExchanges chosen = choose_exchanges(table, find_window(table), 2, 1000);
    REQUIRE(chosen.groups >= 1);
    Nanoseconds of_first = 0, of_all = 0;
    for (const ChosenExchange &e : chosen.list) {
        of_all += e.counted;
        if (e.group == 0) of_first += e.counted;
    }
    // The second to the eleventh exchange lie in the loop, and the delay of the second before it.
    CHECK(to_seconds(of_first) == Approx(9 * 0.2));
    // The others add what they come later than the first: 1 ms each, while its last process is on its way.
    CHECK(to_seconds(of_all - of_first) == Approx(10 * 0.002).margin(0.003));
}

// 2^23 = 8,388,608 arrivals: of 100 processes 83,886 each, but at most 4,096; of 60,000 processes of 600 components
// 139 each; of 200,000 only 41, but 128 at least. Few components are looked at one by one.
TEST_CASE("of many components fewer exchanges are looked at") {
    CHECK(most_chosen(100, 24, 60'000) == 4096);
    CHECK(most_chosen(100, 600, 60'000) == 139);
    CHECK(most_chosen(100, 600, 200'000) == 128);
    CHECK(most_chosen(1, 25, 25) == 4096);
}
