/* Preloaded: stops its process (SIGSTOP) in the middle of a large message, and lets it go on later.
 * STOP_RANK: which process; STOP_CALL: MPI_Isend or MPI_Irecv, just begun; STOP_S: for so many seconds. */
#define _GNU_SOURCE
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { large = 12000 }; /* bytes: more than OpenMPI sends at once on one machine without being asked for it, 4096 */

static int is_here(const char *call) {
    static int stopped = 0;
    const char *wanted = getenv("STOP_CALL");
    const char *rank = getenv("STOP_RANK");
    int me = -1;
    if (stopped || wanted == NULL || rank == NULL || strcmp(call, wanted) != 0) return 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (me != atoi(rank)) return 0;
    return stopped = 1;
}

/* Another process has to wake it up. */
static void stop_in(const char *call, int bytes) {
    const char *seconds = getenv("STOP_S");
    pid_t me = getpid();
    if (bytes < large || !is_here(call)) return;
    fprintf(stderr, "stopped in %s\n", call);
    if (fork() == 0) {
        sleep(seconds != NULL ? (unsigned)atoi(seconds) : 3);
        kill(me, SIGCONT);
        _exit(0);
    }
    raise(SIGSTOP);
}

int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request) {
    int code = PMPI_Isend(data, count, type, to, tag, comm, request);
    stop_in("MPI_Isend", count);
    return code;
}

int MPI_Irecv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request) {
    int code = PMPI_Irecv(data, count, type, from, tag, comm, request);
    stop_in("MPI_Irecv", count);
    return code;
}
