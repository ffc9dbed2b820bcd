// Which thread records, and what each call of MPI does about that; the begin and the end of MPI.
#include "profiling/session.hpp"

#include "profiling/kept.hpp"
#include "profiling/naming.hpp"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <exception>
#include <map>
#include <mutex>
#include <pthread.h>
#include <utility>

namespace cpl_lb::profiling {
namespace {

__attribute__((tls_model("initial-exec"))) thread_local Session *here = nullptr;
__attribute__((tls_model("initial-exec"))) thread_local bool recording_thread = false;
Session *session = nullptr;
std::atomic<bool> running{false};
std::atomic<bool> others_wait{false}; // for the end of the recording on this process, also if it gave up

// The thread that records.
std::mutex of_recorder;
bool recorder_lives = false;            // it has not ended; under the mutex
std::atomic<bool> recorder_gone{false}; // it has ended, and nobody records in its place yet
pthread_key_t recorders_end;
bool recorders_end_is_known = false; // the key could be had

extern "C" void cpl_lb_mpi_recorder_ends(void * /*set*/) {
    const std::lock_guard lock(of_recorder);
    recorder_gone.store(here != nullptr);
    here = nullptr;
    recording_thread = recorder_lives = false;
}

// From here on this thread records. No destructor of a thread_local object, because that would run in exit(), too,
// after which a program may still end MPI.
void record_here() {
    recording_thread = recorder_lives = true;
    recorder_gone.store(false);
    if (recorders_end_is_known) pthread_setspecific(recorders_end, &recorders_end);
}

// By a thread in place of the one that recorded.
void take_over() {
    const std::lock_guard lock(of_recorder);
    if (others_wait.load()) cpl_lb_take_over(recorder_lives ? 1 : 0);
    session->call_is_over();
    record_here();
}

std::atomic<std::int64_t> calls_of_other_threads{0};
std::atomic<std::int64_t> ns_of_other_threads{0};
__attribute__((tls_model("initial-exec"))) thread_local bool inside_elsewhere = false;
std::string my_name;

// Passed to cpl_lb_init_by. C on both sides, because the two libraries may come from different compilers.
extern "C" const char *cpl_lb_mpi_name_here(const cpl_lb_processes *processes, int me) {
    std::vector<Process> all;
    all.reserve(static_cast<std::size_t>(processes->count));
    for (int i = 0; i < processes->count; ++i)
        all.push_back({processes->ranks[i], processes->said[i]});
    ComponentNames names = name_components(all, processes->ranges);
    if (!names.problem.empty() && me == 0) std::fprintf(stderr, "cpl_lb: %s\n", names.problem.c_str());
    std::map<std::string, int> ids;
    std::vector<std::string> by_id;
    std::vector<int> of_world;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto [at, is_new] = ids.try_emplace(names.components[i], static_cast<int>(by_id.size()));
        if (is_new) by_id.push_back(names.components[i]);
        of_world.resize(static_cast<std::size_t>(all[i].rank) + 1, other_program);
        of_world.back() = at->second;
    }
    my_name = names.components[static_cast<std::size_t>(me)];
    // Only a program that runs alone may be split: nobody named it, and all processes are recorded.
    const bool is_alone = by_id.size() == 1 && processes->count == size_of_world();
    const bool may_be_split = is_alone && *processes->ranges == '\0' && all.front().said.front() != '=';
    session->set_components(std::move(of_world), std::move(by_id), ids.at(my_name), may_be_split, names.by_folders);
    return my_name.c_str();
}

void say_no_inside() {
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        std::fputs("cpl_lb: the program has libcpl_lb linked statically: its own calls are recorded, but MPI inside "
                   "the components is not. Link libcpl_lb.so for that\n",
                   stderr);
    }
}

} // namespace

bool records_here() noexcept {
    return recording_thread && running.load(std::memory_order_relaxed);
}

namespace {

// The session, if this thread has none although it records or should do so from here on. Null: it does not.
Session *session_back(const void *top) noexcept {
    if (session == nullptr || session->is_over()) return nullptr;
    if (recording_thread) {
        if (!session->call_was_left(top)) return nullptr;
        session->note_left_call();
        return session;
    }
    if (!recorder_gone.exchange(false)) return nullptr;
    take_over();
    return session;
}

} // namespace

Session *enter(cpl_lb_mpi_class mpi_class, const void *top, std::uint64_t &alive) noexcept {
    Session *s = here;
    if (s == nullptr) s = session_back(top);
    if (s == nullptr || s->is_over()) return nullptr;
    here = nullptr; // calls inside this one are not recorded
    if (any_put_aside()) s->forget_freed();
    s->call_begins(mpi_class);
    s->call_is_at(__builtin_dwarf_cfa(), alive);
    return s;
}

void leave(Session *s, std::uint64_t begin) noexcept {
    // 0: cpl_lb was not on yet when the call began, perhaps because the library itself made it.
    if (begin != 0 && !s->exchanged()) {
        const std::uint64_t end = Session::now();
        s->poll_over();
        s->is_inside(begin, end);
    }
    s->call_is_over();
    here = s;
}

void give_up() noexcept {
    running.store(false);
    session->call_is_over();
    std::fputs("cpl_lb: no memory: from here on MPI is not recorded on this process, whose figures end there\n",
               stderr);
}

namespace {

std::int64_t steady_ns() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

} // namespace

std::int64_t enter_elsewhere() noexcept {
    if (recording_thread || inside_elsewhere || !running.load(std::memory_order_relaxed)) return 0;
    inside_elsewhere = true;
    return steady_ns();
}

void leave_elsewhere(std::int64_t begin_ns) noexcept {
    inside_elsewhere = false;
    calls_of_other_threads.fetch_add(1, std::memory_order_relaxed);
    ns_of_other_threads.fetch_add(steady_ns() - begin_ns, std::memory_order_relaxed);
}

bool mpi_was_begun() noexcept {
    return recording_thread || session != nullptr;
}

void mpi_has_begun() noexcept {
    if (session != nullptr || must_not_be_recorded()) return;
    recorders_end_is_known = pthread_key_create(&recorders_end, &cpl_lb_mpi_recorder_ends) == 0;
    record_here(); // `here` is still null, so that the library's own messages are not recorded
    try {
        const OwnCalls own = own_calls();
        if (own == OwnCalls::of_a_copy) return say_no_inside();
        session = new Session; // never deleted, because MPI may call back late
        if (own == OwnCalls::of_the_library) {
            session->leave_exchanges_to_program();
            cpl_lb_inside_starts(); // once the program calls cpl_lb_init
            here = session;
            return;
        }
        if (cpl_lb_init_by(MPI_COMM_WORLD, what_this_process_is().c_str(), &cpl_lb_mpi_name_here) != CPL_LB_OK ||
            cpl_lb_enabled() == 0)
            return;
        session->start();
        here = session;
        running.store(true);
        others_wait.store(true);
    } catch (const std::exception &e) {
        std::fprintf(stderr, "cpl_lb: not recorded: %s\n", e.what());
    }
}

void mpi_will_end() noexcept {
    Session *s = session;
    if (s == nullptr || s->is_over()) return;
    s->is_over_now();
    running.store(false);
    here = nullptr;
    if (!others_wait.load()) return; // not begun, or ended by whoever began it
    if (!recording_thread) take_over();
    cpl_lb_elsewhere(calls_of_other_threads.load(), 1e-9 * static_cast<double>(ns_of_other_threads.load()));
    try {
        s->finish();
    } catch (const std::exception &e) {
        std::fprintf(stderr, "cpl_lb: no results: %s\n", e.what());
    }
}

} // namespace cpl_lb::profiling
