// Ping-pongs between the leaders of nodes, in rounds along a binomial tree, and a check of the clocks within nodes.
#include "mpi/clock_sync.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>

namespace cpl_lb {
namespace {

constexpr int ping_tag = 12;
constexpr int pong_tag = 13;

class Awake {
public:
    explicit Awake(Transport &t) : t_(t) { t_.stay_awake(true); }
    ~Awake() { t_.stay_awake(false); }
    Awake(const Awake &) = delete;
    Awake &operator=(const Awake &) = delete;

private:
    Transport &t_;
};

void answer_pings(Transport &t, int from, int count) {
    for (int i = 0; i < count; ++i) {
        std::int64_t ping = 0;
        t.receive(from, ping_tag, as_wire_out(ping));
        const std::int64_t here = t.now_ns();
        t.send(from, pong_tag, as_wire(here));
    }
}

struct PingResult {
    ClockOffset best;              // of the exchange with the smallest round trip
    bool always_in_between = true; // each time the other's reading lay between our two
};

PingResult ping(Transport &t, int to, int count) {
    PingResult result;
    std::int64_t smallest = std::numeric_limits<std::int64_t>::max();
    for (int i = 0; i < count; ++i) {
        const std::int64_t before = t.now_ns();
        std::int64_t there = 0;
        t.send(to, ping_tag, as_wire(before));
        t.receive(to, pong_tag, as_wire_out(there));
        const std::int64_t after = t.now_ns();
        if (there < before || there > after) result.always_in_between = false;
        if (after - before >= smallest) continue;
        smallest = after - before;
        const std::int64_t middle = before + (after - before) / 2;
        result.best = {middle, there - middle, (after - before + 1) / 2};
    }
    return result;
}

// Lowest present rank of each node, in the order of the nodes.
std::vector<int> node_leaders(const Group &present, const ProcessMap &process_map) {
    std::vector<int> leaders(static_cast<std::size_t>(process_map.nodes()), -1);
    for (const int rank : present.ranks()) {
        int &leader = leaders[static_cast<std::size_t>(process_map.node_of_rank[static_cast<std::size_t>(rank)])];
        if (leader < 0) leader = rank;
    }
    leaders.erase(std::remove(leaders.begin(), leaders.end(), -1), leaders.end());
    std::sort(leaders.begin(), leaders.end());
    return leaders;
}

// Present ranks of this process's node.
std::vector<int> node_members(const Group &present, const ProcessMap &process_map, int rank) {
    std::vector<int> members = process_map.ranks_of_node(process_map.node_of_rank[static_cast<std::size_t>(rank)]);
    members.erase(std::remove_if(members.begin(), members.end(), [&](int r) { return !present.has(r); }),
                  members.end());
    return members;
}

// Goes down a binomial tree of the leaders: each first learns its own offset, then serves those below it.
ClockOffset measure_among_leaders(Transport &t, const std::vector<int> &leaders, const ClockOffset &reference) {
    const auto at = std::lower_bound(leaders.begin(), leaders.end(), t.rank()) - leaders.begin();
    const int me = static_cast<int>(at);
    const int count = static_cast<int>(leaders.size());
    ClockOffset mine;
    if (me == 0) {
        mine = {t.now_ns(), reference.offset, reference.bound};
    } else {
        const int parent = leaders[static_cast<std::size_t>(me & (me - 1))];
        const PingResult result = ping(t, parent, ping_count);
        ClockOffset theirs;
        t.receive(parent, pong_tag, as_wire_out(theirs));
        mine = {result.best.at, result.best.offset + theirs.offset, result.best.bound + theirs.bound};
    }
    int end = me & -me;
    if (me == 0)
        for (end = 1; end < count;)
            end *= 2;
    for (int bit = end / 2; bit >= 1; bit /= 2) {
        const int below = me + bit;
        if (below >= count) continue;
        const int child = leaders[static_cast<std::size_t>(below)];
        answer_pings(t, child, ping_count);
        t.send(child, pong_tag, as_wire(mine));
    }
    return mine;
}

// Whether this process reads the clock of its node's lowest rank.
bool shares_clock(Group &all, const ProcessMap &process_map) {
    constexpr int checks = 4;
    Transport &t = all.transport();
    const Awake awake(t);
    const std::vector<int> members = node_members(all, process_map, t.rank());
    if (members.front() != t.rank()) return ping(t, members.front(), checks).always_in_between;
    for (std::size_t i = 1; i < members.size(); ++i)
        answer_pings(t, members[i], checks);
    return true;
}

// Strangers with the same node and the same name become a new node together. The bytes are the same on all processes.
void move_strangers(const Bytes &strangers, ProcessMap &process_map) {
    std::map<std::pair<std::int32_t, std::string>, std::int32_t> moved;
    WireReader in(strangers);
    std::int32_t nodes = process_map.nodes();
    std::vector<std::int32_t> node_of_rank = process_map.node_of_rank.all();
    while (!in.done()) {
        const auto rank = static_cast<std::size_t>(in.get<std::int32_t>());
        std::string name = in.get_text();
        if (rank >= node_of_rank.size()) continue;
        const auto [at, is_new] = moved.emplace(std::pair(node_of_rank[rank], std::move(name)), nodes);
        if (is_new) ++nodes;
        node_of_rank[rank] = at->second;
    }
    if (!moved.empty()) process_map.node_of_rank = node_of_rank;
    in.finish("clocks");
}

// Whether there were any strangers.
bool find_strangers(Group &all, ProcessMap &process_map, const std::string &name) {
    WireWriter out;
    if (!shares_clock(all, process_map)) {
        out.put(static_cast<std::int32_t>(all.transport().rank()));
        out.put(name);
    }
    Bytes strangers = out.take();
    const auto append = [](Bytes &a, const Bytes &b) { a.insert(a.end(), b.begin(), b.end()); };
    all.combine_up(strangers, append);
    all.broadcast_all(strangers);
    move_strangers(strangers, process_map);
    return !strangers.empty();
}

} // namespace

// First groups strangers by the host's name. A process that is a stranger there, too, becomes a node of its own.
void check_nodes(Group &all, ProcessMap &process_map, const std::string &host) {
    if (find_strangers(all, process_map, host))
        find_strangers(all, process_map, std::to_string(all.transport().rank()));
}

ClockOffset measure_offset(Group &present, const ProcessMap &process_map, const ClockOffset &reference) {
    Transport &t = present.transport();
    const Awake awake(t);
    Group node(t, node_members(present, process_map, t.rank()));
    ClockOffset mine;
    if (node.leads()) mine = measure_among_leaders(t, node_leaders(present, process_map), reference);
    node.broadcast(as_wire_out(mine));
    return mine;
}

} // namespace cpl_lb
