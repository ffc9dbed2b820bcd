// The timers at the end of a log of ROMS, alone or in COAWST, printed by ROMS/Utility/timers.F:
//    Elapsed CPU time (seconds):            4.x: Elapsed wall CPU time for each process (seconds):
//    Node   #    0 CPU:    1234.567         i5, f12.3; "Thread #  0 CPU:" with OpenMP. Elapsed, whatever they say.
//    Total:           4938.268              of all processes, f14.3; 4.x adds Average, Minimum, Maximum
//    Nonlinear model elapsed CPU time profile, Grid: 01       3.x before 2014: Nonlinear model elapsed time profile:
//     Model 2D kernel ..................................        12.345  ( 1.2345 %)
//   a50 from column 3, f14.3 from column 53: seconds of all processes together
//                                              Total:        12.345    1.2345
//    Nonlinear model message Passage profile, Grid: 01        in the same columns; these times are inside the others
//    All percentages are with respect to total time =     4938.268
// Adjoint, tangent linear and representer models, the other grids and sea ice have blocks of their own. Above stand
// "dt  Timestep size (s) for 3-D equations" and "started time-stepping: (Grid: 01 TimeSteps: 00000001 - 00001440)".
#include "run/timers/readers.hpp"

#include "support/fmt.hpp"
#include "support/utf8.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cpl_lb {
namespace {

constexpr std::size_t roms_name_column = 2, roms_number_column = 52, roms_number_width = 14;

bool is_roms_head(std::string_view line) {
    return line.find("Elapsed") != std::string_view::npos && line.find("CPU time") != std::string_view::npos &&
           line.find("(seconds)") != std::string_view::npos;
}

struct RomsProcesses {
    std::vector<double> seconds;
    bool are_threads = false;
    double total_s = unknown;
    std::size_t first_line = 0, total_line = 0;
};

RomsProcesses roms_processes(const TimerText &text, std::size_t head) {
    RomsProcesses found;
    for (std::size_t i = head + 1; i < text.lines().size(); ++i) {
        const std::string_view line = trimmed_line(text.lines()[i]);
        const bool thread = line.starts_with("Thread #");
        if ((thread || line.starts_with("Node ")) && line.find(" CPU:") != std::string_view::npos) {
            if (found.seconds.empty()) found.first_line = i;
            found.are_threads = thread;
            found.seconds.push_back(text.seconds(i, after(line, " CPU:"), "CPU"));
        } else if (line.starts_with("Total:")) {
            found.total_s = text.seconds(i, after(line, "Total:"), "Total");
            found.total_line = i;
            break;
        }
    }
    if (found.seconds.empty() || !is_known(found.total_s))
        throw text.ends_without("the times of processes and their total are missing: the file is cut");
    return found;
}

// "Nonlinear model elapsed CPU time profile, Grid: 01" -> what stands before the names of its regions.
std::string roms_prefix(std::string_view head) {
    std::string prefix;
    const std::size_t model = head.find(" model ");
    const std::string_view label = model == std::string_view::npos ? "" : trimmed_line(head.substr(0, model));
    if (!label.empty() && label != "Nonlinear" && label != "Nonlinear sea-ice") prefix = std::string(label) + ": ";
    const std::string_view grid = after(head, "Grid:");
    if (!grid.empty() && grid != "01") prefix = "grid " + std::string(grid) + ", " + prefix;
    return prefix;
}

bool is_roms_block(std::string_view line) {
    return line.find("time profile") != std::string_view::npos ||
           line.find("Passage profile") != std::string_view::npos ||
           line.find("assimilation profile") != std::string_view::npos;
}

// Each row of a sum is rounded, and so is the sum.
void compare_roms_sum(const TimerText &text, std::size_t i, double printed, double ours, double rows, TimedRun &run) {
    if (std::abs(printed - ours) <= 0.0006 * (rows + 1)) return;
    run.remark_differs(Sentence::timers_sum_differs, text.at(i, "Total"), fmt::format("{:.3f}", printed),
                       fmt::format("{:.3f}", ours));
}

// One block of regions from the line behind its head on. Returns the line of its total.
std::size_t read_roms_block(const TimerText &text, std::size_t head, double processes, TimedComponent &roms,
                            TimedRun &run) {
    const std::string prefix = roms_prefix(trimmed_line(text.lines()[head]));
    double sum = 0, rows = 0;
    for (std::size_t i = head + 1; i < text.lines().size(); ++i) {
        const std::string_view line = text.lines()[i];
        if (trimmed_line(line).empty()) continue;
        if (trimmed_line(line).starts_with("Total:")) {
            compare_roms_sum(text, i, text.seconds(i, first_word(after(line, "Total:")), "Total"), sum, rows, run);
            return i;
        }
        std::string_view name = trimmed_line(line.substr(0, std::min(line.size(), roms_number_column)));
        while (name.ends_with('.') || name.ends_with(' '))
            name.remove_suffix(1);
        if (line.size() <= roms_name_column || name.empty()) throw text.wrong(i, "a region without a name");
        TimedPart part = text.part(i, prefix + std::string(name));
        if (line.size() < roms_number_column + roms_number_width)
            throw text.wrong(i, fmt::format("{}: the line is cut", excerpt(part.name)));
        const std::string_view number = trimmed_line(line.substr(roms_number_column, roms_number_width));
        const double seconds = text.seconds(i, number, excerpt(part.name));
        part.mean_s = seconds / processes;
        part.processes = static_cast<std::int64_t>(processes);
        sum += seconds;
        ++rows;
        roms.parts.push_back(std::move(part));
    }
    throw text.ends_without("a profile has no line 'Total:': the file is cut");
}

// The mean seconds of the regions with these letters in their names; unknown: there are none.
TimedFigure roms_sum(const TimedComponent &roms, std::string_view letters) {
    TimedFigure sum;
    for (const TimedPart &part : roms.parts)
        if (part.name.find(letters) != std::string::npos) add_to(sum, part.mean());
    return sum;
}

void split_roms_time(const TimedFigure &mean, TimedComponent &roms, TimedRun &run) {
    const TimedFigure exchanges = roms_sum(roms, "Two-way"); // sending is in it, so it is no waiting
    run.others = exchanges.known() ? OtherModels::ran : OtherModels::not_known;
    roms.startup_s = roms_sum(roms, "nitialization");
    if (!roms.startup_s.known()) return;
    roms.loop_s = {mean.value - roms.startup_s.value, mean.from + " - (" + roms.startup_s.from + ")"};
    roms.computing_s = roms.loop_s;
    if (exchanges.known())
        roms.computing_s = {roms.loop_s.value - exchanges.value, roms.loop_s.from + " - (" + exchanges.from + ")"};
}

// Time steps times their length, of the first grid.
TimedFigure roms_simulated(const TimerText &text) {
    const std::size_t range = text.find("TimeSteps:");
    if (range == text.lines().size()) return {};
    const std::vector<std::string_view> steps = words_of(after(text.lines()[range], "TimeSteps:"));
    if (steps.size() < 3 || steps[1] != "-") return {};
    const std::string_view last = steps[2].substr(0, steps[2].find(')'));
    const double count = text.number(range, last, "TimeSteps") - text.number(range, steps[0], "TimeSteps") + 1;
    for (std::size_t i = 0; i < text.lines().size(); ++i) {
        const std::vector<std::string_view> words = words_of(text.lines()[i]);
        if (words.size() < 3 || words[1] != "dt" || words[2] != "Timestep") continue;
        return {count * text.seconds(i, words[0], "dt"), text.at(range, "TimeSteps") + " x " + text.at(i, "dt")};
    }
    return {};
}

} // namespace

