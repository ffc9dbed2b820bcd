// Two runs at once in one folder: the later one says so at its start, and its results go to a folder of their own. A
// folder that does not answer holds up nobody: the claim is made by a thread that is left behind.
#include "run/live/recording.hpp"

#include "io/files/folder_claim.hpp"
#include "run/live/run_token.hpp"
#include "support/done_within.hpp"
#include "support/fmt.hpp"
#include "support/host_name.hpp"
#include "support/messages.hpp"

#include <algorithm>
#include <memory>
#include <unistd.h>

namespace cpl_lb {
namespace {

constexpr double longest_claim_s = 10; // the model waits; at the end the folder is asked for longer

} // namespace

void Recording::claim_folder() {
    const std::string folder = settings_.directory.empty() ? "." : settings_.directory;
    const double patience_s = std::clamp(settings_.timeout_s, least_patience_s, longest_claim_s);
    try {
        const auto made = std::make_shared<std::shared_ptr<FolderClaim>>();
        const ClaimingRun mine{new_token(), run_id(), host_name(), started_, static_cast<long>(getpid())};
        if (!done_within(patience_s, [made, folder, mine] { *made = std::make_shared<FolderClaim>(folder, mine); })) {
            tell(fmt::format(
                "the folder for results {} has not answered for {} s: the run goes on, and whether another "
                "run uses the folder is not known",
                folder, patience_s));
            return;
        }
        claim_ = *made;
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
