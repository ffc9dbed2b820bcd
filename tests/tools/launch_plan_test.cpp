// The rule of CIME and UFS for ranks, in random layouts: components that run at the same time have no rank in common,
// those that run in turn lie within the ranks of their group, and nobody takes more ranks than the layout needs.
#include "tools/launch/launch_form.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

using namespace cpl_lb;

namespace {

using PoolKind = ProcessorPool::Kind;

const std::vector<std::string> names = {"atm", "lnd", "ice", "ocn", "rof", "glc", "wav", "cpl"};

// A tree over the components from first to last, that one not included.
ProcessorPool random_pool(std::mt19937 &random, std::size_t first, std::size_t last, PoolKind kind) {
    if (last - first == 1) return {PoolKind::component, first, {}};
    ProcessorPool pool{kind, 0, {}};
    const PoolKind other = kind == PoolKind::side_by_side ? PoolKind::one_after_other : PoolKind::side_by_side;
    while (first < last) {
        const std::size_t most = pool.parts.empty() ? last - first - 1 : last - first; // two parts at least
        const std::size_t count = std::uniform_int_distribution<std::size_t>(1, most)(random);
        pool.parts.push_back(random_pool(random, first, first + count, other));
        first += count;
    }
    return pool;
}

bool has(const ProcessorPool &pool, std::size_t component) {
    if (pool.kind == PoolKind::component) return pool.component == component;
    return std::any_of(pool.parts.begin(), pool.parts.end(),
                       [&](const ProcessorPool &part) { return has(part, component); });
}

// What the smallest group with both of them does with its parts.
PoolKind together(const ProcessorPool &pool, std::size_t a, std::size_t b) {
    for (const ProcessorPool &part : pool.parts)
        if (has(part, a) && has(part, b)) return together(part, a, b);
    return pool.kind;
}

// Ranks that the layout needs.
std::int64_t needed(const ProcessorPool &pool, const std::vector<std::int64_t> &counts) {
    if (pool.kind == PoolKind::component) return counts[pool.component];
    std::int64_t sum = 0, largest = 0;
    for (const ProcessorPool &part : pool.parts) {
        const std::int64_t of_part = needed(part, counts);
        sum += of_part;
        largest = std::max(largest, of_part);
    }
    return pool.kind == PoolKind::side_by_side ? sum : largest;
}

} // namespace

TEST_CASE("launch plan: the rule holds in random layouts") {
    std::mt19937 random(20261127);
    for (int n = 0; n < 500; ++n) {
        BalanceModel model;
        const std::size_t components = 1 + random() % names.size();
        model.names.assign(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(components));
        model.threads.assign(components, 1);
        model.pool = random_pool(random, 0, components,
                                 random() % 2 == 0 ? PoolKind::side_by_side : PoolKind::one_after_other);
        std::vector<std::int64_t> counts;
        for (std::size_t c = 0; c < components; ++c) {
            counts.push_back(1 + static_cast<std::int64_t>(random() % 40));
            model.ids.push_back(static_cast<std::int32_t>(random() % 100)); // the order of the run is another one
        }
        const LaunchPlan plan = launch_plan(model, counts, model.threads, 1);
        const PlacesInRow ranks = ranks_of(plan);
        REQUIRE(plan.parts.size() == components);
        std::vector<PlaceInRow> of; // in the order of the model
        for (std::size_t c = 0; c < components; ++c) {
            const auto part = std::ranges::find(plan.parts, names[c], &LaunchPart::name);
            REQUIRE(part != plan.parts.end());
            of.push_back(ranks.parts[static_cast<std::size_t>(part - plan.parts.begin())]);
            CHECK(of[c].count == counts[c]);
            CHECK(of[c].last() < ranks.total);
        }
        CHECK(ranks.total <= needed(model.pool, counts));
        for (std::size_t a = 0; a < components; ++a) {
            for (std::size_t b = 0; b < a; ++b) {
                const bool apart = of[a].last() < of[b].first || of[b].last() < of[a].first;
                if (together(model.pool, a, b) == PoolKind::side_by_side) CHECK(apart);
            }
        }
        // In turn: each part of the group begins where the group begins.
        const auto check_turns = [&](const auto &again, const ProcessorPool &pool) -> std::int64_t {
            if (pool.kind == PoolKind::component) return of[pool.component].first;
            std::vector<std::int64_t> begins;
            for (const ProcessorPool &part : pool.parts)
                begins.push_back(again(again, part));
            if (pool.kind == PoolKind::one_after_other)
                CHECK(
                    std::all_of(begins.begin(), begins.end(), [&](std::int64_t at) { return at == begins.front(); }));
            return *std::min_element(begins.begin(), begins.end());
        };
        CHECK(check_turns(check_turns, model.pool) == 0);
    }
}

TEST_CASE("launch plan: components that were left out are started, too, in the order of the run") {
    BalanceModel model;
    model.names = {"ocean", "atmosphere"};
    model.ids = {1, 3};
    model.threads = {1, 2};
    model.pool = cores_of_their_own(2);
    model.kept = {{"server", 2, 3, 1, 3, true}};
    const LaunchPlan plan = launch_plan(model, {4, 6}, {1, 2}, 1);
    CHECK(srun_lines(plan).text ==
          "salloc -n 4 : -n 3 : -n 3 -c 2   # Slurm, a heterogeneous job:\n"
          "srun --het-group=0 -n 4 ./ocean : --het-group=1 -n 3 cpl-lb-record ./server : --het-group=2 -n 3 -c 2 "
          "./atmosphere\n");
    CHECK(mpirun_lines(plan).text.empty()); // different threads
    // Ranks 0 to 3, 4 to 6, 7 to 9.
    CHECK(ranks_of(plan).parts[2].first == 7);
    CHECK(ranks_of(plan).total == 10);
    // A server on cores of others: nobody knows whose.
    model.kept = {{"server", 2, 3, 1, 1, false}};
    const LaunchPlan shared = launch_plan(model, {4, 6}, {1, 2}, 1);
    for (const LaunchForm &form : launch_forms())
        CHECK((!form.lines(shared).why_not.empty() || form.lines(shared).text.starts_with("To start it: ")));
}
