// Step 4 of cpl_lb_terminate, first half: the folder for results, in the root's file system; and a place for each
// component's timeline.
#pragma once

#include "events/catalogue.hpp"
#include "io/files/folder_claim.hpp"
#include "mpi/group.hpp"
#include "run/live/process_record.hpp"
#include "run/live/steps/one_clock.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace cpl_lb {

struct OutputFolder {
    std::string run_id;
    std::string path;
    bool missing = false;                 // no process tries to write
    std::string token;                    // names the file by which others see whether they share the folder
    std::shared_ptr<FolderProbe> probe{}; // that file, on the root
    std::string remark;                   // on the root: why the results are in another place
};

// The part of error messages about a folder that was given up.
[[nodiscard]] std::string not_answered(double seconds);

// Collective: the root makes the folder and tells the others.
[[nodiscard]] OutputFolder agree_on_folder(Group &present, const ProcessRecord &record, ProblemList &problems);

// The facts that all processes that came share after the first steps of cpl_lb_terminate.
struct Agreed {
    NumberList present; // ascending ranks; the first is the root
    RunClock clock;
    OutputFolder folder;
    Catalogue catalogue;
};

// A component's master writes its timeline in the output folder, or on its own node if it does not see that folder.
// Where the timeline is, once its master has written it or could not.
enum class TimelineIs : std::int32_t { missing, in_the_folder, on_another_node };
struct TimelineHome {
    std::string path;
    TimelineIs is = TimelineIs::missing;
};

[[nodiscard]] TimelineHome home_of_timeline(const OutputFolder &folder, bool is_root, const std::string &stem);
// Called after the component's rows. error: why there is no file; empty: there is one.
[[nodiscard]] TimelineHome note_timeline(TimelineHome home, const std::string &error, ProblemList &problems);
// Removes a file that was brought to the root, and the folder that was made for it.
void remove_local(const std::string &path);

} // namespace cpl_lb
