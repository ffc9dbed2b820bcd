// NEMO's own timers: timing.output, written with ln_timing (nn_timing until 3.6) by its module timing.
//
// 3.x to 4.2:
//    NEMO team / version 4.0  (2018) / Timing Informations
//    Total timing (sum) :        elapsed and processor time of all processes, f13.3 or f12.3
//   Averaged timing on all processors :                                            only if all have the same sections
//   Section  Elap. Time(s)  Elap. Time(%)  CPU Time(s)  CPU Time(%)  CPU/Elap Max elap(%)  Min elap(%)  Freq
//     a18, e15.7, f6.2, f12.2, f6.2, f7.2, f12.2, f6.2, f9.2. Seconds are a process's mean without the sections
//     inside; the shares are of the mean elapsed time; Freq is the mean number of calls.
//    MPI summary report :        Process Rank | Elapsed Time (s) | CPU Time (s) | Ratio, a line for each process,
//    then
//                                Total, Minimum, Maximum, Average
//    Detailed timing for proc : 0         the same for one process: seconds, share, seconds, share, ratio, calls
//    Timing started on 01/02/2020 at 10:11:12 MET +01:00 from GMT; Timing   ended on ...
// 5.0:
//    Elapsed Time mesured by timing (s): avg, min, max over all MPI processes = 12.345678s; or: local process = 12.3s
//    Performance statistics for the ENTIRE simulation, then for a range of time steps, each with the tables
//    Timing : AVG values over all MPI processes: (MAX load unbalance, MIN, MAX, values for local MPI process)
//      Section | Net elapsed Time | Full elapsed Time | Frequency: "a | 1.000000s ( 1.000 %) | 2.0s ( 2.000 %) | 10"
//      50 lines at most; a full time has the sections inside, a net time has not
#include "run/timers/readers.hpp"

