/* Spawns one process of itself: whether MPI can, here, without cpl_lb. Exit status 0: it can. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv) {
    (void)argc;
    MPI_Comm parent = MPI_COMM_NULL;
    MPI_Comm spawned = MPI_COMM_NULL;
    int error = MPI_SUCCESS;
    int status = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL) {
        MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
        status = MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &spawned, &error) ==
                         MPI_SUCCESS
                     ? 0
                     : 1;
    } else {
        spawned = parent;
    }
    if (spawned != MPI_COMM_NULL) MPI_Comm_disconnect(&spawned);
    MPI_Finalize();
    return status;
}
