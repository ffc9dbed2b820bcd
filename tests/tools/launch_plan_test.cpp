// CIME's own rule, for random layouts: components that run at the same time have no task in common, those that run in
// turn lie within the tasks of the group, and nobody takes more tasks than the layout needs. The lines are read back
// as CIME reads them: a negative number is so many nodes of MAX_MPITASKS_PER_NODE tasks.
#include "tools/launch/launch_form.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <regex>

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

// Tasks that the layout needs, each component whole nodes of `node` tasks.
std::int64_t needed(const ProcessorPool &pool, const std::vector<std::int64_t> &counts, std::int64_t node) {
    if (pool.kind == PoolKind::component) return (counts[pool.component] + node - 1) / node * node;
    std::int64_t sum = 0, largest = 0;
    for (const ProcessorPool &part : pool.parts) {
        const std::int64_t of_part = needed(part, counts, node);
        sum += of_part;
        largest = std::max(largest, of_part);
    }
    return pool.kind == PoolKind::side_by_side ? sum : largest;
}

struct Tasks {
    std::int64_t count = 0, root = 0;
};

std::map<std::string, Tasks> read_back(const std::string &lines, std::int64_t node) {
    static const std::regex line(R"(\./xmlchange NTASKS_(\w+)=(-?\d+),NTHRDS_(\w+)=1,ROOTPE_(\w+)=(-?\d+)\n)");
    std::map<std::string, Tasks> tasks;
    for (std::sregex_iterator at(lines.begin(), lines.end(), line), end; at != end; ++at) {
        CHECK((*at)[1] == (*at)[3]);
        CHECK((*at)[1] == (*at)[4]);
        const auto in_tasks = [&](std::int64_t n) { return n < 0 ? -n * node : n; };
        tasks[(*at)[1]] = {in_tasks(std::stoll((*at)[2])), in_tasks(std::stoll((*at)[5]))};
    }
    return tasks;
}

} // namespace

TEST_CASE("launch plan: CIME's rule holds in random layouts") {
    std::mt19937 random(20261127);
    for (int n = 0; n < 500; ++n) {
        BalanceModel model;
        const std::size_t components = 1 + random() % names.size();
        model.names.assign(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(components));
        model.threads.assign(components, 1);
        model.pool = random_pool(random, 0, components,
                                 random() % 2 == 0 ? PoolKind::side_by_side : PoolKind::one_after_other);
        const std::int64_t node = n % 2 == 0 ? 1 : 4;
        std::vector<std::int64_t> counts;
        for (std::size_t c = 0; c < components; ++c) {
            counts.push_back(1 + static_cast<std::int64_t>(random() % 40));
            model.ids.push_back(static_cast<std::int32_t>(random() % 100)); // the order of the run is another one
        }
        const LaunchLines lines = cime_lines(launch_plan(model, counts, model.threads, node));
        INFO(lines.text);
        const std::map<std::string, Tasks> tasks = read_back(lines.text, node);
        REQUIRE(tasks.size() == components);
        std::vector<Tasks> of;
        std::int64_t end = 0;
        for (std::size_t c = 0; c < components; ++c) {
            std::string name = names[c];
            for (char &letter : name)
                letter = static_cast<char>(std::toupper(letter));
            of.push_back(tasks.at(name));
            CHECK(of[c].count == counts[c]);
            CHECK(of[c].root % node == 0);
            end = std::max(end, of[c].root + of[c].count);
        }
        CHECK(end <= needed(model.pool, counts, node));
        for (std::size_t a = 0; a < components; ++a) {
            for (std::size_t b = 0; b < a; ++b) {
                const bool apart = of[a].root + of[a].count <= of[b].root || of[b].root + of[b].count <= of[a].root;
                if (together(model.pool, a, b) == PoolKind::side_by_side) CHECK(apart);
            }
        }
        // In turn: each part of the group begins where the group begins.
        const auto check_turns = [&](const auto &again, const ProcessorPool &pool) -> std::int64_t {
            if (pool.kind == PoolKind::component) return of[pool.component].root;
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
