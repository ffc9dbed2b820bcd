// Handlers of fork(), one more reference to the object that holds this code, and its mark.
#include "api/lifetime.hpp"

#include <atomic>
#include <dlfcn.h>
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

// The shared library, or the plugin that the static one is part of. The program itself cannot be unloaded: then
// nothing is found under its name, or it is pinned to no effect.
void stay_loaded() noexcept {
    Dl_info here{};
    if (dladdr(reinterpret_cast<const void *>(&stay_loaded), &here) == 0 || here.dli_fname == nullptr) return;
    dlopen(here.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE); // never closed
}

} // namespace cpl_lb
