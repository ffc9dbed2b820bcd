// What libcpl_lb_mpi says of its own problems, now and then.
#include "cpl_lb/cpl_lb_inside.h"

#include "api/recording_here.hpp"
#include "run/live/recording.hpp"

extern "C" void cpl_lb_elsewhere(int64_t calls, double seconds) {
    cpl_lb::Recording *recording = cpl_lb::recording_here();
    if (recording == nullptr) return;
    recording->recorder()->problems().elsewhere = calls;
    recording->recorder()->problems().elsewhere_s = seconds;
}
