// Timers of GPTL as CESM and E3SM write them: model_timing_stats and <model>_timing_stats.<LID> with statistics over
// all processes, model_timing.NNNN with one process's own, or both in one file.
//
//   ***** GLOBAL STATISTICS (   N MPI TASKS) *****
//
//   name           on  processes  threads   count  walltotal   wallmax (proc   thrd  )   wallmin (proc   thrd  )
//   "CPL:ATM_RUN"   -       128      256 2.36e+06  1.579e+04    72.009 (     1      0)    51.040 (    27      0)
//
//   ************ PROCESS      0 (     0) ************
//   ...
//   Stats for thread 0:
//                             On  Called Recurse     Wallclock          max          min     UTR Overhead
//       "CPL:INIT"             -       1    -       126.039558   125.737663     0.301900         0.000000
//
// The first versions have no quotes around names, and no column `on`, which came after 2016; PAPI adds columns on the
// right. threads and count are of all processes. wallmax and wallmin are the most and least seconds of a thread;
// walltotal is the sum over processes and threads. A '*' before a name says that the timer has several parents.
// CIME's get_timing takes CPL:RUN_LOOP for the run, CPL:INIT and CPL:FINAL before and after it, CPL:XXX_RUN for a
// component (CPL:OCNT_RUN for the ocean where it is longer), and CPL:RUN for the coupler.
#include "run/timers/gptl_rows.hpp"
#include "run/timers/readers.hpp"

#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace cpl_lb {
namespace {

struct GptlComponent {
    const char *name;   // as CIME says it
    const char *upper;  // in the driver's timers
    const char *prefix; // of the component's own timers; "a_i:" while it starts
};

constexpr std::array<GptlComponent, 9> gptl_components = {{{"cpl", "CPL", "CPL:"},
                                                           {"atm", "ATM", "a:"},
                                                           {"lnd", "LND", "l:"},
                                                           {"ice", "ICE", "i:"},
                                                           {"ocn", "OCN", "o:"},
                                                           {"rof", "ROF", "r:"},
                                                           {"glc", "GLC", "g:"},
                                                           {"wav", "WAV", "w:"},
                                                           {"iac", "IAC", "z:"}}};

const GptlRow *gptl_row_of(const std::vector<GptlRow> &rows, std::string_view name) {
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const GptlRow &r) { return r.name == name; });
    return found == rows.end() ? nullptr : &*found;
}

TimedFigure gptl_most(const TimerText &text, const std::vector<GptlRow> &rows, std::string_view name) {
    const GptlRow *const row = gptl_row_of(rows, name);
    if (row == nullptr) return {};
    return {row->max_s, text.at(row->line, row->name)};
}

// Whose timer it is: "CPL:ATM_RUN" and "a:CAM_run1" of atm, other "CPL:..." of cpl; nobody's: nullptr.
const GptlComponent *gptl_owner(std::string_view name) {
    const GptlComponent *const driver = &gptl_components.front();
    if (name.starts_with(driver->prefix)) {
        const std::string_view rest = name.substr(4);
        for (const GptlComponent &c : gptl_components)
            if (rest.starts_with(std::string(c.upper) + "_") || rest.starts_with(std::string(c.upper) + "T_"))
                return &c;
        return driver;
    }
    for (const GptlComponent &c : gptl_components)
        if (name.starts_with(c.prefix) || name.starts_with(std::string(c.prefix, 1) + "_i:")) return &c;
    return nullptr;
}

// Timers that say that they are waits. At a barrier before its run a component's own processes wait for each other.
bool is_gptl_wait(const GptlRow &row, const GptlComponent &c) {
    return row.name.starts_with(std::string("CPL:") + c.upper) && row.name.ends_with("_WAIT");
}

TimedPart gptl_part(const TimerText &text, const GptlRow &row, bool of_one_process) {
    TimedPart part;
    part.name = row.name;
    part.calls = row.calls;
    part.processes = row.processes;
    part.min_s = row.min_s;
    part.mean_s = row.mean_s;
    part.max_s = row.max_s;
    part.from = text.at(row.line, row.name);
    part.of_own_files = of_one_process;
    return part;
}

