// Timers of the Met Office's Unified Model (timer_output), in the output of its first process.
//
//   PE 0 Elapsed Wallclock Time:     1318.208 seconds        old versions leave out the unit, which is the same
//   MPP Timing information :
//   576 processors in atmosphere configuration 24 x 24       "240  processors in configuration   16  x" until version
//   8 Number of OMP threads : 1                                not in old versions
//
//   MPP : Inclusive timer summary                            "MPP : Non Inclusive timer summary" stands before it
//
//   WALLCLOCK  TIMES
//   N  ROUTINE             MEAN   MEDIAN    SD   % of mean      MAX  (PE)      MIN  (PE)
//   01 U_MODEL_4A       1314.55  1314.55  0.06       0.00%  1315.88 (  0)  1314.55 (433)
//
//   CPU TIMES (sorted by wallclock times)                    the same columns
//
// Names have 12 or 20 characters and more, with blanks and brackets: "AS Atmos_Phys1 (AP1)". Of a mean near 0 the
// percentage is ******, and so are processes of more digits than their column. Times of a routine hold those of all
// that it calls. Also older, and without MPP: "Inclusive Timer Summary for PE    0" with N, ROUTINE, CALLS, TOT CPU,
// AVERAGE, TOT WALL, AVERAGE, SPEED-UP of one process; CALLS is **** from 10,000 on. U_MODEL... is all, INITIAL is
// before the loop, Atm_Step... the steps of the atmosphere, without the coupler; oasis3_geto2a receives from the
// ocean.
#include "run/timers/readers.hpp"

