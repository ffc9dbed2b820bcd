/* Plays a script: play FILE COMPONENT_OF_RANK..., each rank its own lines. Computing is sleeping. */
#define _POSIX_C_SOURCE 200809L /* nanosleep; NOLINT: made to be defined */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { most = 64 };

static void compute(long ns) {
    struct timespec t = {ns / 1000000000, ns % 1000000000};
    nanosleep(&t, NULL);
}

static void pass(const char *what, int count, const int *peers, const int *tags) {
    double got[most] = {0};
    double sent = 1;
    MPI_Request requests[most];
    MPI_Status status;
    if (strcmp(what, "send") == 0) {
        for (int i = 0; i < count; ++i)
            MPI_Send(&sent, 1, MPI_DOUBLE, peers[i], tags[i], MPI_COMM_WORLD);
    } else if (strcmp(what, "probe") == 0) {
        MPI_Probe(peers[0], tags[0], MPI_COMM_WORLD, &status);
    } else if (count == 1) {
        MPI_Recv(got, 1, MPI_DOUBLE, peers[0] < 0 ? MPI_ANY_SOURCE : peers[0], tags[0], MPI_COMM_WORLD, &status);
    } else {
        for (int i = 0; i < count; ++i)
            MPI_Irecv(got + i, 1, MPI_DOUBLE, peers[i], tags[i], MPI_COMM_WORLD, requests + i);
        MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm mine;
    MPI_Comm_split(MPI_COMM_WORLD, atoi(argv[2 + rank]), 0, &mine);
    FILE *script = fopen(argv[1], "r");
    int process = 0;
    char what[16];
    while (script != NULL && fscanf(script, "%d %15s", &process, what) == 2) {
        long first = 0;
        int peers[most] = {0}, tags[most] = {0};
        if (fscanf(script, "%ld", &first) != 1) break;
        const int passes = strcmp(what, "compute") != 0 && strcmp(what, "meet") != 0;
        for (long i = 0; passes && i < first && i < most; ++i)
            if (fscanf(script, "%d %d", peers + i, tags + i) != 2) break;
        if (process != rank) continue;
        if (strcmp(what, "compute") == 0)
            compute(first);
        else if (strcmp(what, "meet") == 0)
            MPI_Barrier(first < 0 ? MPI_COMM_WORLD : mine);
        else
            pass(what, (int)first, peers, tags);
    }
    MPI_Comm_free(&mine);
    MPI_Finalize();
    return script == NULL;
}