#include "support/fmt.hpp"
#include "support/utc.hpp"
#include "support/utf8.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace cpl_lb {
namespace {

constexpr std::string_view nemo_sum = "Total timing (sum)";
constexpr std::string_view nemo_5_head = "Elapsed Time mesured by timing";

// "Timing started on 01/02/2020 at 10:11:12 MET +01:00 from GMT": day, month, year. Empty if there is no such line.
std::string nemo_time(const TimerText &text, std::string_view words) {
    for (std::size_t i = text.find("Timing "); i < text.lines().size(); i = text.find("Timing ", i + 1)) {
        const std::vector<std::string_view> w = words_of(text.lines()[i]);
        if (w.size() < 8 || w[1] != words || w[2] != "on") continue;
        const std::string_view day = w[3], clock = w[5], zone = w[7];
        if (day.size() != 10) throw text.wrong(i, fmt::format("'{}' is no date: DD/MM/YYYY", excerpt(day)));
        const std::string iso =
            fmt::format("{}-{}-{}T{}{}", day.substr(6), day.substr(3, 2), day.substr(0, 2), clock, zone);
        const double unix_s = unix_seconds_or_unknown(iso);
        if (!is_known(unix_s))
            throw text.wrong(i, fmt::format("'{} {} {}' is no time of day", day, excerpt(clock), excerpt(zone)));
        return timer_utc(unix_s);
    }
    return "";
}

// The cells of a row between bars; "%", "s" and brackets are left out of 5.0's.
std::vector<std::string_view> nemo_cells(std::string_view line) {
    std::vector<std::string_view> cells = pieces_of(line, '|');
    std::ranges::transform(cells, cells.begin(), trimmed_line);
    return cells;
}

struct NemoProcesses { // of the MPI summary report
    std::int64_t count = 0;
    double sum_s = 0, total_s = unknown;
    TimedFigure most, mean;
};

NemoProcesses nemo_processes(const TimerText &text) {
    NemoProcesses found;
    const std::size_t head = text.find("Process Rank |");
    if (head == text.lines().size()) return found;
    for (std::size_t i = head + 1; i < text.lines().size(); ++i) {
        const std::vector<std::string_view> cells = nemo_cells(text.lines()[i]);
        if (cells.size() != 4 || cells[0].starts_with("---")) {
            if (found.mean.known()) break;
            if (trimmed_line(text.lines()[i]).empty() || cells[0].starts_with("---")) continue;
            throw text.wrong(i, "a process's line needs: rank | elapsed time | CPU time | ratio");
        }
        const double seconds = text.seconds(i, cells[1], "elapsed time");
        if (cells[0] == "Total")
            found.total_s = seconds;
        else if (cells[0] == "Maximum")
            found.most = {seconds, text.at(i, "MPI summary report, Maximum")};
        else if (cells[0] == "Average")
            found.mean = {seconds, text.at(i, "MPI summary report, Average")};
        else if (looks_like_number(cells[0])) { // stars from rank 10000 on
            ++found.count;
            found.sum_s += seconds;
        }
    }
    if (!found.mean.known()) throw text.ends_without("the MPI summary report has no line 'Average': the file is cut");
    return found;
}

// Rows of "Averaged timing on all processors" or of "Detailed timing for proc": the name may have blanks. Sections
// with less than no time are left out: NEMO takes sections inside off, some of them twice.
std::vector<TimedPart> nemo_parts(const TimerText &text, std::string_view head, std::size_t numbers, double mean_s,
                                  std::int64_t processes, TimedRun &run) {
    std::string first_negative;
    int negative = 0;
    std::vector<TimedPart> parts;
    std::size_t i = text.find(head);
    if (i == text.lines().size()) return parts;
    for (i += 3; i < text.lines().size(); ++i) {
        if (trimmed_line(text.lines()[i]).empty() || trimmed_line(text.lines()[i]).starts_with("---")) break;
        const std::vector<std::string_view> words = words_of(text.lines()[i]);
        if (words.size() <= numbers)
            throw text.wrong(i, fmt::format("a section's line needs its name and {} numbers", numbers));
        const std::size_t first = words.size() - numbers;
        TimedPart part = text.part(i, before(text.lines()[i], words[first]));
        part.processes = processes;
        part.mean_s = text.number(i, words[first], excerpt(part.name));
        const double calls = text.seconds(i, words.back(), "the number of calls");
        if (numbers == 8) {
            part.max_s = text.number(i, words[first + 5], "Max elap(%)") / 100 * mean_s;
            part.min_s = text.number(i, words[first + 6], "Min elap(%)") / 100 * mean_s;
            part.calls = std::llround(calls * static_cast<double>(processes));
            const double rounding = 0.005 / 100 * mean_s; // shares have two digits
            if (part.mean_s - part.max_s <= rounding) part.max_s = std::max(part.max_s, part.mean_s);
            if (part.min_s - part.mean_s <= rounding) part.min_s = std::min(part.min_s, part.mean_s);
        } else {
            part.min_s = part.max_s = part.mean_s;
            part.calls = std::llround(calls);
        }
        if (part.min_s < 0 || part.mean_s < 0) {
            if (negative++ == 0) first_negative = part.from;
            continue;
        }
        parts.push_back(std::move(part));
    }
    if (negative > 0)
        run.remark(Sentence::timers_negative_sections,
                   {{"where", first_negative}, {"count", std::to_string(negative)}});
    return parts;
}

// What NEMO receives from OASIS, waiting for it included, is no computing.
void split_nemo_time(const TimedFigure &elapsed, const TimedFigure &startup, TimedComponent &nemo) {
    if (startup.known()) nemo.loop_s = elapsed - startup;
    nemo.computing_s = startup.known() ? nemo.loop_s : elapsed;
    if (const TimedPart *const received = row_named(nemo.parts, "sbc_cpl_rcv"))
        nemo.computing_s = nemo.computing_s - received->mean();
}

TimedRun read_nemo_4(const TimerText &text) {
    const std::size_t head = text.find(nemo_sum);
    text.refuse_second_run(head, nemo_sum);
    const std::size_t row = text.find("Elapsed Time (s)", head + 1) + 1;
    const std::string_view seconds = row < text.lines().size() ? first_word(text.lines()[row]) : "";
    if (seconds.empty())
        throw text.ends_without("the numbers below 'Total timing (sum)' are missing: the file is cut");
    const TimedFigure sum = {text.seconds(row, seconds, nemo_sum), text.at(row, nemo_sum)};
    NemoProcesses processes = nemo_processes(text);
    TimedRun run;
    TimedComponent &nemo = run.add_component("nemo");
    const std::size_t averaged = text.find("Averaged timing on all processors");
    if (processes.count == 0 && averaged < text.lines().size())
        throw text.wrong(averaged, "means over processes, but no 'MPI summary report': the file is cut");
    if (processes.count == 0) { // without MPI
        processes.count = 1;
        processes.most = processes.mean = sum;
        nemo.processes_from = "there is no MPI summary report";
    } else {
        nemo.processes_from = text.at(text.find("Process Rank |"), "MPI summary report");
        const double rounding = 0.0006 * static_cast<double>(processes.count) + 0.001;
        const double apart = std::max(std::abs(processes.sum_s - sum.value), std::abs(processes.total_s - sum.value));
        if (apart > rounding)
            run.remark_differs(Sentence::timers_sum_differs, sum.from, fmt::format("{:.3f}", sum.value),
                               fmt::format("{:.3f}", processes.sum_s));
    }
    nemo.processes = processes.count;
    run.wall_s = processes.most;
    nemo.parts = nemo_parts(text, "Averaged timing on all processors", 8, processes.mean.value, processes.count, run);
    if (nemo.parts.empty() && processes.count == 1)
        nemo.parts = nemo_parts(text, "Detailed timing for proc", 6, 0, 1, run);
    if (text.has("Some CPU have different number of routines"))
        run.remark(Sentence::timers_sections_differ, {{"file", text.name()}});
    split_nemo_time(processes.mean, {}, nemo);
    return run;
}

// "  123.456789s ( 12.345 %)"
double nemo_5_seconds(const TimerText &text, std::size_t i, std::string_view cell, std::string_view what) {
    const std::vector<std::string_view> words = words_of(cell);
    if (words.empty() || !words[0].ends_with('s'))
        throw text.wrong(i, fmt::format("{} is '{}': no seconds", what, excerpt(cell)));
    return text.seconds(i, words[0].substr(0, words[0].size() - 1), what);
}

// Full seconds of a table of the entire simulation go to `figure` of the parts; the first table makes them.
void read_nemo_5_table(const TimerText &text, std::size_t first, std::size_t end, std::string_view head,
                       double TimedPart::*figure, bool makes, std::vector<TimedPart> &parts) {
    std::map<std::string, std::size_t> places;
    for (std::size_t p = 0; p < parts.size(); ++p)
        places.try_emplace(parts[p].name, p);
    const std::size_t table = text.find(head, first);
    if (table >= end) return;
    for (std::size_t i = text.find("Full elapsed Time", table) + 2; i < end; ++i) {
        const std::vector<std::string_view> cells = nemo_cells(text.lines()[i]);
        if (trimmed_line(text.lines()[i]).starts_with("WARNING")) continue;
        if (cells.size() != 4) break;
        const double seconds = nemo_5_seconds(text, i, cells[2], excerpt(cells[0]));
        auto place = places.find(std::string(cells[0]));
        if (place == places.end()) {
            if (!makes) continue; // its mean is below the first 50
            place = places.emplace(cells[0], parts.size()).first;
            parts.push_back(text.part(i, cells[0]));
        }
        parts[place->second].*figure = seconds;
    }
}

// "       avg over all MPI processes = 123.456789s"; unknown without this line.
TimedFigure nemo_5_elapsed(const TimerText &text, std::size_t head, std::string_view words) {
    for (std::size_t i = head; i < std::min(head + 10, text.lines().size()); ++i) {
        const std::string_view line = trimmed_line(text.lines()[i]);
        if (!line.starts_with(words)) continue;
        return {nemo_5_seconds(text, i, after(line, "="), words), text.at(i, words)};
    }
    return {};
}

TimedRun read_nemo_5(const TimerText &text) {
    const std::size_t head = text.find(nemo_5_head);
    text.refuse_second_run(head, nemo_5_head);
    TimedRun run;
    TimedComponent &nemo = run.add_component("nemo");
    TimedFigure mean = nemo_5_elapsed(text, head, "avg over all MPI processes");
    run.wall_s = nemo_5_elapsed(text, head, "max over all MPI processes");
    const bool is_alone = !mean.known();
    if (is_alone) {
        mean = run.wall_s = nemo_5_elapsed(text, head, "local process");
        if (!mean.known()) throw text.wrong(head, "no elapsed time below this line: the file is cut");
        nemo.processes = 1;
        nemo.processes_from = mean.from;
    }
    const std::size_t first = text.find("ENTIRE simulation");
    if (first == text.lines().size())
        throw text.ends_without("there is no table of the entire simulation: the file is cut");
    const std::size_t end = text.find("Performance statistics between", first);
    if (is_alone) {
        read_nemo_5_table(text, first, end, "values for local MPI process", &TimedPart::mean_s, true, nemo.parts);
        for (TimedPart &part : nemo.parts)
            part.min_s = part.max_s = part.mean_s;
    } else {
        read_nemo_5_table(text, first, end, "AVG values over all", &TimedPart::mean_s, true, nemo.parts);
        read_nemo_5_table(text, first, end, "MIN values over all", &TimedPart::min_s, false, nemo.parts);
        read_nemo_5_table(text, first, end, "MAX values over all", &TimedPart::max_s, false, nemo.parts);
    }
    if (nemo.parts.empty()) throw text.wrong(first, "no section below this line: the file is cut");
    if (const TimedPart *const start = row_named(nemo.parts, "nemo_init")) nemo.startup_s = start->mean();
    split_nemo_time(mean, nemo.startup_s, nemo);
    return run;
}

} // namespace

bool is_nemo_timing(const TimerText &text) {
    return text.has(nemo_5_head) || (text.has(nemo_sum) && text.has("Elapsed Time (s)"));
}

std::vector<TimedRun> read_nemo_timing(const TimerText &text) {
    if (!is_nemo_timing(text)) throw text.wrong(0, "no timing.output of NEMO: 'Total timing (sum)' is missing");
    TimedRun run = text.has(nemo_5_head) ? read_nemo_5(text) : read_nemo_4(text);
    run.started = nemo_time(text, "started");
    run.ended = nemo_time(text, "ended");
    return {std::move(run)};
}

} // namespace cpl_lb
