/* One day of one constituent: it computes, and meets the others through the heads. */
#ifndef DAY_H
#define DAY_H

#include "load.h"

#include <mpi.h>

struct constituent {
    int me;                                   /* CPL ... ICE */
    MPI_Comm world, members;                  /* all; those of this constituent, its head first */
    int heads[CONSTITUENTS];                  /* ranks in world */
    int put[CONSTITUENTS], get[CONSTITUENTS]; /* coupling fields, by partner */
    double seconds;                           /* of computing in a day */
    int measured;                             /* this day is measured */
};

/* Fields are called after where they come from and where they go: ocn_cpl. */
void name_fields(struct constituent *self);

void run_day(const struct constituent *self);

/* Waits asleep: more processes than cores are no problem, and a waiting process takes nothing from the others.
 * n: at most 2 CONSTITUENTS. */
void wait_asleep(MPI_Request *requests, int n);

#endif
