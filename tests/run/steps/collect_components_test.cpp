// Step 9 alone, first part: figures and timelines of all components to the root.
#include "run/live/steps/collect_components.hpp"

#include "tests/run/steps/step_by_hand.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using namespace cpl_lb::testing;

namespace {

constexpr TimelineIs places[] = {TimelineIs::missing, TimelineIs::in_the_folder, TimelineIs::on_another_node};

// Each rank leads a component of its own, and rank 0 the last one, too.
Agreed every_rank_leads(int ranks) {
    Agreed agreed = agreed_by(ranks, "");
    agreed.catalogue.members.clear();
    for (int r = 0; r < ranks; ++r)
        agreed.catalogue.members.push_back({r});
    agreed.catalogue.members.push_back({0});
    return agreed;
}

Component component_of(std::int32_t id, std::size_t exchanges) {
    Component c;
    c.id = id;
    c.name = "component " + std::to_string(id);
    c.events = 100 + id;
    c.balance.loop_s = 0.5 * id;
    for (std::size_t n = 0; n < exchanges; ++n) {
        c.table.keys.push_back({Kind::put, 1, 0, no_date, static_cast<std::int64_t>(n)});
        c.table.spans.whole().push_back({1, 2, 3, 1});
    }
    return c;
}

OfRanks<CollectedComponents> collect_on(const WorldSetup &setup, std::size_t exchanges, std::size_t bound) {
    return step_on<CollectedComponents>(setup, [=](Transport &t, CollectedComponents &mine) {
        ProcessRecord record = record_of(t, settings_in("."));
        record.memory_bound_B = bound;
        const Agreed agreed = every_rank_leads(t.size());
        LedComponents led;
        for (std::size_t i = 0; i < agreed.catalogue.members.size(); ++i) {
            if (agreed.catalogue.members[i].front() != t.rank()) continue;
            led.components.push_back(component_of(static_cast<std::int32_t>(i) + 1, exchanges));
            led.timelines.push_back({"somewhere", places[i % 3]});
        }
        Group present(t, first_ranks(t.size()));
        mine = collect_components(present, record, agreed, led);
    });
}

} // namespace

TEST_CASE("collecting: all components on the root, in their order") {
    const int ranks = GENERATE(1, 3, 8);
    INFO(ranks << " ranks");
    const auto all = collect_on(quick_world(ranks), 4, std::size_t{64} << 20U);
    REQUIRE(all.good());
    for (int r = 1; r < ranks; ++r)
        CHECK(all.results[static_cast<std::size_t>(r)].components.empty());
    const CollectedComponents &root = all.results[0];
    REQUIRE(root.components.size() == static_cast<std::size_t>(ranks) + 1);
    REQUIRE(root.timelines.size() == root.components.size());
    for (std::size_t i = 0; i < root.components.size(); ++i) {
        const auto id = static_cast<std::int32_t>(i) + 1;
        INFO("component " << id);
        CHECK(root.components[i].id == id);
        CHECK(root.components[i].name == "component " + std::to_string(id));
        CHECK(root.components[i].events == 100 + id);
        CHECK(root.components[i].balance.loop_s == 0.5 * id);
        CHECK(root.components[i].table.spans.size() == 4);
        CHECK(root.timelines[i] == places[i % 3]);
    }
}

// The root holds 4096 / 256 = 16 exchanges of others. Three ranks have four components: 16 / 3 = 5 for each.
TEST_CASE("collecting: more exchanges than the root has room for are left out, and marked") {
    for (const std::size_t exchanges : {5U, 6U}) {
        const auto all = collect_on(quick_world(3), exchanges, 4096);
        REQUIRE(all.good());
        const CollectedComponents &root = all.results[0];
        CHECK_FALSE(root.components[0].table_left_out); // its own
        CHECK(root.components[1].table_left_out == (exchanges > 5));
        CHECK(root.components[2].table.spans.size() == (exchanges > 5 ? 0 : exchanges));
        CHECK_FALSE(root.components[3].table_left_out);
    }
}

TEST_CASE("collecting: empty where a component does not come") {
    WorldSetup setup = quick_world(3);
    setup.loses = [](int from, int to, int /*tag*/) { return from == 2 && to == 0; };
    const auto all = collect_on(setup, 4, std::size_t{64} << 20U);
    CHECK(all.results[0].components.empty());
    CHECK(all.ends[0].timed_out);
}
