// Where the files of the run go: one folder of the root's file system. Masters on nodes that do not share it write
// beside themselves, and the root fetches the finished file.
#include "termination.hpp"

#include "cpl_lb/cpl_lb.h"
#include "gather/file_transfer.hpp"
#include "io/folder_claim.hpp"
#include "io/result_file.hpp"
#include "io/timeline_place.hpp"
#include "messages.hpp"

#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cpl_lb {
namespace {

std::string host_name() {
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    return host.data();
}

// A path of the output folder that leads elsewhere here is as good as any, and often larger than /tmp.
std::string folder_on_this_node(const std::string &output) {
    struct stat found {};
    const bool usable = std::getenv("TMPDIR") == nullptr && stat(output.c_str(), &found) == 0 &&
                        S_ISDIR(found.st_mode) && access(output.c_str(), W_OK | X_OK) == 0;
    return usable ? output : temporary_folder();
}

// The file that was brought to the root, and the folder that was made for it.
void remove_local(const std::string &path) {
    unlink(path.c_str());
    rmdir(path.substr(0, path.rfind('/')).c_str());
}

} // namespace

// On the root, before the masters write.
void Termination::prepare_folder() {
    std::string &folder = r_.settings_.directory;
    try {
        create_directory(folder);
        if (const std::string other = r_.claim_ ? r_.claim_->other_run() : ""; !other.empty()) {
            folder = new_folder_in(folder, run_id_);
            folder_remark_ = fmt::format(
                "{} had the folder for results at the same time: those of this run are in {}", other, folder);
            if (!r_.told_of_other_run_) tell(folder_remark_);
        }
        probe_token_ = new_token();
        probe_.emplace(folder, probe_token_);
    } catch (const std::bad_alloc &) {
        throw;
    } catch (const std::exception &e) {
        problem(CPL_LB_EIO, std::string(e.what()) + ": no results are written");
        results_lost_ = true;
    }
}

TimelinePlace Termination::place_of_timeline(const std::string &stem) {
    const std::string &folder = r_.settings_.directory;
    if (!sees_folder_)
        sees_folder_ = present_.front() == r_.transport_.rank() || FolderProbe::is_seen(folder, probe_token_);
    if (*sees_folder_) return {path_in(folder, timeline_name_in(folder, stem)), TimelineIs::in_the_folder};
    const std::string here = path_in(folder_on_this_node(folder), "cpl_lb_" + probe_token_);
    mkdir(here.c_str(), S_IRWXU); // if that fails, creating the file says why
    return {path_in(here, timeline_file_name(stem)), TimelineIs::on_another_node};
}

// After the component's rows. error: why there is no file; empty: there is one.
void Termination::note_timeline(TimelinePlace place, const std::string &error) {
    if (!error.empty()) {
        problem(CPL_LB_EIO, error);
        results_lost_ = true;
        if (place.is == TimelineIs::on_another_node) remove_local(place.path);
        place.is = TimelineIs::missing;
    }
    my_timelines_.push_back(std::move(place));
}

// timelines_ of all components are known to the root. False: a message failed.
bool Termination::bring_timelines() {
    const int root = present_.front();
    if (r_.transport_.rank() != root) {
        for (const TimelinePlace &place : my_timelines_)
            if (place.is == TimelineIs::on_another_node && !hand_over_timeline(place)) return false;
        return true;
    }
    probe_.reset();
    // The others wait meanwhile; they must not give up.
    const SteadyTime deadline = deadline_in(r_.settings_.timeout_s / 2);
    const std::vector<std::string> stems = file_stems(catalogue_.component_names);
    for (std::size_t i = 0; i < timelines_.size(); ++i) {
        if (timelines_[i] != TimelineIs::on_another_node) continue;
        FileFate fate{};
        std::string why;
        const std::string &folder = r_.settings_.directory;
        const std::string path = path_in(folder, timeline_name_in(folder, stems[i]));
        if (!receive_file(r_.transport_, catalogue_.members[i].front(), path, deadline, fate, why)) return false;
        timelines_[i] = fate == FileFate::arrived ? TimelineIs::in_the_folder : TimelineIs::missing;
        if (!why.empty()) problem(CPL_LB_EIO, why);
        results_lost_ = results_lost_ || fate != FileFate::arrived;
    }
    return true;
}

bool Termination::hand_over_timeline(const TimelinePlace &place) {
    FileFate fate{};
    if (!send_file(r_.transport_, present_.front(), place.path, fate)) return false;
    if (fate == FileFate::arrived) {
        remove_local(place.path);
        return true;
    }
    const std::string why = fate == FileFate::too_slow       ? "bringing it there took more than half of rn_timeout"
                            : fate == FileFate::not_readable ? "it cannot be read again"
                                                             : "it could not be written there";
    problem(CPL_LB_EIO, fmt::format("{} stays on {}: this node does not share {}, and {}", place.path, host_name(),
                                    r_.settings_.directory, why));
    results_lost_ = true;
    return true;
}

// Those that are in the folder: of this run, whatever else lies there.
void Termination::list_timelines() {
    const std::vector<std::string> stems = file_stems(catalogue_.component_names);
    for (std::size_t i = 0; i < timelines_.size(); ++i) {
        if (timelines_[i] != TimelineIs::in_the_folder) continue;
        files_.push_back(timeline_name_in(r_.settings_.directory, stems[i]));
        if (const std::string words = words_for_other_name(files_.back(), stems[i]); !words.empty()) tell(words);
    }
}

} // namespace cpl_lb
