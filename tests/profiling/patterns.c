/* Ways of passing messages whose truth is plain: patterns CASE. Computing is sleeping. */
#define _POSIX_C_SOURCE 200809L /* nanosleep; NOLINT: made to be defined */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { steps = 24, large = 1000000 };

static int rank, size;
static double x;

static void compute(int ms) {
    const struct timespec t = {0, 1000000L * ms};
    nanosleep(&t, NULL);
}
static void send(int to, int tag) {
    MPI_Send(&x, 1, MPI_DOUBLE, to, tag, MPI_COMM_WORLD);
}
static void receive(int from, int tag) {
    MPI_Recv(&x, 1, MPI_DOUBLE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Rank 0 receives from each of the others in turn, and answers them. own_ms: what this rank computes in a step. */
static void master(int own_ms) {
    for (int step = 0; step < steps; ++step) {
        if (rank != 0) {
            compute(own_ms);
            send(0, 1);
            receive(0, 2);
            continue;
        }
        for (int worker = 1; worker < size; ++worker)
            receive(worker, 1);
        compute(own_ms);
        for (int worker = 1; worker < size; ++worker)
            send(worker, 2);
    }
}

/* Ten fields each way, all under one tag. */
static void one_tag(void) {
    for (int step = 0; step < steps; ++step) {
        compute(rank == 0 ? 30 : 60);
        for (int field = 0; field < 10; ++field)
            send(1 - rank, 1);
        for (int field = 0; field < 10; ++field)
            receive(1 - rank, 1);
    }
}

/* The parts of one program, whose communicators have names. */
static void named(void) {
    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &part);
    MPI_Comm_set_name(part, rank == 0 ? "ocean" : "atmosphere");
    master(rank == 0 ? 5 : 40);
    MPI_Comm_free(&part);
}

/* Rank 0 is ahead with little data, and waits until rank 1 takes much. */
static void bcast(void) {
    double *data = calloc(large, sizeof *data);
    for (int step = 0; data != NULL && step < steps; ++step) {
        compute(rank == 0 ? 5 : 30);
        MPI_Bcast(data, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        compute(rank == 0 ? 5 : 30);
        MPI_Bcast(data, large, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    free(data);
}

/* How long this process was ready and had no processor, s: what lies between its clock and the recorder's. */
static double without_processor(void) {
    unsigned long long ran = 0, ready = 0;
    FILE *file = fopen("/proc/self/schedstat", "r");
    if (file == NULL) return 0;
    if (fscanf(file, "%llu %llu", &ran, &ready) != 2) ready = 0;
    fclose(file);
    return 1e-9 * (double)ready;
}

/* Ranks 0 and 1 come together to a message of rank 2, which sends it 5 ms later to the one, 30 ms after that to the
 * other, in turns. They say how long they waited from the second step to the last but one, and for how long of all
 * the time somebody else had their processor. */
static void in_turns(void) {
    MPI_Comm part;
    double waited = 0;
    const double before = without_processor();
    MPI_Comm_split(MPI_COMM_WORLD, rank == 2, rank, &part);
    for (int step = 0; step < steps; ++step) {
        if (rank == 2) {
            compute(5);
            send(step % 2, 1);
            compute(30);
            send(1 - step % 2, 1);
            receive(0, 2);
            continue;
        }
        MPI_Barrier(part);
        const double begin = MPI_Wtime();
        receive(2, 1);
        if (step > 0 && step < steps - 1) waited += MPI_Wtime() - begin;
        MPI_Barrier(part);
        if (rank == 0) send(2, 2);
    }
    if (rank != 2) printf("waited %d %.6f %.6f\n", rank, waited, without_processor() - before);
    MPI_Comm_free(&part);
}

/* LAMMPS's verlet/split: the last process is a part of its own, and gives the results. Another communicator joins
 * them, in which the first process tells that a step begins, and all are gathered once more in each eighth step. */
static void blocks(void) {
    MPI_Comm part, block;
    double *all = calloc((size_t)size, sizeof *all);
    MPI_Comm_split(MPI_COMM_WORLD, rank == size - 1, 0, &part);
    MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &block);
    for (int step = 0; all != NULL && step < steps; ++step) {
        MPI_Bcast(all, 1, MPI_DOUBLE, 0, block);
        if (step % 8 == 0) MPI_Gather(&x, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, size - 1, block);
        MPI_Gather(&x, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, size - 1, block);
        compute(rank == size - 1 ? 40 : 10);
        MPI_Scatter(all, 1, MPI_DOUBLE, &x, 1, MPI_DOUBLE, size - 1, block);
    }
    MPI_Comm_free(&part);
    MPI_Comm_free(&block);
    free(all);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "master") == 0) master(rank == 0 ? 5 : 40 + 5 * rank);
    /* The ocean's second process begins late. */
    if (strcmp(what, "hub") == 0) compute(rank == 2 ? 100 : 0);
    if (strcmp(what, "hub") == 0) master(rank == 0 ? 0 : rank == 3 ? 60 : 20);
    if (strcmp(what, "one_tag") == 0) one_tag();
    if (strcmp(what, "named") == 0) named();
    if (strcmp(what, "bcast") == 0) bcast();
    if (strcmp(what, "in_turns") == 0) in_turns();
    if (strcmp(what, "blocks") == 0) blocks();
    MPI_Finalize();
    return 0;
}
