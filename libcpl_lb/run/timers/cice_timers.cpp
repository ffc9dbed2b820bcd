// Timers of CICE 4, 5 and 6 (ice_timers), with Icepack's column physics inside; alone or in another model. They stand
// at the end of the ice model's log.
//
//   Timing information:
//
//   Timer   1:     Total   16197.47 seconds            I3, A9 or A20, F11.2
//     Timer stats (node): min =    16197.42 seconds    over processes; these lines only with timer_stats
//                         max =    16197.47 seconds
//                         mean=    16197.44 seconds
//     Timer stats(block): min =        0.00 seconds    over blocks
//                         max = ...   mean= ...
//   Timer   2:  TimeLoop   16197.19 seconds            "Step" in CICE 4
//
// The value of a timer is that of its slowest process. Names may have blanks ("Cat Conv"). How many processes there
// were is told further up: "nprocs = N". Timers named Coupling, Cpl..., from_..., into_..., waiting... are of
// exchanges with other components, which then are inside the time loop.
// Names are cut after nine characters: waiting_o is waiting_ocn.
#include "run/timers/readers.hpp"

#include "run/timers/shares.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace cpl_lb {
namespace {

struct CiceTimer {
    std::string name;
    double value_s = unknown;                                  // of the slowest process
    double min_s = unknown, mean_s = unknown, max_s = unknown; // over processes, where they are told
    std::size_t line = 0;
    std::size_t statistics = 0; // lines of them
};

bool is_cice_timer(std::string_view line) {
    const std::vector<std::string_view> words = words_of(line);
    return words.size() > 2 && words[0] == "Timer" && !words[1].starts_with("stats") && words[1] != "number" &&
           (words[1].ends_with(':') || words[2].starts_with(':'));
}

// "... = 16197.42 seconds" -> the seconds
double cice_seconds(const TimerText &text, std::size_t i, const std::string &what) {
    const std::vector<std::string_view> words = words_of(after(text.lines()[i], "="));
    if (words.size() < 2 || words[1] != "seconds")
        throw text.wrong(i, fmt::format("{} has no number of seconds: the row is cut", what));
    return text.seconds(i, words.front(), what);
}

CiceTimer cice_timer(const TimerText &text, std::size_t i) {
    const std::string_view line = text.lines()[i];
    const std::string_view rest = after(line, ":");
    const std::vector<std::string_view> words = words_of(rest);
    if (words.size() < 3 || words.back() != "seconds") {
        throw text.wrong(i,
                         "a timer needs its name, a number and the word seconds: the row is cut, or the name and the "
                         "number have no blank between them");
    }
    const std::string_view value = words[words.size() - 2];
    CiceTimer timer;
    timer.line = i;
    timer.name = trimmed_line(rest.substr(0, static_cast<std::size_t>(value.data() - rest.data())));
    timer.value_s = text.seconds(i, value, fmt::format("timer '{}'", timer.name));
    return timer;
}

// The lines of statistics below a timer.
void take_cice_statistics(const TimerText &text, std::size_t first, CiceTimer &timer) {
    bool of_processes = false;
    for (std::size_t i = first; i < text.lines().size(); ++i) {
        const std::string_view line = trimmed_line(text.lines()[i]);
        if (line.starts_with("Timer stats")) of_processes = line.find("(node)") != std::string_view::npos;
        const bool least = line.find("min =") != std::string_view::npos;
        const bool most = line.starts_with("max ="), mean = line.starts_with("mean=");
        if (!least && !most && !mean) return;
        ++timer.statistics;
        if (!of_processes) continue;
        const double seconds = cice_seconds(text, i,
                                            fmt::format("{} of timer '{}'",
                                                        least  ? "min"
                                                        : most ? "max"
                                                               : "mean",
                                                        timer.name));
        (least ? timer.min_s : most ? timer.max_s : timer.mean_s) = seconds;
    }
}

std::vector<CiceTimer> cice_timers(const TimerText &text, std::size_t head) {
    std::vector<CiceTimer> timers;
    for (std::size_t i = head + 1; i < text.lines().size(); ++i) {
        if (!is_cice_timer(text.lines()[i])) continue;
        timers.push_back(cice_timer(text, i));
        take_cice_statistics(text, i + 1, timers.back());
    }
    if (timers.empty()) throw text.wrong(head, "no timer below this line: the file is cut");
    return timers;
}

const CiceTimer *cice_timer_of(const std::vector<CiceTimer> &timers, std::string_view name) {
    const auto found = std::find_if(timers.begin(), timers.end(), [&](const CiceTimer &t) { return t.name == name; });
    return found == timers.end() ? nullptr : &*found;
}

// Nothing stands below the table in most versions. All of them have the timer Bound near its end, behind or between
// those of exchanges.
bool may_be_cut(const TimerText &text, const std::vector<CiceTimer> &timers) {
    const CiceTimer &last = timers.back();
    if (last.statistics != timers.front().statistics) return true;
    if (goes_on_after(text, last.line + last.statistics)) return false;
    return !text.text().ends_with('\n') || cice_timer_of(timers, "Bound") == nullptr;
}

bool is_cice_exchange(const CiceTimer &timer) {
    static const std::array<std::string_view, 8> begins = {"Coupl", "Cpl", "cpl_", "from_",
                                                           "into_", "rcv", "snd",  "waiting"};
    return timer.value_s > 0 &&
           std::any_of(begins.begin(), begins.end(), [&](std::string_view b) { return timer.name.starts_with(b); });
}

// "nprocs = 240", as CICE documents its domain.
void take_cice_processes(const TimerText &text, std::size_t end, TimedComponent &component) {
    for (std::size_t i = 0; i < end; ++i) {
        const std::string_view line = trimmed_line(text.lines()[i]);
        if (!line.starts_with("nprocs")) continue;
        const std::vector<std::string_view> words = words_of(after(line, "="));
        if (words.empty()) continue;
        component.processes = text.processes(i, words.front(), "nprocs");
        component.processes_from = text.at(i, "nprocs");
        return;
    }
}

// OASIS receives inside of the time loop, and not all of its drivers have timers for that. NUOPC and MCT receive
// outside.
bool names_oasis(const TimerText &text) {
    std::string all = text.text();
    std::transform(all.begin(), all.end(), all.begin(),
                   [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
    return all.find("oasis") != std::string::npos || all.find("prism") != std::string::npos;
}

double cice_mean(const CiceTimer &timer) {
    return is_known(timer.mean_s) ? timer.mean_s : timer.value_s;
}

// ACCESS's drivers have timers around all exchanges (from_atm, into_ocn, ...), with waiting_atm and waiting_ocn
// inside of them: what is left of the loop is the ice's own.
void take_access_computing(const TimerText &text, const std::vector<CiceTimer> &timers, const CiceTimer &loop,
                           TimedComponent &component) {
    TimedFigure own{cice_mean(loop), text.at(loop.line, loop.name)};
    bool receives = false;
    for (const CiceTimer &timer : timers) {
        const bool from = timer.name.starts_with("from_");
        if (!from && !timer.name.starts_with("into_")) continue;
        receives = receives || (from && timer.value_s > 0);
        own.value -= cice_mean(timer);
        own.from += " - " + text.at(timer.line, timer.name);
    }
    if (receives && own.value >= 0) component.computing_s = own;
}

void take_cice_figures(const TimerText &text, const std::vector<CiceTimer> &timers, TimedRun &run) {
    TimedComponent &component = run.components.front();
    const CiceTimer *const total = cice_timer_of(timers, "Total");
    const CiceTimer *loop = cice_timer_of(timers, "TimeLoop");
    if (loop == nullptr) loop = cice_timer_of(timers, "Step");
    if (total == nullptr || loop == nullptr)
        throw text.wrong(timers.front().line, "there is no timer 'Total', or none of the time loop: the file is cut");
    run.wall_s = {total->value_s, text.at(total->line, total->name)};
    const TimedFigure own_loop = {loop->value_s, text.at(loop->line, loop->name)};
    // In another model the loop is entered again and again, and holds the ice's own part of the run only.
    constexpr double all_of_it = 0.9;
    if (loop->value_s >= all_of_it * total->value_s) {
        run.loop_s = own_loop;
    } else {
        run.remarks.push_back(say(Sentence::timers_own_loop, {{"where", own_loop.from},
                                                              {"loop", fmt::format("{:.2f}", loop->value_s)},
                                                              {"total", fmt::format("{:.2f}", total->value_s)}}));
    }
    if (may_be_cut(text, timers)) {
        run.remarks.push_back(say(Sentence::timers_cut, {{"where", text.at(timers.back().line, timers.back().name)},
                                                         {"what", "computing, waiting"}}));
        return;
    }
    const bool exchanges = std::any_of(timers.begin(), timers.end(), is_cice_exchange);
    take_access_computing(text, timers, *loop, component);
    if (!exchanges && !names_oasis(text)) component.computing_s = own_loop;
    for (const CiceTimer &timer : timers) { // whom it waited for is not told
        if (!timer.name.starts_with("waiting") || !is_cice_exchange(timer)) continue;
        add_to(component.waiting_s, {cice_mean(timer), text.at(timer.line, timer.name)});
    }
}

} // namespace

bool is_cice_timers(const TimerText &text) {
    const std::size_t head = text.beginning("Timing information:");
    if (head == text.lines().size()) return false;
    for (std::size_t i = head + 1; i < text.lines().size(); ++i) {
        const std::string_view line = trimmed_line(text.lines()[i]);
        if (!line.empty()) return is_cice_timer(line); // POP has other timers below the same line
    }
    return false;
}

std::vector<TimedRun> read_cice_timers(const TimerText &text) {
    const std::size_t head = text.beginning("Timing information:"), none = text.lines().size();
    if (head == none) throw text.wrong(none - 1, "there is no line 'Timing information:'");
    if (const std::size_t second = text.beginning("Timing information:", head + 1); second < none)
        throw text.wrong(second, "a second run begins here: give each run its own file");
    const std::vector<CiceTimer> timers = cice_timers(text, head);
    TimedRun run;
    run.kind = "cice";
    TimedComponent &component = run.components.emplace_back();
    component.name = "ice";
    take_cice_processes(text, head, component);
    take_cice_figures(text, timers, run);
    for (const CiceTimer &timer : timers) {
        TimedPart part;
        part.name = timer.name;
        part.processes = component.processes;
        part.min_s = timer.min_s;
        part.mean_s = timer.mean_s;
        part.max_s = is_known(timer.max_s) ? timer.max_s : timer.value_s;
        part.from = text.at(timer.line, timer.name);
        component.parts.push_back(std::move(part));
    }
    return {std::move(run)};
}

} // namespace cpl_lb
