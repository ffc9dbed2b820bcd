// The same for those Fortran bindings that call PMPI directly, so that the C wrappers never see them: all of
// OpenMPI's (mpif.h, use mpi, use mpi_f08), and the functions without a buffer in MPICH's mpi_f08. MPICH's other
// bindings call the C functions of MPI.
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

bool is_good(const void *ierror) { // optional in mpi_f08
    return ierror == nullptr || *static_cast<const MPI_Fint *>(ierror) == MPI_SUCCESS;
}

} // namespace

#include "profiling/expand.inc"
// NOLINTBEGIN(bugprone-macro-parentheses): declarations
#define FORTRAN(type, name) void *name
#define FORTRAN_TYPE(type, name) void *
// NOLINTEND(bugprone-macro-parentheses)
#define V(x) Referred(x)
#define OUT(x) (static_cast<int *>(x))
#define COMM(x) NewCommunicator(x, 0)
#define REQ(x) Requests(x, 0)
#define REQ_VALUE REQ
#define MSG(x) Message(x, 0)
#define ST(x) Statuses(x)
// texts, text_types, passed_texts: the lengths of texts, which Fortran passes as last arguments.
#define WRAPPER_WITH(texts, text_types, passed_texts, symbol, Hook, arguments, ...)                                  \
    void symbol(EXPAND(EACH(FORTRAN, __VA_ARGS__)), void *ierror BEHIND texts) {                                     \
        using Real = void(EXPAND(EACH(FORTRAN_TYPE, __VA_ARGS__)), void *BEHIND text_types);                         \
        static Real *const real = next_of_fortran<Real>(TEXT_OF(symbol));                                            \
        Call call(CLASS);                                                                                            \
        if (!call.recorded()) return real(EXPAND(EACH(PASSED, __VA_ARGS__)), ierror BEHIND passed_texts);            \
        std::optional<Hook> hook;                                                                                    \
        call.guard([&] { hook.emplace(call BEHIND arguments); });                                                    \
        real(EXPAND(EACH(PASSED, __VA_ARGS__)), ierror BEHIND passed_texts);                                         \
        const bool good = is_good(ierror);                                                                           \
        call.guard([&] {                                                                                             \
            if (good) look_at_size(*hook, EXPAND(EACH(PASSED, __VA_ARGS__)));                                        \
            hook->after(good);                                                                                       \
        });                                                                                                          \
    }
#define WRAPPER(...) WRAPPER_WITH((), (), (), __VA_ARGS__)
#define WRAPPER_TEXT(...) WRAPPER_WITH((std::size_t length), (std::size_t), (length), __VA_ARGS__)
#define WRAPPER_TEXTS(...)                                                                                           \
    WRAPPER_WITH((std::size_t length, std::size_t other), (std::size_t, std::size_t), (length, other), __VA_ARGS__)
#if defined(OPEN_MPI)
#define AND_MPIF_H(...) __VA_ARGS__
#else
#define AND_MPIF_H(...)
#endif
#define EVERY(A_WRAPPER, name, ...)                                                                                  \
    AND_MPIF_H(A_WRAPPER(JOINED(FORTRAN_PREFIX, name##_), __VA_ARGS__))                                              \
    A_WRAPPER(JOINED(FORTRAN_PREFIX, name##_f08_), __VA_ARGS__)
#define CALL(Name, name, ...) EVERY(WRAPPER, name, __VA_ARGS__)
#define CALL_L CALL
#define CALL_TEXT(Name, name, ...) EVERY(WRAPPER_TEXT, name, __VA_ARGS__)
#define CALL_TEXTS(Name, name, ...) EVERY(WRAPPER_TEXTS, name, __VA_ARGS__)
#define BEGIN(symbol)                                                                                                \
    void symbol(void *ierror) {                                                                                      \
        static auto *const real = next_of_fortran<void(void *)>(#symbol);                                            \
        real(ierror);                                                                                                \
        if (is_good(ierror)) mpi_has_begun();                                                                        \
    }
#define BEGIN_THREADED(symbol)                                                                                       \
    void symbol(void *required, void *provided, void *ierror) {                                                      \
        static auto *const real = next_of_fortran<void(void *, void *, void *)>(#symbol);                            \
        real(required, provided, ierror);                                                                            \
        if (is_good(ierror)) mpi_has_begun();                                                                        \
    }
#define END(symbol)                                                                                                  \
    void symbol(void *ierror) {                                                                                      \
        static auto *const real = next_of_fortran<void(void *)>(#symbol);                                            \
        mpi_will_end();                                                                                              \
        real(ierror);                                                                                                \
    }

extern "C" {

#include "profiling/calls.inc"

#undef CALL
#undef CALL_L
#undef CALL_TEXT
#undef CALL_TEXTS
#define CALL(...)
#define CALL_TEXT(...)
#define CALL_TEXTS(...)
#if MPI_VERSION >= 4
#define CALL_L(Name, name, ...) WRAPPER(JOINED(FORTRAN_PREFIX, name##_f08_large_), __VA_ARGS__)
#define LARGE_COUNTS
#include "profiling/calls.inc"
#endif

// OpenMPI's for a base that is a TYPE(C_PTR).
#define CLASS CPL_LB_MPI_ONE_SIDED
#define ALLOCATE(Hook)                                                                                               \
    Hook, (V(comm)), P(MPI_Aint, size), P(int, unit), P(MPI_Info, info), P(MPI_Comm, comm), P(void *, base),         \
        P(MPI_Win *, win)
AND_MPIF_H(WRAPPER(mpi_win_allocate_cptr_, ALLOCATE(Together)))
AND_MPIF_H(WRAPPER(mpi_win_allocate_shared_cptr_, ALLOCATE(ShareMemory)))

AND_MPIF_H(BEGIN(mpi_init_))
BEGIN(mpi_init_f08_)
AND_MPIF_H(BEGIN_THREADED(mpi_init_thread_))
BEGIN_THREADED(mpi_init_thread_f08_)
AND_MPIF_H(END(mpi_finalize_))
END(mpi_finalize_f08_)

#if MPI_VERSION >= 4
void mpi_session_finalize_f08_(void *session, void *ierror) {
    static auto *const real = next_of_fortran<void(void *, void *)>("mpi_session_finalize_f08_");
    if (!mpi_was_begun())
        tell_that_sessions_are_not_recorded(PMPI_Session_f2c(*static_cast<const MPI_Fint *>(session)));
    real(session, ierror);
}
#endif
}
