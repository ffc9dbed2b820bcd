/* cpl_lb - the run-time manager: which processor counts a malleable model, one that can move processes between its
 * components while it runs, takes next (Kim, Larson and Chiu 2012, "Automatic Performance Prediction for
 * Load-Balancing Coupled Models", sections IV and V).
 *
 * At the end of each load-balance interval, two coupling cycles, one to settle and one to measure:
 *
 *   on one process of each component              on the process that decides, or on all of them alike
 *   ┌─ the second cycle ───────────────────┐      m = cpl_lb_manager_new(5, 208, CPL_LB_DIRECT)  once
 *   │ cpl_lb_watch_start(c)                │      cpl_lb_manager_allow(m, 3, 8, 128, 8)      optional
 *   │   ... computes ...                   │
 *   │ cpl_lb_watch_meet(c, 1, &partner)    │      cpl_lb_manager_times(m, c, parts, n)       for each component
 *   │   ... the coupler's send or receive  │  ┌─> moved = cpl_lb_manager_next(m, cycle_s, counts)
 *   │ cpl_lb_watch_left(c)                 │  │   if (moved == 1) the model moves processes to `counts`
 *   │   ... computes ...                   │  │
 *   │ n = cpl_lb_watch_stop(c, parts, size)│ ─┘   (the model sends parts, e.g. with MPI_Gather)
 *   └──────────────────────────────────────┘
 *
 * A model that is recorded (cpl_lb_init, PUT and GET) need not call cpl_lb_watch_meet and cpl_lb_watch_left:
 * cpl_lb_watch_name says once which number each component has, and the meetings are taken from its events.
 *
 * These calls need no cpl_lb_init, no namelist and no recording, send no message and read no file: the answer
 * depends only on what was given, so processes that give the same get the same. Components are numbered 1, 2, ...
 * as the model likes. int functions give 0 or more when all is well and a negative CPL_LB_E... code otherwise;
 * what went wrong is also one line on standard error. A refused call changes nothing.
 */
#ifndef CPL_LB_CPL_LB_MANAGER_H
#define CPL_LB_CPL_LB_MANAGER_H

#include <cpl_lb/cpl_lb.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Stopwatch of a component, on one process of it. Between meetings it computes; a meeting is an exchange with other
 * components (numbers), from meet to left. A negative number: that component waits for this one here, but not the
 * other way round (a buffered send). */
CPL_LB_PUBLIC int cpl_lb_watch_start(int component); /* what was measured before is forgotten */
CPL_LB_PUBLIC int cpl_lb_watch_meet(int component, int n_partners, const int *partners);
CPL_LB_PUBLIC int cpl_lb_watch_left(int component);
/* The component with this number has this name in the events' counterparts, on this process. Then, if no meeting
 * was told between start and stop, the PUTs and GETs that this process recorded are the meetings; exchanges with
 * components without a number count as computing. A GET waits; a PUT waited where it took more than a hundredth of
 * the time. Without a recording (switched off) it changes nothing. */
CPL_LB_PUBLIC int cpl_lb_watch_name(int component, const char *name);
/* Writes what happened since start to parts and gives the number of values, at most size; if size is too small
 * CPL_LB_EARGUMENT and nothing is lost. The format, for models that measure themselves: for each meeting
 *   seconds of computing before it, number of partners, the partners
 * and at the end the seconds of computing after the last. A partner's number is negative where it waits for this
 * component here but not the other way round; a PUT to it has 1000 more, a GET from it 2000 more (-1002: a PUT to 2
 * that did not wait). */
CPL_LB_PUBLIC int cpl_lb_watch_stop(int component, double *parts, int size);

/* How a manager searches. */
enum {
    CPL_LB_DIRECT = 0,  /* at once to the best counts that all measurements so far foresee */
    CPL_LB_STEPWISE = 1 /* of versions before 0.4; now the same as CPL_LB_DIRECT */
};

/* Id (>= 1) of a new manager for that many components and processes in all. */
CPL_LB_PUBLIC int cpl_lb_manager_new(int components, int processes, int search);
/* Counts that a component may have: multiples of block from least to most. Else: 1 to all, in steps of 1. Before
 * the first cpl_lb_manager_next. */
CPL_LB_PUBLIC int cpl_lb_manager_allow(int manager, int component, int least, int most, int block);
/* A foreseen gain below this share of the cycle time (0.02: 2 %) is not worth moving processes. Default 0: as small
 * as the noise of the timings, which the manager learns, allows. */
CPL_LB_PUBLIC int cpl_lb_manager_gain(int manager, double least_gain);
/* What one component measured in the interval: n values in the format of cpl_lb_watch_stop. The k-th meeting of i
 * with j is the k-th of j with i. The k-th PUT of i to j is the k-th GET of j from i, or the one after it (what is
 * received was sent a cycle before): whichever explains the measured cycle. */
CPL_LB_PUBLIC int cpl_lb_manager_times(int manager, int component, const double *parts, int n);
/* counts[0..components-1]: with which counts the interval was run; becomes those to run next. They use all
 * processes, as far as the allowed counts let them. cycle_s: measured time of a coupling cycle; 0: not measured.
 * Needs the times of all components, and forgets them. 1: the counts changed; 0: they are the same. Keep calling at
 * rest: when the load changes, it searches again. */
CPL_LB_PUBLIC int cpl_lb_manager_next(int manager, double cycle_s, int *counts);
/* 1 at rest, 0 searching. Each pointer may be NULL. predicted_s: of a cycle with the last answer (equation 11; NaN
 * before the first). reallocations: answers that moved processes; undone: of these, back to counts run before;
 * woken: how often, at rest, a change of the load led to other counts. */
CPL_LB_PUBLIC int cpl_lb_manager_state(int manager, double *predicted_s, int *reallocations, int *undone, int *woken);
CPL_LB_PUBLIC int cpl_lb_manager_free(int manager);

#ifdef __cplusplus
}
#endif

#endif
