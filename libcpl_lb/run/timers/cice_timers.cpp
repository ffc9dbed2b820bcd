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

#include "support/fmt.hpp"

#include <algorithm>
#include <array>

namespace cpl_lb {
namespace {

// Least, mean and most over processes, where they are told; else the most is value_s.
struct CiceTimer : TimedPart {
    double value_s = unknown;   // of the slowest process
    std::size_t statistics = 0; // lines of them

    [[nodiscard]] TimedFigure value() const { return {value_s, from}; }
    [[nodiscard]] TimedFigure mean_or_value() const { return is_known(mean_s) ? mean() : value(); }
};

bool is_cice_timer(std::string_view line) {
    const std::vector<std::string_view> words = words_of(line);
    return words.size() > 2 && words[0] == "Timer" && !words[1].starts_with("stats") && words[1] != "number" &&
           (words[1].ends_with(':') || words[2].starts_with(':'));
}

CiceTimer cice_timer(const TimerText &text, std::size_t i) {
    const std::string_view rest = after(text.lines()[i], ":");
    const std::vector<std::string_view> words = words_of(rest);
    if (words.size() < 3 || words.back() != "seconds") {
        throw text.wrong(i,
                         "a timer needs its name, a number and the word seconds: the row is cut, or the name and the "
                         "number have no blank between them");
    }
    const std::string_view value = words[words.size() - 2];
    CiceTimer timer{text.part(i, before(rest, value))};
    timer.value_s = text.seconds(i, value, fmt::format("timer '{}'", timer.name));
    return timer;
}

// The lines of statistics below a timer: "min = 16197.42 seconds".
void take_cice_statistics(const TimerText &text, CiceTimer &timer) {
    bool of_processes = false;
    for (std::size_t i = timer.line + 1; i < text.lines().size(); ++i) {
        const std::string_view line = trimmed_line(text.lines()[i]);
        if (line.starts_with("Timer stats")) of_processes = line.find("(node)") != std::string_view::npos;
        const bool least = line.find("min =") != std::string_view::npos;
        const bool most = line.starts_with("max ="), mean = line.starts_with("mean=");
        if (!least && !most && !mean) return;
        ++timer.statistics;
        if (!of_processes) continue;
        const std::string what = fmt::format("{} of timer '{}'", least ? "min" : most ? "max" : "mean", timer.name);
        const std::vector<std::string_view> words = words_of(after(line, "="));
        if (words.size() < 2 || words[1] != "seconds")
            throw text.wrong(i, fmt::format("{} has no number of seconds: the row is cut", what));
        (least ? timer.min_s : most ? timer.max_s : timer.mean_s) = text.seconds(i, words.front(), what);
    }
}

std::vector<CiceTimer> cice_timers(const TimerText &text, std::size_t head) {
    std::vector<CiceTimer> timers;
    for (std::size_t i = head + 1; i < text.lines().size(); ++i) {
        if (!is_cice_timer(text.lines()[i])) continue;
        timers.push_back(cice_timer(text, i));
        take_cice_statistics(text, timers.back());
        if (!is_known(timers.back().max_s)) timers.back().max_s = timers.back().value_s;
    }
    if (timers.empty()) throw text.wrong(head, "no timer below this line: the file is cut");
    return timers;
}

// Nothing stands below the table in most versions. All of them have the timer Bound near its end, behind or between
// those of exchanges.
bool may_be_cut(const TimerText &text, const std::vector<CiceTimer> &timers) {
    const CiceTimer &last = timers.back();
    if (last.statistics != timers.front().statistics) return true;
    if (goes_on_after(text, last.line + last.statistics)) return false;
    return !text.text().ends_with('\n') || row_named(timers, "Bound") == nullptr;
}

bool is_cice_exchange(const CiceTimer &timer) {
    static const std::array<std::string_view, 8> begins = {"Coupl", "Cpl", "cpl_", "from_",
                                                           "into_", "rcv", "snd",  "waiting"};
    return timer.value_s > 0 &&
           std::ranges::any_of(begins, [&](std::string_view word) { return timer.name.starts_with(word); });
}

// "nprocs = 240", as CICE documents its domain.
void take_cice_processes(const TimerText &text, std::size_t end, TimedComponent &component) {
    for (std::size_t i = 0; i < end; ++i) {
        const std::string_view line = trimmed_line(text.lines()[i]);
        if (!line.starts_with("nprocs")) continue;
        const std::string_view count = first_word(after(line, "="));
        if (count.empty()) continue;
        component.processes = text.processes(i, count, "nprocs");
        component.processes_from = text.at(i, "nprocs");
        return;
    }
}

// OASIS receives inside of the time loop, and not all of its drivers have timers for that. NUOPC and MCT receive
// outside.
bool names_oasis(const TimerText &text) {
    const std::string all = lower_case(text.text());
    return all.find("oasis") != std::string::npos || all.find("prism") != std::string::npos;
}

// ACCESS's drivers have timers around all exchanges (from_atm, into_ocn, ...), with waiting_atm and waiting_ocn
// inside of them: what is left of the loop is the ice's own.
void take_access_computing(const std::vector<CiceTimer> &timers, const CiceTimer &loop, TimedComponent &component) {
    TimedFigure own = loop.mean_or_value();
    bool receives = false;
    for (const CiceTimer &timer : timers) {
        const bool from = timer.name.starts_with("from_");
        if (!from && !timer.name.starts_with("into_")) continue;
        receives = receives || (from && timer.value_s > 0);
        own = own - timer.mean_or_value();
    }
    if (receives && own.value >= 0) component.computing_s = own;
}

void take_cice_figures(const TimerText &text, const std::vector<CiceTimer> &timers, TimedRun &run) {
    TimedComponent &component = run.components.front();
    const CiceTimer *const total = row_named(timers, "Total");
    const CiceTimer *loop = row_named(timers, "TimeLoop");
    if (loop == nullptr) loop = row_named(timers, "Step");
    if (total == nullptr || loop == nullptr)
        throw text.wrong(timers.front().line, "there is no timer 'Total', or none of the time loop: the file is cut");
    run.wall_s = total->value();
    // In another model the loop is entered again and again, and holds the ice's own part of the run only.
    constexpr double all_of_it = 0.9;
    if (loop->value_s >= all_of_it * total->value_s) {
        run.loop_s = loop->value();
    } else {
        run.remark(Sentence::timers_own_loop, {{"where", loop->from},
                                               {"loop", fmt::format("{:.2f}", loop->value_s)},
                                               {"total", fmt::format("{:.2f}", total->value_s)}});
    }
    if (may_be_cut(text, timers)) {
        run.remark_cut(timers.back(), "computing, waiting");
        return;
    }
    take_access_computing(timers, *loop, component);
    if (std::ranges::none_of(timers, is_cice_exchange) && !names_oasis(text)) component.computing_s = loop->value();
    for (const CiceTimer &timer : timers) { // whom it waited for is not told
        if (!timer.name.starts_with("waiting") || !is_cice_exchange(timer)) continue;
        add_to(component.waiting_s, timer.mean_or_value());
    }
}

bool is_cice_head(std::string_view line) {
    return trimmed_line(line).starts_with("Timing information:");
}

} // namespace

bool is_cice_timers(const TimerText &text) {
    const std::size_t below = text.find(has_words, text.find(is_cice_head) + 1);
    return below < text.lines().size() && is_cice_timer(text.lines()[below]); // POP has other timers there
}

std::vector<TimedRun> read_cice_timers(const TimerText &text) {
    const std::size_t head = text.only_line(is_cice_head, "there is no line 'Timing information:'");
    const std::vector<CiceTimer> timers = cice_timers(text, head);
    TimedRun run;
    TimedComponent &component = run.add_component("ice");
    take_cice_processes(text, head, component);
    take_cice_figures(text, timers, run);
    component.parts.assign(timers.begin(), timers.end());
    for (TimedPart &part : component.parts)
        part.processes = component.processes;
    return {std::move(run)};
}

} // namespace cpl_lb
