// MPI's profiling layer for C: the functions of calls.inc around those of MPI, and the begin and end of MPI.
#include "profiling/next.hpp"
#include "profiling/requests.hpp"
#include "profiling/windows.hpp"

#include <mpi.h>
#include <optional>
#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

namespace {

using namespace cpl_lb::profiling;

} // namespace

#include "profiling/expand.inc"
#define V(x) x
#define OUT(x) x
#define COMM(x) NewCommunicator(x)
#define REQ(x) Requests(x)
#define REQ_VALUE(x) Requests(&(x))
#define MSG(x) Message(x)
#define ST(x) Statuses(x)
#define WRAPPER(symbol, Hook, arguments, ...)                                                                        \
    int symbol(EXPAND(EACH(DECLARED, __VA_ARGS__))) {                                                                \
        static auto *const real = next_or(TEXT_OF(symbol), &JOINED(P, symbol));                                      \
        Call call(CLASS);                                                                                            \
        if (!call.recorded()) return real(EXPAND(EACH(PASSED, __VA_ARGS__)));                                        \
        std::optional<Hook> hook;                                                                                    \
        call.guard([&] { hook.emplace(call BEHIND arguments); });                                                    \
        const int code = real(EXPAND(EACH(PASSED, __VA_ARGS__)));                                                    \
        const bool good = code == MPI_SUCCESS;                                                                       \
        call.guard([&] {                                                                                             \
            if (good) look_at_size(*hook, EXPAND(EACH(PASSED, __VA_ARGS__)));                                        \
            hook->after(good);                                                                                       \
        });                                                                                                          \
        return code;                                                                                                 \
    }
#define CALL(Name, name, Hook, arguments, ...) WRAPPER(JOINED(PREFIX, Name), Hook, arguments, __VA_ARGS__)
#define CALL_L CALL
#define CALL_TEXT CALL
#define CALL_TEXTS CALL

extern "C" {

#include "profiling/calls.inc"

#if MPI_VERSION >= 4
#undef CALL
#undef CALL_L
#define CALL(...)
#define CALL_L(Name, name, Hook, arguments, ...)                                                                     \
    WRAPPER(JOINED(JOINED(PREFIX, Name), _c), Hook, arguments, __VA_ARGS__)
#define LARGE_COUNTS
#include "profiling/calls.inc"
#endif

int MPI_Init(int *argc, char ***argv) {
    static auto *const real = next_or("MPI_Init", &PMPI_Init);
    const int code = real(argc, argv);
    if (code == MPI_SUCCESS) mpi_has_begun();
    return code;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    static auto *const real = next_or("MPI_Init_thread", &PMPI_Init_thread);
    const int code = real(argc, argv, required, provided);
    if (code == MPI_SUCCESS) mpi_has_begun();
    return code;
}

int MPI_Finalize() {
    static auto *const real = next_or("MPI_Finalize", &PMPI_Finalize);
    mpi_will_end();
    return real();
}

#if MPI_VERSION >= 4
int MPI_Session_finalize(MPI_Session *session) {
    static auto *const real = next_or("MPI_Session_finalize", &PMPI_Session_finalize);
    if (!mpi_was_begun()) tell_that_sessions_are_not_recorded(*session);
    return real(session);
}
#endif
}
