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
    return arrivals.parts(m.nodes);
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
    r.noise_s = 0.002 + maybe(0.1);
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
    return nodes_of(p) + p.processes_s + p.random_s;
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

TEST_CASE("noise alone is the rest") {
    for (std::uint32_t seed = 1; seed <= 100; ++seed) {
        Reasons r = random_reasons(seed);
        r.always_s = r.node_s = 0;
        r.noise_s = 0.1;
        const ImbalanceParts p = parts_of(made::component(r, made::delays_of(r)));
        INFO("seed " << seed << ", " << r.processes << " processes, " << r.steps << " steps");
        CHECK(p.processes_s == 0);
        CHECK(nodes_of(p) == 0);
        CHECK(p.stalls.all_s < 0.05 * sum_of(p)); // single steps are far off by chance
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

// One of fifty steps, and one of a thousand. Exchange 40 ends the 39th step of the loop.
TEST_CASE("a step that stalls is told with its number and its seconds") {
    Reasons r;
    r.processes = 4;
    r.steps = GENERATE(std::size_t{52}, std::size_t{1002});
    r.noise_s = 0.01;
    made::Delays d = made::delays_of(r);
    d.heavy[40][2] = 3;
    const ImbalanceParts p = parts_of(made::component(r, d));
    CHECK(p.stalls.count == 1);
    CHECK(p.stalls.longest_step == 39);
    CHECK(p.stalls.longest_s == Approx(3).margin(0.05));
    CHECK(p.stalls.all_s == p.stalls.longest_s);
    CHECK(p.processes_s == 0); // it is late once only
    CHECK(p.random_s == Approx(sum_of(p)));
}

TEST_CASE("the longest of several stalls") {
    Reasons r;
    r.processes = 4;
    r.steps = 242; // 240 in the loop: 20 of them are heavy
    r.noise_s = 0.01;
    r.heavy_s = 0.5;
    r.heavy_every = 12;
    made::Delays d = made::delays_of(r);
    for (double &late : d.heavy[99])
        late *= 2; // 99 = 8 x 12 + 3
    const ImbalanceParts p = parts_of(made::component(r, d));
    CHECK(p.stalls.count == 20);
    CHECK(p.stalls.longest_step == 98);
    CHECK(p.stalls.longest_s == Approx(1).margin(0.05));
    CHECK(p.stalls.all_s == Approx(19 * 0.5 + 1).margin(0.3));
    CHECK(p.processes_s == 0);
}

// One process is up to 1 s late, in a slow swell, and 0.8 s more once.
TEST_CASE("a stall shows beside what changes slowly") {
    Reasons r;
    r.processes = 4;
    r.steps = 242;
    r.noise_s = 0.01;
    made::Delays d = made::delays_of(r);
    d.always = made::filled(r, [](std::size_t k, std::size_t p) {
        return p == 1 ? 0.5 - 0.5 * std::cos(static_cast<double>(k) * 2 * 3.14159265358979 / 240) : 0.0;
    });
    d.heavy[60][1] = 0.8;
    const ImbalanceParts p = parts_of(made::component(r, d));
    CHECK(p.stalls.count == 1);
    CHECK(p.stalls.longest_step == 59);
    CHECK(p.stalls.longest_s == Approx(0.5 + 0.8).margin(0.05));
}

TEST_CASE("what comes in every third step is no stall") {
    Reasons r;
    r.processes = 4;
    r.steps = 242;
    r.noise_s = 0.01;
    r.heavy_s = 0.5;
    r.heavy_every = 3;
    CHECK(parts_of(made::component(r, made::delays_of(r))).stalls.count == 0);
}

// The exchanges that are looked at are a prime number apart: one in twelve of them is heavy, too.
TEST_CASE("a thinned list has as many stalls in a hundred") {
    Reasons r;
    r.processes = 4;
    r.steps = 6000;
    r.noise_s = 0.01;
    r.heavy_s = 0.5;
    r.heavy_every = 12;
    const ImbalanceParts thinned = parts_of(made::component(r, made::delays_of(r)), 1000);
    CHECK(thinned.exchanges <= 1000);
    CHECK(static_cast<double>(thinned.stalls.count) ==
          Approx(static_cast<double>(thinned.exchanges) / 12).epsilon(0.05));
    CHECK(sum_of(thinned) == Approx(sum_of(parts_of(made::component(r, made::delays_of(r))))).margin(1e-9));
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

// A front goes round the processes ten times, in 24 steps each time.
TEST_CASE("what goes from process to process is no process's") {
    Reasons r;
    r.processes = 8;
    r.steps = 242; // 240 in the loop
    r.noise_s = 0.01;
    r.moving_s = 0.4;
    const ImbalanceParts alone = parts_of(made::component(r, made::delays_of(r)));
    CHECK(alone.processes_s < 0.02 * sum_of(alone));
    r.always_s = 0.3;
    const made::Delays d = made::delays_of(r);
    const made::Truth t = made::truth_of(r, d);
    const ImbalanceParts both = parts_of(made::component(r, d));
    CHECK(right(both.processes_s, t.processes_s, t.loop_s));
    CHECK(right(both.random_s, t.random_s, t.loop_s));
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
        m.table.spans.whole()[k] = EventSpan();
        for (const Row &row : m.rows)
            if (row.start[k] != absent) m.table.spans.whole()[k].add(row.start[k], row.stop[k]);
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
            table.spans.whole().push_back(span);
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

namespace {

// PUTs of one field by two processes, at these times in seconds; each is left at once.
ImbalanceParts parts_of_puts(const std::vector<double> &first, const std::vector<double> &second) {
    made::Made m;
    std::vector<EventKey> keys;
    m.rows.resize(2);
    for (std::size_t k = 0; k < first.size(); ++k) {
        EventSpan span;
        for (const auto &[row, at_s] : {std::pair(&m.rows[0], first[k]), std::pair(&m.rows[1], second[k])}) {
            row->start.push_back(from_seconds(at_s));
            row->stop.push_back(from_seconds(at_s));
            span.add(from_seconds(at_s), from_seconds(at_s));
        }
        m.table.spans.whole().push_back(span);
        keys.push_back({Kind::put, 1, 2, no_date, static_cast<std::int64_t>(k)});
    }
    m.table.keys = EventKeys(keys);
    return parts_of(m);
}

} // namespace

// PUT k is at k + 1 s on the one process, at 2 (k + 1) s on the other. The loop is from 4 s (PUT 1) to 24 s (PUT 11),
// and always one of the PUTs has begun and not come to its last process: 20 s. Each of PUT 2 to 11 adds 2 s to this,
// and when it does, in all but PUT 11, which has no later one, the first process has gone on to the next: 9 x 2 s.
TEST_CASE("who goes on without the last one is ahead of it by steps") {
    std::vector<double> fast, slow;
    for (int k = 0; k < 12; ++k) {
        fast.push_back(k + 1);
        slow.push_back(2 * (k + 1));
    }
    const ImbalanceParts p = parts_of_puts(fast, slow);
    CHECK(sum_of(p) == Approx(20));
    CHECK(p.overtaken_s == Approx(18));
    // Each of PUT 2 to 11 is 1 s later than the one before: 10 s are new, 20 - 10 s were carried on.
    CHECK(p.carried_s == Approx(10));
}

// The second process is 0.7 s late in each step of 1 s. In bursts of two PUTs, 0.01 s apart, the first one begins the
// second PUT before the other has come, but not one of the next step.
TEST_CASE("who comes first to a burst is not ahead by a step") {
    for (const int in_burst : {1, 2}) {
        std::vector<double> early, late;
        for (int k = 0; k < 12; ++k) {
            for (int i = 0; i < in_burst; ++i) {
                early.push_back(k + 1 + 0.01 * i);
                late.push_back(k + 1.7 + 0.01 * i);
            }
        }
        INFO(in_burst);
        const ImbalanceParts p = parts_of_puts(early, late);
        CHECK(sum_of(p) > 6); // ten steps, less what lies outside of the loop
        CHECK(p.overtaken_s == 0);
        CHECK(p.carried_s == Approx(0).margin(1e-9)); // never later than at the PUT before: somebody waited
    }
}

// 2^23 = 8,388,608 arrivals: of 100 processes 83,886 each, but at most 4,096; of 60,000 processes of 600 components
// 139 each; of 200,000 only 41, but 128 at least. Few components are looked at one by one.
TEST_CASE("of many components fewer exchanges are looked at") {
    CHECK(most_chosen(100, 24, 60'000) == 4096);
    CHECK(most_chosen(100, 600, 60'000) == 139);
    CHECK(most_chosen(100, 600, 200'000) == 128);
    CHECK(most_chosen(1, 25, 25) == 4096);
}