void take_gptl_run(const TimerText &text, const std::vector<GptlRow> &rows, const GptlComponent &c,
                   TimedComponent &component) {
    const std::string run = std::string("CPL:") + c.upper;
    const GptlRow *row = gptl_row_of(rows, component.name == "cpl" ? "CPL:RUN" : run + "_RUN");
    const GptlRow *const tight = gptl_row_of(rows, run + "T_RUN");
    if (tight != nullptr && (row == nullptr || tight->max_s > row->max_s)) row = tight;
    if (row == nullptr) return;
    component.processes = row->processes;
    component.processes_from = text.at(row->line, row->name);
    component.computing_s = {row->max_s, text.at(row->line, row->name)};
    // The most of two timers may be those of different processes.
    const auto is_wait = [&](const GptlRow &wait) { return is_gptl_wait(wait, c); };
    if (std::count_if(rows.begin(), rows.end(), is_wait) != 1) return;
    const GptlRow &wait = *std::find_if(rows.begin(), rows.end(), is_wait);
    component.waiting_s = {wait.max_s, text.at(wait.line, wait.name)};
}

// Components that the driver runs; without a driver's timers the model is one component.
void take_gptl_components(const TimerText &text, const GptlTables &tables, TimedRun &run) {
    const std::vector<GptlRow> &rows = tables.rows;
    const bool has_driver =
        std::any_of(rows.begin(), rows.end(), [](const GptlRow &r) { return r.name.starts_with("CPL:"); });
    for (const GptlComponent &c : gptl_components) {
        TimedComponent component;
        component.name = has_driver ? c.name : "model";
        if (has_driver && !tables.of_own_files) take_gptl_run(text, rows, c, component);
        for (const GptlRow &row : rows) {
            if (has_driver && gptl_owner(row.name) != &c) continue;
            component.parts.push_back(gptl_part(text, row, tables.of_own_files));
            if (row.processes > 0 && row.threads % row.processes == 0)
                component.threads = std::max(component.threads, row.threads / row.processes);
        }
        if (!has_driver) {
            component.processes = run.processes;
            run.others = OtherModels::not_known;
        }
        // 0.000 is a component without work (a stub): CIME's summary leaves it out, too.
        const bool works = component.computing_s.value >= 0.0005 || tables.of_own_files || !has_driver;
        if (works && !component.parts.empty()) run.components.push_back(std::move(component));
        if (!has_driver) break;
    }
}

// Components may be missing, and timers that are compared with those that are there.
void leave_out_what_may_be_cut(const TimerText &text, const GptlTables &tables, TimedRun &run) {
    if (!tables.is_cut) return;
    run.remarks.push_back(
        say(Sentence::timers_cut, {{"where", text.at(tables.rows.back().line, tables.rows.back().name)},
                                   {"what", "components, their computing and waiting, cores"}}));
    run.cores = {};
    for (TimedComponent &component : run.components) {
        component.computing_s = component.waiting_s = {};
        component.threads = 0;
    }
}

// Files of one run: the LID behind the name, or the folder timing.<LID>; else those of one folder.
std::string gptl_run_of(const TimerText &text) {
    const std::string name = text.name(), mark = "timing_stats.";
    if (const std::size_t at = name.find(mark); at != std::string::npos && at + mark.size() < name.size())
        return name.substr(at + mark.size());
    const std::size_t slash = text.path().rfind('/');
    const std::string folder = slash == std::string::npos ? "." : text.path().substr(0, slash);
    const std::string last = folder.substr(folder.rfind('/') + 1);
    if (last.starts_with("timing.") && last.size() > 7) return last.substr(7);
    return name.starts_with("model_timing") ? folder : "";
}

} // namespace

bool is_gptl_timing(const TimerText &text) {
    return gptl_statistics_head(text, 0) < text.lines().size() || gptl_process_head(text, 0) < text.lines().size();
}

std::vector<TimedRun> read_gptl_timing(const TimerText &text) {
    const GptlTables tables = gptl_tables(text);
    TimedRun run;
    run.kind = "gptl";
    run.of = gptl_run_of(text);
    run.processes = tables.processes;
    run.own_tables = tables.own_tables;
    run.startup_s = gptl_most(text, tables.rows, "CPL:INIT");
    run.loop_s = gptl_most(text, tables.rows, "CPL:RUN_LOOP");
    run.shutdown_s = gptl_most(text, tables.rows, "CPL:FINAL");
    run.speed_is_of_loop = run.loop_s.known();
    take_gptl_components(text, tables, run);
    if (run.components.empty()) throw text.wrong(tables.head, "no component's timer (CPL:ATM_RUN, ...) ran");
    if (run.processes > 0) {
        std::int64_t threads = 1;
        for (const TimedComponent &c : run.components)
            threads = std::max(threads, c.threads);
        run.cores = {static_cast<double>(run.processes * threads), text.at(tables.head, "MPI TASKS x threads")};
    }
    leave_out_what_may_be_cut(text, tables, run);
    return {std::move(run)};
}

} // namespace cpl_lb
