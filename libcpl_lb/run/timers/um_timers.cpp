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

#include "run/timers/shares.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace cpl_lb {
namespace {

struct UmRow {
    std::string name;
    std::int64_t calls = 0;
    double mean_s = unknown, max_s = unknown, min_s = unknown;
    std::size_t line = 0;
};

std::size_t um_summary(const TimerText &text, std::size_t first) {
    return text.beginning("MPP : Inclusive timer summary", first);
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
    const std::size_t blank = line.find_last_of(" \t");
    const std::string_view word = blank == std::string_view::npos ? line : line.substr(blank + 1);
    line.remove_suffix(word.size());
    return word;
}

// What stands behind the row's own number.
std::string_view um_name(std::string_view line) {
    line = trimmed_line(line);
    const std::size_t blank = line.find_first_of(" \t");
    return blank == std::string_view::npos ? std::string_view{} : trimmed_line(line.substr(blank));
}

UmRow um_row(const TimerText &text, std::size_t i) {
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
    UmRow row;
    row.line = i;
    row.name = name;
    const auto what = [&](const char *column) { return fmt::format("{} of '{}'", column, row.name); };
    row.mean_s = text.seconds(i, mean, what("MEAN"));
    static_cast<void>(text.seconds(i, median, what("MEDIAN")));
    static_cast<void>(text.seconds(i, deviation, what("SD")));
    row.max_s = text.seconds(i, max, what("MAX"));
    row.min_s = text.seconds(i, min, what("MIN"));
    return row;
}

// A row of one process's table: its wall time is least, mean and most of all that is known.
UmRow um_process_row(const TimerText &text, std::size_t i) {
    std::string_view line = text.lines()[i];
    std::array<std::string_view, 6> words; // from the right
    for (std::string_view &word : words)
        word = last_um_word(line);
    const std::string_view name = um_name(line);
    if (name.empty())
        throw text.wrong(i, "a routine needs its number and name, CALLS, TOT CPU, AVERAGE, TOT WALL, AVERAGE "
                            "and SPEED-UP: the row is cut");
    UmRow row;
    row.line = i;
    row.name = name;
    if (words[5].find_first_not_of('*') != std::string_view::npos)
        row.calls = text.count(i, words[5], fmt::format("CALLS of '{}'", row.name));
    row.mean_s = row.min_s = row.max_s = text.seconds(i, words[2], fmt::format("TOT WALL of '{}'", row.name));
    return row;
}

bool is_um_row(std::string_view line) {
    line = trimmed_line(line);
    return !line.empty() && std::isdigit(static_cast<unsigned char>(line.front())) != 0;
}

template <typename ReadRow>
std::vector<UmRow> um_rows(const TimerText &text, std::size_t columns, ReadRow read) {
    std::vector<UmRow> rows;
    for (std::size_t i = columns + 1; i < text.lines().size(); ++i) {
        if (trimmed_line(text.lines()[i]).empty() && rows.empty()) continue;
        if (!is_um_row(text.lines()[i])) break;
        rows.push_back(read(text, i));
    }
    if (rows.empty()) throw text.wrong(columns, "no routine below this line: the file is cut");
    return rows;
}

std::vector<UmRow> um_summary_rows(const TimerText &text, std::size_t head) {
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

const UmRow *um_row_of(const std::vector<UmRow> &rows, std::string_view begins) {
    const auto same = [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
    };
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const UmRow &r) {
        return r.name.size() >= begins.size() && std::equal(begins.begin(), begins.end(), r.name.begin(), same);
    });
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

bool is_um_initial(std::string_view name) {
    static constexpr std::string_view initial = "initial";
    return std::equal(name.begin(), name.end(), initial.begin(), initial.end(),
                      [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; });
}

// All receives of OASIS: oasis3_geto2a, oasis3_getw2a, ...
TimedFigure um_receives(const TimerText &text, const std::vector<UmRow> &rows) {
    TimedFigure sum;
    for (const UmRow &row : rows) {
        if (row.name.starts_with("oasis3_get")) add_to(sum, {row.mean_s, text.at(row.line, row.name)});
    }
    return sum;
}

void take_um_figures(const TimerText &text, const std::vector<UmRow> &rows, TimedRun &run) {
    TimedComponent &atmosphere = run.components.front();
    const UmRow *const all = um_row_of(rows, "U_MODEL"), *const steps = um_row_of(rows, "Atm_Step");
    const auto initial = std::find_if(rows.begin(), rows.end(), [](const UmRow &r) { return is_um_initial(r.name); });
    const UmRow *const before = initial == rows.end() ? nullptr : &*initial;
    const TimedFigure receive = um_receives(text, rows);
    if (before != nullptr) run.startup_s = {before->max_s, text.at(before->line, before->name)};
    if (all != nullptr && before != nullptr && all->mean_s >= before->mean_s)
        run.loop_s = {all->mean_s - before->mean_s,
                      text.at(all->line, all->name) + " - " + text.at(before->line, before->name)};
    if (steps != nullptr) atmosphere.computing_s = {steps->max_s, text.at(steps->line, steps->name)};
    run.others = receive.known() ? OtherModels::ran : OtherModels::not_known;
    if (receive.known()) run.coupler = "OASIS";
    atmosphere.waiting_s = receive;
    if (!goes_on_after(text, rows.back().line)) { // CPU times stand below
        atmosphere.waiting_s = {};
        run.remarks.push_back(
            say(Sentence::timers_cut, {{"where", text.at(rows.back().line, rows.back().name)}, {"what", "waiting"}}));
    }
    std::size_t wall = text.find("Maximum Elapsed Wallclock Time:"); // of all processes
    if (wall == text.lines().size()) wall = text.find("Elapsed Wallclock Time:");
    if (wall < text.lines().size()) {
        const std::vector<std::string_view> words = words_of(after(text.lines()[wall], "Time:"));
        if (words.size() > 1 && words[1] != "seconds")
            throw text.wrong(wall, fmt::format("the elapsed wallclock time is in '{}', not in seconds", words[1]));
        run.wall_s = {text.seconds(wall, words.empty() ? "" : words.front(), "the elapsed wallclock time"),
                      text.at(wall, "Elapsed Wallclock Time")};
    }
}

} // namespace

