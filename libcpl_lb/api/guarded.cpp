// Reports each mistake of the model once, in one line.
#include "api/guarded.hpp"

#include "support/fmt.hpp"
#include "support/messages.hpp"

#include <array>
#include <atomic>
#include <cstdlib>
#include <elf.h>
#include <mpi.h>
#include <mutex>
#include <pthread.h>
#include <set>
#include <string>

namespace cpl_lb {
namespace {

// A mistake inside a time loop must not fill the log. Never destroyed: a model may still call while it exits.
bool first_time(const std::string &line) {
    static std::mutex mutex;
    static auto *const told = new std::set<std::string>;
    const std::lock_guard lock(mutex);
    return told->insert(line).second;
}

#if defined(OPEN_MPI)
constexpr MpiFamily built_with = MpiFamily::open_mpi;
constexpr std::string_view built_with_name = "OpenMPI";
#elif defined(MPICH_VERSION) || defined(MPICH) || defined(I_MPI_VERSION)
constexpr MpiFamily built_with = MpiFamily::mpich;
constexpr std::string_view built_with_name = "MPICH";
#else
constexpr MpiFamily built_with = MpiFamily::other;
constexpr std::string_view built_with_name = "another MPI";
#endif

bool has(std::string_view text, std::string_view word) {
    return text.find(word) != std::string_view::npos;
}

// A note in the program's memory that this object contains the library. A statically linked program shows it in no
// other way (profiling/own_calls.cpp looks for it).
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

int refuse(const char *call, int code, std::string_view why) noexcept {
    if (in_forked_child()) return code;
    try {
        const std::string line = fmt::format("{}: {}", call, why);
        if (first_time(line)) tell(line);
    } catch (...) { // no memory for the message; the code says enough
        return code;
    }
    return code;
}

MpiFamily family_of(std::string_view text) {
    if (has(text, "Open MPI")) return MpiFamily::open_mpi;
    if (has(text, "MPICH") || has(text, "MVAPICH") || has(text, "Intel(R) MPI")) return MpiFamily::mpich;
    return MpiFamily::other;
}

std::string why_not_this_mpi() {
    // Another MPI may write more than ours. Static: the model's stack may be small.
    static std::array<char, MPI_MAX_LIBRARY_VERSION_STRING + 8192> text{};
    int length = 0;
    MPI_Get_library_version(text.data(), &length);
    const MpiFamily running = family_of(text.data());
    const bool known = running != MpiFamily::other && built_with != MpiFamily::other;
    if (!known || running == built_with) return {};
    return fmt::format(
        "the program runs with {}, but it is linked with the library for {}: link libcpl_lb-{}; switched "
        "off",
        running == MpiFamily::open_mpi ? "OpenMPI" : "MPICH", built_with_name,
        running == MpiFamily::open_mpi ? "openmpi" : "mpich");
}

bool is_told_here() {
    for (const char *name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"})
        if (const char *rank = std::getenv(name); rank != nullptr) return std::string_view(rank) == "0";
    return true;
}

bool watch_forks(void (*leave)()) noexcept {
    leave_run = leave;
    return pthread_atfork(before_fork, nullptr, in_child) == 0;
}

bool in_forked_child() noexcept {
    return forked.load(std::memory_order_relaxed);
}

} // namespace cpl_lb
