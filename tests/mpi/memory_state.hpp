// What a world in memory keeps: its ranks, their clocks and sleep, and the messages under way. memory_world.cpp is
// the scheduler, memory_hands.cpp how one rank hands over to the next, memory_mail.cpp the queues and clocks,
// memory_carrier.cpp what a rank sees of them.
#pragma once

#include "tests/mpi/memory_world.hpp"

#include <condition_variable>
#include <deque>
#include <exception>
#include <list>
#include <mutex>
#include <pthread.h>
#include <queue>
#include <set>
#include <span>
#include <ucontext.h>
#include <unordered_map>
#include <utility>

namespace cpl_lb::testing {

// Not an exception of the standard library: what is tested catches those.
struct ProcessStopped {};

struct Receive {
    int from, tag;
    std::size_t size;
    std::vector<std::byte> bytes;
    int source = -1;
    bool done = false, too_long = false;
};

struct Parcel {
    std::int64_t arrives_ns;
    std::int64_t number; // of all that were sent: keeps the order of equal times
    int from, to, tag;
    std::vector<std::byte> bytes;
    std::shared_ptr<bool> taken; // of a long send, which waits for it
};

struct LaterParcel {
    bool operator()(const std::shared_ptr<Parcel> &a, const std::shared_ptr<Parcel> &b) const {
        return std::pair(a->arrives_ns, a->number) > std::pair(b->arrives_ns, b->number);
    }
};

struct Rank {
    enum class Is { ready, asleep, over };
    Is is = Is::ready;
    std::condition_variable turn; // of a thread
    pthread_t thread{};
    ucontext_t context{}; // of a fibre
    std::int64_t wakes_ns = 0;
    bool deaf = false; // messages do not wake it
    bool news = false; // something arrived since it slept
    bool stopped = false;
    std::int64_t calls = 0;
    BentClock clock;
    std::list<std::shared_ptr<Receive>> posted;
    std::deque<std::shared_ptr<Parcel>> unexpected;
    std::string first_error;
    Traffic traffic;
};

class MemoryWorld::State {
public:
    explicit State(WorldSetup setup);

    void run(std::function<void(int)> body);
    // Called by the rank that runs.
    void count_call(int rank);
    void sleep_until(int rank, std::int64_t until_ns);
    void send(int from, int to, int tag, std::span<const std::byte> data, std::shared_ptr<bool> taken);
    void ask(int rank, const std::shared_ptr<Receive> &receive);
    void forget(int rank, const std::shared_ptr<Receive> &receive) { of(rank).posted.remove(receive); }
    [[nodiscard]] std::int64_t read_clock(int rank);
    [[nodiscard]] std::int64_t true_time(int rank, std::int64_t local_ns) const;
    [[nodiscard]] Rank &of(int rank) { return *ranks_[static_cast<std::size_t>(rank)]; }
    [[nodiscard]] const WorldSetup &setup() const { return setup_; }
    [[nodiscard]] std::int64_t now_ns() const { return now_ns_; }

private:
    struct Start {
        State *state;
        int rank;
    };
    class AsWorld; // what happens while it lives is not the rank's doing

    static void *enter_thread(void *start);
    static void enter_fibre(unsigned high, unsigned low);
    void live(int rank);
    void run_threads();
    void start_threads();
    void run_fibres();
    void hand_over(int from);
    void switch_fibre(int from);
    // Until it is this rank's turn again: it has put itself to sleep.
    void give_way(int rank);
    void tell_who_runs(int rank) const {
        if (setup_.now_runs) setup_.now_runs(rank);
    }
    [[nodiscard]] int next_rank();
    void go_on_to_next_time();
    void deliver_due();
    void arrive(const std::shared_ptr<Parcel> &parcel);
    static bool match(Receive &receive, const Parcel &parcel);
    void give(Receive &receive, const Parcel &parcel);
    void wake(int rank);
    void put_to_sleep(int rank, std::int64_t until_ns, bool deaf);
    [[nodiscard]] std::int64_t delay(int from, int to);
    [[nodiscard]] bool is_lost(int from, int to, int tag);

    WorldSetup setup_;
    std::mt19937_64 random_;
    std::mutex baton_; // held where it passes from one thread to another; whoever runs needs no lock
    std::condition_variable all_over_;
    int runs_ = -1;
    int over_ = 0;
    std::int64_t now_ns_ = 0;
    std::int64_t sent_ = 0;
    std::vector<std::unique_ptr<Rank>> ranks_;
    std::vector<int> ready_;
    std::set<std::pair<std::int64_t, int>> asleep_;
    std::priority_queue<std::shared_ptr<Parcel>, std::vector<std::shared_ptr<Parcel>>, LaterParcel> on_the_way_;
    std::unordered_map<std::uint64_t, std::int64_t> last_arrival_; // by sender, receiver and tag
    std::vector<Start> starts_;
    ucontext_t outside_{}; // of who called run(), while fibres run
    std::function<void(int)> body_;
    std::exception_ptr thrown_;
};

class MemoryWorld::State::AsWorld {
public:
    explicit AsWorld(const State &state) : state_(state) { state_.tell_who_runs(no_rank); }
    ~AsWorld() { state_.tell_who_runs(state_.runs_); }
    AsWorld(const AsWorld &) = delete;
    AsWorld &operator=(const AsWorld &) = delete;

private:
    const State &state_;
};

} // namespace cpl_lb::testing
