/* The chapter once more, with MPI 4's functions for large counts. */
#include <mpi.h>
#if MPI_VERSION >= 4
#define LARGE
#include "collective.c" /* NOLINT(bugprone-suspicious-include) */
#endif
typedef int not_empty;
