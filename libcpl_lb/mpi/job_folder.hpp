// Where all processes of an MPI job can leave notices if they run on one node, from what its launcher tells them.
#pragma once

#include "mpi/folder_board.hpp"

#include <functional>
#include <string>

namespace cpl_lb {

// The environment that the launcher made: getenv, or a test's.
using Variables = std::function<const char *(const char *name)>;

struct JobFolder {
    std::string path;     // in the node's memory; its name is that of no other job. Empty: see job_folder
    std::string launcher; // a path that is there as long as the job's launcher is; empty: not known
};

// Nothing: the job has several nodes, or its launcher does not say enough.
[[nodiscard]] JobFolder job_folder(const Variables &variables);

// The same of a job with several nodes: each has its own.
[[nodiscard]] JobFolder node_folder(const Variables &variables);

// What names this job among those of a shared disk; empty: the launcher does not say.
[[nodiscard]] std::string job_name(const Variables &variables);

// Puts up a note whose board it is, for remove_left_boards.
void note_launcher(FolderBoard &board, const std::string &launcher);

// Removes the boards of jobs of this user whose launcher has ended, which were killed.
void remove_left_boards() noexcept;

} // namespace cpl_lb