bool is_um_timers(const TimerText &text) {
    return text.find("nclusive timer summary") < text.lines().size() ||
           text.find("nclusive Timer Summary for PE") < text.lines().size();
}

std::vector<TimedRun> read_um_timers(const TimerText &text) {
    const std::size_t none = text.lines().size(), summary = um_summary(text, 0);
    TimedRun run;
    run.kind = "um";
    TimedComponent &atmosphere = run.components.emplace_back();
    atmosphere.name = "atmosphere";
    take_um_processes(text, atmosphere);
    std::vector<UmRow> rows;
    const bool of_all = summary < none;
    if (of_all) {
        if (const std::size_t second = um_summary(text, summary + 1); second < none)
            throw text.wrong(second, "a second run begins here: give each run its own file");
        rows = um_summary_rows(text, summary);
    } else {
        const std::size_t own = text.beginning("Inclusive Timer Summary for PE");
        if (own == none)
            throw text.wrong(text.find("nclusive"),
                             "this summary leaves out what a routine calls; the inclusive one is missing");
        if (const std::size_t second = text.beginning("Inclusive Timer Summary for PE", own + 1); second < none)
            throw text.wrong(second, "a second run begins here: give each run its own file");
        rows = um_rows(text, std::min(text.find("ROUTINE", own), none - 1), um_process_row);
    }
    take_um_figures(text, rows, run);
    for (const UmRow &row : rows) {
        TimedPart part;
        part.name = row.name;
        part.calls = row.calls;
        part.processes = of_all ? atmosphere.processes : 1;
        part.min_s = row.min_s;
        part.mean_s = row.mean_s;
        part.max_s = row.max_s;
        part.from = text.at(row.line, row.name);
        atmosphere.parts.push_back(std::move(part));
    }
    return {std::move(run)};
}

} // namespace cpl_lb
