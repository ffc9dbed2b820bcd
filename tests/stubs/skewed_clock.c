/* Preloaded under a process of a test: CLOCK_MONOTONIC is off by SKEW_OFFSET seconds and drifts by SKEW_PPM, as on
   another node. Only ranks in SKEW_RANK are bent. The system call itself tells the truth. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int bent(void) {
    static int known = -1;
    if (known < 0) {
        const char *mine = getenv("OMPI_COMM_WORLD_RANK");
        const char *wanted = getenv("SKEW_RANK");
        if (mine == NULL) mine = getenv("PMI_RANK");
        known = mine != NULL && wanted != NULL && strcmp(mine, wanted) == 0;
    }
    return known;
}

int clock_gettime(clockid_t id, struct timespec *t) {
    static double first = -1.0;
    double seconds, bend;
    long long ns;
    const int code = (int)syscall(SYS_clock_gettime, id, t);
    if (code != 0 || id != CLOCK_MONOTONIC || !bent()) return code;
    seconds = (double)t->tv_sec + 1e-9 * (double)t->tv_nsec;
    if (first < 0.0) first = seconds;
    bend = atof(getenv("SKEW_OFFSET")) + 1e-6 * atof(getenv("SKEW_PPM")) * (seconds - first);
    ns = (long long)t->tv_nsec + (long long)(bend * 1e9);
    t->tv_sec += ns / 1000000000LL;
    t->tv_nsec = (long)(ns % 1000000000LL);
    if (t->tv_nsec < 0) {
        t->tv_nsec += 1000000000L;
        t->tv_sec -= 1;
    }
    return 0;
}
