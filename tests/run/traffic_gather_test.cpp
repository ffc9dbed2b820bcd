// Who talks to whom inside a component, on ranks in memory: the recorders' tables on the master, by hand.
#include "run/live/figures_gather.hpp"

#include "run/live/inside_gather.hpp"
#include "run/live/steps/collect_components.hpp"
#include "run/live/steps/gather_components.hpp"
#include "tests/run/steps/step_by_hand.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <utility>

using namespace cpl_lb;
using namespace cpl_lb::testing;

namespace {

using Pairs = std::map<std::pair<int, int>, GroupPair>;

Pairs by_place(const InsideTraffic &traffic) {
    Pairs pairs;
    for (const GroupPair &pair : traffic.pairs)
        pairs.emplace(std::pair(pair.from, pair.to), pair);
    return pairs;
}

constexpr std::uint64_t ms = 1'000'000; // ticks are nanoseconds

void wait_for(Recorder &recorder, std::vector<int> ranks, std::uint64_t begin, std::uint64_t length) {
    recorder.waited_for(ranks, begin, begin + length);
    recorder.mpi_call(MpiClass::point_to_point, begin, begin + length);
}

// One component of all ranks, in a loop from 8 to 18 s.
InsideTraffic gather_all(Transport &t, const std::function<void(int rank, Recorder &recorder)> &calls) {
    ProcessRecord record = record_of(t, settings_in(""));
    record.recorder->inside().starts(0);
    calls(t.rank(), *record.recorder);
    Group group(t, first_ranks(t.size()));
    const OwnExchanges own{{8 * second, 18 * second}, false, {0, false}};
    return gather_traffic(group, record, point_to_point_outside_s(own, record, agreed_by(t.size(), "").clock));
}

// change: what each rank recorded.
OfRanks<LedComponents> components_on(int ranks, const std::function<void(int rank, ProcessRecord &record)> &change) {
    return step_on<LedComponents>(quick_world(ranks), [&](Transport &t, LedComponents &led) {
        ProcessRecord record = record_of(t, settings_in(""));
        ProblemList problems(t.rank(), {});
        change(t.rank(), record);
        DecodedRecord decoded = decode_record(record, problems);
        led = gather_components(record, decoded, agreed_by(t.size(), ""), problems);
    });
}

// A ring: rank r sends r + 1 messages of 10 bytes to the next one, and waits 20 times in the loop for the one before:
// 100 ms for rank 2, and 10 ms for others.
void ring(int ranks, int rank, Recorder &recorder) {
    for (int i = 0; i <= rank; ++i)
        recorder.message_sent(10, (rank + 1) % ranks, 0);
    const int before = (rank + ranks - 1) % ranks;
    for (std::uint64_t i = 0; i < 20; ++i)
        wait_for(recorder, {before}, (9'000 + 200 * i) * ms, (before == 2 ? 100 : 10) * ms);
}

} // namespace

TEST_CASE("traffic: groups of consecutive processes") {
    for (const int processes : {1, 2, 63, 64, 65, 130, 20'480}) {
        INFO(processes << " processes");
        const std::int32_t groups = traffic_groups(processes);
        CHECK(groups == std::min(processes, 64));
        CHECK(first_of_traffic_group(0, processes) == 0);
        CHECK(first_of_traffic_group(groups, processes) == processes);
        for (std::int32_t g = 0; g < groups; ++g) {
            const auto first = first_of_traffic_group(g, processes), next = first_of_traffic_group(g + 1, processes);
            CHECK(traffic_group_of(first, processes) == g);
            CHECK(traffic_group_of(next - 1, processes) == g);
            CHECK(next - first >= processes / groups);
            CHECK(next - first <= processes / groups + 1);
        }
    }
}

TEST_CASE("traffic: a ring in which one process is late, by hand") {
    const int ranks = GENERATE(1, 2, 3, 8);
    INFO(ranks << " ranks");
    const auto all = step_on<InsideTraffic>(quick_world(ranks), [&](Transport &t, InsideTraffic &mine) {
        mine = gather_all(t, [&](int rank, Recorder &recorder) { ring(ranks, rank, recorder); });
    });
    REQUIRE(all.good());
    const InsideTraffic &traffic = all.results[0];
    CHECK(traffic.groups == ranks);
    CHECK(fits(traffic, static_cast<std::size_t>(ranks)));
    const Pairs pairs = by_place(traffic);
    REQUIRE(pairs.size() == static_cast<std::size_t>(ranks));
    for (int r = 0; r < ranks; ++r) {
        INFO("rank " << r);
        const GroupPair &pair = pairs.at({r, (r + 1) % ranks});
        CHECK(pair.messages == r + 1);
        CHECK(pair.bytes == std::int64_t{10} * (r + 1));
        CHECK(pair.waited_s == Approx(r == 2 ? 2.0 : 0.2)); // 20 x 100 ms, 20 x 10 ms
    }
    REQUIRE(traffic.waited_for.size() == std::min<std::size_t>(static_cast<std::size_t>(ranks), 5));
    const WaitedFor &most = traffic.waited_for.front();
    CHECK(most.process == (ranks > 2 ? 2 : 0));
    CHECK(most.by == 1);
    CHECK(most.waits == 20);
    CHECK(most.waited_s == Approx(ranks > 2 ? 2.0 : 0.2));
    CHECK(most.with_others_s == Approx(ranks > 2 ? 2.0 : 0.2));
    CHECK(most.in_loop_s == Approx(ranks > 2 ? 2.0 : 0.2).margin(0.02)); // 9 to 13 s, all in the loop
}

// 130 processes: groups of two or three. Each sends one message of 8 bytes to each of the next 100, and process 0
// waits for all others in one call of a second: 1 / 129 s for each.
TEST_CASE("traffic: more processes than groups") {
    constexpr int ranks = 130;
    const auto all = step_on<InsideTraffic>(quick_world(ranks), [&](Transport &t, InsideTraffic &mine) {
        mine = gather_all(t, [&](int rank, Recorder &recorder) {
            for (int i = 1; i <= 100; ++i)
                recorder.message_sent(8, (rank + i) % ranks, 0);
            if (rank != 0) return;
            std::vector<int> others(ranks - 1);
            std::iota(others.begin(), others.end(), 1);
            wait_for(recorder, others, 9'000 * ms, 1'000 * ms);
        });
    });
    REQUIRE(all.good());
    const InsideTraffic &traffic = all.results[0];
    CHECK(traffic.groups == 64);
    Pairs wanted;
    for (int from = 0; from < ranks; ++from) {
        for (int i = 1; i <= 100; ++i) {
            GroupPair &pair = wanted[{from * 64 / ranks, (from + i) % ranks * 64 / ranks}];
            ++pair.messages;
            pair.bytes += 8;
        }
        if (from > 0) wanted[{from * 64 / ranks, 0}].waited_s += 1.0 / 129;
    }
    const Pairs pairs = by_place(traffic);
    REQUIRE(pairs.size() == wanted.size());
    for (const auto &[place, pair] : wanted) {
        INFO(place.first << " to " << place.second);
        REQUIRE(pairs.contains(place));
        CHECK(pairs.at(place).messages == pair.messages);
        CHECK(pairs.at(place).bytes == pair.bytes);
        CHECK(pairs.at(place).waited_s == Approx(pair.waited_s));
    }
    CHECK(traffic.sum().messages == 13'000);
    CHECK(traffic.waited_for.size() == 5);
    CHECK(traffic.waited_for.front().process == 1); // of equals the first
    CHECK(traffic.waited_for.front().with_others_s == Approx(1));
    // A message does not grow with the processes.
    CHECK(packed(traffic).size() < std::size_t{64} * 64 * sizeof(GroupPair) + 1000);
}

// The table has no times. 3 s of the waits for rank 1 lie anywhere; 2 s of all waits lie before the loop (8 s).
TEST_CASE("traffic: in the loop is what cannot lie outside of it") {
    const auto all = step_on<InsideTraffic>(quick_world(2), [&](Transport &t, InsideTraffic &mine) {
        mine = gather_all(t, [&](int rank, Recorder &recorder) {
            if (rank != 0) return;
            wait_for(recorder, {1}, 2'000 * ms, 1'500 * ms);
            wait_for(recorder, {0}, 5'000 * ms, 500 * ms); // a message to itself
            wait_for(recorder, {1}, 10'000 * ms, 1'500 * ms);
        });
    });
    REQUIRE(all.good());
    const std::vector<WaitedFor> &late = all.results[0].waited_for;
    REQUIRE(late.size() == 2);
    CHECK(late[0].process == 1);
    CHECK(late[0].waited_s == Approx(3));
    CHECK(late[0].in_loop_s == Approx(1).margin(0.02)); // 3 - 2: of the 1.5 s in the loop, one is certain
    CHECK(late[1].process == 0);
    CHECK(late[1].in_loop_s == 0);
}

TEST_CASE("traffic: partners by their ranks in MPI_COMM_WORLD, and none of other components") {
    const auto all = components_on(4, [](int rank, ProcessRecord &record) {
        record.rank_in_world = {10, 11, 12, 13}; // the ocean is 10 and 12
        record.recorder->inside().starts(0);
        if (rank != 0) return;
        record.recorder->message_sent(100, 12, 0);
        record.recorder->message_sent(1'000, 11, 0); // to the atmosphere
        record.recorder->message_sent(10'000, 2, 0); // nobody here
    });
    REQUIRE(all.good());
    const auto ocean = unpacked<Component>(packed(all.results[0].components.at(0)), "it");
    REQUIRE(ocean.inside.traffic.known());
    REQUIRE(ocean.inside.traffic.pairs.size() == 1);
    CHECK(ocean.inside.traffic.pairs[0].from == 0);
    CHECK(ocean.inside.traffic.pairs[0].to == 1);
    CHECK(ocean.inside.traffic.sum().bytes == 100);
    CHECK(all.results[1].components.at(0).inside.traffic.pairs.empty());
}

TEST_CASE("traffic: nothing where MPI was recorded on some processes only") {
    const auto all = components_on(4, [](int rank, ProcessRecord &record) {
        if (rank != 2) record.recorder->inside().starts(0);
    });
    REQUIRE(all.good());
    CHECK_FALSE(all.results[0].components.at(0).inside.traffic.known());
    CHECK(all.results[1].components.at(0).inside.traffic.known());
}

// The ocean puts SST in five events; 3 messages of the recorder's own field, and one that no event tells of.
TEST_CASE("traffic: messages of fields, of all processes") {
    const auto all = components_on(6, [](int rank, ProcessRecord &record) {
        record.recorder->mpi_starts();
        for (int i = 0; i < 3; ++i)
            record.recorder->message_sent(100 + rank, -1, 1);
        record.recorder->message_sent(5, -1, 0);
    });
    REQUIRE(all.good());
    const std::vector<FieldTraffic> &fields = all.results[0].components.at(0).fields;
    REQUIRE(fields.size() == 1);
    CHECK(fields[0].name == "SST");
    CHECK(fields[0].counterpart == "atmosphere");
    CHECK(fields[0].messages == 9); // ranks 0, 2, 4
    CHECK(fields[0].bytes == 918);  // 3 (100 + 102 + 104)
}

TEST_CASE("traffic: figures that cannot be are refused") {
    InsideTraffic good;
    good.groups = 3;
    good.pairs = {{0, 1, 2, 3, 0.5}, {2, 0, 1, 1, 0}};
    good.waited_for = {{0, 1, 2, 0.5, 0.5, 0.25}, {2, 1, 1, 0, 0, 0}};
    CHECK(packed(unpack_traffic(packed(good), 3)) == packed(good));
    CHECK_THROWS_AS(unpack_traffic(packed(good), 4), DamagedMessage); // of four processes: four groups
    Bytes bytes = packed(good);
    bytes.pop_back();
    CHECK_THROWS_AS(unpack_traffic(bytes, 3), DamagedMessage);
    using Change = void (*)(InsideTraffic &);
    for (const Change change : {Change([](InsideTraffic &bad) { bad.pairs[1].from = 3; }),
                                Change([](InsideTraffic &bad) { bad.pairs[0].to = -1; }),
                                Change([](InsideTraffic &bad) { std::swap(bad.pairs[0], bad.pairs[1]); }),
                                Change([](InsideTraffic &bad) { bad.waited_for[1].process = 3; }),
                                Change([](InsideTraffic &bad) { bad.waited_for[1].process = 0; }),
                                Change([](InsideTraffic &bad) { bad.groups = 0; })}) {
        InsideTraffic bad = good;
        change(bad);
        CHECK_THROWS_AS(unpack_traffic(packed(bad), 3), DamagedMessage);
    }
}

// 2,000 processes are waited for by one: the 512 longest waits go on.
TEST_CASE("traffic: a bounded list of who is waited for") {
    InsideTraffic all, more;
    all.groups = more.groups = 64;
    for (std::int32_t p = 0; p < 2'000; ++p) {
        all.waited_for.push_back({p, 1, 1, 1.0 * p, 1.0 * p, 1.0 * p});
        if (p % 2 == 0) more.waited_for.push_back({p, 1, 1, 0.25, 0.25, 0.25});
    }
    unite(all, more);
    REQUIRE(all.waited_for.size() == most_late_candidates);
    CHECK(all.waited_for.front().process == 2'000 - 512);
    CHECK(all.waited_for.front().waited_s == 1'488.25);
    CHECK(all.waited_for.back().process == 1'999);
    CHECK(all.waited_for.back().by == 1);
}
