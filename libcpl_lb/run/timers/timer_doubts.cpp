// Compares the timers of a run with each other.
#include "run/timers/timer_doubts.hpp"

#include "support/fmt.hpp"
#include "support/sentences.hpp"

namespace cpl_lb {
namespace {

constexpr double part_of_it = 1.01; // timers of a run are read one after the other
constexpr double digits_s = 0.05;   // and printed with two to six decimals

std::string seconds_of_timer(double seconds) {
    return fmt::format("{:.6g}", seconds);
}

bool exceeds(double sum_s, double whole_s) {
    return is_known(sum_s) && is_known(whole_s) && sum_s > whole_s * part_of_it + digits_s;
}

void doubt_means(const TimedComponent &component, std::vector<std::string> &doubts) {
    for (const TimedPart &part : component.parts) {
        if (!is_known(part.min_s) || !is_known(part.mean_s) || !is_known(part.max_s)) continue;
        const double apart = 0.006 + 1e-5 * part.max_s; // of printed digits
        if (part.mean_s >= part.min_s - apart && part.mean_s <= part.max_s + apart) continue;
        doubts.push_back(say(Sentence::timers_mean_outside, {{"where", part.from},
                                                             {"mean", seconds_of_timer(part.mean_s)},
                                                             {"least", seconds_of_timer(part.min_s)},
                                                             {"most", seconds_of_timer(part.max_s)}}));
        return; // one for each component: the others are wrong in the same way
    }
}

void doubt_loop(const TimedRun &run, const TimedComponent &component, std::vector<std::string> &doubts) {
    const TimedFigure &loop = component.loop_s.known() ? component.loop_s : run.loop_s;
    if (!component.computing_s.known()) return;
    double sum_s = component.computing_s.value;
    if (component.waiting_s.known()) sum_s += component.waiting_s.value;
    if (!exceeds(sum_s, loop.value)) return;
    doubts.push_back(say(Sentence::timers_more_than_loop, {{"where", component.computing_s.from},
                                                           {"name", component.name},
                                                           {"sum", seconds_of_timer(sum_s)},
                                                           {"loop", seconds_of_timer(loop.value)}}));
}

} // namespace

std::vector<std::string> doubts_about(const TimedRun &run) {
    std::vector<std::string> doubts;
    double sum_s = 0;
    for (const TimedFigure &phase : {run.startup_s, run.loop_s, run.shutdown_s})
        if (phase.known()) sum_s += phase.value;
    if (run.wall_s.known() && exceeds(sum_s, run.wall_s.value)) {
        doubts.push_back(say(Sentence::timers_phases_exceed, {{"where", run.wall_s.from},
                                                              {"sum", seconds_of_timer(sum_s)},
                                                              {"wall", seconds_of_timer(run.wall_s.value)}}));
    }
    for (const TimedComponent &component : run.components) {
        doubt_means(component, doubts);
        doubt_loop(run, component, doubts);
    }
    return doubts;
}

} // namespace cpl_lb
