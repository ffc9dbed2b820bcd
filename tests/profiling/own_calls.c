/* A model with its own calls of cpl_lb: two processes of `ocean` that compute for different lengths and wait for each
 * other in MPI_Allreduce, and one of `atmosphere` that waits for the ocean's field. Those calls are inside the ocean,
 * MPI_Recv and MPI_Send lie in the model's own GET and PUT. Prints the time inside of the second process of the
 * ocean, by its own clock, between its second and its last PUT: "inside SECONDS"; the atmosphere the time in its
 * receives between its second and its last GET: "waited SECONDS". */
#include "clock.h"

#include <cpl_lb/cpl_lb.h>

#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { steps = 8, tag = 7 };

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int atmosphere = rank == 2;
    MPI_Comm own;
    MPI_Comm_split(MPI_COMM_WORLD, atmosphere, rank, &own);
    cpl_lb_init(MPI_COMM_WORLD, atmosphere ? "atmosphere" : "ocean");
    const int sst = cpl_lb_field("sst", atmosphere ? "ocean" : "atmosphere");
    double value = rank, sum = 0.0, waited = 0.0, inside = 0.0;
    for (int step = 0; step < steps; ++step) {
        const int counts = step >= 1 && step < steps - 1;
        if (atmosphere) {
            cpl_lb_begin(CPL_LB_GET, sst);
            const double before = MPI_Wtime();
            MPI_Recv(&value, 1, MPI_DOUBLE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (counts) waited += MPI_Wtime() - before;
            cpl_lb_end(CPL_LB_GET, sst);
            continue;
        }
        cpl_lb_begin(CPL_LB_PUT, sst);
        if (rank == 0) MPI_Send(&value, 1, MPI_DOUBLE, 2, tag, MPI_COMM_WORLD);
        cpl_lb_end(CPL_LB_PUT, sst);
        sleep_s(rank == 0 ? 0.06 : 0.01);
        const double before = MPI_Wtime();
        MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, own);
        if (counts) inside += MPI_Wtime() - before;
    }
    if (rank == 1) printf("inside %.6f\n", inside);
    if (atmosphere) printf("waited %.6f\n", waited);
    fflush(stdout);
    cpl_lb_terminate(86400.0);
    MPI_Comm_free(&own);
    MPI_Finalize();
    return 0;
}
