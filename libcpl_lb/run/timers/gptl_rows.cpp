// Rows of GPTL's two tables. The layouts stand in gptl_timing.cpp.
#include "run/timers/gptl_rows.hpp"

#include "support/fmt.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace cpl_lb {
namespace {

// A row's name and what stands behind it.
struct GptlLine {
    std::string name;
    std::string plain; // words is of this
    std::vector<std::string_view> words;
};

// Names stand between quotes; without them a name ends with its first blank.
void split_gptl_line(const TimerText &text, std::size_t i, GptlLine &row) {
    std::string_view line = trimmed_line(text.lines()[i]);
    if (line.starts_with('*')) line = trimmed_line(line.substr(1));
    std::size_t end = line.find_first_of(" \t");
    if (line.starts_with('"')) {
        end = line.find('"', 1);
        if (end == std::string_view::npos)
            throw text.wrong(i, "the timer's name does not end with a quote: the row is cut");
        row.name = line.substr(1, end - 1);
        ++end;
    } else {
        row.name = line.substr(0, end);
    }
    if (end < line.size()) row.plain = line.substr(end);
    std::replace_if(
        row.plain.begin(), row.plain.end(), [](char c) { return c == '(' || c == ')'; }, ' ');
    row.words = words_of(row.plain);
    if (!row.words.empty() && !looks_like_number(row.words.front()))
        row.words.erase(row.words.begin()); // column `on`
}

// Statistics print seven digits of a count: 2.360832e+06 is exact, 1.234567e+09 is not. A process's own table prints
// two where they are more than its column takes.
std::int64_t gptl_count(const TimerText &text, std::size_t i, std::string_view word, const std::string &what,
                        double exact) {
    const double count = text.seconds(i, word, what);
    if (word.find('.') != std::string_view::npos && count >= exact) return 0;
    if (count != std::floor(count)) throw text.wrong(i, fmt::format("{} is {}: no whole number", what, word));
    return static_cast<std::int64_t>(count);
}

GptlRow gptl_statistics_row(const TimerText &text, std::size_t i, std::size_t columns) {
    GptlLine line;
    split_gptl_line(text, i, line);
    if (line.words.size() != columns) {
        throw text.wrong(i,
                         fmt::format("a timer needs its name and {} numbers: the row is cut, or two numbers have no "
                                     "blank between them",
                                     columns));
    }
    const auto what = [&](const char *column) { return fmt::format("{} of '{}'", column, line.name); };
    GptlRow row;
    row.name = line.name;
    row.line = i;
    row.processes = text.processes(i, line.words[0], what("processes"));
    row.threads = text.count(i, line.words[1], what("threads"), row.processes);
    row.calls = gptl_count(text, i, line.words[2], what("count"), 1e7);
    const double total_s = text.seconds(i, line.words[3], what("walltotal"));
    row.max_s = text.seconds(i, line.words[4], what("wallmax"));
    row.min_s = text.seconds(i, line.words[7], what("wallmin"));
    // The sum is over threads, too: a process's mean follows where each has one.
    if (row.threads == row.processes) row.mean_s = total_s / static_cast<double>(row.processes);
    return row;
}

bool ends_gptl_table(std::string_view line) {
    return line.empty() || line.starts_with("Total calls") || line.starts_with("Overhead") ||
           line.starts_with("****");
}

void read_gptl_statistics(const TimerText &text, GptlTables &tables) {
    std::string head(text.lines()[tables.head]);
    std::replace_if(
        head.begin(), head.end(), [](char c) { return c == '(' || c == ')'; }, ' ');
    std::size_t columns = 0;
    for (const std::string_view word : words_of(head))
        if (word != "name" && word != "on") ++columns;
    if (columns < 10) {
        throw text.wrong(
            tables.head,
            "the columns are not processes, threads, count, walltotal, wallmax (proc thrd), wallmin (proc thrd)");
    }
    for (std::size_t i = tables.head; i-- > 0;) {
        const std::string_view count = after(text.lines()[i], "GLOBAL STATISTICS (");
        if (count.empty()) continue;
        tables.processes = text.processes(i, words_of(count).front(), "the number of MPI tasks");
        break;
    }
    for (std::size_t i = tables.head + 1; i < text.lines().size(); ++i) {
        const std::string_view line = trimmed_line(text.lines()[i]);
        if (ends_gptl_table(line)) return;
        tables.rows.push_back(gptl_statistics_row(text, i, columns));
    }
    tables.is_cut = true;
}

GptlRow gptl_process_row(const TimerText &text, std::size_t i) {
    GptlLine line;
    split_gptl_line(text, i, line);
    // Called, Recurse ('-' or a number), Wallclock, max, min, and what else was asked for
    if (line.words.size() < 5)
        throw text.wrong(
            i, "a timer needs its name, calls, recursions, and seconds in all, most and least: the row is cut");
    const auto what = [&](const char *column) { return fmt::format("{} of '{}'", column, line.name); };
    GptlRow row;
    row.name = line.name;
    row.line = i;
    row.processes = row.threads = 1;
    row.calls = gptl_count(text, i, line.words[0], what("calls"), 100);
    row.min_s = row.mean_s = row.max_s = text.seconds(i, line.words[2], what("Wallclock"));
    return row;
}

// The rows of one process, added to those of the others.
void read_gptl_process(const TimerText &text, std::size_t head, GptlTables &tables,
                       std::map<std::string, std::size_t> &places) {
    std::map<std::string, bool> seen;
    for (std::size_t i = head + 1; i < text.lines().size(); ++i) {
        const std::string_view line = trimmed_line(text.lines()[i]);
        if (ends_gptl_table(line) && !line.starts_with("* ")) return;
        const GptlRow row = gptl_process_row(text, i);
        // Under several parents a timer is printed again, with the same figures.
        if (!seen.try_emplace(row.name, true).second) continue;
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
        const std::vector<std::string_view> words = words_of(after(text.lines()[i], "**** PROCESS "));
        if (!words.empty() && !found.try_emplace(std::string(words.front()), text.at(i, "PROCESS")).second)
            throw text.wrong(i, "a second run begins here: give each run its own file");
    }
    const std::string name = text.name();
    const std::string number = name.substr(name.rfind('.') + 1);
    if (!found.empty() || number.empty() || number.find_first_not_of("0123456789") != std::string::npos) return found;
    const std::size_t first = std::min(number.find_first_not_of('0'), number.size() - 1);
    found.try_emplace(number.substr(first), text.at(head, "Called"));
    return found;
}

} // namespace

