/* Where every core hour goes, known beforehand: a component whose two processes sleep for different lengths before a
 * collective operation, the later of which also sends late to the other; then both exchange with the other component.
 * Each call of MPI is printed with its begin and end by the program's own clock, of which the test works out the
 * rest: "call COMPONENT PROCESS CLASS BEGIN END". */
#include "clock.h"

#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { steps = 8, most = 4 * steps };

static struct {
    const char *what;
    double begin, end;
} calls[most];
static int count = 0;

static void begins(const char *what) {
    calls[count].what = what;
    calls[count].begin = now();
}
static void ends(void) {
    calls[count++].end = now();
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    const char *role = argc > 1 ? argv[1] : "ocean";
    const int ocean = strcmp(role, "atmosphere") != 0, coupled = strcmp(role, "alone") != 0;
    int world_rank = 0, rank = 0, world_size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    MPI_Comm mine;
    begins("collective"); /* inside where the program is alone; else before the coupling loop */
    MPI_Comm_split(MPI_COMM_WORLD, ocean, world_rank, &mine);
    ends();
    MPI_Comm_rank(mine, &rank);
    const int partner = (world_rank + world_size / 2) % world_size;
    double value = 1.0, sum = 0.0;
    for (int step = 0; step < steps; ++step) {
        if (ocean) {
            sleep_s(rank == 0 ? 0.05 : 0.1);
            begins("collective");
            MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, mine);
            ends();
            if (rank == 1) sleep_s(0.03);
            begins("point_to_point");
            if (rank == 1) MPI_Send(&value, 1, MPI_DOUBLE, 0, 5, mine);
            if (rank == 0) MPI_Recv(&value, 1, MPI_DOUBLE, 1, 5, mine, MPI_STATUS_IGNORE);
            ends();
        } else {
            sleep_s(rank == 0 ? 0.02 : 0.04);
        }
        if (!coupled) continue;
        begins("exchange");
        if (ocean) MPI_Send(&value, 1, MPI_DOUBLE, partner, 7, MPI_COMM_WORLD);
        if (!ocean) MPI_Recv(&value, 1, MPI_DOUBLE, partner, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        ends();
    }
    /* Who is done before the loop ends, at the last process's last exchange, is in MPI. */
    begins("collective");
    MPI_Barrier(mine);
    ends();
    begins("collective");
    MPI_Comm_free(&mine);
    ends();
    for (int i = 0; i < count; ++i)
        printf("call %s %d %s %.9f %.9f\n", role, rank, calls[i].what, calls[i].begin, calls[i].end);
    fflush(stdout);
    MPI_Finalize();
    return 0;
}
