/* Messages inside a component whose numbers, sizes and waits are known: a ring of all processes of a component, in
 * which one is late, by a sleep of known length in each of `steps` steps. Who is not late has no other work.
 *   traffic ROLE LATE HOW
 * LATE: the rank in the component that sleeps 50 ms in each step; 20 ms in an ocean beside an atmosphere, which never
 * waits for it then: behind an ocean as slow as itself, one that began later would wait there and not in its ring.
 * HOW: `recv` (MPI_Recv), `wait` (one request), `any` (MPI_ANY_SOURCE), `persistent`, `sendrecv`, `probe`, or `all`
 * (MPI_Waitall of both neighbours). In step s, rank r sends 8 (r + 1) bytes to the next one; with `all` also 4 bytes
 * to the one before. The component's first process then exchanges 800 bytes with that of the other component, if
 * there is one. A barrier ends each step, so that nobody comes late for another reason. Prints the time that this
 * process spent in those receives and waits by its own clock: "waited ROLE RANK SECONDS". */
#include "clock.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { steps = 20, tag = 5, back = 6 };

static char out[4096], in[4096], in_back[4];
static int rank, size, next, before;
static MPI_Comm mine;
static MPI_Request kept[2];

/* The time in the call that waits. */
static double step_of(const char *how) {
    MPI_Status status;
    MPI_Request requests[4];
    const int bytes = 8 * (rank + 1), awaited = 8 * (before + 1);
    double begin;
    if (strcmp(how, "sendrecv") == 0) {
        begin = MPI_Wtime();
        MPI_Sendrecv(out, bytes, MPI_BYTE, next, tag, in, awaited, MPI_BYTE, before, tag, mine, &status);
        return MPI_Wtime() - begin;
    }
    if (strcmp(how, "persistent") == 0) {
        MPI_Startall(2, kept);
        begin = MPI_Wtime();
        MPI_Waitall(2, kept, MPI_STATUSES_IGNORE);
        return MPI_Wtime() - begin;
    }
    if (strcmp(how, "all") == 0) {
        MPI_Irecv(in, awaited, MPI_BYTE, before, tag, mine, &requests[0]);
        MPI_Irecv(in_back, 4, MPI_BYTE, next, back, mine, &requests[1]);
        MPI_Isend(out, bytes, MPI_BYTE, next, tag, mine, &requests[2]);
        MPI_Isend(out, 4, MPI_BYTE, before, back, mine, &requests[3]);
        begin = MPI_Wtime();
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        return MPI_Wtime() - begin;
    }
    if (strcmp(how, "wait") == 0) MPI_Irecv(in, awaited, MPI_BYTE, before, tag, mine, &requests[0]);
    MPI_Send(out, bytes, MPI_BYTE, next, tag, mine);
    begin = MPI_Wtime();
    if (strcmp(how, "recv") == 0) MPI_Recv(in, awaited, MPI_BYTE, before, tag, mine, MPI_STATUS_IGNORE);
    if (strcmp(how, "any") == 0) MPI_Recv(in, awaited, MPI_BYTE, MPI_ANY_SOURCE, tag, mine, MPI_STATUS_IGNORE);
    if (strcmp(how, "wait") == 0) MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    if (strcmp(how, "probe") == 0) {
        MPI_Probe(MPI_ANY_SOURCE, tag, mine, &status);
        const double waited = MPI_Wtime() - begin;
        MPI_Recv(in, awaited, MPI_BYTE, status.MPI_SOURCE, tag, mine, MPI_STATUS_IGNORE);
        return waited;
    }
    return MPI_Wtime() - begin;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    const char *role = argc > 1 ? argv[1] : "ocean", *how = argc > 3 ? argv[3] : "recv";
    const int late = argc > 2 ? atoi(argv[2]) : 0, ocean = strcmp(role, "atmosphere") != 0;
    int world_rank = 0, world_size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    MPI_Comm_split(MPI_COMM_WORLD, ocean, -world_rank, &mine); /* in the opposite order of MPI_COMM_WORLD */
    MPI_Comm_rank(mine, &rank);
    MPI_Comm_size(mine, &size);
    next = (rank + 1) % size;
    before = (rank + size - 1) % size;
    MPI_Send_init(out, 8 * (rank + 1), MPI_BYTE, next, tag, mine, &kept[0]);
    MPI_Recv_init(in, 8 * (before + 1), MPI_BYTE, before, tag, mine, &kept[1]);
    /* The first of each component in MPI_COMM_WORLD: the ocean's processes come first. */
    const int first = ocean ? world_rank == 0 : world_rank == world_size - size;
    const int partner = ocean ? size : 0;
    double waited = 0;
    for (int step = 0; step < steps; ++step) {
        if (rank == late) sleep_s(ocean && size != world_size ? 0.02 : 0.05);
        waited += step_of(how);
        MPI_Barrier(mine);
        if (!first || size == world_size) continue;
        if (ocean)
            MPI_Send(out, 800, MPI_BYTE, partner, 7, MPI_COMM_WORLD);
        else
            MPI_Recv(in, 800, MPI_BYTE, partner, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    /* Receives to which nothing comes are no waits. */
    MPI_Request nothing[2];
    MPI_Irecv(in, 1, MPI_BYTE, next, 99, mine, &nothing[0]);
    MPI_Irecv(in_back, 1, MPI_BYTE, MPI_ANY_SOURCE, 99, mine, &nothing[1]);
    for (int i = 0; i < 2; ++i) {
        MPI_Cancel(&nothing[i]);
        MPI_Wait(&nothing[i], MPI_STATUS_IGNORE);
    }
    MPI_Recv(in, 1, MPI_BYTE, MPI_PROC_NULL, 99, mine, MPI_STATUS_IGNORE);
    printf("waited %s %d %.6f\n", role, world_rank, waited);
    fflush(stdout);
    MPI_Request_free(&kept[0]);
    MPI_Request_free(&kept[1]);
    MPI_Comm_free(&mine);
    MPI_Finalize();
    return 0;
}
