/* A model whose processes all load the first GPU: gpu_model SECONDS MIB. Rank 0 prints the time of day [s] around
 * cpl_lb_init and cpl_lb_terminate. */
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

int main(int argc, char **argv) {
    enum { steps = 20 };
    if (argc != 3) return 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    say_time("before_init");
    cpl_lb_init(MPI_COMM_WORLD, rank == 0 ? "ocean" : "atmosphere");
    MPI_Barrier(MPI_COMM_WORLD);
    say_time("after_init");
    const int field = cpl_lb_field("heat", rank == 0 ? "atmosphere" : "ocean");
    int status = gpu_load_open((size_t)atoi(argv[2]) << 20U);
    for (int step = 0; status == 0 && step < steps; ++step) {
        status = gpu_load_burn(atof(argv[1]) / steps);
        cpl_lb_begin(rank == 0 ? CPL_LB_PUT : CPL_LB_GET, field);
        MPI_Barrier(MPI_COMM_WORLD);
        cpl_lb_end(rank == 0 ? CPL_LB_PUT : CPL_LB_GET, field);
    }
    say_time("before_terminate");
    cpl_lb_terminate(86400);
    say_time("after_terminate");
    if (status == 0) status = gpu_load_close();
    if (status != 0) MPI_Abort(MPI_COMM_WORLD, status); /* the others would wait in the barrier */
    MPI_Finalize();
    return 0;
}
