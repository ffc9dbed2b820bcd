/* Two components of one process each: in each of 12 steps a computes for 60 ms and b for 20 ms, and then b waits
 * until a's step is there. windows WAY, how b finds out. "lock": Lock, Get, Unlock, again and again. "flush":
 * Fetch_and_op and Flush. "request": Rget and Test. "own": its own memory, into which a puts. "shared": a flag in
 * shared memory, without MPI. "fence", "post": Fence; Post and Wait: MPI shows who waits. "answer": as flush, and b
 * sends a message back in each step. "set_up": one access, then messages only. Prints "waited SECONDS, INNER" of b,
 * by its own clock; INNER: without its first step and its last. */
#include "clock.h"

#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { steps = 12 };

static const char *way;
static int rank;
static MPI_Win win;
static int *memory; /* of this process, for "shared" of a */

static int is(const char *name) {
    return strcmp(way, name) == 0;
}

static int fetched(int from) {
    const int nothing = 0;
    int value = 0;
    MPI_Fetch_and_op(&nothing, &value, MPI_INT, from, 0, MPI_NO_OP, win);
    MPI_Win_flush(from, win);
    return value;
}

static int got(void) {
    int value = 0, done = 0;
    MPI_Request request;
    if (is("lock")) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
        sleep_s(50e-6); /* else a may never get its exclusive lock */
        return value;
    }
    if (is("request")) {
        MPI_Rget(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win, &request);
        while (!done)
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        return value;
    }
    if (is("flush") || is("answer")) return fetched(0);
    if (is("own")) return fetched(1); /* MPICH's accesses go on in calls of both */
    MPI_Win_sync(win);
    return *(volatile int *)memory;
}

static void tell(int step) { /* a's step is done: in its own memory, or b's */
    const int to = is("own"), one = 1;
    int before;
    if (is("shared")) {
        *(volatile int *)memory = step;
        MPI_Win_sync(win);
    } else if (is("lock")) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Put(&step, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
    } else {
        MPI_Fetch_and_op(&one, &before, MPI_INT, to, 0, MPI_SUM, win);
        MPI_Win_flush(to, win);
    }
}

static void exchange(int step, MPI_Group other) {
    if (is("fence")) {
        if (rank == 0) MPI_Put(&step, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_fence(0, win);
    } else if (is("post") && rank == 0) {
        MPI_Win_start(other, 0, win);
        MPI_Put(&step, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_complete(win);
    } else if (is("post")) {
        MPI_Win_post(other, 0, win);
        MPI_Win_wait(win);
    } else if (is("set_up")) {
        if (rank == 0) MPI_Send(&step, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
        if (rank == 1) MPI_Recv(&step, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 0) {
        tell(step);
    } else {
        while (got() < step) {
        }
    }
    if (is("answer") && rank == 0) MPI_Recv(&step, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (is("answer") && rank == 1) MPI_Send(&step, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    way = argv[1];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Group all, other;
    const int others_rank = 1 - rank;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &others_rank, &other);
    MPI_Aint size = sizeof *memory;
    int unit = sizeof *memory;
    if (is("shared")) {
        MPI_Win_allocate_shared(size, unit, MPI_INFO_NULL, MPI_COMM_WORLD, (void *)&memory, &win);
        MPI_Win_shared_query(win, 0, &size, &unit, (void *)&memory);
    } else {
        MPI_Win_allocate(size, unit, MPI_INFO_NULL, MPI_COMM_WORLD, (void *)&memory, &win);
    }
    if (rank == 0 || !is("shared")) *memory = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    const int holds = !is("lock") && !is("fence") && !is("post"); /* an epoch over the whole run */
    if (is("fence")) MPI_Win_fence(0, win);
    if (holds) MPI_Win_lock_all(0, win);
    if (is("set_up") && rank == 1) fetched(0);
    if (is("set_up")) MPI_Barrier(MPI_COMM_WORLD);
    double waited = 0, inner = 0;
    for (int step = 1; step <= steps; ++step) {
        sleep_s(rank == 0 ? 0.06 : 0.02);
        const double begin = now();
        exchange(step, other);
        const double seconds = now() - begin;
        waited += seconds;
        if (step > 1 && step < steps) inner += seconds;
    }
    if (holds) MPI_Win_unlock_all(win);
    if (rank == 1) printf("waited %.6f, %.6f\n", waited, inner);
    MPI_Win_free(&win);
    MPI_Group_free(&all);
    MPI_Group_free(&other);
    MPI_Finalize();
    return 0;
}
