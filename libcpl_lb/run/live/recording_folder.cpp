// Two runs at once in one folder: the later one says so at its start, and its results go to a folder of their own. A
// folder that does not answer holds up nobody.
#include "io/files/folder_claim.hpp"
#include "run/live/recording.hpp"
#include "support/fmt.hpp"
#include "support/messages.hpp"
#include "support/system.hpp"
#include "support/threads.hpp"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <sys/statvfs.h>
#include <unistd.h>

namespace cpl_lb {
namespace {

constexpr double longest_knock_s = 10; // the model waits; at the end the folder is asked for longer

// Asks for the free space: that always comes from the file server, and most other answers from this node's memory.
bool answers(const std::string &folder, double patience_s) {
    return done_within(patience_s, [folder] {
        struct statvfs any {};
        if (::statvfs(folder.c_str(), &any) != 0) errno = 0; // that it is not there is an answer, too
    });
}

} // namespace

void Recording::claim_folder() {
    const std::string folder = settings_.directory.empty() ? "." : settings_.directory;
    const double patience_s = std::clamp(settings_.timeout_s, least_patience_s, longest_knock_s);
    try {
        if (!answers(folder, patience_s)) {
            tell(fmt::format(
                "the folder for results {} has not answered for {} s: the run goes on, and whether another "
                "run uses the folder is not known",
                folder, patience_s));
            return;
        }
        claim_ = std::make_shared<FolderClaim>(
            folder, ClaimingRun{new_token(), run_id(), host_name(), started_, static_cast<long>(getpid())});
        const std::string other = claim_->other_run();
        if (other.empty()) return;
        tell(fmt::format(
            "{} is still running and uses the folder {}: the results of this run will be in a folder of their "
            "own inside it",
            other, folder));
        told_of_other_run_ = true;
    } catch (const std::bad_alloc &) { // then nobody is told
        claim_.reset();
    }
}

} // namespace cpl_lb
