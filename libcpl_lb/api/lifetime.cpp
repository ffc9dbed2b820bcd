// Handlers of fork(), and the mark of the object that holds this code.
#include "api/lifetime.hpp"

#include <atomic>
#include <elf.h>
#include <mpi.h>
#include <pthread.h>

namespace cpl_lb {
namespace {

// A note in the program's memory: that this object has the library in it, which a statically linked program shows in
// no other way (profiling/own_calls.cpp looks for it).
struct CopyNote {
    Elf64_Nhdr head{7, 0, 1}; // the length of the name, none of a description, the type
    char name[8] = "cpl_lb";  // NOLINT(*-avoid-c-arrays): as it stands in the file
};
[[gnu::used, gnu::section(".note.cpl_lb"), gnu::aligned(4)]] const CopyNote copy_note;

std::atomic<bool> mpi_runs{false};
std::atomic<bool> forked{false};
void (*leave_run)() = nullptr;

// Here and not in the child: there, of all threads, only this one is left, and MPI may wait for another.
void before_fork() {
    int initialized = 0;
    if (!mpi_runs.load() && MPI_Initialized(&initialized) == MPI_SUCCESS && initialized != 0) mpi_runs.store(true);
}

void in_child() {
    if (!mpi_runs.load()) return;
    forked.store(true);
    leave_run();
}

} // namespace

bool watch_forks(void (*leave)()) noexcept {
    leave_run = leave;
    return pthread_atfork(before_fork, nullptr, in_child) == 0;
}

bool in_forked_child() noexcept {
    return forked.load(std::memory_order_relaxed);
}

} // namespace cpl_lb
