// Step 4 of cpl_lb_terminate, first half: the folder for results, in the root's file system.
#pragma once

#include "io/files/folder_claim.hpp"
#include "mpi/group.hpp"
#include "run/live/problem_list.hpp"
#include "run/live/process_record.hpp"

#include <memory>
#include <optional>
#include <string>

namespace cpl_lb {

struct OutputFolder {
    std::string run_id;
    std::string path;
    bool missing = false;                 // nobody tries to write
    std::string token;                    // names the file by which others see whether they share the folder
    std::unique_ptr<FolderProbe> probe{}; // that file, on the root
    std::string remark;                   // on the root: why the results are in another place
};

// The part of error messages about a folder that was given up.
[[nodiscard]] std::string not_answered(double seconds);

// Collective: the root makes the folder and tells the others.
[[nodiscard]] std::optional<OutputFolder> agree_on_folder(Group &present, const ProcessRecord &record,
                                                          ProblemList &problems);

} // namespace cpl_lb
