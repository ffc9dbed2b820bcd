// What the timers of a model tell of one run, whoever wrote them: plain data between the readers and the results.
#pragma once

#include "data/balance.hpp"
#include "data/time.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cpl_lb {

struct CoupledRun;

// A number, and where it stands: TimerText::at().
struct TimedFigure {
    double value = unknown; // seconds, if nothing else is said
    std::string from;

    [[nodiscard]] bool known() const { return is_known(value); }
};

// Unknown if one of them is. The source says what was added to what, or taken off.
[[nodiscard]] TimedFigure operator+(const TimedFigure &a, const TimedFigure &b);
[[nodiscard]] TimedFigure operator-(const TimedFigure &a, const TimedFigure &b);
// Adds a figure to a sum that may not be known yet.
void add_to(TimedFigure &sum, const TimedFigure &one);

// A clock of a component: it becomes a region of it. Inclusive seconds of one process over all its calls.
struct TimedPart {
    std::string name;
    std::int64_t calls = 0;     // of all processes together; 0: not known
    std::int64_t processes = 0; // that have it; 0: not known
    double min_s = unknown, mean_s = unknown, max_s = unknown;
    std::string from;
    // A process's own file told it: files of other processes of the run add theirs.
    bool of_own_files = false;
    std::size_t line = 0; // of its file, from 0

    [[nodiscard]] TimedFigure mean() const { return {mean_s, from}; }
    [[nodiscard]] TimedFigure most() const { return {max_s, from}; }
};

// The first row of a table of timers (TimedPart, or what has its members) that has this name; nullptr: there is none.
template <class Row>
[[nodiscard]] const Row *row_named(const std::vector<Row> &rows, std::string_view name) {
    const auto found = std::ranges::find(rows, name, &Row::name);
    return found == rows.end() ? nullptr : &*found;
}

// The most of this row; unknown without it.
template <class Row>
[[nodiscard]] TimedFigure most_of(const std::vector<Row> &rows, std::string_view name) {
    const Row *const row = row_named(rows, name);
    return row == nullptr ? TimedFigure{} : row->most();
}

struct TimedWait {
    std::string component; // that it waits for; empty: not known
    TimedFigure seconds;
};

struct TimedComponent {
    std::string name;
    std::int64_t processes = 0; // 0: not known
    std::int64_t threads = 0;   // of each process; 0: not known, and then cores and cost are not, either
    std::string processes_from;
    // Its processes are first, first + stride, ... in the run; first < 0: not known, its processes are its own.
    std::int64_t first_process = -1, stride = 1;
    TimedFigure computing_s; // in the run's loop, without waiting for other components
    TimedFigure waiting_s;   // in the run's loop, for other components
    TimedFigure mapping_s, mapping_spread_s;
    TimedFigure output_s, output_spread_s;
    TimedFigure restart_s, restart_spread_s;
    TimedFigure imbalance_s, jitter_s;
    TimedFigure loop_s, startup_s, shutdown_s; // where they are its own; else those of the run
    std::vector<TimedWait> waits;
    std::vector<TimedPart> parts;
};

// What follows from timers without more, under the names of the json.
struct ComponentFigure {
    const char *name;
    TimedFigure TimedComponent::*told;
    double ComponentBalance::*filled;
};
inline constexpr ComponentFigure component_figures[] = {
    {"computing_s", &TimedComponent::computing_s, &ComponentBalance::computing_s},
    {"waiting_s", &TimedComponent::waiting_s, &ComponentBalance::waiting_s},
    {"mapping_s", &TimedComponent::mapping_s, &ComponentBalance::mapping_s},
    {"mapping_spread_s", &TimedComponent::mapping_spread_s, &ComponentBalance::mapping_spread_s},
    {"output_s", &TimedComponent::output_s, &ComponentBalance::output_s},
    {"output_spread_s", &TimedComponent::output_spread_s, &ComponentBalance::output_spread_s},
    {"restart_s", &TimedComponent::restart_s, &ComponentBalance::restart_s},
    {"restart_spread_s", &TimedComponent::restart_spread_s, &ComponentBalance::restart_spread_s},
    {"imbalance_s", &TimedComponent::imbalance_s, &ComponentBalance::imbalance_s},
    {"jitter_s", &TimedComponent::jitter_s, &ComponentBalance::jitter_s},
};

struct TimedRun {
    std::string id;      // as the file names the run; empty: the file's own name
    std::string of;      // files that have the same word here tell of one run; empty: this file is alone
    bool leads = false;  // of these it is asked first, wherever it stands
    std::string coupler; // empty: not known
    std::string machine;
    std::string submitted, started, ended; // ISO 8601 UTC; empty: not known
    TimedFigure simulated_s;
    double year_days = 365.0;
    TimedFigure startup_s, loop_s, shutdown_s; // of the whole run
    TimedFigure wall_s;                        // unknown: the sum of the three
    // The file's own speed and cost leave out start-up and shut-down: SYPD and CHSY then do so, too.
    bool speed_is_of_loop = false;
    TimedFigure cores;          // that the run pays for
    std::int64_t processes = 0; // of the run; 0: those of the components
    std::vector<TimedComponent> components;
    // Whether models ran beside those of the file: if so, cores of the components are not those of the run.
    bool others_not_known = false;
    // Processes whose own tables were read, and where they stand: each counts once.
    std::map<std::string, std::string> own_tables;
    // Who computes beside whom, in the words of cpl-lb balance table --layout, where the model's own rules say it;
    // and these rules in words. Empty: not known.
    std::string layout, layout_rules;
    std::vector<std::string> remarks; // what is wrong in the file, and what follows from that

    TimedComponent &add_component(const std::string &name) {
        components.emplace_back().name = name;
        return components.back();
    }
    void remark(Sentence sentence, SentenceFigures figures) { remarks.push_back(say(sentence, figures)); }
    // A sentence on two figures that should be the same.
    void remark_differs(Sentence sentence, const std::string &where, std::string printed, std::string ours) {
        remark(sentence, {{"where", where}, {"printed", std::move(printed)}, {"ours", std::move(ours)}});
    }
    // The table ends with a row behind which other rows may be missing.
    void remark_cut(const TimedPart &last, std::string what) {
        remark(Sentence::timers_cut, {{"where", last.from}, {"what", std::move(what)}});
    }
};

// Files of one run (TimedRun::of) become one: what the first does not tell comes from the others. The order stays.
[[nodiscard]] std::vector<TimedRun> joined_runs(std::vector<TimedRun> runs);

// The waist of the library: a run without timelines, in which each figure says which timer told it. Seconds and
// shares that follow from the timers; NaN for the rest. If the layout's rules are known, so is who is on the longest
// path through it.
[[nodiscard]] CoupledRun run_of_timers(const TimedRun &timed);

} // namespace cpl_lb
