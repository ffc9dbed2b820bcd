// Two runs at once in one folder: the later one says so at its start, and its results go to a folder of their own.
#include "run/live/recording.hpp"

#include "io/files/folder_claim.hpp"
#include "run/live/run_token.hpp"
#include "support/fmt.hpp"
#include "support/host_name.hpp"
#include "support/messages.hpp"

#include <unistd.h>

namespace cpl_lb {

void Recording::claim_folder() {
    try {
        claim_ =
            std::make_unique<FolderClaim>(settings_.directory, ClaimingRun{new_token(), run_id(), host_name(),
                                                                           started_, static_cast<long>(getpid())});
        const std::string other = claim_->other_run();
        if (other.empty()) return;
        tell(fmt::format(
            "{} is still running and uses the folder {}: the results of this run will be in a folder of their "
            "own inside it",
            other, settings_.directory.empty() ? "." : settings_.directory));
        told_of_other_run_ = true;
    } catch (const std::bad_alloc &) { // then nobody is told
        claim_.reset();
    }
}

} // namespace cpl_lb
