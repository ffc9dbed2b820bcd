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
        {"nemo", "NEMO's timing.output", is_nemo_timing, read_nemo_timing},
        {"mitgcm", "MITgcm's STDOUT.0000", is_mitgcm_stdout, read_mitgcm_stdout},
        {"roms", "logs of ROMS, also in COAWST", is_roms_log, read_roms_log},
        {"xios", "XIOS's client and server reports", is_xios_report, read_xios_report},
        {"oasis", "OASIS3-MCT's load balance analysis, and lucia's", is_oasis_balance, read_oasis_balance},
        {"pace", "json of runs in PACE", is_pace_json, read_pace_json},
        {"jobs", "job times of Autosubmit and cylc", is_job_times, read_job_times},
    };
    return readers;
}

TimedPart part_at(const TimerText &text, std::size_t line, std::string_view name) {
    TimedPart part;
    part.name = name;
    part.from = text.at(line, name);
    part.line = line;
    return part;
}

} // namespace cpl_lb
