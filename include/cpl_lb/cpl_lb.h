/* cpl_lb - load balance and CPMIP metrics of coupled models, measured from within.
 *
 * Call order, on every process of `comm` (all calls are no-ops when switched off by the namelist):
 *
 *   MPI_Init
 *     cpl_lb_init(comm, "ocean")                     on all; reads namelist_cpl_lb on the lowest rank
 *       id = cpl_lb_field("SST", "atmosphere")       once for each coupling field, any time
 *       ┌─ time loop ────────────────────────────────────────────────────┐
 *       │ cpl_lb_date(model_seconds)                 optional            │
 *       │ cpl_lb_begin(CPL_LB_GET, id)               ┐ around each       │
 *       │    ... the coupler's receive ...           │ coupling          │
 *       │ cpl_lb_end(CPL_LB_GET, id)                 ┘ operation         │
 *       └────────────────────────────────────────────────────────────────┘
 *     cpl_lb_terminate(simulated_seconds)            collective; writes the results
 *   MPI_Finalize
 *
 * No call aborts, exits, throws, raises a signal or hangs the model. Functions that return int give 0 (or
 * an id >= 1) when all is well and a negative CPL_LB_E... code otherwise; what went wrong is also one line on
 * standard error that starts with "cpl_lb: ". Times are seconds and sizes bytes unless a name says otherwise.
 * Only the thread that called cpl_lb_init records; calls from other threads are counted and reported. In a child
 * of fork() all calls are no-ops, as if switched off. Floating-point traps and modes of the model are kept.
 */
#ifndef CPL_LB_CPL_LB_H
#define CPL_LB_CPL_LB_H

#include <cpl_lb/version.h>
#include <mpi.h>

#if defined(__GNUC__)
#define CPL_LB_PUBLIC __attribute__((visibility("default")))
#else
#define CPL_LB_PUBLIC
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds of coupling events (TR/CMGC/20/176, table 1; the numbers are those of its timeline files). */
enum {
    CPL_LB_UNDF = 0, /* undefined */
    CPL_LB_PUT = 1,  /* send of a coupling field */
    CPL_LB_GET = 2,  /* receive of a coupling field */
    CPL_LB_MAP = 3,  /* mapping, interpolation between grids */
    CPL_LB_OUT = 4,  /* coupling field to a file */
    CPL_LB_READ = 5, /* coupling field from a file */
    CPL_LB_RST = 6,  /* coupling restart written */
    CPL_LB_TRN = 7,  /* intermediate restart of a time transformation written */
    CPL_LB_PART = 8, /* partition described */
    CPL_LB_ENDF = 9, /* end of the definition phase */
    CPL_LB_TERM = 10 /* end of the run; recorded by cpl_lb_terminate itself */
};

/* Error codes; cpl_lb_strerror gives each in words. */
enum {
    CPL_LB_OK = 0,
    CPL_LB_EORDER = -1, /* call in the wrong order: before MPI_Init, after MPI_Finalize, twice, end without begin */
    CPL_LB_EARGUMENT = -2, /* null or empty name, unknown kind, field or region, value out of range */
    CPL_LB_ENAMELIST = -3, /* namelist or environment malformed: switched off */
    CPL_LB_EMPI = -4,      /* an MPI call failed */
    CPL_LB_ETIMEOUT = -5,  /* other processes did not come within rn_timeout */
    CPL_LB_EIO = -6,       /* a result could not be written */
    CPL_LB_ENOMEM = -7,    /* out of memory: recording stopped on this process */
    CPL_LB_ETHREAD = -8,   /* called from a thread other than the one that called cpl_lb_init */
    CPL_LB_EDROPPED = -9,  /* events were dropped at the memory bound nn_max_mb */
    CPL_LB_EDATA = -10,    /* what was recorded is inconsistent: see standard error */
    CPL_LB_EINTERNAL = -11 /* a defect of this library; the run goes on without it */
};

/* Collective over comm. Processes that give the same name form a component. */
CPL_LB_PUBLIC int cpl_lb_init(MPI_Comm comm, const char *component);

