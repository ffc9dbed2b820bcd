/* The program: loads a library so that nobody else sees it, as Python does, and calls its function. The library
 * (A_LIBRARY): Fortran's functions of MPI, from begin to end. */
#include <stdio.h>
#ifdef A_LIBRARY

void mpi_init_f08_(int *error);
void mpi_finalize_f08_(int *error);
#ifdef MPIF_H
void mpi_init_(int *error);
void mpi_finalize_(int *error);
#else
#define mpi_init_ mpi_init_f08_
#define mpi_finalize_ mpi_finalize_f08_
#endif

int begin_and_end(void) {
    int begun = 1, ended = 1;
    mpi_init_(&begun);
    mpi_finalize_(&ended);
    return begun == 0 && ended == 0;
}

#else
#include <dlfcn.h>

int main(int argc, char **argv) {
    void *library = dlopen(argc > 1 ? argv[1] : "", RTLD_LAZY | RTLD_LOCAL);
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
    int (*begin_and_end)(void);
    *(void **)&begin_and_end = dlsym(library, "begin_and_end");
    const int fine = begin_and_end();
    printf("%s\n", fine ? "fine" : "wrong");
    return !fine;
}
#endif
