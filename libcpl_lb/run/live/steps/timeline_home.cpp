// Looks whether this node shares the output folder, and finds another place where it does not.
#include "run/live/steps/timeline_home.hpp"

#include "data/error_codes.hpp"
#include "io/files/result_file.hpp"
#include "io/timeline/timeline.hpp"
#include "support/held_up.hpp"

#include <cerrno>
#include <cstdlib>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace cpl_lb {
namespace {

// A path of the output folder that leads elsewhere here is as good as any, and often larger than /tmp.
std::string folder_on_this_node(const std::string &output) {
    struct stat found {};
    const bool usable = std::getenv("TMPDIR") == nullptr && stat(output.c_str(), &found) == 0 &&
                        S_ISDIR(found.st_mode) && access(output.c_str(), W_OK | X_OK) == 0;
    return usable ? output : temporary_folder();
}

} // namespace

void remove_local(const std::string &path) {
    unlink(path.c_str());
    rmdir(path.substr(0, path.rfind('/')).c_str());
}

TimelineHome home_of_timeline(const OutputFolder &folder, bool is_root, const std::string &stem) {
    const HeldUp by_the_folder;
    if (is_root || FolderProbe::is_seen(folder.path, folder.token))
        return {path_in(folder.path, timeline_name_in(folder.path, stem)), TimelineIs::in_the_folder};
    // Others have seen the token: the folder has a name that nobody can have taken.
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