#include "support/fmt.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace cpl_lb {
namespace {

bool is_um_summary(std::string_view line) {
    return trimmed_line(line).starts_with("MPP : Inclusive timer summary");
}

bool is_um_process_summary(std::string_view line) {
    return trimmed_line(line).starts_with("Inclusive Timer Summary for PE");
}

// Without "( 118)" at the end, the number of a process.
std::string_view without_um_process(std::string_view line) {
    line = trimmed_line(line);
    const std::size_t open = line.ends_with(')') ? line.rfind('(') : std::string_view::npos;
    return open == std::string_view::npos ? std::string_view{} : trimmed_line(line.substr(0, open));
}

// The last word, which is taken off.
std::string_view last_um_word(std::string_view &line) {
    line = trimmed_line(line);
    const std::string_view word = line.substr(line.find_last_of(" \t") + 1); // without a blank all of it
    line.remove_suffix(word.size());
    return word;
}

// What stands behind the row's own number.
std::string_view um_name(std::string_view line) {
    line = trimmed_line(line);
    const std::size_t blank = line.find_first_of(" \t");
    return blank == std::string_view::npos ? std::string_view{} : trimmed_line(line.substr(blank));
}

TimedPart um_row(const TimerText &text, std::size_t i) {
    constexpr const char *needs =
        "a routine needs its number and name, MEAN, MEDIAN, SD, % of mean, MAX (PE) and MIN (PE): the "
        "row is cut";
    std::string_view line = without_um_process(text.lines()[i]);
    const std::string_view min = last_um_word(line);
    line = without_um_process(line);
    const std::string_view max = last_um_word(line), share = last_um_word(line), deviation = last_um_word(line);
    const std::string_view median = last_um_word(line), mean = last_um_word(line);
    const std::string_view name = um_name(line);
    if (name.empty() || !share.ends_with('%')) throw text.wrong(i, needs);
    TimedPart row = text.part(i, name);
    const auto what = [&](const char *column) { return column_of(column, name); };
    row.mean_s = text.seconds(i, mean, what("MEAN"));
    static_cast<void>(text.seconds(i, median, what("MEDIAN")));
    static_cast<void>(text.seconds(i, deviation, what("SD")));
    row.max_s = text.seconds(i, max, what("MAX"));
    row.min_s = text.seconds(i, min, what("MIN"));
    return row;
}

// A row of one process's table: its wall time is least, mean and most of all that is known.
TimedPart um_process_row(const TimerText &text, std::size_t i) {
    std::string_view line = text.lines()[i];
    std::array<std::string_view, 6> words; // from the right
    for (std::string_view &word : words)
        word = last_um_word(line);
    const std::string_view name = um_name(line);
    if (name.empty())
        throw text.wrong(i, "a routine needs its number and name, CALLS, TOT CPU, AVERAGE, TOT WALL, AVERAGE "
                            "and SPEED-UP: the row is cut");
    TimedPart row = text.part(i, name);
    if (words[5].find_first_not_of('*') != std::string_view::npos)
        row.calls = text.count(i, words[5], column_of("CALLS", name));
    row.mean_s = row.min_s = row.max_s = text.seconds(i, words[2], column_of("TOT WALL", name));
    return row;
}

bool is_um_row(std::string_view line) {
    line = trimmed_line(line);
    return !line.empty() && std::isdigit(static_cast<unsigned char>(line.front())) != 0;
}

template <typename ReadRow>
std::vector<TimedPart> um_rows(const TimerText &text, std::size_t columns, ReadRow read) {
    std::vector<TimedPart> rows;
    for (std::size_t i = columns + 1; i < text.lines().size(); ++i) {
        if (trimmed_line(text.lines()[i]).empty() && rows.empty()) continue;
        if (!is_um_row(text.lines()[i])) break;
        rows.push_back(read(text, i));
    }
    if (rows.empty()) throw text.wrong(columns, "no routine below this line: the file is cut");
    return rows;
}

std::vector<TimedPart> um_summary_rows(const TimerText &text, std::size_t head) {
    const std::size_t none = text.lines().size();
    std::size_t columns = text.beginning("WALLCLOCK", head);
    if (columns < none) columns = text.find("ROUTINE", columns);
    if (columns == none) throw text.wrong(head, "no WALLCLOCK TIMES below this line: the file is cut");
    std::string names;
    for (const std::string_view word : words_of(text.lines()[columns]))
        names += std::string(word) + " ";
    constexpr std::string_view known = "ROUTINE MEAN MEDIAN SD % of mean MAX (PE) MIN (PE) ";
    if (names != known && names != "N " + std::string(known))
        throw text.wrong(columns, "the columns are not N, ROUTINE, MEAN, MEDIAN, SD, % of mean, MAX (PE), MIN (PE)");
    return um_rows(text, columns, um_row);
}

// By the lower-case letters that its name begins with.
const TimedPart *um_row_of(const std::vector<TimedPart> &rows, std::string_view begins) {
    const auto is_it = [&](const TimedPart &row) { return lower_case(row.name).starts_with(begins); };
    const auto found = std::ranges::find_if(rows, is_it);
    return found == rows.end() ? nullptr : &*found;
}

void take_um_processes(const TimerText &text, TimedComponent &component) {
    const std::size_t head = text.beginning("MPP Timing information"), none = text.lines().size();
    if (head == none) return;
    for (std::size_t i = head + 1; i < std::min(head + 4, none); ++i) {
        const std::vector<std::string_view> words = words_of(text.lines()[i]);
        if (words.size() > 1 && words[1].starts_with("processors")) {
            component.processes = text.processes(i, words.front(), "the number of processors");
            component.processes_from = text.at(i, "MPP Timing information");
        }
        const std::string_view threads = after(text.lines()[i], "Number of OMP threads :");
        if (!threads.empty()) component.threads = text.count(i, threads, "the number of OMP threads", 1);
    }
}

// All receives of OASIS: oasis3_geto2a, oasis3_getw2a, ...
TimedFigure um_receives(const std::vector<TimedPart> &rows) {
    TimedFigure sum;
    for (const TimedPart &row : rows)
        if (row.name.starts_with("oasis3_get")) add_to(sum, row.mean());
    return sum;
}

void take_um_figures(const TimerText &text, TimedRun &run) {
    TimedComponent &atmosphere = run.components.front();
    const std::vector<TimedPart> &rows = atmosphere.parts;
    const TimedPart *const all = um_row_of(rows, "u_model"), *const steps = um_row_of(rows, "atm_step");
    const auto is_initial = [](const TimedPart &row) { return lower_case(row.name) == "initial"; };
    const auto initial = std::ranges::find_if(rows, is_initial);
    if (initial != rows.end()) run.startup_s = initial->most();
    if (all != nullptr && initial != rows.end() && all->mean_s >= initial->mean_s)
        run.loop_s = all->mean() - initial->mean();
    if (steps != nullptr) atmosphere.computing_s = steps->most();
    const TimedFigure receive = um_receives(rows);
    run.others = receive.known() ? OtherModels::ran : OtherModels::not_known;
    if (receive.known()) run.coupler = "OASIS";
    if (goes_on_after(text, rows.back().line)) // CPU times stand below
        atmosphere.waiting_s = receive;
    else
        run.remark_cut(rows.back(), "waiting");
    std::size_t wall = text.find("Maximum Elapsed Wallclock Time:"); // of all processes
    if (wall == text.lines().size()) wall = text.find("Elapsed Wallclock Time:");
    if (wall < text.lines().size()) {
        const std::vector<std::string_view> words = words_of(after(text.lines()[wall], "Time:"));
        if (words.size() > 1 && words[1] != "seconds")
            throw text.wrong(wall, fmt::format("the elapsed wallclock time is in '{}', not in seconds", words[1]));
        run.wall_s = {
            text.seconds(wall, first_word(after(text.lines()[wall], "Time:")), "the elapsed wallclock time"),
            text.at(wall, "Elapsed Wallclock Time")};
    }
}

} // namespace

bool is_um_timers(const TimerText &text) {
    return text.has("nclusive timer summary") || text.has("nclusive Timer Summary for PE");
}

std::vector<TimedRun> read_um_timers(const TimerText &text) {
    TimedRun run;
    TimedComponent &atmosphere = run.add_component("atmosphere");
    take_um_processes(text, atmosphere);
    const bool of_all = text.has(is_um_summary);
    if (!of_all && !text.has(is_um_process_summary))
        throw text.wrong(text.find("nclusive"),
                         "this summary leaves out what a routine calls; the inclusive one is missing");
    const std::size_t head = text.only_line(of_all ? is_um_summary : is_um_process_summary);
    if (of_all)
        atmosphere.parts = um_summary_rows(text, head);
    else
        atmosphere.parts =
            um_rows(text, std::min(text.find("ROUTINE", head), text.lines().size() - 1), um_process_row);
    for (TimedPart &part : atmosphere.parts)
        part.processes = of_all ? atmosphere.processes : 1;
    take_um_figures(text, run);
    return {std::move(run)};
}

} // namespace cpl_lb
