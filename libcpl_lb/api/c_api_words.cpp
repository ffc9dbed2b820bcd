// The part of the C interface that needs no recording: version, and error codes in words.
#include "cpl_lb/cpl_lb.h"

#include "data/error_codes.hpp"

#include <algorithm>
#include <array>

static_assert(CPL_LB_EORDER == cpl_lb::error::order && CPL_LB_EARGUMENT == cpl_lb::error::argument &&
              CPL_LB_ENAMELIST == cpl_lb::error::namelist && CPL_LB_EMPI == cpl_lb::error::mpi &&
              CPL_LB_ETIMEOUT == cpl_lb::error::timeout && CPL_LB_EIO == cpl_lb::error::io &&
              CPL_LB_ENOMEM == cpl_lb::error::memory && CPL_LB_ETHREAD == cpl_lb::error::thread &&
              CPL_LB_EDROPPED == cpl_lb::error::dropped && CPL_LB_EDATA == cpl_lb::error::data &&
              CPL_LB_EINTERNAL == cpl_lb::error::internal);

namespace {

struct CodeInWords {
    int code;
    const char *words;
};
constexpr std::array<CodeInWords, 12> codes = {{
    {CPL_LB_OK, "no error"},
    {CPL_LB_EORDER, "call in the wrong order"},
    {CPL_LB_EARGUMENT, "argument missing or out of range"},
    {CPL_LB_ENAMELIST, "namelist or environment malformed: switched off"},
    {CPL_LB_EMPI, "an MPI call failed"},
    {CPL_LB_ETIMEOUT, "other processes did not come within rn_timeout"},
    {CPL_LB_EIO, "a result could not be written"},
    {CPL_LB_ENOMEM, "out of memory"},
    {CPL_LB_ETHREAD, "called from a thread other than that of cpl_lb_init"},
    {CPL_LB_EDROPPED, "events were dropped at the memory bound nn_max_mb"},
    {CPL_LB_EDATA, "what was recorded is inconsistent"},
    {CPL_LB_EINTERNAL, "defect of cpl_lb: please report it"},
}};

} // namespace

extern "C" {

const char *cpl_lb_version(void) {
    return CPL_LB_VERSION;
}

const char *cpl_lb_strerror(int code) {
    const auto *found = std::ranges::find(codes, code, &CodeInWords::code);
    return found == codes.end() ? "unknown error code" : found->words;
}

} // extern "C"
