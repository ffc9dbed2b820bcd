/* Preloaded: stops its process (SIGSTOP), and lets it go on STOP_S seconds later. STOP_RANK: which process; where:
 * STOP_CALL: in the middle of a large message, MPI_Isend or MPI_Irecv, just begun.
 * STOP_STEP: before the step of this number, counted from 0. A step is a message begun or taken, a notice put
 * up, or what the library does to get its own communicator. "steps: N M" on standard error in MPI_Finalize: until it
 * has that, and all. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { large = 12000 }; /* bytes: more than OpenMPI sends at once on one machine without being asked for it, 4096 */

static int steps = 0, steps_of_roll_call = 0;

static int is_rank(void) {
    const char *rank = getenv("STOP_RANK");
    int me = -1;
    PMPI_Comm_rank(MPI_COMM_WORLD, &me);
    return rank != NULL && me == atoi(rank);
}

static int is_here(const char *call) {
    static int stopped = 0;
    const char *wanted = getenv("STOP_CALL");
    if (stopped || wanted == NULL || strcmp(call, wanted) != 0 || !is_rank()) return 0;
    return stopped = 1;
}

/* Another process has to wake it up. */
static void stop(const char *where) {
    const char *seconds = getenv("STOP_S");
    pid_t me = getpid();
    fprintf(stderr, "stopped in %s\n", where);
    if (fork() == 0) {
        sleep(seconds != NULL ? (unsigned)atoi(seconds) : 3);
        kill(me, SIGCONT);
        _exit(0);
    }
    raise(SIGSTOP);
}

static void stop_in(const char *call, int bytes) {
    if (bytes >= large && is_here(call)) stop(call);
}

static void step(const char *call) {
    const char *wanted = getenv("STOP_STEP");
    if (wanted == NULL || !is_rank()) return;
    if (steps++ == atoi(wanted)) stop(call);
}

int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request) {
    step("MPI_Isend");
    int code = PMPI_Isend(data, count, type, to, tag, comm, request);
    stop_in("MPI_Isend", count);
    return code;
}

int MPI_Irecv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request) {
    step("MPI_Irecv");
    int code = PMPI_Irecv(data, count, type, from, tag, comm, request);
    stop_in("MPI_Irecv", count);
    return code;
}

int MPI_Imrecv(void *data, int count, MPI_Datatype type, MPI_Message *message, MPI_Request *request) {
    step("MPI_Imrecv");
    return PMPI_Imrecv(data, count, type, message, request);
}

/* A notice is put up (mpi/folder_board.cpp). */
int symlinkat(const char *text, int folder, const char *name) {
    int (*next)(const char *, int, const char *) = NULL;
    *(void **)(&next) = dlsym(RTLD_NEXT, "symlinkat");
    step("symlinkat");
    int code = next(text, folder, name);
    step("symlinkat, done");
    return code;
}

int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *made) {
    step("MPI_Comm_create");
    int code = PMPI_Comm_create(comm, group, made);
    step("MPI_Comm_create, done");
    return code;
}

int MPI_Intercomm_create(MPI_Comm mine, int leader, MPI_Comm comm, int other, int tag, MPI_Comm *made) {
    step("MPI_Intercomm_create");
    int code = PMPI_Intercomm_create(mine, leader, comm, other, tag, made);
    step("MPI_Intercomm_create, done");
    return code;
}

int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *joint) {
    step("MPI_Comm_create_group");
    int code = PMPI_Comm_create_group(comm, group, tag, joint);
    step("MPI_Comm_create_group, done");
    return code;
}

int MPI_Publish_name(const char *name, MPI_Info info, const char *port) {
    int (*next)(const char *, MPI_Info, const char *) = NULL; /* strict.c may be behind */
    *(void **)(&next) = dlsym(RTLD_NEXT, "MPI_Publish_name");
    step("MPI_Publish_name");
    return next(name, info, port);
}

/* The last step of the roll call: the library sets the handler of its own communicator. */
int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler) {
    int (*next)(MPI_Comm, MPI_Errhandler) = NULL;
    *(void **)(&next) = dlsym(RTLD_NEXT, "MPI_Comm_set_errhandler");
    if (comm == MPI_COMM_WORLD || comm == MPI_COMM_SELF) return next(comm, handler);
    step("MPI_Comm_set_errhandler");
    steps_of_roll_call = steps;
    return PMPI_Comm_set_errhandler(comm, handler);
}

int MPI_Finalize(void) {
    if (getenv("STOP_STEP") != NULL && is_rank()) fprintf(stderr, "steps: %d %d\n", steps_of_roll_call, steps);
    return PMPI_Finalize();
}
