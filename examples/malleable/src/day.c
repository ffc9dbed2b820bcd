#include "day.h"

#include <cpl_lb/cpl_lb_manager.h>
#include <stdio.h>

void name_fields(struct constituent *self) {
    for (int i = 0; i < CONSTITUENTS; ++i) {
        char name[32];
        snprintf(name, sizeof name, "%s_%s", constituent_names[self->me], constituent_names[i]);
        self->put[i] = cpl_lb_field(name, constituent_names[i]);
        snprintf(name, sizeof name, "%s_%s", constituent_names[i], constituent_names[self->me]);
        self->get[i] = cpl_lb_field(name, constituent_names[i]);
    }
}

void wait_asleep(MPI_Request *requests, int n) {
    MPI_Status statuses[2 * CONSTITUENTS];
    int all = 0;
    for (;;) {
        MPI_Testall(n, requests, &all, statuses);
        if (all) return;
        sleep_seconds(100e-6);
    }
}

/* Both sides send and receive, so each leaves when the other has come. The members learn of it from their head. */
static void meet(const struct constituent *self, int n, const int *partners) {
    int rank;
    MPI_Comm_rank(self->members, &rank);
    double fields[2][CONSTITUENTS] = {{0}};
    MPI_Request requests[2 * CONSTITUENTS];
    if (rank == 0) {
        int numbers[CONSTITUENTS]; /* the manager counts from 1 */
        for (int i = 0; i < n; ++i)
            numbers[i] = partners[i] + 1;
        if (self->measured) cpl_lb_watch_meet(self->me + 1, n, numbers);
        for (int i = 0; i < n; ++i) {
            const int head = self->heads[partners[i]];
            cpl_lb_begin(CPL_LB_PUT, self->put[partners[i]]);
            MPI_Isend(&fields[1][i], 1, MPI_DOUBLE, head, 0, self->world, &requests[2 * i]);
            cpl_lb_end(CPL_LB_PUT, self->put[partners[i]]);
            MPI_Irecv(&fields[0][i], 1, MPI_DOUBLE, head, 0, self->world, &requests[2 * i + 1]);
        }
        for (int i = 0; i < n; ++i) {
            cpl_lb_begin(CPL_LB_GET, self->get[partners[i]]);
            wait_asleep(&requests[2 * i], 2);
            cpl_lb_end(CPL_LB_GET, self->get[partners[i]]);
        }
        if (self->measured) cpl_lb_watch_left(self->me + 1);
    }
    MPI_Ibcast(fields[0], CONSTITUENTS, MPI_DOUBLE, 0, self->members, requests);
    wait_asleep(requests, 1);
}

static void compute(const struct constituent *self, double share) {
    sleep_seconds(share * self->seconds);
}

/* The coupler's day (section VI of the paper): the ocean at its begin and end, the others every hour. */
static void coupler_day(const struct constituent *self) {
    const int ocean[] = {OCN}, surface[] = {LAND, ICE}, atmosphere[] = {ATM};
    meet(self, 1, ocean);
    for (int hour = 0; hour < HOURS; ++hour) {
        meet(self, 2, surface);
        compute(self, 0.6 / HOURS);
        meet(self, 2, surface);
        meet(self, 1, atmosphere);
        compute(self, 0.2 / HOURS);
        meet(self, 1, atmosphere);
        compute(self, 0.2 / HOURS);
    }
    meet(self, 1, ocean);
}

void run_day(const struct constituent *self) {
    const int coupler[] = {CPL};
    if (self->me == CPL) {
        coupler_day(self);
        return;
    }
    const int times = self->me == OCN ? 1 : HOURS; /* the ocean's step is a day */
    for (int step = 0; step < times; ++step) {
        compute(self, 0.2 / times);
        meet(self, 1, coupler);
        compute(self, 0.6 / times);
        meet(self, 1, coupler);
        compute(self, 0.2 / times);
    }
}
