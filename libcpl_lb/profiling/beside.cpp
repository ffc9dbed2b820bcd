// What stands beside this library: other profiling libraries, and sessions of MPI.
#include "profiling/session.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <utility>

namespace cpl_lb::profiling {
namespace {

// Of a process that a launcher of OpenMPI or MPICH has started, or Slurm's.
bool is_first_process() {
    for (const char *name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"})
        if (const char *rank = std::getenv(name)) return std::strcmp(rank, "0") == 0;
    return true;
}

Dl_info object_of(const void *address) {
    Dl_info info{};
    return dladdr(address, &info) != 0 ? info : Dl_info{};
}

// The library whose functions come before ours: a tool wraps those that it needs only. Null: none.
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

// When the library is loaded, because the one in front may never call ours. One behind sees all calls.
__attribute__((constructor)) void look_who_is_first() {
    const char *first = another_in_front();
    if (first == nullptr || !is_first_process()) return;
    std::fprintf(stderr,
                 "cpl_lb: %s comes before cpl_lb: the calls of MPI that it passes on to PMPI are not recorded. Put "
                 "it behind cpl_lb's library in LD_PRELOAD: then both see all calls\n",
                 first);
}

} // namespace

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
