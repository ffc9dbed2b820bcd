// Makes the folder for results, or a new one inside it if another run has it, and tells all processes.
#include "run/live/steps/output_folder.hpp"

#include "data/error_codes.hpp"
#include "io/files/file_error.hpp"
#include "io/files/result_file.hpp"
#include "io/timeline/timeline.hpp"
#include "support/fmt.hpp"
#include "support/held_up.hpp"
#include "support/messages.hpp"
#include "support/system.hpp"
#include "support/threads.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <new>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace cpl_lb {
namespace {

void make(OutputFolder &folder, const FolderClaim *claim) {
    create_directory(folder.path);
    if (const std::string other = claim != nullptr ? claim->other_run() : ""; !other.empty()) {
        folder.path = new_folder_in(folder.path, folder.run_id);
        folder.remark = fmt::format(
            "{} used the folder for results at the same time: the results of this run are in {}", other, folder.path);
    }
    folder.probe = std::make_shared<FolderProbe>(folder.path, folder.token);
}

// On the root, before the masters write. A folder that does not answer is found here, as long as the others wait.
OutputFolder prepare_folder(const ProcessRecord &record, ProblemList &problems) {
    OutputFolder folder;
    folder.run_id = record.run_id;
    folder.path = record.settings.directory;
    const double patience_s = std::max(record.settings.timeout_s / 2, least_patience_s);
    try {
        const auto made = std::make_shared<OutputFolder>();
        made->run_id = folder.run_id;
        made->path = folder.path;
        made->token = new_token();
        if (!done_within(patience_s, [made, claim = record.claim] { make(*made, claim.get()); }))
            throw FileError(folder.path, not_answered(patience_s));
        folder = std::move(*made);
        if (!folder.remark.empty() && !record.told_of_other_run) tell(folder.remark);
    } catch (const std::bad_alloc &) {
        throw;
    } catch (const std::exception &e) {
        problems.lose_results(error::io, std::string(e.what()) + ": no results are written");
        folder.missing = true;
    }
    return folder;
}

// If the path of the output folder leads to another place here, that is as good as any, and often larger than /tmp.
std::string folder_on_this_node(const std::string &output) {
    struct stat found {};
    const bool usable = std::getenv("TMPDIR") == nullptr && stat(output.c_str(), &found) == 0 &&
                        S_ISDIR(found.st_mode) && access(output.c_str(), W_OK | X_OK) == 0;
    return usable ? output : temporary_folder();
}

} // namespace

std::string not_answered(double seconds) {
    return fmt::format("the folder has not answered for {:.3g} s", seconds);
}

OutputFolder agree_on_folder(Group &present, const ProcessRecord &record, ProblemList &problems) {
    OutputFolder folder;
    if (present.leads()) folder = prepare_folder(record, problems);
    tell_all(present, "the folder", folder.run_id, folder.missing, folder.path, folder.token);
    return folder;
}

void remove_local(const std::string &path) {
    unlink(path.c_str());
    rmdir(path.substr(0, path.rfind('/')).c_str());
}

TimelineHome home_of_timeline(const OutputFolder &folder, bool is_root, const std::string &stem) {
    const HeldUp by_the_folder;
    if (is_root || FolderProbe::is_seen(folder.path, folder.token))
        return {path_in(folder.path, timeline_name_in(folder.path, stem)), TimelineIs::in_the_folder};
    // Other users have seen the token, so this folder gets a name that nobody can have taken.
    std::string here = path_in(folder_on_this_node(folder.path), "cpl_lb_XXXXXX");
    if (mkdtemp(here.data()) == nullptr) errno = 0; // creating the file says why
    return {path_in(here, timeline_file_name(stem)), TimelineIs::on_another_node};
}

TimelineHome note_timeline(TimelineHome home, const std::string &error, ProblemList &problems) {
    if (error.empty()) return home;
    problems.lose_results(error::io, error);
    if (home.is == TimelineIs::on_another_node) remove_local(home.path);
    home.is = TimelineIs::missing;
    return home;
}

} // namespace cpl_lb
