// Stands for history_file.cpp in a build without SQLite: says so when a history is asked for.
#include "history/history_file.hpp"
#include "io/files/file_error.hpp"

namespace cpl_lb {

AddedRuns add_to_history(const std::string &path, const std::vector<RunRecord> & /*runs*/) {
    throw FileError(path, "this cpl-lb was built without SQLite (Debian: libsqlite3-dev)");
}

std::vector<RunRecord> read_history(const std::string &path) {
    throw FileError(path, "this cpl-lb was built without SQLite (Debian: libsqlite3-dev)");
}

} // namespace cpl_lb