std::size_t gptl_statistics_head(const TimerText &text, std::size_t first) {
    for (std::size_t i = first; i < text.lines().size(); ++i) {
        const std::string_view line = trimmed_line(text.lines()[i]);
        if (line.starts_with("name") && line.find("wallmax") != std::string_view::npos) return i;
    }
    return text.lines().size();
}

std::size_t gptl_process_head(const TimerText &text, std::size_t first) {
    for (std::size_t i = first; i < text.lines().size(); ++i) {
        const std::vector<std::string_view> words = words_of(text.lines()[i]);
        const auto called = std::find(words.begin(), words.end(), "Called");
        if (called != words.end() && words.end() - called > 2 && called[1] == "Recurse" && called[2] == "Wallclock")
            return i;
    }
    return text.lines().size();
}

GptlTables gptl_tables(const TimerText &text) {
    const std::size_t none = text.lines().size();
    GptlTables tables;
    tables.head = gptl_statistics_head(text, 0);
    if (tables.head < none) {
        if (const std::size_t second = gptl_statistics_head(text, tables.head + 1); second < none)
            throw text.wrong(second, "a second run begins here: give each run its own file");
        read_gptl_statistics(text, tables);
    } else {
        tables.of_own_files = true;
        tables.head = gptl_process_head(text, 0);
        if (tables.head == none) throw text.wrong(none - 1, "there is no table of GPTL's timers");
        tables.own_tables = gptl_own_tables(text, tables.head);
        std::map<std::string, std::size_t> places;
        std::size_t own = 0;
        for (std::size_t head = tables.head; head < none; head = gptl_process_head(text, head + 1)) {
            // "Stats for thread 1:" stands above the timers of other threads, inside those of thread 0.
            const std::string_view above = head > 0 ? trimmed_line(text.lines()[head - 1]) : std::string_view{};
            if (above.starts_with("Stats for thread") && !above.starts_with("Stats for thread 0:")) continue;
            if (++own > std::max<std::size_t>(tables.own_tables.size(), 1))
                throw text.wrong(head, "a second run begins here: give each run its own file");
            read_gptl_process(text, head, tables, places);
        }
    }
    if (tables.rows.empty()) throw text.wrong(tables.head, "no timer below this line: the file is cut");
    return tables;
}

} // namespace cpl_lb
