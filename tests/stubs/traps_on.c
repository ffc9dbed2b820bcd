/* Linked into the programs of the functional tests: they run with floating-point traps on, from their start, as a
 * model does that is built with -ffpe-trap=invalid,zero,overflow. Whoever switches them off, or leaves a rounding
 * mode or a flush to zero behind, makes the program end with status 71. */
#define _GNU_SOURCE
#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#if defined(__aarch64__)
static int wanted = 0; /* what the processor has of them: most of ARM's have no traps */
#else
static const int wanted = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW;
#endif

static int flushes(void) {
#if defined(__x86_64__)
    return (_mm_getcsr() & 0x8040U) != 0;
#elif defined(__aarch64__)
    return (__builtin_aarch64_get_fpcr() & (1U << 24)) != 0;
#else
    return 0;
#endif
}

static void check(void) {
    if ((fegetexcept() & wanted) == wanted && fegetround() == FE_TONEAREST && !flushes()) return;
    fputs("the floating-point environment has changed\n", stderr);
    _exit(71);
}

__attribute__((constructor)) static void traps_on(void) {
#if defined(__aarch64__)
    feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
    wanted = fegetexcept();
#else
    feenableexcept(wanted);
#endif
    atexit(check);
}