/* Id (>= 1) of a coupling field; the same name and counterpart give the same id. Both ends of an exchange use
 * the same name. NULL or "" means: not known yet, see cpl_lb_field_set; without a name each call gives a new
 * id. When the memory for names is full a new name gives 0, the field without a name. */
CPL_LB_PUBLIC int cpl_lb_field(const char *name, const char *counterpart);
/* Names learned later, any time before terminate. NULL or "" leaves that name as it is. */
CPL_LB_PUBLIC int cpl_lb_field_set(int field, const char *name, const char *counterpart);

/* Hot path: one clock read and one store. Events may nest and interleave; field 0 is legal for every kind. */
CPL_LB_PUBLIC void cpl_lb_begin(int kind, int field);
CPL_LB_PUBLIC void cpl_lb_end(int kind, int field);
/* Model date of what follows [s since the start of the simulation]. */
CPL_LB_PUBLIC void cpl_lb_date(long long seconds);

/* Collective over the comm of cpl_lb_init. simulated_seconds: the largest given holds; 0: not known here. */
CPL_LB_PUBLIC int cpl_lb_terminate(double simulated_seconds);

/* A process that runs several components in turn: what is between belongs to that component. They may nest. */
CPL_LB_PUBLIC int cpl_lb_component_begin(const char *component);
CPL_LB_PUBLIC int cpl_lb_component_end(void);
/* Planned length of the simulation [s], for progress. */
CPL_LB_PUBLIC int cpl_lb_set_length(double simulated_seconds);

/* Named parts of the model's own code; may nest, begin and end in reverse order. */
CPL_LB_PUBLIC int cpl_lb_region(const char *name);
CPL_LB_PUBLIC void cpl_lb_region_begin(int region);
CPL_LB_PUBLIC void cpl_lb_region_end(int region);

/* What the model's author says of a region's work (modelling assertions): symbolic expressions, checked at terminate
 * against what was measured there, and the base of `cpl-lb machine assert`.
 * A parameter is a number that the work depends on, such as a grid size: a letter, then letters, digits and _. Its
 * first value holds for all calls of regions, a later one for the calls that begin after it. */
CPL_LB_PUBLIC int cpl_lb_assert_parameter(const char *name, double value);
/* The work of one call of the region on this process: numbers, parameters, + - * / ^ or **, parentheses, min, max,
 * mod, abs, sqrt, log, log2, log10, exp, floor, ceil; real numbers throughout: 7/2 is 3.5.
 * Quantities: "flops", "loads" and "stores" (numbers of 8 bytes), and "vflops", "vloads", "vstores", those of them in
 * vector instructions; "bytes" from and to memory, "seconds"; and of the region "calls" in the whole run, "avl"
 * (average vector length), "mv" (00, 10, 01, 11: threads, vectorised), "sl" and "tl" (spatial and temporal locality:
 * 0, 1, 2). The same again changes nothing. */
CPL_LB_PUBLIC int cpl_lb_assert_expression(int region, const char *quantity, const char *expression);

/* Properties of the component for the CPMIP metrics (Balaji et al. 2017), global values, from at least one
 * process of the component; processes that disagree are reported. */
CPL_LB_PUBLIC int cpl_lb_set_grid(long long horizontal_points, int levels); /* NH, NZ: resolution G_c = NH NZ */
CPL_LB_PUBLIC int cpl_lb_set_cell_size(double dx_km, double dz_km);
CPL_LB_PUBLIC int cpl_lb_set_complexity(double prognostic_variables); /* V_c */
CPL_LB_PUBLIC int cpl_lb_set_state_bytes(double restart_bytes);       /* S_c; 0: none */
CPL_LB_PUBLIC int cpl_lb_add_output_bytes(double bytes);              /* just written by this process; calls add up */
CPL_LB_PUBLIC int cpl_lb_set_io_server(int is_io_server);             /* this component only writes output */

