// What cpl_lb_terminate sends and holds with tens of thousands of ranks: its real code on ranks in memory, counted.
#include "mpi/clock_sync.hpp"
#include "run/live/process_record.hpp"
#include "tests/run/record_by_hand.hpp"
#include "tests/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <new>

using namespace cpl_lb;
using namespace cpl_lb::testing;
using cpl_lb::test::TemporaryFolder;

namespace {

// What each rank holds by operator new, and the most it ever held. What the world itself holds is nobody's.
struct Holding {
    std::int64_t now = 0, most = 0;
};
std::vector<Holding> *holdings = nullptr;
std::int32_t rank_that_runs = no_rank;

struct alignas(16) Block {
    std::size_t bytes;
    std::int32_t owner;
};

void *allocate(std::size_t bytes) {
    auto *block = static_cast<Block *>(std::malloc(sizeof(Block) + bytes));
    if (block == nullptr) throw std::bad_alloc();
    *block = {bytes, holdings == nullptr ? no_rank : rank_that_runs};
    if (block->owner >= 0) {
        Holding &h = (*holdings)[static_cast<std::size_t>(block->owner)];
        h.now += static_cast<std::int64_t>(bytes);
        h.most = std::max(h.most, h.now);
    }
    return block + 1;
}

void release(void *address) {
    if (address == nullptr) return;
    Block *block = static_cast<Block *>(address) - 1;
    if (block->owner >= 0 && holdings != nullptr)
        (*holdings)[static_cast<std::size_t>(block->owner)].now -= static_cast<std::int64_t>(block->bytes);
    std::free(block);
}

} // namespace

void *operator new(std::size_t bytes) {
    return allocate(bytes);
}
void *operator new[](std::size_t bytes) {
    return allocate(bytes);
}
void operator delete(void *address) noexcept {
    release(address);
}
void operator delete[](void *address) noexcept {
    release(address);
}
void operator delete(void *address, std::size_t) noexcept {
    release(address);
}
void operator delete[](void *address, std::size_t) noexcept {
    release(address);
}

namespace {

constexpr int row_tag = 16; // of run/live/row_stream.hpp
constexpr int ranks_of_node = 128;
constexpr int few = 1'280, many = 20'480;
constexpr std::int64_t delay_ns = 10 * second; // of every message: all else takes no time beside it

// Two components, each one block of ranks; nodes are blocks, too.
ProcessMap blocks_of(int ranks) {
    ProcessMap process_map;
    process_map.component_names = {"ocean", "atmosphere"};
    for (int r = 0; r < ranks; ++r) {
        process_map.component_of_rank.push_back(2 * r < ranks ? 0 : 1);
        process_map.node_of_rank.push_back(r / ranks_of_node);
    }
    process_map.threads_of_rank.assign(static_cast<std::size_t>(ranks), 1);
    process_map.rank_in_model = NumberList::counting_from(0, static_cast<std::size_t>(ranks));
    return process_map;
}

std::int64_t bytes_of(const NumberList &list) {
    return static_cast<std::int64_t>(list.runs().capacity() * sizeof(NumberList::Run));
}
std::int64_t bytes_of(const ProcessMap &l) {
    return bytes_of(l.component_of_rank) + bytes_of(l.node_of_rank) + bytes_of(l.threads_of_rank) +
           bytes_of(l.memory_sharers_of_rank) + bytes_of(l.rank_in_model);
}

struct Counted {
    std::vector<std::int64_t> messages; // of each rank, sent and received, but for rows
    std::vector<std::int64_t> row_messages;
    std::vector<Traffic> traffic;
    std::vector<Holding> held;
    double longest_chain = 0; // of messages that wait for each other

