/* Two programs, each with an MPI_COMM_WORLD of its own, that exchange in every step: worlds CASE parent|child [MORE].
 *   spawn, merge, both (_spawn_multiple), manager, feed: MORE is the command that the parent spawns, with its words
 *   connect: MORE is the file in which the parent (MPI_Comm_accept) leaves its port for the child (MPI_Comm_connect)
 * In a step the parent sleeps 20 ms, sends, and receives what the child sends after 60 ms. A manager sleeps 0 ms; who
 * feeds sends only. Each prints what it waited in receives, and in what time: from its second step to the last but
 * one. */
#include "clock.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { steps = 14 };

static double x, waited, began, ended;

static void receive(MPI_Comm other, int from, int step) {
    const double before = now();
    MPI_Recv(&x, 1, MPI_DOUBLE, from, 1, other, MPI_STATUS_IGNORE);
    if (step > 1 && step < steps) waited += now() - before;
    if (step == 1) began = now();
    if (step == steps - 1) ended = now();
}

static void parent(MPI_Comm other, int first, int children, double seconds, int answers) {
    for (int step = 1; step <= steps; ++step) {
        sleep_s(seconds);
        for (int child = first; child < first + children; ++child)
            MPI_Send(&x, 1, MPI_DOUBLE, child, 1, other);
        for (int child = first; answers && child < first + children; ++child)
            receive(other, child, step);
    }
}

static void child(MPI_Comm other, int answers) {
    for (int step = 1; step <= steps; ++step) {
        receive(other, 0, step);
        sleep_s(0.06);
        if (answers) MPI_Send(&x, 1, MPI_DOUBLE, 0, 1, other);
    }
}

static MPI_Comm spawned(char **words, int commands) {
    MPI_Comm other;
    char *names[2] = {words[0], words[0]}, **arguments[2] = {words + 1, words + 1};
    int counts[2] = {1, 1};
    MPI_Info infos[2] = {MPI_INFO_NULL, MPI_INFO_NULL};
    if (commands == 1)
        MPI_Comm_spawn(words[0], words + 1, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other, MPI_ERRCODES_IGNORE);
    else
        MPI_Comm_spawn_multiple(2, names, arguments, counts, infos, 0, MPI_COMM_WORLD, &other, MPI_ERRCODES_IGNORE);
    return other;
}

static MPI_Comm connected(const char *file, int is_parent) {
    char port[MPI_MAX_PORT_NAME] = "", made[1000];
    MPI_Comm other;
    snprintf(made, sizeof made, "%s.made", file);
    if (is_parent) {
        MPI_Open_port(MPI_INFO_NULL, port);
        FILE *out = fopen(made, "w");
        fputs(port, out);
        fclose(out);
        rename(made, file);
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other);
        MPI_Close_port(port);
        return other;
    }
    FILE *in = NULL;
    for (int nap = 0; nap < 2000 && (in = fopen(file, "r")) == NULL; ++nap)
        sleep_s(0.01);
    if (in == NULL || fgets(port, sizeof port, in) == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
    if (in != NULL) fclose(in);
    MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other);
    return other;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    const char *way = argv[1];
    const int is_parent = strcmp(argv[2], "parent") == 0, answers = strcmp(way, "feed") != 0;
    const int children = strcmp(way, "both") == 0 ? 2 : 1, merges = strcmp(way, "merge") == 0;
    MPI_Comm other, merged = MPI_COMM_NULL;
    if (strcmp(way, "connect") == 0)
        other = connected(argv[3], is_parent);
    else if (is_parent)
        other = spawned(argv + 3, children);
    else
        MPI_Comm_get_parent(&other);
    if (merges) MPI_Intercomm_merge(other, !is_parent, &merged);
    if (is_parent)
        parent(merges ? merged : other, merges ? 1 : 0, children, strcmp(way, "manager") == 0 ? 0 : 0.02, answers);
    else
        child(merges ? merged : other, answers);
    if (merges) MPI_Comm_free(&merged);
    printf("%s waited %.6f of %.6f\n", argv[2], waited, ended - began);
    fflush(stdout);
    MPI_Comm_disconnect(&other);
    MPI_Finalize();
    return 0;
}
