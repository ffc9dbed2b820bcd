/* A model whose instructions and joules are known, for a machine that really counts them (guest_test.py):
 *   counted_model NAMELIST      loops of INSTRUCTIONS and 2 x INSTRUCTIONS, each in a region, and 4 s asleep
 *   counted_model NAMELIST 123  the same as user 123
 * It prints times of CLOCK_MONOTONIC [s] around cpl_lb_init and cpl_lb_terminate. */
#include <cpl_lb/cpl_lb.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { rounds = 1000000, instructions_per_round = 6 };

/* Exactly 6 instructions a round. */
static void count_down(uint64_t n) {
    __asm__ volatile("0: nop\n"
                     "nop\n"
                     "nop\n"
                     "nop\n"
                     "subs %0, %0, #1\n"
                     "b.ne 0b\n"
                     : "+r"(n)
                     :
                     : "cc");
}

static void say_time(const char *what) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    printf("%s %lld.%09ld\n", what, (long long)now.tv_sec, now.tv_nsec);
    fflush(stdout);
}

static void in_region(int region, uint64_t n) {
    cpl_lb_region_begin(region);
    if (n > 0) count_down(n);
    cpl_lb_region_end(region);
}

int main(int argc, char **argv) {
    if (argc < 2 || setenv("CPL_LB_NAMELIST", argv[1], 1) != 0) return 2;
    if (argc > 2 && setuid((uid_t)strtoul(argv[2], NULL, 10)) != 0) return 3;
    MPI_Init(&argc, &argv);
    say_time("before_init");
    cpl_lb_init(MPI_COMM_WORLD, "ocean");
    say_time("after_init");
    const int field = cpl_lb_field("heat", "atmosphere");
    const int warm = cpl_lb_region("warm"), nothing = cpl_lb_region("nothing");
    const int once = cpl_lb_region("once"), twice = cpl_lb_region("twice");
    in_region(warm, 1000); /* what only a first call does: addresses of functions are looked up */
    in_region(nothing, 0);
    in_region(once, rounds);
    in_region(twice, 2 * (uint64_t)rounds);
    for (int step = 0; step < 40; ++step) { /* energy is read after events, here every 0.1 s */
        cpl_lb_begin(CPL_LB_PUT, field);
        cpl_lb_end(CPL_LB_PUT, field);
        const struct timespec tenth = {.tv_nsec = 100000000};
        nanosleep(&tenth, NULL);
    }
    say_time("before_terminate");
    const int result = cpl_lb_terminate(86400);
    say_time("after_terminate");
    printf("instructions %d\nresult %d\n", rounds * instructions_per_round, result);
    MPI_Finalize();
    return result == 0 ? 0 : 1;
}
