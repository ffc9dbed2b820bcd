// The file of many runs: SQLite, with the tables described in docs/history.md.
#pragma once

#include "history/run_record.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

struct AddedRuns {
    std::size_t added = 0, known_before = 0;
    std::string damaged; // the copy of a file that was damaged, and was begun anew; empty: it was not
};

// Makes the file if it is missing. In a build without SQLite this and the next one throw. All runs or none; a run
// that is in it already changes nothing. Jobs that add at the same time wait for each other, up to a minute. A
// history that is damaged is renamed, and a new one is begun. Throws FileError, for a file that is no history, too.
AddedRuns add_to_history(const std::string &path, const std::vector<RunRecord> &runs);

// In the order of their starts; those without come last. Throws FileError, for a damaged file, too.
[[nodiscard]] std::vector<RunRecord> read_history(const std::string &path);

} // namespace cpl_lb
