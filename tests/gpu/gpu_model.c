/* A model whose processes all load the first GPU: gpu_model SECONDS MIB IDLE_S. They load it for so many seconds, and
 * leave it idle for IDLE_S, both in parts of equal length. Rank 0 prints the time of day [s] around cpl_lb_init,
 * cpl_lb_terminate, and the loop. */
#include "gpu_load.h"

#include <cpl_lb/cpl_lb.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int rank;

static void say_time(const char *what) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (rank == 0) printf("%s %lld.%09ld\n", what, (long long)now.tv_sec, now.tv_nsec);
    fflush(stdout);
}

static void sleep_for(double seconds) {
    const struct timespec rest = {.tv_sec = (time_t)seconds,
                                  .tv_nsec = (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&rest, NULL);
}

int main(int argc, char **argv) {
    enum { steps = 20 };
    if (argc != 4) return 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    say_time("before_init");
    cpl_lb_init(MPI_COMM_WORLD, rank == 0 ? "ocean" : "atmosphere");
    MPI_Barrier(MPI_COMM_WORLD);
    say_time("after_init");
    const int field = cpl_lb_field("heat", rank == 0 ? "atmosphere" : "ocean");
    int status = gpu_load_open((size_t)atoi(argv[2]) << 20U);
    MPI_Barrier(MPI_COMM_WORLD);
    say_time("loop_begin");
    for (int step = 0; status == 0 && step < steps; ++step) {
        status = gpu_load_burn(atof(argv[1]) / steps);
        sleep_for(atof(argv[3]) / steps);
        cpl_lb_begin(rank == 0 ? CPL_LB_PUT : CPL_LB_GET, field);
        MPI_Barrier(MPI_COMM_WORLD);
        cpl_lb_end(rank == 0 ? CPL_LB_PUT : CPL_LB_GET, field);
    }
    say_time("loop_end");
    say_time("before_terminate");
    cpl_lb_terminate(86400);
    say_time("after_terminate");
    if (status == 0) status = gpu_load_close();
    if (status != 0) MPI_Abort(MPI_COMM_WORLD, status); /* the others would wait in the barrier */
    MPI_Finalize();
    return 0;
}
