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
// right. CESM 1.0 writes DRIVER_INIT for CPL:INIT, and so on. A timer that is on while the file is written has 0
// processes. threads and count are of all processes. wallmax and wallmin are the most and least seconds of a thread;
// walltotal is the sum over processes and threads. A '*' before a name says that the timer has several parents.
// CIME's get_timing takes CPL:RUN_LOOP for the run, CPL:INIT and CPL:FINAL before and after it, CPL:XXX_RUN for a
// component (CPL:OCNT_RUN for the ocean where it is longer), and CPL:RUN for the coupler.
#include "run/timers/readers.hpp"

#include "support/fmt.hpp"
#include "support/utf8.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

namespace cpl_lb {
namespace {

// Its calls are those of all threads together; its times are inclusive, of a process.
struct GptlRow : TimedPart {
    std::int64_t threads = 0; // of all of its processes together
};

struct GptlTables {
    std::int64_t processes = 0; // of the run; 0: not told
    bool is_cut = false;        // GPTL writes a blank line below each table, and one has none
    bool of_own_files = false;  // the rows are of those processes only whose own timers are in the file
    std::size_t head = 0;       // line above the first row
    std::map<std::string, std::string> own_tables; // processes, and where the tables of these stand
    std::vector<GptlRow> rows;
    LeftOutRows left_out, without_processes;
};

constexpr std::string_view driver_mark = "CPL:", driver_of_cesm1 = "DRIVER_";

// The row of a line with its name and its place only, and in `words` what stands behind the name. Names stand between
// quotes; without them a name ends with its first blank.
GptlRow gptl_row(const TimerText &text, std::size_t i, std::vector<std::string_view> &words) {
    std::string_view line = trimmed_line(text.lines()[i]);
    if (line.starts_with('*')) line = trimmed_line(line.substr(1));
    const bool has_quotes = line.starts_with('"');
    if (has_quotes) line.remove_prefix(1);
    const std::size_t end = line.find_first_of(has_quotes ? "\"" : " \t");
    if (has_quotes && end == std::string_view::npos)
        throw text.wrong(i, "the timer's name does not end with a quote: the row is cut");
    GptlRow row{text.part(i, line.substr(0, end))};
    if (row.name.starts_with(driver_of_cesm1)) row.name.replace(0, driver_of_cesm1.size(), driver_mark);
    if (end < line.size()) words = words_of(line.substr(end + 1), blanks_and_brackets);
    if (!words.empty() && !looks_like_number(words.front())) words.erase(words.begin()); // column `on`
    return row;
}

// Statistics print seven digits of a count: 2.360832e+06 is exact, 1.234567e+09 is not. A process's own table prints
// two where they are more than its column takes.
std::int64_t gptl_count(const TimerText &text, std::size_t i, std::string_view word, const std::string &what,
                        double exact) {
    const double count = text.number(i, word, what);
    if (count < 0) throw text.wrong(i, fmt::format("{} is {}: below 0", what, word));
    if (word.find('.') != std::string_view::npos && count >= exact) return 0;
    if (count != std::floor(count)) throw text.wrong(i, fmt::format("{} is {}: no whole number", what, word));
    return static_cast<std::int64_t>(count);
}

void fill_gptl_statistics(const TimerText &text, std::size_t i, const std::vector<std::string_view> &words,
                          std::size_t columns, GptlRow &row) {
    if (words.size() != columns) {
        throw text.wrong(i,
                         fmt::format("a timer needs its name and {} numbers: the row is cut, or two numbers have no "
                                     "blank between them",
                                     columns));
    }
    const auto what = [&](const char *column) { return column_of(column, row.name); };
    row.processes = text.processes(i, words[0], what("processes"));
    row.threads = text.count(i, words[1], what("threads"), row.processes);
    row.calls = gptl_count(text, i, words[2], what("count"), 1e7);
    const double total_s = text.seconds(i, words[3], what("walltotal"));
    row.max_s = text.seconds(i, words[4], what("wallmax"));
    row.min_s = text.seconds(i, words[7], what("wallmin"));
    // The sum is over threads, too: a process's mean follows where each has one.
    if (row.threads == row.processes) row.mean_s = total_s / static_cast<double>(row.processes);
    // The mean has seven digits, least and most have three decimals: of so short a time they are no digits at all.
    constexpr double one_digit_s = 0.01;
    if (row.mean_s < one_digit_s && row.max_s < one_digit_s && !row.name.starts_with(driver_mark))
        row.min_s = row.max_s = unknown;
}

// A row that cannot be read is left out, but where figures of the run and its components come from it.
void add_gptl_statistics(const TimerText &text, std::size_t i, std::size_t columns, GptlTables &tables) {
    std::vector<std::string_view> words;
    GptlRow row = gptl_row(text, i, words);
    try {
        if (words.size() == columns && words.front() == "0")
            return (row.name.starts_with(driver_mark) ? tables.without_processes : tables.left_out)
                .add(text.wrong(i, fmt::format("'{}' has 0 processes", excerpt(row.name))));
        fill_gptl_statistics(text, i, words, columns, row);
        tables.rows.push_back(std::move(row));
    } catch (const FileError &error) {
        if (row.name.starts_with(driver_mark)) throw;
        tables.left_out.add(error);
    }
}

bool ends_gptl_table(std::string_view line) {
    return line.empty() || line.starts_with("Total calls") || line.starts_with("Overhead") ||
           line.starts_with("****");
}

void read_gptl_statistics(const TimerText &text, GptlTables &tables) {
    std::vector<std::string_view> columns = words_of(text.lines()[tables.head], blanks_and_brackets);
    std::erase_if(columns, [](std::string_view word) { return word == "name" || word == "on"; });
    if (columns.size() < 10) {
        throw text.wrong(
            tables.head,
            "the columns are not processes, threads, count, walltotal, wallmax (proc thrd), wallmin (proc thrd)");
    }
    for (std::size_t i = tables.head; i-- > 0;) {
        const std::string_view count = after(text.lines()[i], "GLOBAL STATISTICS (");
        if (count.empty()) continue;
        tables.processes = text.processes(i, first_word(count), "the number of MPI tasks");
        break;
    }
    for (std::size_t i = tables.head + 1; i < text.lines().size(); ++i) {
        const std::string_view line = trimmed_line(text.lines()[i]);
        if (ends_gptl_table(line)) return;
        add_gptl_statistics(text, i, columns.size(), tables);
    }
    tables.is_cut = true;
}

GptlRow gptl_process_row(const TimerText &text, std::size_t i) {
    std::vector<std::string_view> words;
    GptlRow row = gptl_row(text, i, words);
    // Called, Recurse ('-' or a number), Wallclock, max, min, and what else was asked for
    if (words.size() < 5)
        throw text.wrong(
            i, "a timer needs its name, calls, recursions, and seconds in all, most and least: the row is cut");
    row.of_own_files = true;
    row.processes = row.threads = 1;
    row.calls = gptl_count(text, i, words[0], column_of("calls", row.name), 100);
    row.min_s = row.mean_s = row.max_s = text.seconds(i, words[2], column_of("Wallclock", row.name));
    return row;
}

// The rows of one process, added to those of the others.
void read_gptl_process(const TimerText &text, std::size_t head, GptlTables &tables,
                       std::map<std::string, std::size_t> &places) {
    std::set<std::string> seen;
    for (std::size_t i = head + 1; i < text.lines().size(); ++i) {
        const std::string_view line = trimmed_line(text.lines()[i]);
        if (ends_gptl_table(line) && !line.starts_with("* ")) return;
        const GptlRow row = gptl_process_row(text, i);
        // Under several parents a timer is printed again, with the same figures.
        if (!seen.insert(row.name).second) continue;
        const auto [place, is_new] = places.try_emplace(row.name, tables.rows.size());
        if (is_new) {
            tables.rows.push_back(row);
            continue;
        }
        GptlRow &sum = tables.rows[place->second];
        sum.calls = sum.calls == 0 || row.calls == 0 ? 0 : sum.calls + row.calls;
        sum.mean_s += (row.mean_s - sum.mean_s) / static_cast<double>(sum.processes + 1);
        sum.min_s = std::min(sum.min_s, row.min_s);
        sum.max_s = std::max(sum.max_s, row.max_s);
        ++sum.processes;
        ++sum.threads;
    }
    tables.is_cut = true;
}

// "************ PROCESS      0 (     0) ************"; without such a line model_timing.0000 names its process.
std::map<std::string, std::string> gptl_own_tables(const TimerText &text, std::size_t head) {
    std::map<std::string, std::string> found;
    for (std::size_t i = 0; i < text.lines().size(); ++i) {
        const std::string process(first_word(after(text.lines()[i], "**** PROCESS ")));
        if (!process.empty() && !found.try_emplace(process, text.at(i, "PROCESS")).second) throw text.second_run(i);
    }
    const std::string name = text.name();
    const std::string number = name.substr(name.rfind('.') + 1);
    if (!found.empty() || !is_digits(number)) return found;
    const std::size_t first = std::min(number.find_first_not_of('0'), number.size() - 1);
    found.try_emplace(number.substr(first), text.at(head, "Called"));
    return found;
}

bool is_gptl_statistics_head(std::string_view line) {
    return trimmed_line(line).starts_with("name") && line.find("wallmax") != std::string_view::npos;
}

bool is_gptl_process_head(std::string_view line) {
    constexpr std::array<std::string_view, 3> columns = {"Called", "Recurse", "Wallclock"};
    const std::vector<std::string_view> words = words_of(line);
    return std::search(words.begin(), words.end(), columns.begin(), columns.end()) != words.end();
}

// The statistics if the file has them, else the timers of its processes (thread 0).
GptlTables gptl_tables(const TimerText &text) {
    const std::size_t none = text.lines().size();
    GptlTables tables;
    if (text.has(is_gptl_statistics_head)) {
        tables.head = text.only_line(is_gptl_statistics_head);
        read_gptl_statistics(text, tables);
    } else {
        tables.of_own_files = true;
        tables.head = text.find(is_gptl_process_head);
        if (tables.head == none) throw text.ends_without("there is no table of GPTL's timers");
        tables.own_tables = gptl_own_tables(text, tables.head);
        std::map<std::string, std::size_t> places;
        std::size_t own = 0;
        for (std::size_t head = tables.head; head < none; head = text.find(is_gptl_process_head, head + 1)) {
            // "Stats for thread 1:" stands above the timers of other threads, inside those of thread 0.
            const std::string_view above = head > 0 ? trimmed_line(text.lines()[head - 1]) : std::string_view{};
            if (above.starts_with("Stats for thread") && !above.starts_with("Stats for thread 0:")) continue;
            if (++own > std::max<std::size_t>(tables.own_tables.size(), 1)) throw text.second_run(head);
            read_gptl_process(text, head, tables, places);
        }
    }
    if (tables.rows.empty()) throw text.wrong(tables.head, "no timer below this line: the file is cut");
    return tables;
}

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

void take_gptl_run(const std::vector<GptlRow> &rows, const GptlComponent &c, TimedComponent &component) {
    const std::string run = std::string("CPL:") + c.upper;
    const GptlRow *row = row_named(rows, component.name == "cpl" ? "CPL:RUN" : run + "_RUN");
    const GptlRow *const tight = row_named(rows, run + "T_RUN");
    if (tight != nullptr && (row == nullptr || tight->max_s > row->max_s)) row = tight;
    if (row == nullptr) return;
    component.computing_s = row->most();
    // CPL:RUN stands on all processes of the run; the coupler's own have what it prepares for a component:
    // CPL:ATMPREP.
    if (component.name == "cpl")
        for (const GptlRow &r : rows)
            if (r.name.starts_with(driver_mark) && r.name.ends_with("PREP")) row = &r;
    component.processes = row->processes;
    component.processes_from = row->from;
    // Timers that say that they are waits. At a barrier before its run a component's own processes wait for each
    // other.
    const auto is_wait = [&](const GptlRow &r) { return r.name.starts_with(run) && r.name.ends_with("_WAIT"); };
    // The most of two timers may be those of different processes.
    if (std::ranges::count_if(rows, is_wait) == 1) component.waiting_s = std::ranges::find_if(rows, is_wait)->most();
}

// Components that the driver runs; without a driver's timers the model is one component.
void take_gptl_components(const GptlTables &tables, TimedRun &run) {
    const std::vector<GptlRow> &rows = tables.rows;
    const bool has_driver = std::ranges::any_of(rows, [](const GptlRow &r) { return r.name.starts_with("CPL:"); });
    for (const GptlComponent &c : gptl_components) {
        TimedComponent component;
        component.name = has_driver ? c.name : "model";
        if (has_driver && !tables.of_own_files) take_gptl_run(rows, c, component);
        for (const GptlRow &row : rows) {
            if (has_driver && gptl_owner(row.name) != &c) continue;
            component.parts.push_back(row);
            if (row.processes > 0 && row.threads % row.processes == 0)
                component.threads = std::max(component.threads, row.threads / row.processes);
        }
        if (!has_driver) {
            component.processes = run.processes;
            run.others_not_known = true;
        }
        // 0.000 is a component without work (a stub): CIME's summary leaves it out, too.
        const bool works = component.computing_s.value >= 0.0005 || tables.of_own_files || !has_driver;
        if (works && !component.parts.empty()) run.components.push_back(std::move(component));
        if (!has_driver) break;
    }
}

// Components may be missing, and timers that are compared with those that are there.
void leave_out_what_may_be_cut(const GptlTables &tables, TimedRun &run) {
    if (!tables.is_cut) return;
    run.remark_cut(tables.rows.back(), "components, their computing and waiting, cores");
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
    const std::string folder = text.folder();
    const std::string last = folder.substr(folder.rfind('/') + 1);
    if (last.starts_with("timing.") && last.size() > 7) return last.substr(7);
    return name.starts_with("model_timing") ? folder : "";
}

} // namespace

bool is_gptl_timing(const TimerText &text) {
    return text.has(is_gptl_statistics_head) || text.has(is_gptl_process_head);
}

std::vector<TimedRun> read_gptl_timing(const TimerText &text) {
    const GptlTables tables = gptl_tables(text);
    TimedRun run;
    run.of = gptl_run_of(text);
    run.processes = tables.processes;
    run.own_tables = tables.own_tables;
    tables.without_processes.remark_on(run);
    tables.left_out.remark_on(run);
    run.startup_s = most_of(tables.rows, "CPL:INIT");
    run.loop_s = most_of(tables.rows, "CPL:RUN_LOOP");
    run.shutdown_s = most_of(tables.rows, "CPL:FINAL");
    run.speed_is_of_loop = run.loop_s.known();
    take_gptl_components(tables, run);
    if (run.components.empty()) throw text.wrong(tables.head, "no component's timer (CPL:ATM_RUN, ...) ran");
    if (run.processes > 0) {
        std::int64_t threads = 1;
        for (const TimedComponent &c : run.components)
            threads = std::max(threads, c.threads);
        run.cores = {static_cast<double>(run.processes * threads), text.at(tables.head, "MPI TASKS x threads")};
    }
    leave_out_what_may_be_cut(tables, run);
    return {std::move(run)};
}

} // namespace cpl_lb
