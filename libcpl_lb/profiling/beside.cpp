// Handles what else is in the program: other profiling libraries, sanitizers, another MPI, and sessions of MPI.
#include "profiling/session.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <strings.h>
#include <unistd.h>
#include <utility>
#include <vector>

// AddressSanitizer reads these options before anything else of the program runs. Without them it ends a program into
// which another library was loaded before its own, such as this one. cpl-lb-record sets the same in ASAN_OPTIONS, but
// a wrapper may have replaced them.
extern "C" const char *__asan_default_options() { // NOLINT(bugprone-reserved-identifier): the name is its
    return "verify_asan_link_order=0";
}

namespace cpl_lb::profiling {
namespace {

// Whether this is rank 0 of a launcher (OpenMPI, MPICH, Slurm); without one, every process is first.
bool is_first_process() {
    for (const char *name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"})
        if (const char *rank = std::getenv(name)) return std::strcmp(rank, "0") == 0;
    return true;
}

Dl_info object_of(const void *address) {
    Dl_info info{};
    return dladdr(address, &info) != 0 ? info : Dl_info{};
}

// The library whose functions come before ours, by a few functions that a tool is likely to wrap. Null: none.
const char *another_in_front() {
    const void *here = object_of(reinterpret_cast<const void *>(&is_first_process)).dli_fbase;
    for (const char *name : {"MPI_Init", "MPI_Finalize", "MPI_Send", "MPI_Recv", "MPI_Wait"}) {
        const void *first = dlsym(RTLD_DEFAULT, name);
        if (first == nullptr) continue;
        if (const Dl_info object = object_of(first); object.dli_fbase != here)
            return object.dli_fname != nullptr ? object.dli_fname : "another library";
    }
    return nullptr;
}

bool is_told() {
    const char *enabled = std::getenv("CPL_LB_ENABLED"); // cpl-lb-record sets it
    if (enabled == nullptr || !is_first_process()) return false;
    for (const char *no : {"f", ".f", "n", "0", "of"})
        if (strncasecmp(enabled, no, std::strlen(no)) == 0) return false;
    return true;
}

// Runs when this library is loaded, because a library in front may never call it. One behind it sees all calls.
__attribute__((constructor)) void look_who_is_first() {
    const char *first = another_in_front();
    if (first == nullptr || !is_first_process()) return;
    std::fprintf(stderr,
                 "cpl_lb: %s comes before cpl_lb: the calls of MPI that it passes on to PMPI are not recorded. Put "
                 "it behind cpl_lb's library in LD_PRELOAD: then both see all calls\n",
                 first);
}

enum class Family { open_mpi, mpich, other };
#if defined(OPEN_MPI)
constexpr Family built_with = Family::open_mpi;
#else
constexpr Family built_with = Family::mpich;
#endif

Family family_of_program() {
    static std::array<char, MPI_MAX_LIBRARY_VERSION_STRING + 8192> text{}; // another MPI may write more than ours
    int length = 0;
    PMPI_Get_library_version(text.data(), &length); // needs no MPI_Init
    const std::string_view version(text.data());
    for (const char *name : {"MPICH", "MVAPICH", "Intel(R) MPI"})
        if (version.find(name) != std::string_view::npos) return Family::mpich;
    return version.find("Open MPI") != std::string_view::npos ? Family::open_mpi : Family::other;
}

// LD_PRELOAD without this library; empty if it is not in there.
std::optional<std::string> without_this_library(std::string_view preloaded) {
    const char *file = object_of(reinterpret_cast<const void *>(&is_first_process)).dli_fname;
    std::string others;
    bool found = false;
    while (file != nullptr && !preloaded.empty()) {
        const std::string_view one = preloaded.substr(0, preloaded.find_first_of(": "));
        preloaded.remove_prefix(std::min(one.size() + 1, preloaded.size()));
        found = found || one == file;
        if (!one.empty() && one != file) others.append(others.empty() ? 0 : 1, ':').append(one);
    }
    return found ? std::optional(others) : std::nullopt;
}

// Returns only if this fails or would lead here again.
void start_without_this_library(char **arguments, char **environment) {
    constexpr std::string_view name = "LD_PRELOAD=";
    const char *preloaded = std::getenv("LD_PRELOAD");
    const auto others = without_this_library(preloaded != nullptr ? preloaded : "");
    std::array<char, 4096> program{};
    if (!others || readlink("/proc/self/exe", program.data(), program.size() - 1) <= 0) return;
    std::string again = std::string(name) + *others;
    std::vector<char *> variables;
    for (char **variable = environment; *variable != nullptr; ++variable)
        if (!std::string_view(*variable).starts_with(name)) variables.push_back(*variable);
    if (!others->empty()) variables.push_back(again.data());
    variables.push_back(nullptr);
    if (is_told()) {
        constexpr bool is_open_mpi = built_with == Family::open_mpi;
        std::fprintf(stderr,
                     "cpl_lb: not recorded: the program uses %s, and cpl-lb-record took the library for %s: "
                     "cpl-lb-record --mpi %s\n",
                     is_open_mpi ? "MPICH" : "OpenMPI", is_open_mpi ? "OpenMPI" : "MPICH",
                     is_open_mpi ? "mpich" : "openmpi");
    }
    execve(program.data(), arguments, variables.data());
}

// The handles of the two MPIs differ in size: even a call that is only passed on would fail. If a script starts the
// program, cpl-lb-record can only guess which MPI it uses.
__attribute__((constructor)) void leave_another_mpi(int /*count*/, char **arguments, char **environment) {
    const Family family = family_of_program();
    if (family == Family::other || family == built_with) return;
    try {
        start_without_this_library(arguments, environment);
    } catch (const std::exception &) { // no memory: cpl_lb_init will fail, too, and say so
        return;
    }
}

} // namespace

bool must_not_be_recorded() noexcept {
    if (dlsym(RTLD_DEFAULT, "__msan_init") == nullptr) return false;
    if (is_told()) {
        std::fputs(
            "cpl_lb: not recorded: the program is built with MemorySanitizer, which would take what cpl_lb reads "
            "from the system for errors\n",
            stderr);
    }
    return true;
}

#if MPI_VERSION >= 4
void tell_that_sessions_are_not_recorded(MPI_Session session) {
    static bool told = false;
    const char *enabled = std::getenv("CPL_LB_ENABLED");
    if (std::exchange(told, true) || enabled == nullptr || std::strcmp(enabled, "true") != 0) return;
    MPI_Group all = MPI_GROUP_NULL;
    int rank = 0;
    if (PMPI_Group_from_session_pset(session, "mpi://WORLD", &all) == MPI_SUCCESS) {
        PMPI_Group_rank(all, &rank);
        PMPI_Group_free(&all);
    }
    if (rank == 0)
        std::fprintf(stderr, "cpl_lb: not recorded: the program begins MPI by sessions, without MPI_Init\n");
}
#endif

} // namespace cpl_lb::profiling
