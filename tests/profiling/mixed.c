/* A part of a job: MPI_Allreduce over all of it, five times. Compiled with calls of cpl_lb of its own (OWN_CALLS), or
 * as a program that knows MPI only. */
#ifdef OWN_CALLS
#include <cpl_lb/cpl_lb.h>
#endif
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    double one = 1, all = 0;
#ifdef OWN_CALLS
    cpl_lb_init(MPI_COMM_WORLD, "ocean");
    const int field = cpl_lb_field("sum", "server");
#endif
    for (int step = 0; step < 5; ++step) {
#ifdef OWN_CALLS
        cpl_lb_begin(CPL_LB_GET, field);
#endif
        MPI_Allreduce(&one, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#ifdef OWN_CALLS
        cpl_lb_end(CPL_LB_GET, field);
#endif
    }
#ifdef OWN_CALLS
    cpl_lb_terminate(86400.0);
#endif
    MPI_Finalize();
    return 0;
}
