/* What libcpl_lb-<mpi>.so offers to libcpl_lb_mpi-<mpi>.so of the same version; C++ on both sides. Not
 * installed: models use cpl_lb.h.
 */
#ifndef CPL_LB_CPL_LB_INSIDE_H
#define CPL_LB_CPL_LB_INSIDE_H

#include <cpl_lb/cpl_lb.h>
#include <cstddef>
#include <cstdint>

extern "C" {

/* Who takes part: ranks in the communicator of init, ascending, what each said of itself, and cn_components. */
struct cpl_lb_processes {
    int count;
    const int *ranks;
    const char *const *said;
    const char *ranges;
};

/* Gives the component of process `me` (a place in the lists); what it points to stays valid until the next call. */
using cpl_lb_namer = const char *(*)(const cpl_lb_processes *processes, int me);

/* cpl_lb_init for processes that get their component's name when all have said who they are. */
CPL_LB_PUBLIC int cpl_lb_init_by(MPI_Comm comm, const char *said, cpl_lb_namer namer);

/* Another name for the component of this process, before its first event. Spool files keep the one of init. */
CPL_LB_PUBLIC int cpl_lb_rename(const char *component);

/* The clock of the recording: its time now, and how many ticks make a second; 0 while switched off. */
CPL_LB_PUBLIC std::uint64_t cpl_lb_ticks(void);
CPL_LB_PUBLIC double cpl_lb_ticks_per_second(void);

/* The counterpart of what another part of the program takes part in, before the parts have names; if no field
 * tells. */
#define CPL_LB_ANOTHER_PART "another part"

/* Fields that stand for exchanges in which MPI does not show who waits; their messages are marks, without bytes: ends
 * of accesses to memory of another component, and allocations of memory that components share. */
#define CPL_LB_WINDOW_ACCESSES "window accesses"
#define CPL_LB_SHARED_MEMORY "shared memory"

/* A kind that models do not have: a collective operation over several components. */
enum { CPL_LB_SYNC = 11 };

/* An event for each of the fields, known only when it is over. Spans do not overlap and come in the order of time.
 * The last `early` fields of one wait for several may have ended earlier, at early_end. */
CPL_LB_PUBLIC void cpl_lb_span(int kind, const int *fields, int count, std::uint64_t begin, std::uint64_t end,
                               int early = 0, std::uint64_t early_end = 0);

/* What MPI is used for inside a component (docs/definitions.md, section 8). */
enum cpl_lb_mpi_class {
    CPL_LB_MPI_POINT_TO_POINT,
    CPL_LB_MPI_COLLECTIVE,
    CPL_LB_MPI_ONE_SIDED,
    CPL_LB_MPI_FILES,
    CPL_LB_MPI_CLASSES /* how many */
};

/* Calls of MPI and messages are told from now on, or from cpl_lb_init on, on its thread, if there are any. */
CPL_LB_PUBLIC void cpl_lb_inside_starts(void);

/* A call of MPI that was no exchange by itself: sums are kept, no event. Inside an open PUT or GET of the model it is
 * part of that. */
CPL_LB_PUBLIC void cpl_lb_inside(enum cpl_lb_mpi_class mpi_class, std::uint64_t begin, std::uint64_t end);

/* Before cpl_lb_inside, if that call waited for messages from processes of this component: their ranks in
 * MPI_COMM_WORLD, one for each message. Less than 0: not known. */
CPL_LB_PUBLIC void cpl_lb_waited(const int *ranks, int count, std::uint64_t begin, std::uint64_t end);

/* A message that this process sends, point to point: for the regions that are open, for the process that gets it, by
 * its rank in MPI_COMM_WORLD (less than 0: not known, or in another component), and for the field of its exchange
 * (0: none, unless the model's own calls give one). */
CPL_LB_PUBLIC void cpl_lb_message(std::int64_t bytes, int to, int field);

/* Before cpl_lb_terminate: what the model calls the communicator of this process's part of its program. The part is
 * called so, if its processes agree and no other part is. */
CPL_LB_PUBLIC void cpl_lb_communicator(const char *name);

/* Before cpl_lb_terminate: which messages all PUTs or GETs (kind) of a field had to do with, call by call: the rank
 * of the partner in the communicator of init, and these. */
#define CPL_LB_MESSAGE_LAST (UINT32_C(1) << 31U)  /* of its call, which is one event of the field */
#define CPL_LB_MESSAGE_NEXT (UINT32_C(1) << 30U)  /* seen by a probe: the next one from there, still to come */
#define CPL_LB_MESSAGE_AGAIN (UINT32_C(1) << 29U) /* the latest one to there: the wait until it was complete */
CPL_LB_PUBLIC void cpl_lb_messages(int kind, int field, const std::uint32_t *messages, std::size_t count);

/* The field of a collective operation, whose name ends with CPL_LB_RANK and the root's rank in the communicator of
 * init. cpl_lb_terminate puts the name of the root's component in that place: the parts of a program have none while
 * it runs. */
#define CPL_LB_RANK "rank "
CPL_LB_PUBLIC void cpl_lb_root(int field, int rank);

/* Calls of MPI on other threads than that of cpl_lb_init, of this process, and their time: told at the end of the
 * run, once for all processes. */
CPL_LB_PUBLIC void cpl_lb_elsewhere(std::int64_t calls, double seconds);

/* Calls of MPI that this process left by a jump (longjmp), before they came to their end. */
CPL_LB_PUBLIC void cpl_lb_left(std::int64_t calls);

/* From here on the calling thread records, and cpl_lb_terminate is its to call. lives: the thread that recorded so
 * far has not ended, and cannot end during this call. It must not be in a call of the library. */
CPL_LB_PUBLIC void cpl_lb_take_over(int lives);

/* Called by an adapter after cpl_lb_init: names its coupler, "OASIS3-MCT". The text then uses the coupler's
 * words. Adapters look for it, because older libraries do not have it. */
CPL_LB_PUBLIC void cpl_lb_coupler(const char *name);
}

#endif
