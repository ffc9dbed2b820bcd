/* Two processes spawn one of this program and hear from it, as the model of the test does: whether MPI can, here,
 * without cpl_lb. Exit status 0: it can. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv) {
    (void)argc;
    MPI_Comm parent = MPI_COMM_NULL;
    MPI_Comm spawned = MPI_COMM_NULL;
    int code = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL) {
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &spawned, MPI_ERRCODES_IGNORE);
        MPI_Bcast(&code, 1, MPI_INT, 0, spawned);
    } else {
        spawned = parent;
        MPI_Bcast(&code, 1, MPI_INT, MPI_ROOT, spawned);
    }
    MPI_Comm_disconnect(&spawned);
    MPI_Finalize();
    return 0;
}
