// Makes the folder for results, a new one inside it where another run has it, and tells all processes.
#include "run/live/steps/output_folder.hpp"

#include "data/error_codes.hpp"
#include "io/files/file_error.hpp"
#include "io/files/folder_claim.hpp"
#include "io/files/result_file.hpp"
#include "support/system.hpp"
#include "support/threads.hpp"
#include "support/fmt.hpp"
#include "support/messages.hpp"

#include <algorithm>
#include <memory>
#include <new>
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
    folder.probe = std::make_unique<FolderProbe>(folder.path, folder.token);
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

} // namespace

std::string not_answered(double seconds) {
    return fmt::format("the folder has not answered for {:.3g} s", seconds);
}

std::optional<OutputFolder> agree_on_folder(Group &present, const ProcessRecord &record, ProblemList &problems) {
    OutputFolder folder;
    Bytes bytes;
    if (present.leads()) {
        folder = prepare_folder(record, problems);
        WireWriter out;
        out.pass(folder.run_id, folder.missing, folder.path, folder.token);
        bytes = out.take();
    }
    if (!present.broadcast_all(bytes)) return {};
    WireReader in(bytes);
    in.pass(folder.run_id, folder.missing, folder.path, folder.token);
    return folder;
}

} // namespace cpl_lb
