/* What is hard to tell of waits, for processes of two components, of which rank 0 is one. waits CASE; the oracle is
 * printed: "polls N" that did not succeed, or "waited SECONDS" by the program's own clock. */
#include "clock.h"

#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { most = 1500, others = 64 };

static int rank;
static double value[4];

static void compute_s(double seconds) { /* of this thread, however busy the machine is */
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    const double end = (double)t.tv_sec + 1e-9 * (double)t.tv_nsec + seconds;
    do
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    while ((double)t.tv_sec + 1e-9 * (double)t.tv_nsec < end);
}
static void give(int tag, MPI_Comm comm) {
    MPI_Send(value, 1, MPI_DOUBLE, 1, tag, comm);
}
static void get(int tag, MPI_Comm comm) {
    MPI_Recv(value, 1, MPI_DOUBLE, 0, tag, comm, MPI_STATUS_IGNORE);
}
static void pass(int tag, MPI_Comm comm) {
    if (rank == 0) give(tag, comm);
    if (rank == 1) get(tag, comm);
}

/* A new communicator in each step, with the same tags; it is dissolved when no process has a message under way. */
static void communicators(void) {
    for (int i = 0; i < most; ++i) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        pass(7, comm);
        MPI_Comm_free(&comm);
    }
}
/* Each with a name of its own, and a collective operation. */
static void named_communicators(void) {
    for (int i = 0; i < most; ++i) {
        MPI_Comm comm;
        char name[32];
        snprintf(name, sizeof name, "step %d", i);
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Comm_set_name(comm, name);
        MPI_Barrier(comm);
        MPI_Comm_free(&comm);
    }
}
/* The one that is known keeps its name. */
static void tags(void) {
    pass(7, MPI_COMM_WORLD);
    for (int i = 0; i < most; ++i)
        pass(100 + i, MPI_COMM_WORLD);
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_name(comm, "MPI_COMM_WORLD");
    pass(7, comm);
    MPI_Comm_free(&comm);
}
static void named_late(void) {
    MPI_Comm alone, comm;
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &alone);
    MPI_Intercomm_create(alone, 0, MPI_COMM_WORLD, rank == 0 ? 1 : 0, 9, &comm);
    MPI_Comm_set_name(comm, "surface");
    if (rank == 0) MPI_Send(value, 1, MPI_DOUBLE, 0, 7, comm);
    if (rank == 1) MPI_Recv(value, 1, MPI_DOUBLE, 0, 7, comm, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&alone);
}
/* The model works between its questions. */
static void abandoned(void) {
    if (rank == 0) sleep_s(1);
    if (rank == 0) give(7, MPI_COMM_WORLD);
    if (rank != 1) return;
    int flag = 0, polls = -1;
    MPI_Request request;
    MPI_Irecv(value, 1, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, &request);
    for (; flag == 0; ++polls) {
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        if (flag == 0) compute_s(0.02);
    }
    printf("polls %d\n", polls);
}
/* One short piece of work in a long wait, as an interrupt takes. */
static void interrupted(void) {
    if (rank == 0) sleep_s(0.6);
    if (rank == 0) give(7, MPI_COMM_WORLD);
    if (rank != 1) return;
    int flag = 0, worked = 0;
    MPI_Request request;
    MPI_Irecv(value, 1, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, &request);
    const double begin = now();
    while (flag == 0) {
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        if (!worked && now() - begin > 0.3) {
            compute_s(0.0004);
            worked = 1;
        }
        sleep_s(2e-5);
    }
    printf("waited %.6f\n", now() - begin);
}
/* The next call receives what was asked for, after some work; or another call comes first. */
static void probed(MPI_Comm mine, int another_first) {
    if (rank == 0) sleep_s(0.3);
    if (rank == 0) give(7, MPI_COMM_WORLD);
    if (rank != 1) return;
    int flag = 0;
    const double begin = now();
    while (flag == 0) {
        MPI_Iprobe(0, 7, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        sleep_s(2e-5);
    }
    const double waited = now() - begin;
    compute_s(0.2);
    if (another_first) MPI_Barrier(mine);
    get(7, MPI_COMM_WORLD);
    printf("waited %.6f\n", waited);
}
/* Another call between two questions, and sleep, which alone would end no wait. */
static void between(MPI_Comm mine) {
    if (rank == 0) sleep_s(0.3);
    if (rank == 0) give(7, MPI_COMM_WORLD);
    if (rank == 0) return;
    MPI_Request request;
    int flag = 0;
    if (rank == 1) MPI_Irecv(value, 1, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, &request);
    for (int i = 0; i < 4; ++i) {
        if (rank == 1) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        MPI_Barrier(mine);
        if (rank == 1) sleep_s(0.05);
    }
    const double begin = now();
    if (rank == 1) MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 1) printf("waited %.6f\n", now() - begin);
}
static void different_requests(void) {
    if (rank == 0) give(8, MPI_COMM_WORLD);
    if (rank == 0) sleep_s(0.4);
    if (rank == 0) give(7, MPI_COMM_WORLD);
    if (rank != 1) return;
    MPI_Request requests[2];
    int flag = 0;
    for (int i = 0; i < 2; ++i)
        MPI_Irecv(&value[i], 1, MPI_DOUBLE, 0, 7 + i, MPI_COMM_WORLD, &requests[i]);
    MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
    sleep_s(0.2);
    const double begin = now();
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    printf("waited %.6f\n", now() - begin);
}
/* Nothing comes for three receives, one of which is persistent; then two messages come for the same handles. */
static void cancelled(void) {
    if (rank == 0) {
        MPI_Barrier(MPI_COMM_WORLD);
        give(7, MPI_COMM_WORLD);
        give(7, MPI_COMM_WORLD);
    }
    if (rank != 1) return;
    MPI_Request request, again;
    MPI_Status status;
    int flag = 0;
    MPI_Irecv(value, 1, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Irecv(value, 1, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    while (flag == 0)
        MPI_Test(&request, &flag, &status);
    MPI_Recv_init(value, 1, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, &again);
    MPI_Start(&again);
    MPI_Cancel(&again);
    MPI_Waitall(1, &again, MPI_STATUSES_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Start(&again);
    MPI_Wait(&again, MPI_STATUS_IGNORE);
    MPI_Request_free(&again);
    MPI_Irecv(value, 1, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}
/* The message had come. */
static void cancelled_late(void) {
    MPI_Request request;
    if (rank == 1) MPI_Irecv(value, 1, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) give(7, MPI_COMM_WORLD);
    if (rank == 0) give(8, MPI_COMM_WORLD);
    if (rank != 1) return;
    get(8, MPI_COMM_WORLD);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static int nothing(void *state, MPI_Status *status) {
    (void)state;
    MPI_Status_set_elements(status, MPI_INT, 0);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}
static int nothing_to_free(void *state) {
    (void)state;
    return MPI_SUCCESS;
}
static int nothing_to_cancel(void *state, int complete) {
    (void)state;
    (void)complete;
    return MPI_SUCCESS;
}
/* MPI gives the handles of what ended with an error again, for requests of the program's own. */
static void stale(void) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 0) MPI_Send(value, 4, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD);
    if (rank != 1) return;
    MPI_Request requests[others];
    MPI_Status statuses[1];
    MPI_Irecv(value, 1, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, &requests[0]);
    MPI_Request before = requests[0];
    if (MPI_Waitall(1, requests, statuses) == MPI_SUCCESS) printf("no error\n");
    for (int i = 0; i < others; ++i)
        MPI_Grequest_start(&nothing, &nothing_to_free, &nothing_to_cancel, NULL, &requests[i]);
    for (int i = 0; i < others; ++i) {
        if (requests[i] == before) printf("again\n");
        MPI_Grequest_complete(requests[i]);
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const char *what = argc > 1 ? argv[1] : "";
    MPI_Comm mine;
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &mine);
    if (strcmp(what, "communicators") == 0) communicators();
    if (strcmp(what, "named_communicators") == 0) named_communicators();
    if (strcmp(what, "tags") == 0) tags();
    if (strcmp(what, "named_late") == 0) named_late();
    if (strcmp(what, "abandoned") == 0) abandoned();
    if (strcmp(what, "interrupted") == 0) interrupted();
    if (strcmp(what, "probed") == 0) probed(mine, 0);
    if (strcmp(what, "probed_before_another") == 0) probed(mine, 1);
    if (strcmp(what, "between") == 0) between(mine);
    if (strcmp(what, "different_requests") == 0) different_requests();
    if (strcmp(what, "cancelled") == 0) cancelled();
    if (strcmp(what, "cancelled_late") == 0) cancelled_late();
    if (strcmp(what, "stale") == 0) stale();
    fflush(stdout);
    MPI_Comm_free(&mine);
    MPI_Finalize();
    return 0;
}
