// A run that is still going: how far it has come, estimated from its events so far, and its balance, for a terminal.
#pragma once

#include "data/coupled_run.hpp"
#include "run/recovered/recovery.hpp"

#include <cstddef>
#include <string>

namespace cpl_lb {

// The progress of the slowest component: the run is no further. NaN: not known, because the models give no dates.
struct RunProgress {
    double simulated_s = unknown; // from the first date of the component to its last
    double sypd = unknown;        // over the whole coupling steps so far
    double planned_s = unknown;   // cpl_lb_set_length
    double left_s = unknown;      // wall clock time, at the speed so far; not of a run that is silent
    double silent_s = unknown;    // since the last event, if that is longer than the run's steps explain
    double longest_step_s = unknown;
};

// `quiet_s`: since the last event, see below; NaN: not known.
[[nodiscard]] RunProgress run_progress_of(const CoupledRun &run, const SpoolRun &spools, double quiet_s = unknown);

// Seconds since the last event in the spool files, by the clock of this node; unix_now_s: seconds since 1970.
[[nodiscard]] double since_last_event_s(const CoupledRun &run, const SpoolRun &spools, double unix_now_s);

// Whether a look at a run that goes on saw anything that the looks before it had not seen.
class News {
public:
    // After three looks at the same events the figures are no longer the run's present: returns false.
    [[nodiscard]] bool at_look(const CoupledRun &run);

private:
    double wall_s_ = unknown; // of the run, at the look that saw something new
    int looks_without_ = 0;
};

// One line for a log: how far the run is, its speed, the first sentence of the verdict; or how long it has been
// silent.
[[nodiscard]] std::string watch_line(const CoupledRun &run, const RunProgress &progress);

// For a terminal: computing and waiting of each component as bars of `columns`, who waits for whom, speed, time left.
[[nodiscard]] std::string watch_text(const CoupledRun &run, const RunProgress &progress, bool colour);

// One line for each component with a coupling loop: name, bar, per cent of the loop that it waits, and for whom most.
// Bars of computing are '=' and of waiting '.', so that they can be read without colour; the idle time of an I/O
// server is blank. At most `most` components, those with the most core time.
[[nodiscard]] std::string balance_bars(const CoupledRun &run, std::size_t columns, bool colour,
                                       std::size_t most = 20);

// Whether standard output is a terminal that wants colour: NO_COLOR (no-color.org) and TERM=dumb say no.
[[nodiscard]] bool terminal_has_colour();

} // namespace cpl_lb
