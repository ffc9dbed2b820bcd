// The same for the Fortran that calls PMPI, so that the wrappers of C never see it: all of OpenMPI's (mpif.h, use
// mpi, use mpi_f08), and of MPICH's mpi_f08 the functions without a buffer. The rest of MPICH's calls MPI's functions
// of C.
#include "profiling/hooks.hpp"

#include <dlfcn.h>
#include <mpi.h>

namespace {

using namespace cpl_lb::profiling;

// The next one after ours: MPI's, or another profiling library's. Null: the program is not Fortran.
template <class Function>
Function *next(const char *name) {
    return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}

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
#define MSG(x) Message(x, 0)
#define ST(x) Statuses(x)
#define WRAPPER(symbol, Hook, arguments, ...)                                                                        \
    void symbol(EXPAND(EACH(FORTRAN, __VA_ARGS__)), void *ierror) {                                                  \
        using Real = void(EXPAND(EACH(FORTRAN_TYPE, __VA_ARGS__)), void *);                                          \
        static Real *const real = next<Real>(#symbol);                                                               \
        const Call call(CLASS);                                                                                      \
        if (!call.recorded()) return real(EXPAND(EACH(PASSED, __VA_ARGS__)), ierror);                                \
        Hook hook(call, BARE arguments);                                                                             \
        look_at_size(hook, EXPAND(EACH(PASSED, __VA_ARGS__)));                                                       \
        real(EXPAND(EACH(PASSED, __VA_ARGS__)), ierror);                                                             \
        hook.after(is_good(ierror));                                                                                 \
    }
#if defined(OPEN_MPI)
#define AND_MPIF_H(...) __VA_ARGS__
#else
#define AND_MPIF_H(...)
#endif
#define CALL(Name, name, Hook, arguments, ...)                                                                       \
    AND_MPIF_H(WRAPPER(mpi_##name##_, Hook, arguments, __VA_ARGS__))                                                 \
    WRAPPER(mpi_##name##_f08_, Hook, arguments, __VA_ARGS__)
#define BEGIN(symbol)                                                                                                \
    void symbol(void *ierror) {                                                                                      \
        static auto *const real = next<void(void *)>(#symbol);                                                       \
        real(ierror);                                                                                                \
        if (is_good(ierror)) mpi_has_begun();                                                                        \
    }
#define BEGIN_THREADED(symbol)                                                                                       \
    void symbol(void *required, void *provided, void *ierror) {                                                      \
        static auto *const real = next<void(void *, void *, void *)>(#symbol);                                       \
        real(required, provided, ierror);                                                                            \
        if (is_good(ierror)) mpi_has_begun();                                                                        \
    }
#define END(symbol)                                                                                                  \
    void symbol(void *ierror) {                                                                                      \
        static auto *const real = next<void(void *)>(#symbol);                                                       \
        mpi_will_end();                                                                                              \
        real(ierror);                                                                                                \
    }

extern "C" {

#include "profiling/calls.inc"

AND_MPIF_H(BEGIN(mpi_init_))
BEGIN(mpi_init_f08_)
AND_MPIF_H(BEGIN_THREADED(mpi_init_thread_))
BEGIN_THREADED(mpi_init_thread_f08_)
AND_MPIF_H(END(mpi_finalize_))
END(mpi_finalize_f08_)
}
