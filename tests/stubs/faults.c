/* Preloaded under a process of a test: makes one thing fail, and says so on standard error ("fault fired: ..."), so
   that the test knows that it did. Only rank FAULT_RANK fails (all without it).
     FAULT_MPI=MPI_Isend  FAULT_AT=n   the n-th such call (1) is made, but returns an error; 0: none, and at the end
                                       it says how many there were */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int here(void) {
    const char *wanted = getenv("FAULT_RANK");
    const char *mine = getenv("OMPI_COMM_WORLD_RANK");
    if (mine == NULL) mine = getenv("PMI_RANK");
    return wanted == NULL || (mine != NULL && strcmp(mine, wanted) == 0);
}

static int count = 0;

__attribute__((destructor)) static void tell(void) {
    const char *at = getenv("FAULT_AT");
    if (at != NULL && atoi(at) == 0 && here()) fprintf(stderr, "calls %d\n", count);
}

static int strikes(const char *variable, const char *name) {
    const char *wanted = getenv(variable);
    const char *at = getenv("FAULT_AT");
    if (wanted == NULL || strcmp(wanted, name) != 0 || !here()) return 0;
    if (++count != (at == NULL ? 1 : atoi(at))) return 0;
    fprintf(stderr, "fault fired: %s\n", name);
    return 1;
}

#define WRAP(NAME, PARAMETERS, ARGUMENTS)                                                                            \
    int NAME PARAMETERS {                                                                                            \
        const int code = P##NAME ARGUMENTS;                                                                          \
        return strikes("FAULT_MPI", #NAME) ? MPI_ERR_OTHER : code;                                                   \
    }
/* As MPI does: the handler of the communicator is called, which may end the program. */
#define WRAP_ON(COMM, NAME, PARAMETERS, ARGUMENTS)                                                                   \
    int NAME PARAMETERS {                                                                                            \
        const int code = P##NAME ARGUMENTS;                                                                          \
        if (!strikes("FAULT_MPI", #NAME)) return code;                                                               \
        PMPI_Comm_call_errhandler(COMM, MPI_ERR_OTHER);                                                              \
        return MPI_ERR_OTHER;                                                                                        \
    }

WRAP_ON(c, MPI_Isend, (const void *b, int n, MPI_Datatype d, int to, int tag, MPI_Comm c, MPI_Request *r),
        (b, n, d, to, tag, c, r))
WRAP_ON(c, MPI_Irecv, (void *b, int n, MPI_Datatype d, int from, int tag, MPI_Comm c, MPI_Request *r),
        (b, n, d, from, tag, c, r))
WRAP(MPI_Test, (MPI_Request * r, int *flag, MPI_Status *s), (r, flag, s))
WRAP_ON(c, MPI_Iprobe, (int from, int tag, MPI_Comm c, int *flag, MPI_Status *s), (from, tag, c, flag, s))
WRAP_ON(c, MPI_Comm_create, (MPI_Comm c, MPI_Group g, MPI_Comm *made), (c, g, made))
WRAP_ON(c, MPI_Comm_create_group, (MPI_Comm c, MPI_Group g, int tag, MPI_Comm *made), (c, g, tag, made))
WRAP_ON(mine, MPI_Intercomm_create, (MPI_Comm mine, int leader, MPI_Comm c, int other, int tag, MPI_Comm *made),
        (mine, leader, c, other, tag, made))
WRAP_ON(c, MPI_Intercomm_merge, (MPI_Comm c, int high, MPI_Comm *made), (c, high, made))
WRAP(MPI_Request_free, (MPI_Request * r), (r))
WRAP(MPI_Cancel, (MPI_Request * r), (r))
WRAP_ON(c, MPI_Bcast, (void *b, int n, MPI_Datatype d, int root, MPI_Comm c), (b, n, d, root, c))
WRAP(MPI_Comm_free, (MPI_Comm * c), (c))
/* Those that strict.c may have behind it. */
#define WRAP_NEXT(NAME, PARAMETERS, ARGUMENTS)                                                                       \
    int NAME PARAMETERS {                                                                                            \
        int(*next) PARAMETERS = NULL;                                                                                \
        *(void **)(&next) = dlsym(RTLD_NEXT, #NAME);                                                                 \
        const int code = next ARGUMENTS;                                                                             \
        if (!strikes("FAULT_MPI", #NAME)) return code;                                                               \
        PMPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER);                                                    \
        return MPI_ERR_OTHER;                                                                                        \
    }

WRAP_NEXT(MPI_Publish_name, (const char *name, MPI_Info i, const char *port), (name, i, port))
WRAP_NEXT(MPI_Lookup_name, (const char *name, MPI_Info i, char *port), (name, i, port))
WRAP_NEXT(MPI_Unpublish_name, (const char *name, MPI_Info i, const char *port), (name, i, port))
WRAP_ON(c, MPI_Comm_set_errhandler, (MPI_Comm c, MPI_Errhandler h), (c, h))
