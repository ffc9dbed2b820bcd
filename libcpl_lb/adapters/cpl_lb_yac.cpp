// Adapter for YAC 3: every put and get that moves data becomes a coupling event, without a change in the model. YAC's
// Fortran module calls the same C functions, so that Fortran models are seen here, too.
#include "cpl_lb_mct.hpp" // MPI without its C++ classes

#include "cpl_lb_unrecorded.hpp"
#include "cpl_lb_wrap.hpp"
#include "cpl_lb_yac_events.hpp"

#include <cstdint>
#include <cstdlib>
#include <mpi.h>
#include <string>
#include <utility>
#include <vector>

// CPL_LB_YAC(name) { ...; real_name(CPL_LB_PASS); ... }: as CPL_LB_WRAP, but weak, since versions differ in what they
// have. The functions return nothing, and their arguments are addresses and whole numbers.
#ifdef CPL_LB_ADAPTER_PRELOAD
#define CPL_LB_YAC(NAME)                                                                                             \
    CPL_LB_REAL(NAME, #NAME)                                                                                         \
    extern "C" __attribute__((visibility("default"))) void wrapped_##NAME(CPL_LB_WORDS) __asm__(#NAME);              \
    void wrapped_##NAME(CPL_LB_WORDS)
#else
#define CPL_LB_YAC(NAME)                                                                                             \
    extern "C" __attribute__((weak)) void real_##NAME(CPL_LB_WORDS) __asm__("__real_" #NAME);                        \
    extern "C" void wrapped_##NAME(CPL_LB_WORDS) __asm__("__wrap_" #NAME);                                           \
    void wrapped_##NAME(CPL_LB_WORDS)
#endif

// All forms of a call are the same to us: only the numbers of the fields are read.
#define CPL_LB_YAC_AS(WHAT, NAME)                                                                                    \
    CPL_LB_YAC(NAME) {                                                                                               \
        WHAT(number(a0), [&] { real_##NAME(CPL_LB_PASS); });                                                         \
    }
#define CPL_LB_YAC_EXCHANGE(NAME)                                                                                    \
    CPL_LB_YAC(NAME) {                                                                                               \
        yac::exchange(number(a0), number(a1), [&] { real_##NAME(CPL_LB_PASS); });                                    \
    }
#define CPL_LB_YAC_INIT(NAME)                                                                                        \
    CPL_LB_YAC(NAME) {                                                                                               \
        init([&] { real_##NAME(CPL_LB_PASS); });                                                                     \
    }
#define CPL_LB_YAC_END(NAME, ENDS)                                                                                   \
    CPL_LB_YAC(NAME) {                                                                                               \
        leave(ENDS, [&] { real_##NAME(CPL_LB_PASS); });                                                              \
    }
#define CPL_LB_YAC_COMPONENT(NAME, ITS_NAME, LAST)                                                                   \
    CPL_LB_YAC(NAME) {                                                                                               \
        const char *name = static_cast<const char *>(ITS_NAME);                                                      \
        define_components(&name, 1, LAST, [&] { real_##NAME(CPL_LB_PASS); });                                        \
    }
#define CPL_LB_YAC_GRID(NAME)                                                                                        \
    CPL_LB_YAC(NAME) {                                                                                               \
        timed(CPL_LB_PART, [&] { real_##NAME(CPL_LB_PASS); });                                                       \
    }

namespace cpl_lb::adapter {
namespace {

using yac::own_component;
std::vector<std::string> own_names;     // components of this process, in the order of their definition
MPI_Comm coupled_world = MPI_COMM_NULL; // all processes that YAC couples, while it lives
int instances = 0;
bool yac_started = false;

int number(Word word) {
    return static_cast<int>(reinterpret_cast<std::intptr_t>(word));
}
template <class... Arguments>
void call(void (*function)(CPL_LB_WORDS), Arguments... arguments) {
    reinterpret_cast<void (*)(Arguments...)>(reinterpret_cast<void *>(function))(arguments...);
}

int forget_world(MPI_Comm comm, int /*key*/, void * /*value*/, void * /*extra*/) {
    if (comm == coupled_world) coupled_world = MPI_COMM_NULL;
    return MPI_SUCCESS;
}
void finish_yac() {
    if (!std::exchange(yac_started, false)) return;
    cpl_lb_terminate(yac::run.simulated_s());
}
int finish_yac_with_mpi(MPI_Comm /*self*/, int /*key*/, void * /*value*/, void * /*extra*/) {
    finish_yac();
    return MPI_SUCCESS;
}

// YAC keeps a communicator of its own of all processes that it couples, in all executables, with the adapter and
// without, until it ends: messages may go there. It does not give it away, but makes it inside yac_cinit. What was
// given to yac_cinit_comm will not do: another executable may have freed it by now.
bool initialising = false;
void see_split(MPI_Comm made) {
    if (!initialising || yac_started || made == MPI_COMM_NULL) return;
    coupled_world = made; // the last one that lives on
    watch(made, &forget_world);
}
template <class Real>
void init(Real real) {
    const OutermostCall call;
    if (OutermostCall::inside_another()) return real();
    unrecorded::reached = true;
    ++instances;
    initialising = instances == 1;
    real();
    initialising = false;
}

// Without YAC's communicator: all processes of the job. Those that YAC does not couple are then waited for, as others
// that lack the library are.
void start_yac() {
    if (yac_started || yac::lacks_a_question()) return;
    yac_started = true;
    own_component = own_names.empty() ? "yac" : own_names.front();
    cpl_lb_init(coupled_world != MPI_COMM_NULL ? coupled_world : MPI_COMM_WORLD, own_component.c_str());
    watch(MPI_COMM_SELF, &finish_yac_with_mpi); // taken away first of all when MPI ends
}

template <class Real>
void define_components(const char **names, int count, bool last, Real real) {
    const OutermostCall call;
    real();
    if (OutermostCall::inside_another()) return;
    without_exceptions([&] {
        for (int i = 0; i < count; ++i)
            own_names.emplace_back(names[i]);
        if (last) start_yac();
    });
}

template <class Real>
void timed(int kind, Real real) {
    const OutermostCall call;
    if (!yac_started || OutermostCall::inside_another()) return real();
    event(kind, 0, real);
}

// The end of the definitions. Asked for in the same call, and by this process alone: the couples as YAC knows them.
template <class Real, class Emitting>
void end_definitions(int instance, Real real, Emitting emitting) {
    const OutermostCall call;
    if (OutermostCall::inside_another() || cpl_lb_enabled() == 0) return real();
    char *configuration = nullptr;
    cpl_lb_begin(CPL_LB_ENDF, 0);
    if (yac::questions().json != nullptr)
        emitting(*yac::questions().json, &configuration);
    else
        real();
    cpl_lb_end(CPL_LB_ENDF, 0);
    without_exceptions([&] { yac::run.defined(instance, configuration); });
    std::free(configuration);
}
// The model itself asks for the configuration. As YAML it says nothing to us: counterparts are not known.
template <class Real>
void end_definitions_emitting(int instance, Word result, Real real) {
    const OutermostCall call;
    if (!yac_started || OutermostCall::inside_another()) return real();
    event(CPL_LB_ENDF, 0, real);
    if (cpl_lb_enabled() != 0) without_exceptions([&] { yac::run.defined(instance, *static_cast<char **>(result)); });
}

// `ends`: the last instance that goes takes the run with it, where MPI ends with it.
template <class Real>
void leave(bool ends, Real real) {
    const OutermostCall call;
    if (!OutermostCall::inside_another()) {
        if (instances > 0) --instances;
        if (instances == 0 && ends) finish_yac();
        if (instances == 0) {
            yac::run.clear();
            own_names.clear();
        }
    }
    real();
}

} // namespace

#ifndef CPL_LB_ADAPTER_PRELOAD
// Not weak, and all versions have it: so the linker takes YAC out of its archive.
extern "C" void yac_of_its_archive(CPL_LB_WORDS) __asm__("__real_yac_cfinalize");
__attribute__((used)) static const auto brought_in = &yac_of_its_archive;
#endif

// Start. The Fortran module calls the forms with _f2c.
CPL_LB_YAC_INIT(yac_cinit)
CPL_LB_YAC_INIT(yac_cinit_instance)
CPL_LB_YAC_INIT(yac_cinit_comm)
CPL_LB_YAC_INIT(yac_cinit_comm_instance)
CPL_LB_YAC_INIT(yac_cinit_comm_f2c)
CPL_LB_YAC_INIT(yac_cinit_comm_instance_f2c)

#ifdef CPL_LB_ADAPTER_PRELOAD
static int real_split(MPI_Comm comm, int color, int key, MPI_Comm *made) {
    using Real = int (*)(MPI_Comm, int, int, MPI_Comm *);
    static const Real real = reinterpret_cast<Real>(shared::next_of("MPI_Comm_split"));
    return real(comm, color, key, made);
}
extern "C" __attribute__((visibility("default"))) int wrapped_split(MPI_Comm comm, int color, int key,
                                                                    MPI_Comm *made) __asm__("MPI_Comm_split");
#else
extern "C" int real_split(MPI_Comm comm, int color, int key, MPI_Comm *made) __asm__("__real_MPI_Comm_split");
extern "C" int wrapped_split(MPI_Comm comm, int color, int key, MPI_Comm *made) __asm__("__wrap_MPI_Comm_split");
#endif
int wrapped_split(MPI_Comm comm, int color, int key, MPI_Comm *made) {
    const int error = real_split(comm, color, key, made);
    if (error == MPI_SUCCESS) see_split(*made);
    return error;
}

CPL_LB_YAC_END(yac_ccleanup, false)
CPL_LB_YAC_END(yac_ccleanup_instance, false)
CPL_LB_YAC_END(yac_cfinalize, true)
CPL_LB_YAC_END(yac_cfinalize_instance, true)

// Definitions.
CPL_LB_YAC_COMPONENT(yac_cpredef_comp, a0, false)
CPL_LB_YAC_COMPONENT(yac_cpredef_comp_instance, a1, false)
CPL_LB_YAC_COMPONENT(yac_cdef_comp, a0, true)
CPL_LB_YAC_COMPONENT(yac_cdef_comp_instance, a1, true)
CPL_LB_YAC(yac_cdef_comps) {
    define_components(static_cast<const char **>(a0), number(a1), true, [&] { real_yac_cdef_comps(CPL_LB_PASS); });
}
CPL_LB_YAC(yac_cdef_comps_instance) {
    define_components(static_cast<const char **>(a1), number(a2), true,
                      [&] { real_yac_cdef_comps_instance(CPL_LB_PASS); });
}

CPL_LB_YAC_GRID(yac_cdef_grid_reg2d)
CPL_LB_YAC_GRID(yac_cdef_grid_curve2d)
CPL_LB_YAC_GRID(yac_cdef_grid_unstruct)
CPL_LB_YAC_GRID(yac_cdef_grid_unstruct_ll)
CPL_LB_YAC_GRID(yac_cdef_grid_unstruct_edge)
CPL_LB_YAC_GRID(yac_cdef_grid_unstruct_edge_ll)
CPL_LB_YAC_GRID(yac_cdef_grid_cloud)

CPL_LB_YAC(yac_cenddef_and_emit_config) {
    end_definitions_emitting(-1, a1, [&] { real_yac_cenddef_and_emit_config(CPL_LB_PASS); });
}
CPL_LB_YAC(yac_cenddef_and_emit_config_instance) {
    end_definitions_emitting(number(a0), a2, [&] { real_yac_cenddef_and_emit_config_instance(CPL_LB_PASS); });
}
CPL_LB_YAC(yac_cenddef) {
    end_definitions(
        -1, [&] { real_yac_cenddef(CPL_LB_PASS); },
        [](int json, char **result) { call(&real_yac_cenddef_and_emit_config, json, result); });
}
CPL_LB_YAC(yac_cenddef_instance) {
    const int instance = number(a0);
    end_definitions(
        instance, [&] { real_yac_cenddef_instance(CPL_LB_PASS); },
        [&](int json, char **result) { call(&real_yac_cenddef_and_emit_config_instance, instance, json, result); });
}

// Exchanges. Those that end in _ have the field in one piece, or in one pointer for each set of points.
CPL_LB_YAC_AS(yac::update, yac_cupdate)
CPL_LB_YAC_AS(yac::put, yac_cput)
CPL_LB_YAC_AS(yac::put, yac_cput_)
CPL_LB_YAC_AS(yac::put, yac_cput_frac)
CPL_LB_YAC_AS(yac::put, yac_cput_frac_)
CPL_LB_YAC_AS(yac::put, yac_cput_ptr_)
CPL_LB_YAC_AS(yac::put, yac_cput_frac_ptr_)

CPL_LB_YAC_AS(yac::get, yac_cget)
CPL_LB_YAC_AS(yac::get, yac_cget_)
CPL_LB_YAC_AS(yac::get, yac_cget_raw)
CPL_LB_YAC_AS(yac::get, yac_cget_raw_)
CPL_LB_YAC_AS(yac::get, yac_cget_raw_frac)
CPL_LB_YAC_AS(yac::get, yac_cget_raw_frac_)
CPL_LB_YAC_AS(yac::get_async, yac_cget_async)
CPL_LB_YAC_AS(yac::get_async, yac_cget_async_)
CPL_LB_YAC_AS(yac::get_async, yac_cget_raw_async)
CPL_LB_YAC_AS(yac::get_async, yac_cget_raw_async_)
CPL_LB_YAC_AS(yac::get_async, yac_cget_raw_frac_async)
CPL_LB_YAC_AS(yac::get_async, yac_cget_raw_frac_async_)

CPL_LB_YAC_EXCHANGE(yac_cexchange)
CPL_LB_YAC_EXCHANGE(yac_cexchange_)
CPL_LB_YAC_EXCHANGE(yac_cexchange_frac)
CPL_LB_YAC_EXCHANGE(yac_cexchange_frac_)
CPL_LB_YAC_EXCHANGE(yac_cexchange_ptr_)
CPL_LB_YAC_EXCHANGE(yac_cexchange_frac_ptr_)
CPL_LB_YAC_EXCHANGE(yac_cexchange_raw)
CPL_LB_YAC_EXCHANGE(yac_cexchange_raw_)
CPL_LB_YAC_EXCHANGE(yac_cexchange_raw_frac)
CPL_LB_YAC_EXCHANGE(yac_cexchange_raw_frac_)
CPL_LB_YAC_EXCHANGE(yac_cexchange_raw_ptr_)
CPL_LB_YAC_EXCHANGE(yac_cexchange_raw_frac_ptr_)

CPL_LB_YAC_AS(yac::wait, yac_cwait)
CPL_LB_YAC(yac_ctest) {
    yac::test(number(a0), static_cast<const int *>(a1), [&] { real_yac_ctest(CPL_LB_PASS); });
}

} // namespace cpl_lb::adapter
