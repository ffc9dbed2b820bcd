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

/* Requests that are made once, for each set of messages, and started each time. */
struct again {
    char what[16];
    int count, peers[most], tags[most];
    double values[most];
    MPI_Request requests[most];
};
static struct again kept[most];
static int kept_count = 0;

static struct again *request_again(const char *what, int count, const int *peers, const int *tags) {
    for (int k = 0; k < kept_count; ++k) {
        int same = strcmp(kept[k].what, what) == 0 && kept[k].count == count;
        for (int i = 0; same && i < count; ++i)
            same = kept[k].peers[i] == peers[i] && kept[k].tags[i] == tags[i];
        if (same) return kept + k;
    }
    if (kept_count == most) return NULL;
    struct again *a = kept + kept_count++;
    snprintf(a->what, sizeof a->what, "%s", what);
    a->count = count;
    for (int i = 0; i < count; ++i) {
        a->peers[i] = peers[i];
        a->tags[i] = tags[i];
        if (strcmp(what, "again_send") == 0)
            MPI_Send_init(a->values + i, 1, MPI_DOUBLE, peers[i], tags[i], MPI_COMM_WORLD, a->requests + i);
        else
            MPI_Recv_init(a->values + i, 1, MPI_DOUBLE, peers[i] < 0 ? MPI_ANY_SOURCE : peers[i], tags[i],
                          MPI_COMM_WORLD, a->requests + i);
    }
    return a;
}

static void free_again(void) {
    for (int k = 0; k < kept_count; ++k)
        for (int i = 0; i < kept[k].count; ++i)
            MPI_Request_free(kept[k].requests + i);
}

static void pass(const char *what, int count, const int *peers, const int *tags) {
    struct again *a = strncmp(what, "again_", 6) == 0 ? request_again(what, count, peers, tags) : NULL;
    if (a != NULL) {
        MPI_Startall(count, a->requests);
        MPI_Waitall(count, a->requests, MPI_STATUSES_IGNORE);
        return;
    }
    if (strncmp(what, "again_", 6) == 0) what += 6; /* more than are kept */
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

/* A barrier over the ranks of two components, in a communicator that is made at the first one. */
static void meet_both(int a, int b, int ranks, char **component_of_rank) {
    static MPI_Comm both[most][most];
    static int made[most][most];
    if (!made[a][b]) {
        int members[most * most];
        int count = 0;
        for (int r = 0; r < ranks; ++r)
            if (atoi(component_of_rank[r]) == a || atoi(component_of_rank[r]) == b) members[count++] = r;
        MPI_Group all, some;
        MPI_Comm_group(MPI_COMM_WORLD, &all);
        MPI_Group_incl(all, count, members, &some);
        MPI_Comm_create_group(MPI_COMM_WORLD, some, 1, &both[a][b]);
        MPI_Group_free(&some);
        MPI_Group_free(&all);
        made[a][b] = 1;
    }
    MPI_Barrier(both[a][b]);
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
        int other = -1;
        int peers[most] = {0}, tags[most] = {0};
        if (fscanf(script, "%ld", &first) != 1) break;
        if (strcmp(what, "meet") == 0 && fscanf(script, "%d", &other) != 1) break;
        const int passes = strcmp(what, "compute") != 0 && strcmp(what, "meet") != 0;
        for (long i = 0; passes && i < first && i < most; ++i)
            if (fscanf(script, "%d %d", peers + i, tags + i) != 2) break;
        if (process != rank) continue;
        if (strcmp(what, "compute") == 0)
            compute(first);
        else if (other >= 0)
            meet_both((int)first, other, argc - 2, argv + 2);
        else if (strcmp(what, "meet") == 0)
            MPI_Barrier(first < 0 ? MPI_COMM_WORLD : mine);
        else
            pass(what, (int)first, peers, tags);
    }
    free_again();
    MPI_Comm_free(&mine);
    MPI_Finalize();
    return script == NULL;
}
