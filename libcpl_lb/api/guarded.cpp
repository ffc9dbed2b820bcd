// Reports each mistake of the model once, in one line.
#include "api/guarded.hpp"

#include "support/fmt.hpp"
#include "support/messages.hpp"
#include "support/switched_off_path.hpp"

#include <array>
#include <atomic>
#include <cstdlib>
#include <elf.h>
#include <map>
#include <mpi.h>
#include <mutex>
#include <pthread.h>
#include <string>

namespace cpl_lb {
namespace {

// A mistake inside a time loop must not fill the log, nor the memory with its causes: they are few, as long as no
// message puts a text that differs outside of quotes.
constexpr std::size_t most_causes = 1000;
constexpr const char *other_causes = "other causes";

// How often each call was refused, by call and cause. Never destroyed: a model may still call while it exits.
struct Refused {
    std::mutex mutex;
    std::map<std::string, std::int64_t> times;
};
Refused &refused() {
    static auto *const all = new Refused;
    return *all;
}

bool first_time(const std::string &cause) {
    Refused &all = refused();
    const std::lock_guard lock(all.mutex);
    const bool full = all.times.size() >= most_causes && !all.times.contains(cause);
    return ++all.times[full ? other_causes : cause] == 1;
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
    return c >= '0' && c <= '9';
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
        if (first_time(fmt::format("{}: {}", call, cause_of(why)))) tell(fmt::format("{}: {}", call, why));
    } catch (...) { // no memory for the message; the code says enough
        return code;
    }
    return code;
}

std::vector<Refusals> repeated_refusals() {
    Refused &all = refused();
    const std::lock_guard lock(all.mutex);
    std::vector<Refusals> repeated;
    for (const auto &[cause, times] : all.times)
        if (times > 1) repeated.push_back({cause, times});
    return repeated;
}

// A quote after a letter is an apostrophe, or ends a text. That text may have quotes itself: it ends with the last
// one that no letter follows.
std::string cause_of(std::string_view why) {
    std::string cause;
    for (std::size_t i = 0; i < why.size();) {
        const bool after_letter = i > 0 && is_letter(why[i - 1]);
        if (why[i] == '\'' && !after_letter) {
            std::size_t end = why.find('\'', i + 1);
            while (end != std::string_view::npos && end + 1 < why.size() && is_letter(why[end + 1]))
                end = why.find('\'', end + 1);
            cause += "'...'";
            i = end == std::string_view::npos ? why.size() : end + 1;
        } else if (is_digit(why[i]) && !after_letter) {
            while (i < why.size() && (is_digit(why[i]) || is_letter(why[i]) || why[i] == '.' || why[i] == '+'))
                ++i;
            cause += "...";
        } else {
            cause += why[i++];
        }
    }
    return cause;
}

CPL_LB_SWITCHED_OFF_PATH MpiFamily family_of(std::string_view text) {
    if (has(text, "Open MPI")) return MpiFamily::open_mpi;
    if (has(text, "MPICH") || has(text, "MVAPICH") || has(text, "Intel(R) MPI")) return MpiFamily::mpich;
    return MpiFamily::other;
}

CPL_LB_SWITCHED_OFF_PATH std::string why_not_this_mpi() {
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
