// The part of the C interface that needs no recording: version, and error codes in words.
#include "cpl_lb/cpl_lb.h"

#include "data/error_codes.hpp"

static_assert(CPL_LB_EORDER == cpl_lb::error::order && CPL_LB_EARGUMENT == cpl_lb::error::argument &&
              CPL_LB_ENAMELIST == cpl_lb::error::namelist && CPL_LB_EMPI == cpl_lb::error::mpi &&
              CPL_LB_ETIMEOUT == cpl_lb::error::timeout && CPL_LB_EIO == cpl_lb::error::io &&
              CPL_LB_ENOMEM == cpl_lb::error::memory && CPL_LB_ETHREAD == cpl_lb::error::thread &&
              CPL_LB_EDROPPED == cpl_lb::error::dropped && CPL_LB_EDATA == cpl_lb::error::data &&
              CPL_LB_EINTERNAL == cpl_lb::error::internal);

extern "C" {

const char *cpl_lb_version(void) {
    return CPL_LB_VERSION;
}

const char *cpl_lb_strerror(int code) {
    switch (code) {
    case CPL_LB_OK:
        return "no error";
    case CPL_LB_EORDER:
        return "call in the wrong order";
    case CPL_LB_EARGUMENT:
        return "argument missing or out of range";
    case CPL_LB_ENAMELIST:
        return "namelist or environment malformed: switched off";
    case CPL_LB_EMPI:
        return "an MPI call failed";
    case CPL_LB_ETIMEOUT:
        return "other processes did not come within rn_timeout";
    case CPL_LB_EIO:
        return "a result could not be written";
    case CPL_LB_ENOMEM:
        return "out of memory";
    case CPL_LB_ETHREAD:
        return "called from a thread other than that of cpl_lb_init";
    case CPL_LB_EDROPPED:
        return "events were dropped at the memory bound nn_max_mb";
    case CPL_LB_EDATA:
        return "what was recorded is inconsistent";
    case CPL_LB_EINTERNAL:
        return "defect of cpl_lb: please report it";
    default:
        return "unknown error code";
    }
}

} // extern "C"
