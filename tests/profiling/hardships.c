/* What a recorder of MPI must not change or keep: many communicators, requests freed while active, errors that MPI
 * returns, statuses, calls of several threads. Prints "fine" if all is as MPI says; run on 2 processes. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int wrong = 0;

static void expect(int good, const char *what) {
    if (good) return;
    fprintf(stderr, "wrong: %s\n", what);
    wrong = 1;
}

static int other;

static void *exchange_in_thread(void *comm) {
    int value = 5, got = 0;
    MPI_Sendrecv(&value, 1, MPI_INT, other, 50, &got, 1, MPI_INT, other, 50, *(MPI_Comm *)comm, MPI_STATUS_IGNORE);
    expect(got == 5, "a message of another thread");
    return NULL;
}

// MPI gives a handle that was freed again: here for one that joins the components after one that does not.
static void many_communicators(void) {
    for (int i = 0; i < 3000; ++i) {
        MPI_Comm comm;
        int got = -1;
        MPI_Comm_dup(MPI_COMM_SELF, &comm);
        MPI_Sendrecv(&i, 1, MPI_INT, 0, i % 7, &got, 1, MPI_INT, 0, i % 7, comm, MPI_STATUS_IGNORE);
        expect(got == i, "a message to itself");
        MPI_Comm_free(&comm);
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Sendrecv(&i, 1, MPI_INT, other, i % 7, &got, 1, MPI_INT, other, i % 7, comm, MPI_STATUS_IGNORE);
        expect(got == i, "a message on a new communicator");
        MPI_Comm_free(&comm);
    }
}

static void statuses(int rank) {
    int values[4] = {1, 2, 3, 4}, count = 0, flag = -1;
    MPI_Status status;
    MPI_Request requests[3];
    if (rank == 0) {
        for (int tag = 1; tag <= 3; ++tag)
            MPI_Send(values, tag, MPI_INT, other, tag, MPI_COMM_WORLD);
        MPI_Send(values, 0, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
        return;
    }
    MPI_Status all[3];
    for (int tag = 1; tag <= 3; ++tag)
        MPI_Irecv(values, 4, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &requests[tag - 1]);
    MPI_Waitall(3, requests, all);
    for (int i = 0; i < 3; ++i) {
        MPI_Get_count(&all[i], MPI_INT, &count);
        expect(all[i].MPI_SOURCE == 0 && all[i].MPI_TAG == i + 1 && count == i + 1, "status of Waitall");
        expect(requests[i] == MPI_REQUEST_NULL, "request after Waitall");
    }
    MPI_Test(&requests[0], &flag, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    expect(flag == 1 && status.MPI_SOURCE == MPI_ANY_SOURCE && status.MPI_TAG == MPI_ANY_TAG && count == 0,
           "Test of a null request");
    MPI_Waitany(3, requests, &count, &status);
    expect(count == MPI_UNDEFINED, "Waitany of null requests");
    MPI_Recv(values, 4, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status);
    expect(status.MPI_SOURCE == MPI_PROC_NULL, "status of a receive from nobody");
}

static void freed_and_cancelled(int rank) {
    static int value = 9, room[2];
    MPI_Request request;
    if (rank == 0) {
        MPI_Isend(&value, 1, MPI_INT, other, 20, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
    } else {
        MPI_Recv(room, 1, MPI_INT, other, 20, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Irecv(room, 1, MPI_INT, MPI_ANY_SOURCE, 21, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request);
        MPI_Status status;
        int cancelled = 0;
        MPI_Wait(&request, &status);
        MPI_Test_cancelled(&status, &cancelled);
        expect(cancelled == 1 && room[0] == 9, "a cancelled receive");
    }
}

static void errors(int rank) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int value = 0, class = 0;
    const int code = MPI_Send(&value, 1, MPI_INT, 99, 1, MPI_COMM_WORLD);
    MPI_Error_class(code, &class);
    expect(class == MPI_ERR_RANK, "a rank that is none");
    int longer[4] = {1, 2, 3, 4};
    if (rank == 0) {
        MPI_Send(longer, 4, MPI_INT, other, 30, MPI_COMM_WORLD);
    } else {
        MPI_Error_class(MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 30, MPI_COMM_WORLD, MPI_STATUS_IGNORE), &class);
        expect(class == MPI_ERR_TRUNCATE, "a message that is too long");
    }
}

int main(int argc, char **argv) {
    int provided = 0, rank = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    many_communicators();
    statuses(rank);
    freed_and_cancelled(rank);
    if (provided == MPI_THREAD_MULTIPLE) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        pthread_t thread;
        pthread_create(&thread, NULL, &exchange_in_thread, &comm);
        int got = 0;
        for (int i = 0; i < 100; ++i)
            MPI_Sendrecv(&i, 1, MPI_INT, other, 51, &got, 1, MPI_INT, other, 51, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        pthread_join(thread, NULL);
        MPI_Comm_free(&comm);
    }
    errors(rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (wrong == 0) printf("fine\n");
    MPI_Finalize();
    return wrong;
}
