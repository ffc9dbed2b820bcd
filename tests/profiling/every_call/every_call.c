#include "every_call.h"

int rank, other;
const char *own_path;
MPI_Info no_hints;

/* A line at once: those of two processes come to one place. */
void show(const char *what, const int *values, int count) {
    char line[400];
    size_t length = (size_t)snprintf(line, sizeof line, "%d %s:", rank, what);
    for (int i = 0; i < count && length < sizeof line - 20; ++i)
        length += (size_t)snprintf(line + length, sizeof line - length, " %d", values[i]);
    line[length++] = '\n';
    fwrite(line, 1, length, stdout); /* in one, because MPICH's stdout may have no buffer */
    fflush(stdout);
}

void show_status(const char *what, const MPI_Status *status) {
    int values[4] = {status->MPI_SOURCE, status->MPI_TAG, -1, -1};
    MPI_Get_count(status, I, &values[2]);
    MPI_Test_cancelled(status, &values[3]);
    show(what, values, 4);
}

void finish(const char *what, MPI_Request *request, const int *values, int count) {
    MPI_Wait(request, NONE);
    show(what, values, count);
    if (*request != MPI_REQUEST_NULL) printf("%d %s: the request is not null\n", rank, what);
}

/* A program that MPI_Comm_spawn starts. */
static int child(void) {
    MPI_Comm parent;
    MPI_Comm_get_parent(&parent);
    MPI_Comm_disconnect(&parent);
    MPI_Finalize();
    return 0;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    if (argc > 1 && strcmp(argv[1], "child") == 0) return child();
    MPI_Comm_rank(W, &rank);
    other = 1 - rank;
    own_path = argv[0];
    MPI_Info_create(&no_hints);
    point_to_point();
    collective();
    communicators();
    one_sided();
    files("every_call.data");
#if MPI_VERSION >= 4
    point_to_point_large();
    collective_large();
    one_sided_large();
    files_large("every_call_large.data");
#endif
    MPI_Info_free(&no_hints);
    MPI_Finalize();
    return 0;
}