    [[nodiscard]] std::int64_t most_messages() const { return *std::max_element(messages.begin(), messages.end()); }
    // The most bytes held on any rank but the masters of the two components.
    [[nodiscard]] std::int64_t most_held_elsewhere() const {
        std::int64_t most = 0;
        for (std::size_t r = 1; r < held.size(); ++r)
            if (r != held.size() / 2) most = std::max(most, held[r].most);
        return most;
    }
    [[nodiscard]] std::int64_t most_held_by_masters() const {
        return std::max(held[0].most, held[held.size() / 2].most);
    }
};

Counted count_on(int ranks, const std::function<void(Transport &)> &body) {
    const auto size = static_cast<std::size_t>(ranks);
    Counted c{std::vector<std::int64_t>(size), std::vector<std::int64_t>(size), {}, std::vector<Holding>(size), 0};
    WorldSetup setup;
    setup.ranks = ranks;
    setup.fibres = true;
    setup.stack_bytes = std::size_t{256} << 10U;
    setup.least_delay_ns = setup.most_delay_ns = delay_ns;
    setup.now_runs = [](int rank) { rank_that_runs = rank; };
    setup.loses = [&](int from, int to, int tag) { // looks at each, and loses none
        std::vector<std::int64_t> &counts = tag == row_tag ? c.row_messages : c.messages;
        ++counts[static_cast<std::size_t>(from)];
        ++counts[static_cast<std::size_t>(to)];
        return false;
    };
    MemoryWorld world(setup);
    holdings = &c.held;
    world.run([&](int /*rank*/, std::unique_ptr<Carrier> carrier) {
        Transport t(std::move(carrier), 1e6);
        body(t);
    });
    holdings = nullptr;
    for (int r = 0; r < ranks; ++r)
        c.traffic.push_back(world.traffic(r));
    c.longest_chain = static_cast<double>(world.true_ns()) / static_cast<double>(delay_ns);
    return c;
}

// Events of 1 ms each, 3 ms apart: puts here, gets there.
std::vector<Mark> marks_of_events(bool ocean, int events) {
    const int kind = static_cast<int>(ocean ? Kind::put : Kind::get);
    std::vector<Mark> marks;
    for (int n = 0; n < events; ++n) {
        marks.push_back(make_mark(2'000'000, 1, begin_code(kind)));
        marks.push_back(make_mark(1'000'000, 1, end_code(kind)));
    }
    return marks;
}

Counted terminate_on(int ranks, int events, bool timeline) {
    const TemporaryFolder folder;
    Settings settings = settings_in(folder.path());
    settings.timeout_s = 1e6;
    settings.timeline = timeline;
    const ProcessMap process_map = blocks_of(ranks);
    std::vector<int> codes(static_cast<std::size_t>(ranks), 1);
    Counted c = count_on(ranks, [&](Transport &t) {
        const bool ocean = 2 * t.rank() < ranks;
        ProcessRecord record = record_of(t, settings);
        record.process_map = process_map;
        record.component = ocean ? "ocean" : "atmosphere";
        record.arrival = {static_cast<std::uint64_t>(events) * 3'000'000, std::int64_t{events} * 3'000'000, 0};
        record.recorder =
            recorder_of(marks_of_events(ocean, events), record.component, ocean ? "atmosphere" : "ocean");
        codes[static_cast<std::size_t>(t.rank())] = terminate(std::move(record));
    });
    CHECK(std::count(codes.begin(), codes.end(), 0) == ranks);
    return c;
}

// For several test cases.
const Counted &large_run() {
    static const Counted counted = terminate_on(many, 5, false);
    return counted;
}

int levels_of(int ranks) {
    int levels = 0;
    while ((1 << levels) < ranks)
        ++levels;
    return levels;
}

void tell_figures(const char *what, int ranks, int events, const Counted &c) {
    std::int64_t rows = 0, received_B = 0;
    for (std::size_t r = 0; r < c.traffic.size(); ++r) {
        rows = std::max(rows, c.row_messages[r]);
        received_B = std::max(received_B, c.traffic[r].bytes_received);
    }
    std::printf(
        "%s, %d ranks x %d events: messages %lld, rows %lld, received %lld B, held %lld B by a master, %lld B "
        "elsewhere, chain %.0f\n",
        what, ranks, events, static_cast<long long>(c.most_messages()), static_cast<long long>(rows),
        static_cast<long long>(received_B), static_cast<long long>(c.most_held_by_masters()),
        static_cast<long long>(c.most_held_elsewhere()), c.longest_chain);
}

} // namespace

