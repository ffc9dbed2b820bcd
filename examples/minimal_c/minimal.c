/* Two components that exchange one field: the first half of the processes is the ocean, the others are the
 * atmosphere. mpirun -np 2 ./minimal */
#include <cpl_lb/cpl_lb.h>
#include <unistd.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int half = size / 2;
    const int is_ocean = rank < half;

    cpl_lb_init(MPI_COMM_WORLD, is_ocean ? "ocean" : "atmosphere");
    const int sst = cpl_lb_field("SST", is_ocean ? "atmosphere" : "ocean");

    const int steps = 20, step_s = 3600;
    double temperature = 290.0;
    for (int step = 0; step < steps; ++step) {
        cpl_lb_date((long long)step * step_s);
        if (is_ocean) {
            usleep(50000); /* the ocean's work is 50 ms, the atmosphere's 20 ms: it waits for the rest */
            cpl_lb_begin(CPL_LB_PUT, sst);
            MPI_Ssend(&temperature, 1, MPI_DOUBLE, rank + half, 0, MPI_COMM_WORLD);
            cpl_lb_end(CPL_LB_PUT, sst);
        } else {
            usleep(20000);
            cpl_lb_begin(CPL_LB_GET, sst);
            if (rank < 2 * half) { /* of an odd number of processes the last one gets nothing */
                MPI_Recv(&temperature, 1, MPI_DOUBLE, rank - half, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            }
            cpl_lb_end(CPL_LB_GET, sst);
        }
    }
    cpl_lb_terminate((double)steps * step_s);
    MPI_Finalize();
    return 0;
}
