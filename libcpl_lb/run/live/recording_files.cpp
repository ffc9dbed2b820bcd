// The files of a recording: with ln_spool the events of each process in a file that survives it; and the folder for
// results, which two runs at once do not share.
#include "analysis/batch_system.hpp"
#include "cpl_lb/cpl_lb.h"
#include "io/files/folder_claim.hpp"
#include "meters/processors.hpp"
#include "record/spool.hpp"
#include "run/live/recording.hpp"
#include "support/fmt.hpp"
#include "support/messages.hpp"
#include "support/system.hpp"
#include "support/threads.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <sys/statvfs.h>
#include <unistd.h>

namespace cpl_lb {

std::string Recording::run_id() const {
    return record_.settings.run.empty() ? fmt::format("{}-{:x}", record_.started, getpid()) : record_.settings.run;
}

SpoolIdentity Recording::spool_identity(std::size_t max_bytes) const {
    const ProcessMap &process_map = record_.process_map;
    const NumberList &component_of_rank = process_map.component_of_rank;
    const Settings &settings = record_.settings;
    SpoolIdentity id;
    id.clock_source = static_cast<std::uint32_t>(record_.clock_source);
    id.rank = transport_.rank();
    id.size = transport_.size();
    id.component_processes =
        static_cast<std::int32_t>(component_of_rank.places_of(component_of_rank[record_.place()]).size());
    id.threads = process_map.cores_of_rank[record_.place()]; // cores, because these are what the run costs
    id.node = record_.node();
    id.nodes = process_map.nodes();
    id.sliced = settings.sliced() ? 1 : 0;
    id.first_ticks = record_.first_point.ticks;
    id.first_monotonic_ns = record_.first_point.monotonic_ns;
    id.first_gap_ticks = record_.first_point.gap_ticks;
    id.offset_at = record_.first_offset.at;
    id.offset = record_.first_offset.offset;
    id.offset_bound = record_.first_offset.bound;
    id.started_realtime_ns = realtime_ns();
    id.max_bytes = static_cast<std::int64_t>(max_bytes);
    id.year_days = settings.year_days;
    const AllocatedCores known = cores_of_job(settings.cores, [](const char *name) { return std::getenv(name); },
                                              {processors_of_node(), threads_of_core(settings.sysfs_root)});
    id.cores = known.cores;
    put_text(id.cores_from, known.from);
    put_text(id.token, spool_token_);
    put_text(id.started, record_.started);
    put_text(id.submitted, settings.submitted);
    put_text(id.host, host_name());
    put_text(id.run_id, spool_run_id_);
    put_text(id.component, record_.component);
    return id;
}

std::unique_ptr<ChunkSource> Recording::make_spool(std::size_t max_bytes) {
    if (!record_.settings.spool) return nullptr;
    try {
        return std::make_unique<SpoolChunks>(
            spool_path(record_.settings.spool_directory, spool_token_, transport_.rank()), spool_identity(max_bytes));
    } catch (const SpoolError &e) {
        spool_problems_.push_back({fmt::format("no spool files in {}: {}: the events stay in memory",
                                               record_.settings.spool_directory, e.what()),
                                   1, 1, transport_.rank(), CPL_LB_EIO});
        return nullptr;
    }
}

// Already at the start, because a run that dies prints nothing at its end.
void Recording::tell_spool_problems(Group &all) {
    tally_problems(all, spool_problems_);
    if (!all.leads()) return;
    const ProcessMap &process_map = record_.process_map;
    for (const Problem &p : spool_problems_) {
        tell(p.text(all.size(), {process_map.in_model(p.lowest_rank), process_map.component_name_of(p.lowest_rank),
                                 process_map.nodes() > 1}));
    }
}

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
    const std::string folder = record_.settings.directory.empty() ? "." : record_.settings.directory;
    const double patience_s = std::clamp(record_.settings.timeout_s, least_patience_s, longest_knock_s);
    try {
        if (!answers(folder, patience_s)) {
            tell(fmt::format(
                "the folder for results {} has not answered for {} s: the run goes on, and whether another "
                "run uses the folder is not known",
                folder, patience_s));
            return;
        }
        record_.claim = std::make_shared<FolderClaim>(
            folder, ClaimingRun{new_token(), run_id(), host_name(), record_.started, static_cast<long>(getpid())});
        const std::string other = record_.claim->other_run();
        if (other.empty()) return;
        tell(fmt::format(
            "{} is still running and uses the folder {}: the results of this run will be in a folder of their "
            "own inside it",
            other, folder));
        record_.told_of_other_run = true;
    } catch (const std::bad_alloc &) { // the message is lost
        record_.claim.reset();
    }
}

} // namespace cpl_lb