// The tree of ranks has 15 levels. On each of them rank 0 sends and receives a few messages in each of some 20
// operations, and the first ranks of 160 nodes measure their clocks with 20 round trips on each of 8 levels.
TEST_CASE("terminate: no rank sends or receives more than a few messages for each level of the tree, rows apart") {
    const Counted &c = large_run();
    tell_figures("terminate", many, 5, c);
    const int levels = levels_of(many), node_levels = levels_of(many / ranks_of_node);
    CHECK(c.most_messages() <= 30 * levels + 41 * node_levels);
    CHECK(c.longest_chain <= 30 * levels + 41 * node_levels);
}

TEST_CASE("terminate: memory grows with the processes on the masters, a few bytes for each, and nowhere else") {
    const Counted small = terminate_on(few, 5, false);
    const Counted &large = large_run();
    tell_figures("terminate", few, 5, small);
    CHECK(large.most_held_by_masters() - small.most_held_by_masters() <= std::int64_t{100} * (many - few));
    CHECK(large.most_held_elsewhere() - small.most_held_elsewhere() <= std::int64_t{20} * (many - few));
}

TEST_CASE("terminate with timelines and many events: memory grows with the events, not with events times processes") {
    const int ranks = few / 2;
    const Counted small = terminate_on(ranks, 1'000, true), large = terminate_on(ranks, 20'000, true);
    tell_figures("terminate with timelines", ranks, 1'000, small);
    tell_figures("terminate with timelines", ranks, 20'000, large);
    const int levels = levels_of(ranks);
    CHECK(large.most_messages() <= 30 * levels + 41 * levels_of(ranks / ranks_of_node));
    CHECK(large.most_held_by_masters() - small.most_held_by_masters() <= std::int64_t{500} * 19'000);
    CHECK(large.most_held_elsewhere() - small.most_held_elsewhere() <= std::int64_t{200} * 19'000);
}

// A node's first process looks at the clock of each other one: 4 round trips.
TEST_CASE("init: messages grow with the levels of the tree and the processes of a node, tables are small") {
    const ProcessMap right = blocks_of(many);
    std::int64_t table_bytes = 0, wrong = 0;
    const Counted c = count_on(many, [&](Transport &t) {
        Group all(t, NumberList::counting_from(0, static_cast<std::size_t>(t.size())));
        const auto node = static_cast<std::size_t>(t.rank() / ranks_of_node);
        ProcessMap process_map;
        const Hello hello{
            2 * t.rank() < t.size() ? "ocean" : "atmosphere", "node " + std::to_string(node), 1, 0, "", false, 1};
        exchange_process_map(all, hello, process_map);
        check_nodes(all, process_map, "host");
        static_cast<void>(measure_offset(all, process_map, {}));
        if (!(process_map.node_of_rank == right.node_of_rank) ||
            !(process_map.component_of_rank == right.component_of_rank))
            ++wrong;
        table_bytes = std::max(table_bytes, bytes_of(process_map));
    });
    tell_figures("init", many, 0, c);
    CHECK(wrong == 0);
    CHECK(c.most_messages() <= 8 * ranks_of_node + 10 * levels_of(many) + 41 * levels_of(many / ranks_of_node));
    CHECK(table_bytes <= 2'000'000);
    CHECK(c.most_held_by_masters() <= std::int64_t{100} * many);
    CHECK(c.most_held_elsewhere() <= std::int64_t{100} * many);
}
