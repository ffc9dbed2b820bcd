// Tables of GPTL: statistics over processes, or the timers of single processes, as rows.
#pragma once

#include "run/timers/timer_text.hpp"

#include "data/time.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace cpl_lb {

struct GptlRow {
    std::string name;
    std::int64_t processes = 0; // that have the timer
    std::int64_t threads = 0;   // of all of these together
    std::int64_t calls = 0;     // of all threads together; 0: too many for the digits that are printed
    double min_s = unknown, mean_s = unknown, max_s = unknown; // inclusive, of a process
    std::size_t line = 0;
};

struct GptlTables {
    std::int64_t processes = 0; // of the run; 0: not told
    bool is_cut = false;        // GPTL writes a blank line below each table, and one has none
    bool of_own_files = false;  // the rows are of those processes only whose own timers are in the file
    std::size_t head = 0;       // line above the first row
    std::map<std::string, std::string> own_tables; // processes, and where the tables of these stand
    std::vector<GptlRow> rows;
};

// The first line from `first` on that names the columns of statistics, and that of a process's timers;
// lines().size(): none.
[[nodiscard]] std::size_t gptl_statistics_head(const TimerText &text, std::size_t first);
[[nodiscard]] std::size_t gptl_process_head(const TimerText &text, std::size_t first);

// The statistics if the file has them, else the timers of its processes (thread 0). Throws FileError for a damaged
// row, and for a second run in the file.
[[nodiscard]] GptlTables gptl_tables(const TimerText &text);

} // namespace cpl_lb
