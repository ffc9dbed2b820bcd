/* Every function of the table of calls (libcpl_lb/profiling/calls.inc) is called here at least once, on 2 processes,
 * and what MPI gives is printed: the output with the recording has to be that without. A chapter that ends in _LARGE
 * is the same source with MPI 4's functions for large counts. */
#ifndef EVERY_CALL_H
#define EVERY_CALL_H

#include <mpi.h>
#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(LARGE)
#define N(name) MPI_##name##_c
#define CHAPTER(name) name##_large
#define PERSISTENT(name) MPI_##name##_init_c
typedef MPI_Count number;
typedef MPI_Aint place;
#else
#define N(name) MPI_##name
#define CHAPTER(name) name
typedef int number;
typedef int place;
#if MPI_VERSION >= 4
#define PERSISTENT(name) MPI_##name##_init
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define PERSISTENT(name) MPIX_##name##_init
#endif
#endif
#define W MPI_COMM_WORLD
#define I MPI_INT
#define NONE MPI_STATUS_IGNORE

extern int rank, other;
extern const char *own_path;
extern MPI_Info no_hints;

void show(const char *what, const int *values, int count);
void show_status(const char *what, const MPI_Status *status);
/* Waits and shows what came. */
void finish(const char *what, MPI_Request *request, const int *values, int count);

void point_to_point(void);
void collective(void);
void communicators(void);
void one_sided(void);
void files(const char *path);
#if MPI_VERSION >= 4
void point_to_point_large(void);
void collective_large(void);
void one_sided_large(void);
void files_large(const char *path);
#endif

#endif
