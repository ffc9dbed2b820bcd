// Another profiling library, as MPI's tools are: it has every function of the table of calls, counts what it sees and
// calls PMPI. It listens to what the recorder tells libcpl_lb, too. At the end the counts of each process go to
// the file LISTENER_FILE.<rank>, one line each: "call MPI_Send 3", "row MPI_Send", "inside CLASS CALLS", "span KIND
// EVENTS", "seconds KIND SECONDS".
#include <cpl_lb/cpl_lb_inside.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <map>
#include <mpi.h>
#include <string>
#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

namespace {

// They live longer than all that is taken down at exit.
std::map<std::string, long> &calls = *new std::map<std::string, long>;
std::map<int, long> &inside = *new std::map<int, long>;
std::map<int, long> &spans = *new std::map<int, long>;
std::map<int, double> &seconds = *new std::map<int, double>;

long &count_of(const char *name) {
    return calls[name];
}

template <class Function>
Function *next(const char *name) {
    return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}

} // namespace

#include "profiling/expand.inc"
#define WRAPPER(symbol, ...)                                                                                         \
    int symbol(EXPAND(EACH(DECLARED, __VA_ARGS__))) {                                                                \
        static long &heard = count_of(TEXT_OF(symbol));                                                              \
        ++heard;                                                                                                     \
        return JOINED(P, symbol)(EXPAND(EACH(PASSED, __VA_ARGS__)));                                                 \
    }
#define CALL(Name, name, Hook, arguments, ...) WRAPPER(JOINED(PREFIX, Name), __VA_ARGS__)
#define CALL_L CALL
#define CALL_TEXT CALL
#define CALL_TEXTS CALL

extern "C" {

#include "profiling/calls.inc"

#undef CALL
#undef CALL_L
#define CALL(...)
#if MPI_VERSION >= 4
#define CALL_L(Name, name, Hook, arguments, ...) WRAPPER(JOINED(JOINED(PREFIX, Name), _c), __VA_ARGS__)
#define LARGE_COUNTS
#include "profiling/calls.inc"
#undef LARGE_COUNTS
#undef CALL_L
#endif

void cpl_lb_inside(cpl_lb_mpi_class mpi_class, std::uint64_t begin, std::uint64_t end) {
    ++inside[mpi_class];
    static auto *const real = next<void(cpl_lb_mpi_class, std::uint64_t, std::uint64_t)>("cpl_lb_inside");
    real(mpi_class, begin, end);
}

void cpl_lb_span(int kind, const int *fields, int count, std::uint64_t begin, std::uint64_t end, int early,
                 std::uint64_t early_end) {
    spans[kind] += count;
    static auto *const ticks_per_second = next<double()>("cpl_lb_ticks_per_second");
    seconds[kind] += static_cast<double>(end - begin) / ticks_per_second();
    static auto *const real =
        next<void(int, const int *, int, std::uint64_t, std::uint64_t, int, std::uint64_t)>("cpl_lb_span");
    real(kind, fields, count, begin, end, early, early_end);
}
}

// At exit, because OpenMPI's Fortran does not come by MPI_Finalize of C. A shell in front of the program heard
// nothing.
__attribute__((destructor)) static void tell() {
    const char *path = std::getenv("LISTENER_FILE");
    const char *rank = std::getenv("OMPI_COMM_WORLD_RANK");
    if (rank == nullptr) rank = std::getenv("PMI_RANK");
    if (path == nullptr || rank == nullptr || (calls.empty() && inside.empty())) return;
    std::FILE *out = std::fopen((path + ("." + std::string(rank))).c_str(), "w");
    if (out == nullptr) return;
    for (const auto &[name, count] : calls)
        std::fprintf(out, "call %s %ld\n", name.c_str(), count);
    for (const auto &[mpi_class, count] : inside)
        std::fprintf(out, "inside %d %ld\n", mpi_class, count);
    for (const auto &[kind, count] : spans)
        std::fprintf(out, "span %d %ld\n", kind, count);
    for (const auto &[kind, length] : seconds)
        std::fprintf(out, "seconds %d %.6f\n", kind, length);
#undef CALL
#undef CALL_TEXT
#undef CALL_TEXTS
#define CALL(Name, ...) std::fprintf(out, "row %s\n", TEXT_OF(JOINED(PREFIX, Name)));
#define CALL_TEXT CALL
#define CALL_TEXTS CALL
#undef CALL_L
#if MPI_VERSION >= 4
#define CALL_L(Name, ...)                                                                                            \
    CALL(Name)                                                                                                       \
    std::fprintf(out, "row %s\n", TEXT_OF(JOINED(JOINED(PREFIX, Name), _c)));
#else
#define CALL_L CALL
#endif
#include "profiling/calls.inc"
    std::fclose(out);
}
