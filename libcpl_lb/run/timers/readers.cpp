// The table of readers, in the order in which they are asked and listed.
#include "run/timers/readers.hpp"

namespace cpl_lb {

const std::vector<TimerReader> &timer_readers() {
    static const std::vector<TimerReader> readers = {
        {"cesm", "summaries of CESM and E3SM (cesm_timing..., e3sm_timing...)", is_cesm_timing, read_cesm_timing},
        {"gptl", "GPTL's statistics and processes' own timers (CESM, E3SM: model_timing...)", is_gptl_timing,
         read_gptl_timing},
        {"esmf_profile", "ESMF's own profile (ESMF_Profile.summary)", is_esmf_profile, read_esmf_profile},
        {"fms", "clocks of FMS (MOM, SIS, GFDL's coupled models)", is_fms_clocks, read_fms_clocks},
        {"cice", "timers of CICE", is_cice_timers, read_cice_timers},
        {"um", "the Unified Model's inclusive timer summary", is_um_timers, read_um_timers},
    };
    return readers;
}

} // namespace cpl_lb
