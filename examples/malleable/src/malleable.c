/* A coupled model whose processes move between its five constituents while it runs, as the run-time manager says.
 *   mpirun -np 12 malleable [INTERVALS [CHANGE]]
 * Before interval CHANGE the ice gets four times its load (0: never). An interval is two days: one to settle, one
 * to measure. */
#include "day.h"
#include "roles.h"

#include <cpl_lb/cpl_lb_manager.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 840, MOST_PARTS = 128 };

struct model {
    int rank, processes, interval;
    int counts[CONSTITUENTS], role[MOST_PROCESSES];
    struct constituent self;
    double state[CELLS]; /* this process's cells of its constituent */
    int first_cell, cells;
    int manager;      /* on rank 0 */
    double manager_s; /* in its calls */
};

/* After each answer: new communicators, and each process its cells. A real model would send only what moves. */
static void settle_down(struct model *m, double all_cells[CONSTITUENTS][CELLS]) {
    if (m->self.members != MPI_COMM_NULL) MPI_Comm_free(&m->self.members);
    m->self.me = m->role[m->rank];
    MPI_Comm_split(m->self.world, m->self.me, m->rank, &m->self.members);
    for (int i = 0; i < CONSTITUENTS; ++i)
        m->self.heads[i] = head_of(i, m->processes, m->role);
    name_fields(&m->self);
    int rank, size;
    MPI_Comm_rank(m->self.members, &rank);
    MPI_Comm_size(m->self.members, &size);
    m->first_cell = CELLS * rank / size;
    m->cells = CELLS * (rank + 1) / size - m->first_cell;
    memcpy(m->state, &all_cells[m->self.me][m->first_cell], (size_t)m->cells * sizeof(double));
}

static void collect_cells(const struct model *m, double all_cells[CONSTITUENTS][CELLS]) {
    memset(all_cells, 0, sizeof(double) * CONSTITUENTS * CELLS);
    memcpy(&all_cells[m->self.me][m->first_cell], m->state, (size_t)m->cells * sizeof(double));
    MPI_Allreduce(MPI_IN_PLACE, all_cells, CONSTITUENTS * CELLS, MPI_DOUBLE, MPI_SUM, m->self.world);
}

static void run_interval(struct model *m, double parts[MOST_PARTS], double *day_s) {
    int rank;
    MPI_Comm_rank(m->self.members, &rank);
    cpl_lb_component_begin(constituent_names[m->self.me]);
    m->self.measured = 0;
    run_day(&m->self);
    m->self.measured = rank == 0;
    if (m->self.measured) cpl_lb_watch_start(m->self.me + 1);
    const double begin = MPI_Wtime();
    run_day(&m->self);
    *day_s = MPI_Wtime() - begin;
    parts[0] = m->self.measured ? cpl_lb_watch_stop(m->self.me + 1, parts + 1, MOST_PARTS - 1) : 0;
    cpl_lb_component_end();
    for (int cell = 0; cell < m->cells; ++cell)
        m->state[cell] += 2; /* one for each day */
}

/* On rank 0: the next counts. */
static int ask_manager(struct model *m, double (*parts)[MOST_PARTS], double day_s) {
    const double begin = MPI_Wtime();
    for (int i = 0; i < CONSTITUENTS; ++i) {
        const double *given = parts[m->self.heads[i]];
        cpl_lb_manager_times(m->manager, i + 1, given + 1, (int)given[0]);
    }
    const int moved = cpl_lb_manager_next(m->manager, day_s, m->counts);
    m->manager_s += MPI_Wtime() - begin;
    return moved;
}

static void print_line(const struct model *m, const int counts[CONSTITUENTS], double day_s, double predicted_s,
                       int moved, int woke) {
    printf("%8d ", m->interval);
    for (int i = 0; i < CONSTITUENTS; ++i)
        printf("%5d", counts[i]);
    printf("%12.4f ", day_s);
    if (isnan(predicted_s)) {
        printf("%12s", "n/a");
    } else {
        printf("%12.4f", predicted_s);
    }
    printf("  %s%s\n", woke ? "the load has changed; " : "", moved == 1 ? "processes move" : "stay");
    fflush(stdout);
}

