// The table of readers, in the order in which they are asked and listed.
#include "run/timers/readers.hpp"

namespace cpl_lb {

const std::vector<TimerReader> &timer_readers() {
    static const std::vector<TimerReader> readers = {
        {"cesm", "summaries of CESM and E3SM (cesm_timing..., e3sm_timing...)", is_cesm_timing, read_cesm_timing},
    };
    return readers;
}

} // namespace cpl_lb
