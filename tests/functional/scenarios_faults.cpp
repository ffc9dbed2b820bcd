// One thing after the other fails, each time in a process of its own that is forked after MPI_Init: what a preloaded
// library of tests/stubs counts (allocations, calls of netCDF) is counted once, and then the first fails, the second,
// and so on. Each child must come to its own end, and must not lose anything without a word.
#include "scenarios.hpp"

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

// From the preloaded library: makes the at-th call from now on fail (0: none); counts the calls; counts the failures.
extern "C" {
__attribute__((weak)) void fault_arm(long at);
__attribute__((weak)) long fault_calls();
__attribute__((weak)) long fault_fired();
}

// A child here is the model itself, which the library must take for one that was forked before MPI_Init. Not _Fork():
// that leaves the locks of malloc as other threads hold them at that moment.
static bool forking_a_model = false;
extern "C" int MPI_Initialized(int *flag) {
    const int code = PMPI_Initialized(flag);
    if (forking_a_model) *flag = 0;
    return code;
}

namespace scenario {
namespace {

struct Outcome {
    long calls;
    long fired;
    int ended;  // the model came to its end
    int silent; // something was lost, and every code was 0
};

bool there(const char *file) {
    return access(file, R_OK) == 0;
}

// EVENTS exchanges in ten dates, and what else a model says.
void model(Outcome &out, long at) {
    const long events = number("EVENTS", 100);
    for (const char *file : {"load_balancing_info.json", "load_balancing_info.txt", "timeline_ocean.nc"})
        unlink(file);
    fault_arm(at);
    int worst = cpl_lb_init(MPI_COMM_WORLD, "ocean");
    const auto note = [&](int code) { worst = code < worst ? code : worst; };
    const int f = cpl_lb_field("temperature at the surface of the sea", "atmosphere");
    const int r = cpl_lb_region("dynamics and advection of the ocean");
    note(f);
    note(r);
    note(cpl_lb_set_grid(1000, 10));
    for (long i = 0; i < events; ++i) {
        if (i % (events / 10) == 0) cpl_lb_date(i);
        cpl_lb_region_begin(r);
        cpl_lb_region_end(r);
        mark(CPL_LB_PUT, f);
    }
    note(cpl_lb_component_begin("ice"));
    mark(CPL_LB_GET, f);
    note(cpl_lb_component_end());
    note(cpl_lb_terminate(100));
    out.calls = fault_calls();
    out.fired = fault_fired();
    fault_arm(0);
    const bool all =
        there("load_balancing_info.json") && there("load_balancing_info.txt") && there("timeline_ocean.nc");
    out.silent = worst == 0 && !all ? 1 : 0;
    out.ended = 1;
}

// A child that hangs is ended by SIGALRM, which counts as not ended.
void in_child(Outcome &out, long at) {
    out = {};
    std::fflush(nullptr);
    forking_a_model = true;
    const pid_t child = fork();
    forking_a_model = false;
    if (child == 0) {
        alarm(30);
        model(out, at);
        std::fflush(nullptr);
        _exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) out.ended = 0;
}

// STEP: every so manieth only.
int each_fault() {
    if (fault_arm == nullptr) return 2;
    void *shared = mmap(nullptr, sizeof(Outcome), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    Outcome &out = *static_cast<Outcome *>(shared);
    in_child(out, 0);
    const long calls = out.calls;
    say("calls", static_cast<double>(calls));
    say("clean", out.ended == 1 && out.silent == 0 && out.fired == 0 ? 1 : 0);
    const long step = number("STEP", 1);
    Outcome sum{};
    long places = 0;
    long beyond = 0; // of a run that made fewer calls than the first: the meters sample by the clock
    for (long at = 1; at <= calls; at += step) {
        in_child(out, at);
        if (out.fired == 0 && out.ended == 1 && out.calls < at) {
            ++beyond;
            continue;
        }
        ++places;
        sum.fired += out.fired;
        sum.ended += out.ended;
        sum.silent += out.silent;
        if (out.ended == 0 || out.silent != 0)
            std::printf("place %ld ended %d silent %d\n", at, out.ended, out.silent);
    }
    say("places", static_cast<double>(places));
    say("beyond", static_cast<double>(beyond));
    say("fired", static_cast<double>(sum.fired));
    say("ended", static_cast<double>(sum.ended));
    say("silent", static_cast<double>(sum.silent));
    return 0;
}

} // namespace

Scenarios fault_scenarios() {
    return {{"each_fault", each_fault}};
}

} // namespace scenario