/* The part of the component's grid that this process computes, for the map of the computing time: from all its
 * processes, any time before terminate; the last call holds. A block: size of the grid, first point (from 1) and
 * number of points, each in the directions i and j; a grid of one direction has size[1] = 1. Without halos: all
 * blocks together are the grid, none overlap. Counts of 0: no points. */
CPL_LB_PUBLIC int cpl_lb_set_domain(const long long size[2], const long long first[2], const long long count[2]);
/* A part that is several blocks of that grid, such as single rows. first, count: i and j of the first piece, then of
 * the second, ... (2 * pieces numbers each); not kept after the call. Pieces without points are allowed, and 0
 * pieces: no points. Neighbours that are one block together become one. Of more than 16 pieces those that lie beside
 * each other become the box around them; the map then says that it is coarser. Some processes may give blocks, others
 * pieces. CPL_LB_EARGUMENT, and what was said before holds: pieces is below 0, a pointer is null, a piece is beyond
 * the grid, or two pieces of this process have a point in common. */
CPL_LB_PUBLIC int cpl_lb_set_domain_pieces(const long long size[2], long long pieces, const long long *first,
                                           const long long *count);
/* Points of that grid that no process computes, such as land: how many in all, from at least one process. Blocks and
 * pieces have to be all others: a hole that nobody speaks of is a mistake, and one line says so. 0: none. */
CPL_LB_PUBLIC int cpl_lb_set_domain_left_out(long long points);
/* Does nothing since 0.4, and returns CPL_LB_OK: the map is one of the grid's indices. */
CPL_LB_PUBLIC int cpl_lb_set_domain_points(long long points, const double *longitudes, const double *latitudes);

/* Waiting while the model runs, over the last `steps` coupling steps, at most CPL_LB_STEPS: whole steps, each from
 * one begin of the most frequent PUT or GET of this process to the next. No file is written or read. Both give how
 * many steps or components there are: 0 if switched off, or before the second step. What is not known is 0, a share
 * -1. docs/manager.md says how these figures differ from those of the report. */
enum {
    CPL_LB_STEPS = 1000, /* the most steps */
    CPL_LB_NAME = 64     /* characters of a name, with the null at its end */
};
/* This process alone, in the component that it is in: sends no message, waits for nobody. Each pointer may be NULL.
 * Seconds in these steps: computing (outside of PUT and GET, or in operations inside them), waiting (the rest of
 * them), coupling (waiting and MAP, OUT, READ, RST, TRN); own: the time of these calls themselves, in none of the
 * others. */
CPL_LB_PUBLIC int cpl_lb_balance_here(int steps, double *computing_s, double *waiting_s, double *coupling_s,
                                      double *own_s);
/* A component: means over its processes that have a step. */
typedef struct cpl_lb_balance { /* NOLINT(modernize-use-using): C has no other way */
    char name[CPL_LB_NAME];
    int processes; /* of it that were asked */
    int measured;  /* of these, with a step */
    int steps;     /* fewest of any of them */
    double seconds, computing_s, waiting_s, coupling_s, own_s;
    double waiting_share; /* waiting_s / seconds; -1: not known */
} cpl_lb_balance;
/* Collective over comm, an intracommunicator: each of its processes that records calls it, waits for the others (at
 * most rn_timeout), and gets the same: components[0..size-1] as far as there are, in the order of their lowest rank,
 * and *slow: which one the others wait for, from 1; 0: none, because nobody waits 2 % of its time, or because the
 * next one waits nearly as little (5 % of its time). components may be NULL with a size of 0, slow may be NULL. After
 * CPL_LB_ETIMEOUT or CPL_LB_EMPI it gives the same at once for the rest of the run. */
CPL_LB_PUBLIC int cpl_lb_balance_now(MPI_Comm comm, int steps, int size, cpl_lb_balance *components, int *slow);

CPL_LB_PUBLIC int cpl_lb_enabled(void); /* 1 while recording */
CPL_LB_PUBLIC const char *cpl_lb_version(void);
CPL_LB_PUBLIC const char *cpl_lb_strerror(int code);

#ifdef __cplusplus
}
#endif

#endif
