// Operations of groups, process maps, meeting and clock against plain loops that know all ranks' parts.
#include "mpi/clock_sync.hpp"
#include "mpi/meeting.hpp"
#include "mpi/problems.hpp"
#include "tests/mpi/cases.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace cpl_lb::testing {
namespace {

constexpr std::size_t mebi = std::size_t{1} << 20U;

// Large messages of many ranks in memory are slow: two sizes beside the borders are enough there.
std::vector<std::size_t> lengths(int ranks, std::vector<std::size_t> small, std::vector<std::size_t> large) {
    if (ranks <= 8) small.insert(small.end(), large.begin(), large.end());
    return small;
}

Bytes content(std::uint64_t seed, std::size_t length) {
    Bytes bytes(length);
    for (std::size_t i = 0; i < length; ++i)
        bytes[i] = static_cast<std::byte>(figure_of(seed, length, i / 64) >> (i % 8));
    return bytes;
}

// All ranks, and of three or more every second one: a group that rank 0 is not in.
std::vector<std::vector<int>> groups_of(int size) {
    std::vector<std::vector<int>> groups = {ranks_below(size)};
    if (size < 3) return groups;
    std::vector<int> odd;
    for (int r = 1; r < size; r += 2)
        odd.push_back(r);
    groups.push_back(odd);
    return groups;
}

template <class Try>
std::string in_groups(Transport &t, Try attempt) {
    Findings found;
    for (const std::vector<int> &ranks : groups_of(t.size())) {
        if (!std::binary_search(ranks.begin(), ranks.end(), t.rank())) continue;
        Group group(t, ranks);
        attempt(group, found);
    }
    return found.text();
}

std::string broadcast(Transport &t, std::uint64_t seed) {
    return in_groups(t, [&](Group &group, Findings &found) {
        for (const std::size_t n : lengths(t.size(), {0, 1, 8, 5000}, {mebi, 3 * mebi + 5})) {
            const Bytes right = content(seed, n);
            Bytes data = group.leads() ? right : Bytes(n);
            group.broadcast(data);
            found.expect(data == right, "broadcast of " + std::to_string(n));
        }
    });
}

// 2048 bytes go in the first message, 8 of them are the length.
std::string broadcast_all(Transport &t, std::uint64_t seed) {
    return in_groups(t, [&](Group &group, Findings &found) {
        for (const std::size_t n :
             lengths(t.size(), {0, 1, 2039, 2040, 2041, 9000}, {mebi + 2040, 2 * mebi + 2041})) {
            const Bytes right = content(seed, n);
            Bytes data = group.leads() ? right : Bytes(17);
            group.broadcast_all(data);
            found.expect(data == right, "broadcast_all of " + std::to_string(n));
        }
    });
}

// 131072 values of 8 bytes make a block.
std::string reduce(Transport &t, std::uint64_t seed) {
    return in_groups(t, [&](Group &group, Findings &found) {
        for (const std::size_t n : lengths(t.size(), {0, 1, 7, 1000}, {131072, 131073})) {
            std::vector<std::uint64_t> right(n);
            std::vector<std::uint64_t> mine(n);
            for (std::size_t i = 0; i < n; ++i) {
                for (const int r : group.ranks())
                    right[i] += figure_of(seed, static_cast<std::uint64_t>(r), i);
                mine[i] = figure_of(seed, static_cast<std::uint64_t>(t.rank()), i);
            }
            group.reduce(std::span(mine), [](std::uint64_t &a, std::uint64_t b) { a += b; });
            found.expect(!group.leads() || mine == right, "reduce of " + std::to_string(n));
        }
    });
}

// Appended, texts of growing length come in the order of the ranks.
std::string combine_up(Transport &t, std::uint64_t seed) {
    return in_groups(t, [&](Group &group, Findings &found) {
        const auto part_of = [&](int rank) {
            return content(seed + static_cast<std::uint64_t>(rank), 700U * static_cast<std::size_t>(rank % 7));
        };
        Bytes right;
        for (const int r : group.ranks()) {
            const Bytes part = part_of(r);
            right.insert(right.end(), part.begin(), part.end());
        }
        Bytes mine = part_of(t.rank());
        const auto append = [](Bytes &a, const Bytes &b) { a.insert(a.end(), b.begin(), b.end()); };
        group.combine_up(mine, append);
        found.expect(!group.leads() || mine == right, "combine_up");
    });
}

// The number of ranks below each, and of all at the leader.
std::string up_the_tree(Transport &t, std::uint64_t /*seed*/) {
    return in_groups(t, [&](Group &group, Findings &found) {
        std::int64_t below = 1;
        const auto take = [&](int child) {
            std::int64_t theirs = 0;
            t.receive(child, 40, as_wire_out(theirs));
            below += theirs;
        };
        group.up_the_tree(take, [&](int parent) { t.send(parent, 40, as_wire(below)); });
        found.expect(!group.leads() || below == group.size(), "up_the_tree");
    });
}

std::string component_of(int rank) {
    return "component" + std::to_string(rank % 3);
}

ProcessMap process_map_of(Transport &t) {
    Group all(t, ranks_below(t.size()));
    ProcessMap process_map;
    // Two processes to a node.
    const Hello hello{component_of(t.rank()), "node" + std::to_string(t.rank() / 2), t.rank() + 1, 0, "", false, 0};
    exchange_process_map(all, hello, process_map);
    return process_map;
}

std::string process_map(Transport &t, std::uint64_t /*seed*/) {
    Findings found;
    const ProcessMap all = process_map_of(t);
    found.expect(all.size() == t.size() && all.nodes() == (t.size() + 1) / 2, "process_map's size");
    for (int r = 0; r < std::min(all.size(), t.size()); ++r) {
        const auto at = static_cast<std::size_t>(r);
        found.expect(all.component_of_rank[at] == r % 3 && all.component_name_of(r) == component_of(r) &&
                         all.node_of_rank[at] == r / 2 && all.threads_of_rank[at] == r + 1,
                     "process_map of rank " + std::to_string(r));
    }
    return found.text();
}

// What four processes say of themselves, two to a node, again and again; and what follows where both are there.
struct Said {
    std::int32_t threads, bound_cores;
    const char *bound_to;
    bool by_default;
    std::int32_t expected_threads, expected_cores;
};
constexpr Said said[] = {
    {6, 8, "0-7", true, 6, 4},  // 8 cores for two processes of 6 threads: 4 each
    {2, 8, "0-7", true, 2, 2},  // its threads need fewer
    {0, 4, "0-3", false, 4, 4}, // nothing said: the 4 cores that are its own
    {0, 2, "4-5", true, 1, 1},  // a whole socket, bound by default: one thread
    {3, 0, "", false, 3, 3},    // not bound
    {0, 0, "", false, 1, 1},    // and nothing said
    {4, 1, "2", false, 4, 1},   // more threads than cores, twice: both on one core
    {4, 1, "2", false, 4, 1},
};

std::string cores(Transport &t, std::uint64_t /*seed*/) {
    Findings found;
    Group all(t, ranks_below(t.size()));
    ProcessMap process_map;
    const auto of = [](int rank) -> const Said & { return said[static_cast<std::size_t>(rank) % std::size(said)]; };
    const Said &mine = of(t.rank());
    const Hello hello{"ocean",
                      "node" + std::to_string(t.rank() / 2),
                      mine.threads,
                      mine.bound_cores,
                      mine.bound_to,
                      mine.by_default,
                      t.rank() % 4 == 3 ? 7 : 9};
    exchange_process_map(all, hello, process_map);
    for (int r = 0; r + 1 < process_map.size() || (r < process_map.size() && r % 2 == 1);
         ++r) { // an odd last one is alone
        const auto at = static_cast<std::size_t>(r);
        found.expect(process_map.threads_of_rank[at] == of(r).expected_threads &&
                         process_map.cores_of_rank[at] == of(r).expected_cores,
                     "cores of rank " + std::to_string(r) + ": " + std::to_string(process_map.threads_of_rank[at]) +
                         " threads, " + std::to_string(process_map.cores_of_rank[at]) + " cores");
        // Of four ranks the first two are a node and share a group; the others have one each.
        found.expect(process_map.memory_sharers_of_rank[at] == (r % 4 < 2 ? 2 : 1),
                     "sharers of memory of rank " + std::to_string(r));
    }
    return found.text();
}

// Where all read the same clock the offset is 0, the bound contains it, and nobody is a stranger on its node.
std::string one_clock(Transport &t, std::uint64_t /*seed*/) {
    Findings found;
    ProcessMap all = process_map_of(t);
    Group present(t, ranks_below(t.size()));
    check_nodes(present, all, "here");
    found.expect(all.nodes() == (t.size() + 1) / 2, "check_nodes");
    const ClockOffset mine = measure_offset(present, all, {});
    found.expect(std::abs(mine.offset) <= mine.bound, "the offset's bound");
    found.expect(t.rank() > 1 || (mine.offset == 0 && mine.bound == 0), "the reference's offset");
    return found.text();
}

std::string meeting_of_all(Transport &t, std::uint64_t seed) {
    Findings found;
    const ProcessMap all = process_map_of(t);
    const auto arrival_of = [&](int r) {
        return static_cast<std::int64_t>(figure_of(seed, static_cast<std::uint64_t>(r), 0) % 1000);
    };
    std::int64_t earliest = arrival_of(0);
    std::int64_t latest = arrival_of(0);
    for (int r = 1; r < t.size(); ++r) {
        earliest = std::min(earliest, arrival_of(r));
        latest = std::max(latest, arrival_of(r));
    }
    const std::int64_t now = t.now_ns(); // arrivals lie around 0 on the common clock
    const Meeting m = meet(t, all, arrival_of(t.rank()), -now);
    found.expect(m.held && m.includes_me && m.missing.empty(), "the meeting is not held");
    found.expect(m.present == ranks_below(t.size()), "who is present");
    found.expect(m.earliest_ns == earliest && m.latest_ns == latest, "arrivals");
    return found.text();
}

// Rank r has cause r % 2 once, and those divisible by 3 have "third" r times.
std::string problems(Transport &t, std::uint64_t /*seed*/) {
    Findings found;
    Group all(t, ranks_below(t.size()));
    std::vector<Problem> mine = {{t.rank() % 2 == 0 ? "even" : "odd", 1, 1, t.rank(), -1}};
    if (t.rank() % 3 == 0) mine.push_back({"third", t.rank(), 1, t.rank(), -2});
    tally_problems(all, mine);
    if (!all.leads()) return found.text();
    std::int64_t sum = 0;
    for (int r = 0; r < t.size(); r += 3)
        sum += r;
    const auto is = [&](std::size_t i, const char *cause, std::int64_t count, int processes, int lowest) {
        return mine.size() > i && mine[i].cause == cause && mine[i].count == count &&
               mine[i].processes == processes && mine[i].lowest_rank == lowest;
    };
    const int n = t.size();
    found.expect(is(0, "even", (n + 1) / 2, (n + 1) / 2, 0) && is(1, "third", sum, (n + 2) / 3, 0),
                 "problems of rank 0");
    found.expect(n == 1 ? mine.size() == 2 : is(2, "odd", n / 2, n / 2, 1), "problems of rank 1");
    return found.text();
}

constexpr Case cases_of_groups[] = {
    {"broadcast", broadcast},   {"broadcast_all", broadcast_all},   {"reduce", reduce},
    {"combine_up", combine_up}, {"up_the_tree", up_the_tree},       {"process_map", process_map},
    {"one_clock", one_clock},   {"meeting_of_all", meeting_of_all}, {"problems", problems},
    {"cores", cores},
};

} // namespace

std::span<const Case> group_cases() {
    return cases_of_groups;
}

} // namespace cpl_lb::testing
