/* Preloaded: MPICH says that it is 4.2.1, and ends the program in MPI_Finalize and MPI_Comm_free as that does when a
 * message was never received. STRICT_NO_NAMES: the launcher keeps no names. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int MPI_Get_library_version(char *version, int *length) {
    const char text[] = "MPICH Version:      4.2.1\nMPICH Release date: Wed Apr 17\n";
    memcpy(version, text, sizeof text);
    *length = (int)sizeof text - 1;
    return MPI_SUCCESS;
}

static void check(MPI_Comm comm) {
    int found = 0;
    MPI_Status status;
    PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &found, &status);
    if (!found) return;
    fprintf(stderr, "strict: a message of process %d with tag %d was never received\n", status.MPI_SOURCE,
            status.MPI_TAG);
    PMPI_Abort(comm, 15);
}

/* After all others wrote what they write. */
static int at_end(MPI_Comm comm, int key, void *value, void *extra) {
    (void)comm, (void)key, (void)value, (void)extra;
    PMPI_Barrier(MPI_COMM_WORLD);
    check(MPI_COMM_WORLD);
    return MPI_SUCCESS;
}

/* The attribute that was set first is deleted last. */
int MPI_Init(int *argc, char ***argv) {
    int key = MPI_KEYVAL_INVALID;
    const int code = PMPI_Init(argc, argv);
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end, &key, NULL);
    PMPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    return code;
}

/* Errors without a communicator: the handler of MPI_COMM_SELF if it was given one, else that of MPI_COMM_WORLD.
 * MPICH 4.0 calls that of MPI_COMM_WORLD always, so it is kept away from it for the time of a call. */
static int self_was_given_one = 0;

int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler) {
    self_was_given_one |= comm == MPI_COMM_SELF;
    return PMPI_Comm_set_errhandler(comm, handler);
}

static int handled(int code) {
    if (code != MPI_SUCCESS) PMPI_Comm_call_errhandler(self_was_given_one ? MPI_COMM_SELF : MPI_COMM_WORLD, code);
    return code;
}

#define QUIET(CALL)                                                                                                  \
    MPI_Errhandler of_world;                                                                                         \
    PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &of_world);                                                             \
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);                                                     \
    const int code = CALL;                                                                                           \
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, of_world);                                                              \
    PMPI_Errhandler_free(&of_world);                                                                                 \
    return handled(code)

int MPI_Publish_name(const char *name, MPI_Info info, const char *port) {
    QUIET(getenv("STRICT_NO_NAMES") == NULL ? PMPI_Publish_name(name, info, port) : MPI_ERR_SERVICE);
}

int MPI_Lookup_name(const char *name, MPI_Info info, char *port) {
    QUIET(PMPI_Lookup_name(name, info, port));
}

int MPI_Unpublish_name(const char *name, MPI_Info info, const char *port) {
    QUIET(PMPI_Unpublish_name(name, info, port));
}

/* On the communicators that programs make: deleted last, too. */
static int at_free(MPI_Comm comm, int key, void *value, void *extra) {
    (void)key, (void)value, (void)extra;
    check(comm);
    return MPI_SUCCESS;
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *copy) {
    int key = MPI_KEYVAL_INVALID;
    const int code = PMPI_Comm_dup(comm, copy);
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_free, &key, NULL);
    PMPI_Comm_set_attr(*copy, key, NULL);
    return code;
}
