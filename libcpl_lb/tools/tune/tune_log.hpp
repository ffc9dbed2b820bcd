// The log of cpl-lb tune: a table of the runs so far that people read and the next call goes on from.
#pragma once

#include "data/time.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cpl_lb {

// Processes of each component, in the order in which they were named.
using NamedCounts = std::vector<std::pair<std::string, std::int64_t>>;

[[nodiscard]] std::string in_words(const NamedCounts &counts); // "ocean=3,atmosphere=5"
// Throws std::invalid_argument with `what` for anything that is not of this form.
[[nodiscard]] NamedCounts named_counts(const std::string &what, const std::string &text);

// asked: to be run, no results yet. taken: measured. refused: it has no results that can be used. stop: the end.
enum class TuneState { asked, taken, refused, stop };

[[nodiscard]] const char *name_of(TuneState state); // "asked"

struct TuneRow {
    TuneState state = TuneState::asked;
    std::string folder, run_id; // of the results
    NamedCounts processes;      // requested; the measured ones if the row is taken
    double cycle_s = unknown;   // a coupling cycle, mean
    double error_s = unknown;   // its standard error
    double expected_s = unknown;
    double left = unknown;  // by how much the best possible was below the best run before, as a share
    std::string words = {}; // why these counts, what is wrong with the run, or why it ends

    [[nodiscard]] bool was_run() const { return state == TuneState::taken || state == TuneState::refused; }
};

// Empty if there is no such file. Throws FileError with line and column if the file is no log.
[[nodiscard]] std::vector<TuneRow> read_tune_log(const std::string &path);
void write_tune_log(const std::string &path, const std::vector<TuneRow> &rows); // throws FileError

} // namespace cpl_lb
