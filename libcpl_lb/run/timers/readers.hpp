// The readers of timers: a row of timer_readers() and a file for each. A file begins with the layout that it reads
// and where that comes from.
#pragma once

#include "run/timers/timed_run.hpp"
#include "run/timers/timer_text.hpp"

#include <vector>

namespace cpl_lb {

struct TimerReader {
    const char *kind;  // as --kind names it
    const char *title; // what it reads, in words
    // Whether the file looks like one of these, also if it is cut or damaged. No two readers take the same file.
    bool (*recognizes)(const TimerText &text);
    // The runs of the file, at least one. Throws FileError with file and line.
    std::vector<TimedRun> (*read)(const TimerText &text);
};

[[nodiscard]] const std::vector<TimerReader> &timer_readers();

[[nodiscard]] bool is_cesm_timing(const TimerText &text);
[[nodiscard]] std::vector<TimedRun> read_cesm_timing(const TimerText &text);
[[nodiscard]] bool is_gptl_timing(const TimerText &text);
[[nodiscard]] std::vector<TimedRun> read_gptl_timing(const TimerText &text);
[[nodiscard]] bool is_esmf_profile(const TimerText &text);
[[nodiscard]] std::vector<TimedRun> read_esmf_profile(const TimerText &text);
[[nodiscard]] bool is_fms_clocks(const TimerText &text);
[[nodiscard]] std::vector<TimedRun> read_fms_clocks(const TimerText &text);
[[nodiscard]] bool is_oasis_balance(const TimerText &text);
[[nodiscard]] std::vector<TimedRun> read_oasis_balance(const TimerText &text);

[[nodiscard]] bool is_job_times(const TimerText &text);
[[nodiscard]] std::vector<TimedRun> read_job_times(const TimerText &text);

} // namespace cpl_lb
