// Compares what the names lead to, not the names.
#include "tools/folders_once.hpp"

#include "io/files/file_error.hpp"

#include <filesystem>

namespace cpl_lb {

void refuse_folders_twice(const std::vector<std::string> &folders) {
    for (std::size_t i = 0; i < folders.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            std::error_code error;
            if (!std::filesystem::equivalent(folders[j], folders[i], error)) continue;
            throw FileError(folders[i], std::filesystem::is_directory(folders[i], error)
                                            ? "the same folder is given twice"
                                            : "the same file is given twice");
        }
    }
}

void refuse_runs_twice(const std::vector<CoupledRun> &runs, const std::vector<std::string> &folders) {
    refuse_folders_twice(folders);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const RunInfo &a = runs[j].run, &b = runs[i].run;
            if (!a.id.empty() && a.id == b.id && a.started == b.started && a.ended == b.ended)
                throw FileError(folders[i], "holds the same job as " + folders[j] + ": " + a.id);
        }
    }
}

} // namespace cpl_lb
