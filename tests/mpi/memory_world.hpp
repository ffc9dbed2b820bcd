// Processes as threads of one process, and messages between them in memory: late, reordered, lost, and processes that
// stop, all by a seed (docs/decisions/messages.md).
//
// One thread runs at a time, and hands over where it would wait. Time is virtual: it goes on when all wait, to the
// next arrival or deadline. So the same seed gives the same run, nothing depends on the machine's speed, and a wait
// of an hour takes no time. Tens of thousands of processes are fibres of one thread instead: no kernel takes part
// when one hands over to the next.
#pragma once

#include "mpi/carrier.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace cpl_lb::testing {

// What a process's clock reads at the true time t: offset_ns + t * (1 + drift).
struct BentClock {
    std::int64_t offset_ns = 0;
    double drift = 0;
};

struct Stall {
    std::int64_t after_calls = 0; // of the carrier
    std::int64_t for_ns = 0;
};

struct WorldSetup {
    int ranks = 1;
    std::uint64_t seed = 1;
    // One way, evenly spread; messages of different senders or tags overtake each other.
    std::int64_t least_delay_ns = 1'000;
    std::int64_t most_delay_ns = 100'000;
    // Instead of those, where it is given.
    std::function<std::int64_t(int from, int to, std::mt19937_64 &random)> delay_ns = {};
    double lost = 0;                                           // the part of all messages
    std::function<bool(int from, int to, int tag)> loses = {}; // these ones, too
    std::map<int, std::int64_t> stops = {};                    // rank: dies after so many calls of the carrier
    std::map<int, Stall> stalls = {};                          // rank: does nothing for a while
    std::map<int, std::int64_t> starts_at_ns = {};             // rank: the others start at 0
    std::function<BentClock(int rank)> clock = {};             // none: true time
    std::size_t eager_bytes = 4096;                            // longer sends end when they are received
    std::size_t stack_bytes = std::size_t{1} << 20U;
    bool fibres = false; // instead of threads; no rank may wait while it handles an exception
    // Called when another rank, or the world itself (no_rank), begins to run: for who counts the memory of each.
    std::function<void(int rank)> now_runs = {};
};
inline constexpr int no_rank = -1;

struct Traffic {
    std::int64_t messages = 0, bytes = 0; // sent
    std::int64_t messages_received = 0, bytes_received = 0;
};

class MemoryWorld {
public:
    explicit MemoryWorld(WorldSetup setup);
    ~MemoryWorld();
    MemoryWorld(const MemoryWorld &) = delete;
    MemoryWorld &operator=(const MemoryWorld &) = delete;

    using Body = std::function<void(int rank, std::unique_ptr<Carrier> carrier)>;
    // Runs the body on every rank and waits for all. Throws what a body threw first. Once in a world's life.
    void run(const Body &body);

    [[nodiscard]] std::int64_t true_ns() const;
    [[nodiscard]] bool stopped(int rank) const;
    [[nodiscard]] const Traffic &traffic(int rank) const;

    class State;

private:
    std::unique_ptr<State> state_;
};

} // namespace cpl_lb::testing
