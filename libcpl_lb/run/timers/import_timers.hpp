// Makes results of files that a model's own timers left: summary and json, without timelines.
#pragma once

#include "data/coupled_run.hpp"
#include "data/progress.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cpl_lb {

struct TimerImportOptions {
    std::string output = ".";     // a folder; with several runs each gets one of its own in it
    std::string kind;             // TimerReader::kind; empty: recognised
    std::string run;              // name of the run; empty: as the file says; only for one run
    double simulated_s = unknown; // replaces what the files say
    std::int64_t cores = 0;       // that the run paid for; replaces what the files say; 0: as they say
    Progress progress{};          // counts files
};

struct ImportedTimers {
    struct Run {
        CoupledRun run;
        std::string folder;
    };
    std::vector<Run> runs;
    std::vector<std::string> refused; // a line for each file that could not be read, if others could
};

// The text of a file of timers, also of one packed by gzip. Throws FileError.
[[nodiscard]] std::string timer_file_text(const std::string &path);

// Files of one run are joined. Throws FileError if no file can be read, or the results cannot be written, and
// std::invalid_argument for an unknown kind.
[[nodiscard]] ImportedTimers import_timers(const std::vector<std::string> &paths, const TimerImportOptions &options);

inline constexpr const char *info_text_name = "load_balancing_info.txt";
inline constexpr const char *info_json_name = "load_balancing_info.json";

} // namespace cpl_lb