bool is_roms_log(const TimerText &text) {
    const std::size_t head = text.find(is_roms_head);
    if (head == text.lines().size()) return text.has("ROMS/TOMS version");
    return text.find(" CPU:", head) < text.lines().size() || text.has("ROMS");
}

std::vector<TimedRun> read_roms_log(const TimerText &text) {
    const std::size_t head = text.only_line(
        is_roms_head, "there is no line 'Elapsed CPU time (seconds)': the run did not end, or the file is cut");
    const RomsProcesses processes = roms_processes(text, head);
    TimedRun run;
    TimedComponent &roms = run.add_component("roms");
    const auto count = static_cast<double>(processes.seconds.size());
    roms.processes = processes.are_threads ? 1 : std::ssize(processes.seconds);
    if (processes.are_threads) roms.threads = std::ssize(processes.seconds);
    roms.processes_from = text.at(processes.first_line, processes.are_threads ? "Thread #" : "Node #");
    const double sum = std::accumulate(processes.seconds.begin(), processes.seconds.end(), 0.0);
    compare_roms_sum(text, processes.total_line, processes.total_s, sum, count, run);
    run.wall_s = {std::ranges::max(processes.seconds), "the most of " + text.at(processes.first_line, "CPU")};
    run.simulated_s = roms_simulated(text);
    for (std::size_t i = processes.total_line + 1; i < text.lines().size(); ++i)
        if (is_roms_block(text.lines()[i])) i = read_roms_block(text, i, count, roms, run);
    split_roms_time({sum / count, "the mean of " + text.at(processes.first_line, "CPU")}, roms, run);
    return {std::move(run)};
}

} // namespace cpl_lb
