// Makes the folder for results, a new one inside it where another run has it, and tells all processes.
#include "run/live/steps/output_folder.hpp"

#include "data/error_codes.hpp"
#include "io/files/folder_claim.hpp"
#include "io/files/result_file.hpp"
#include "run/live/run_token.hpp"
#include "support/fmt.hpp"
#include "support/messages.hpp"

#include <new>

namespace cpl_lb {
namespace {

// On the root, before the masters write.
OutputFolder prepare_folder(const ProcessRecord &record, ProblemList &problems) {
    OutputFolder folder;
    folder.run_id = record.run_id;
    folder.path = record.settings.directory;
    try {
        create_directory(folder.path);
        if (const std::string other = record.claim ? record.claim->other_run() : ""; !other.empty()) {
            folder.path = new_folder_in(folder.path, folder.run_id);
            folder.remark =
                fmt::format("{} used the folder for results at the same time: the results of this run are in {}",
                            other, folder.path);
            if (!record.told_of_other_run) tell(folder.remark);
        }
        folder.token = new_token();
        folder.probe = std::make_unique<FolderProbe>(folder.path, folder.token);
    } catch (const std::bad_alloc &) {
        throw;
    } catch (const std::exception &e) {
        problems.lose_results(error::io, std::string(e.what()) + ": no results are written");
        folder.missing = true;
    }
    return folder;
}

} // namespace

std::optional<OutputFolder> agree_on_folder(Group &present, const ProcessRecord &record, ProblemList &problems) {
    OutputFolder folder;
    Bytes bytes;
    if (present.leads()) {
        folder = prepare_folder(record, problems);
        WireWriter out;
        out.put(folder.run_id);
        out.put(std::int32_t{folder.missing ? 1 : 0});
        out.put(folder.path);
        out.put(folder.token);
        bytes = out.take();
    }
    if (!present.broadcast_all(bytes)) return {};
    WireReader in(bytes);
    folder.run_id = in.get_text();
    folder.missing = in.get<std::int32_t>() != 0;
    folder.path = in.get_text();
    folder.token = in.get_text();
    return folder;
}

} // namespace cpl_lb
