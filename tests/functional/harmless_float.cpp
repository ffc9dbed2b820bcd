// Floating-point modes of the model: neither felt by the library nor changed by it, whatever is called with whatever.
#include "harmless.hpp"

#include <cfenv>
#include <cpl_lb/cpl_lb_manager.h>
#include <limits>
#include <vector>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace {

struct Modes {
    int traps = fegetexcept();
    int rounding = fegetround();
    int flags = fetestexcept(FE_ALL_EXCEPT);
    unsigned registers = 0;
    Modes() {
#if defined(__x86_64__)
        unsigned short x87 = 0;
        __asm__ volatile("fnstcw %0" : "=m"(x87));
        registers = (_mm_getcsr() & 0xffc0U) << 16U | x87; // all but the flags, which stand above
#endif
    }
    bool operator==(const Modes &) const = default;
};

bool watching = false;
long looked = 0;
long felt = 0;

// The library calls MPI in the default environment: so it works in it.
void look() {
    if (!watching) return;
    Modes now;
    now.flags = 0;
    fenv_t before;
    fegetenv(&before);
    fesetenv(FE_DFL_ENV);
    Modes normal;
    normal.flags = 0;
    fesetenv(&before);
    ++looked;
    if (!(now == normal)) ++felt;
}

} // namespace

// This program is a profiling tool, too: its wrappers stand before MPI's functions, as those of Score-P or TAU do.
extern "C" {

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request) {
    look();
    return PMPI_Isend(buffer, count, type, to, tag, comm, request);
}

int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request) {
    look();
    return PMPI_Irecv(buffer, count, type, from, tag, comm, request);
}

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
    look();
    return PMPI_Test(request, flag, status);
}

} // extern "C"

namespace scenario {
namespace {

void set_modes(const std::string &which) {
    if (which == "upward") fesetround(FE_UPWARD);
    if (which == "downward") fesetround(FE_DOWNWARD);
    if (which == "truncated") fesetround(FE_TOWARDZERO);
    if (which == "all_traps") feenableexcept(FE_ALL_EXCEPT); // inexact and underflow, too
#if defined(__x86_64__)
    if (which == "flushed") _mm_setcsr(_mm_getcsr() | 0x8040U); // as -ffast-math and ifort link it
    if (which == "short_x87") {
        const unsigned short single = 0x007f; // 24 bits, all masked
        __asm__ volatile("fldcw %0" : : "m"(single));
    }
    if (which == "raised") { // flags that the model has raised and will look at itself, in both units
        feclearexcept(FE_ALL_EXCEPT);
        fedisableexcept(FE_ALL_EXCEPT);
        volatile double zero = 0;
        volatile long double long_zero = 0;
        volatile double inf = 1 / zero;
        volatile long double nan = long_zero / long_zero;
        static_cast<void>(inf);
        static_cast<void>(nan);
    }
#endif
}

int calls = 0;
int changed = 0;

template <class Call>
void watched(const char *name, Call call) {
    const Modes before;
    watching = true;
    call();
    watching = false;
    const Modes after;
    ++calls;
    if (after == before) return;
    ++changed;
    std::printf("changed by %s: traps %x %x flags %x %x registers %x %x\n", name, before.traps, after.traps,
                before.flags, after.flags, before.registers, after.registers);
}

// Every number that a model may have before it is set.
void odd_numbers() {
    using Limits = std::numeric_limits<double>;
    for (const double v : {Limits::quiet_NaN(), Limits::signaling_NaN(), Limits::infinity(), -1.0, 0.0,
                           Limits::denorm_min(), Limits::max(), 12.5}) {
        watched("set_cell_size", [&] { cpl_lb_set_cell_size(v, v); });
        watched("set_complexity", [&] { cpl_lb_set_complexity(v); });
        watched("set_state_bytes", [&] { cpl_lb_set_state_bytes(v); });
        watched("add_output_bytes", [&] { cpl_lb_add_output_bytes(v); });
        watched("set_length", [&] { cpl_lb_set_length(v); });
        watched("assert_parameter", [&] { cpl_lb_assert_parameter("n", v); });
    }
    watched("set_grid", [] { cpl_lb_set_grid(1000, 10); });
    watched("set_grid", [] { cpl_lb_set_grid(-1, 0); });
    watched("set_io_server", [] { cpl_lb_set_io_server(0); });
    watched("enabled", [] { cpl_lb_enabled(); });
    watched("strerror", [] { cpl_lb_strerror(cpl_lb_version() == nullptr ? 1 : 0); });
}

void record() {
    const int f = cpl_lb_field("F", "x");
    const int r = cpl_lb_region("dynamics");
    watched("field_set", [&] { cpl_lb_field_set(f, "G", "y"); });
    watched("assert_expression", [&] { cpl_lb_assert_expression(r, "flops", "2 * n ^ 0.5"); });
    watched("component", [&] {
        cpl_lb_component_begin("ice");
        cpl_lb_component_end();
    });
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(150); // calibrations and samples
    for (int i = 0; i < 20000 || std::chrono::steady_clock::now() < until; ++i) {         // chunks
        watched("events", [&] {
            cpl_lb_date(i);
            cpl_lb_region_begin(r);
            cpl_lb_begin(CPL_LB_PUT, f);
            cpl_lb_end(CPL_LB_PUT, f);
            cpl_lb_region_end(r);
        });
    }
}

void manage() {
    int m = 0;
    int counts[] = {2, 2};
    watched("manager", [&] {
        double parts[2][8];
        m = cpl_lb_manager_new(2, 4, CPL_LB_DIRECT);
        cpl_lb_manager_gain(m, 0.1);
        const int other[] = {2, 1};
        for (int c : {1, 2}) {
            cpl_lb_watch_start(c);
            cpl_lb_watch_meet(c, 1, &other[c - 1]);
            cpl_lb_watch_left(c);
            cpl_lb_manager_times(m, c, parts[c - 1], cpl_lb_watch_stop(c, parts[c - 1], 8));
        }
        cpl_lb_manager_next(m, 0.5, counts);
        double predicted = 0;
        cpl_lb_manager_state(m, &predicted, nullptr, nullptr, nullptr);
        cpl_lb_manager_free(m);
    });
}

int modes() {
    fenv_t usual;
    fegetenv(&usual);
    set_modes(setting("MODES"));
    int code = 0;
    watched("init", [&] { code = cpl_lb_init(MPI_COMM_WORLD, "ocean"); });
    odd_numbers();
    record();
    manage();
    watched("terminate", [&] {
        const int ended = cpl_lb_terminate(std::numeric_limits<double>::signaling_NaN());
        code = ended != 0 ? ended : code;
    });
    watched("after the end", [] { cpl_lb_set_complexity(1.0); });
    fesetenv(&usual);
    long numbers[] = {looked, felt, changed};
    long sums[3] = {};
    MPI_Allreduce(numbers, sums, 3, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        say("calls", calls);
        say("looked", static_cast<double>(sums[0]));
        say("felt", static_cast<double>(sums[1]));
        say("changed", static_cast<double>(sums[2]));
    }
    return code;
}

} // namespace

Scenarios float_scenarios() {
    return {{"modes", modes}};
}

} // namespace scenario
