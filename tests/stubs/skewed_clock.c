/* Preloaded under a process of a test: CLOCK_MONOTONIC is bent, as on another node. SKEW_<rank>="offset ppm step
   grain": off by `offset` seconds, drifting by `ppm`, and ahead by another `step` (which may be left out) once the
   process has called skewed_clock_step(). Ranks without it are not bent; outside of MPI it is SKEW_none. The system
   call itself tells the truth. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static double offset, ppm, step, grain;
static int stepped;

void skewed_clock_step(void);
void skewed_clock_step(void) {
    stepped = 1;
}

static int bent(void) {
    static int known = -1;
    if (known < 0) {
        char name[32];
        const char *mine = getenv("OMPI_COMM_WORLD_RANK");
        const char *values;
        if (mine == NULL) mine = getenv("PMI_RANK");
        snprintf(name, sizeof name, "SKEW_%s", mine == NULL ? "none" : mine);
        values = getenv(name);
        known = values != NULL && sscanf(values, "%lf %lf %lf %lf", &offset, &ppm, &step, &grain) >= 2;
    }
    return known;
}

int clock_gettime(clockid_t id, struct timespec *t) {
    static double first = -1.0;
    double passed, bend;
    long long ns;
    const int code = (int)syscall(SYS_clock_gettime, id, t);
    if (code != 0 || id != CLOCK_MONOTONIC || !bent()) return code;
    passed = (double)t->tv_sec + 1e-9 * (double)t->tv_nsec;
    if (first < 0.0) first = passed;
    passed -= first;
    bend = offset + 1e-6 * ppm * passed + (stepped ? step : 0.0);
    ns = (long long)t->tv_nsec + (long long)(bend * 1e9);
    t->tv_sec += ns / 1000000000LL;
    t->tv_nsec = (long)(ns % 1000000000LL);
    if (t->tv_nsec < 0) {
        t->tv_nsec += 1000000000L;
        t->tv_sec -= 1;
    }
    if (grain > 0.0) t->tv_nsec -= t->tv_nsec % (long)(grain * 1e9);
    return 0;
}