static int decide(struct model *m, double parts[MOST_PARTS], double day_s) {
    static double all_parts[MOST_PROCESSES][MOST_PARTS];
    MPI_Request arrived;
    MPI_Ibarrier(m->self.world, &arrived);
    wait_asleep(&arrived, 1);
    MPI_Gather(parts, MOST_PARTS, MPI_DOUBLE, all_parts, MOST_PARTS, MPI_DOUBLE, 0, m->self.world);
    int answer[CONSTITUENTS + 1] = {0};
    if (m->rank == 0) {
        int before[CONSTITUENTS], woken_before = 0, woken = 0;
        double predicted_s; /* with these counts, by the last answer */
        memcpy(before, m->counts, sizeof before);
        cpl_lb_manager_state(m->manager, &predicted_s, NULL, NULL, &woken_before);
        answer[CONSTITUENTS] = ask_manager(m, all_parts, day_s);
        cpl_lb_manager_state(m->manager, NULL, NULL, NULL, &woken);
        memcpy(answer, m->counts, sizeof m->counts);
        print_line(m, before, day_s, predicted_s, answer[CONSTITUENTS], woken > woken_before);
    }
    MPI_Bcast(answer, CONSTITUENTS + 1, MPI_INT, 0, m->self.world);
    memcpy(m->counts, answer, sizeof m->counts);
    return answer[CONSTITUENTS] == 1;
}

static void start(struct model *m, double all_cells[CONSTITUENTS][CELLS]) {
    m->self.world = MPI_COMM_WORLD;
    m->self.members = MPI_COMM_NULL;
    for (int i = 0; i < CONSTITUENTS; ++i) { /* as many for each */
        m->counts[i] = m->processes * (i + 1) / CONSTITUENTS - m->processes * i / CONSTITUENTS;
        for (int cell = 0; cell < CELLS; ++cell)
            all_cells[i][cell] = i + cell / (double)CELLS;
    }
    first_roles(m->processes, m->counts, m->role);
    settle_down(m, all_cells);
    if (m->rank == 0) {
        m->manager = cpl_lb_manager_new(CONSTITUENTS, m->processes, CPL_LB_DIRECT);
        printf("interval   cpl  atm  ocn land  ice measured s predicted s\n");
    }
}

/* Every cell has had one step each day, wherever it lived. */
static int cells_are_right(const double all_cells[CONSTITUENTS][CELLS], int days) {
    for (int i = 0; i < CONSTITUENTS; ++i)
        for (int cell = 0; cell < CELLS; ++cell)
            if (fabs(all_cells[i][cell] - (i + cell / (double)CELLS + days)) > 1e-9) return 0;
    return 1;
}

static void print_end(const struct model *m, double run_s, int right) {
    int reallocations, undone, woken;
    cpl_lb_manager_state(m->manager, NULL, &reallocations, &undone, &woken);
    printf("%d reallocations, %d undone; woken %d times; cells %s\n", reallocations, undone, woken,
           right ? "right" : "WRONG");
    printf("manager: %.3f ms of %.2f s, %.3f %%\n", 1e3 * m->manager_s, run_s, 100 * m->manager_s / run_s);
    cpl_lb_manager_free(m->manager);
}

int main(int argc, char **argv) {
    static double all_cells[CONSTITUENTS][CELLS];
    static struct model m;
    const int intervals = argc > 1 ? atoi(argv[1]) : 16, change = argc > 2 ? atoi(argv[2]) : 9;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &m.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &m.processes);
    if (m.processes < CONSTITUENTS || m.processes > MOST_PROCESSES) {
        if (m.rank == 0) fprintf(stderr, "malleable: 5 to %d processes are needed\n", MOST_PROCESSES);
        MPI_Finalize();
        return 2;
    }
    cpl_lb_init(MPI_COMM_WORLD, "malleable");
    start(&m, all_cells);
    const double begin = MPI_Wtime();
    for (m.interval = 1; m.interval <= intervals; ++m.interval) {
        const double heavier = m.self.me == ICE && change > 0 && m.interval >= change ? 4 : 1;
        m.self.seconds = day_seconds(m.self.me, m.counts[m.self.me], m.processes, heavier);
        double parts[MOST_PARTS], day_s;
        run_interval(&m, parts, &day_s);
        if (!decide(&m, parts, day_s)) continue;
        collect_cells(&m, all_cells);
        new_roles(m.processes, m.counts, m.role);
        settle_down(&m, all_cells);
    }
    const double run_s = MPI_Wtime() - begin;
    collect_cells(&m, all_cells);
    const int right = cells_are_right((const double(*)[CELLS])all_cells, 2 * intervals);
    if (m.rank == 0) print_end(&m, run_s, right);
    cpl_lb_terminate(2.0 * intervals * 86400);
    MPI_Comm_free(&m.self.members);
    MPI_Finalize();
    return right ? 0 : 1;
}
