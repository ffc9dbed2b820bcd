/* Preloaded into the tests' programs: MPI sleeps while it waits. Both MPIs poll without an end otherwise, and a test
 * that mostly waits takes the processors from what runs beside it: 2.2 s of processor time for a wait of 2 s of two
 * processes of OpenMPI 4.1, 0.6 s with this. OpenMPI calls sched_yield between its looks (mpi_yield_when_idle), MPICH
 * on UCX ucp_worker_progress, which says whether something came. The first looks do not sleep: short waits stay
 * short. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <time.h>

static const double looks_in_a_row =
    20e-6; /* s between two of them at most; later, the program has done something else */
static const int looks_awake = 100;

static _Thread_local int looks;
static _Thread_local double last_look;

static double now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void found_nothing(void) {
    const struct timespec nap = {0, 50000};
    looks = now_s() - last_look > looks_in_a_row ? 0 : looks + 1;
    if (looks > looks_awake) nanosleep(&nap, 0);
    last_look = now_s();
}

int sched_yield(void) {
    found_nothing();
    return 0;
}

unsigned ucp_worker_progress(void *worker) {
    static unsigned (*ucx)(void *);
    if (!ucx) *(void **)&ucx = dlsym(RTLD_NEXT, "ucp_worker_progress");
    const unsigned came = ucx ? ucx(worker) : 0;
    if (came)
        looks = 0;
    else
        found_nothing();
    return came;
}
