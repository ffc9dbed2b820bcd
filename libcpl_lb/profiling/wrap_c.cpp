// MPI's profiling layer for C: the functions of calls.inc around PMPI's, and the begin and end of MPI.
#include "profiling/hooks.hpp"

#include <mpi.h>

namespace {

using namespace cpl_lb::profiling;

} // namespace

#include "profiling/expand.inc"
#define V(x) x
#define OUT(x) x
#define COMM(x) NewCommunicator(x)
#define REQ(x) Requests(x)
#define MSG(x) Message(x)
#define ST(x) Statuses(x)
#define CALL(Name, name, Hook, arguments, ...)                                                                       \
    int MPI_##Name(EXPAND(EACH(DECLARED, __VA_ARGS__))) {                                                            \
        const Call call(CLASS);                                                                                      \
        if (!call.recorded()) return PMPI_##Name(EXPAND(EACH(PASSED, __VA_ARGS__)));                                 \
        Hook hook(call, BARE arguments);                                                                             \
        look_at_size(hook, EXPAND(EACH(PASSED, __VA_ARGS__)));                                                       \
        const int code = PMPI_##Name(EXPAND(EACH(PASSED, __VA_ARGS__)));                                             \
        hook.after(code == MPI_SUCCESS);                                                                             \
        return code;                                                                                                 \
    }

extern "C" {

#include "profiling/calls.inc"

int MPI_Init(int *argc, char ***argv) {
    const int code = PMPI_Init(argc, argv);
    if (code == MPI_SUCCESS) mpi_has_begun();
    return code;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    const int code = PMPI_Init_thread(argc, argv, required, provided);
    if (code == MPI_SUCCESS) mpi_has_begun();
    return code;
}

int MPI_Finalize() {
    mpi_will_end();
    return PMPI_Finalize();
}
}
