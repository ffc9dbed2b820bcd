// The rare calls of libcpl_lb_mpi, off the hot path: other threads, names of communicators, roots, messages.
#include "cpl_lb/cpl_lb_inside.h"

#include "api/guarded.hpp"
#include "run/live/recording.hpp"

#include <new>

static_assert(cpl_lb::logged_last == CPL_LB_MESSAGE_LAST && cpl_lb::logged_next == CPL_LB_MESSAGE_NEXT &&
              cpl_lb::logged_again == CPL_LB_MESSAGE_AGAIN && cpl_lb::root_by_rank == CPL_LB_RANK);

extern "C" void cpl_lb_elsewhere(int64_t calls, double seconds) {
    cpl_lb::Recording *recording = cpl_lb::recording_here();
    if (recording == nullptr) return;
    recording->recorder()->problems().elsewhere = calls;
    recording->recorder()->problems().elsewhere_s = seconds;
}

extern "C" void cpl_lb_communicator(const char *name) {
    if (cpl_lb::Recording *recording = cpl_lb::recording_here()) recording->note_communicator(name);
}

extern "C" void cpl_lb_root(int field, int rank) {
    cpl_lb::Recording *recording = cpl_lb::recording_here();
    if (recording == nullptr || field <= 0 || rank < 0) return;
    try {
        recording->note_root({static_cast<std::uint32_t>(field), rank});
    } catch (const std::bad_alloc &) { // then the field is called after the root's rank
    }
}

extern "C" void cpl_lb_messages(int kind, int field, const std::uint32_t *messages, std::size_t count) {
    cpl_lb::Recording *recording = cpl_lb::recording_here();
    if (recording == nullptr || field <= 0) return;
    try {
        recording->note_messages({static_cast<cpl_lb::Kind>(kind), static_cast<std::uint32_t>(field),
                                  std::vector<cpl_lb::LoggedMessage>(messages, messages + count)});
    } catch (const std::bad_alloc &) { // then the calls of this field are counted, as those of a model's own calls
    }
}
