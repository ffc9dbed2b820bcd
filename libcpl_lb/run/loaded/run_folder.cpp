// Lists the timelines and the json of a folder and picks those of the newest run.
#include "run/loaded/run_folder.hpp"

#include "io/files/file_error.hpp"
#include "io/timeline/timeline_reader.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

namespace cpl_lb {
namespace {

namespace fs = std::filesystem;

struct Group {
    std::string run_id;
    std::vector<std::string> paths;
    fs::file_time_type newest = fs::file_time_type::min();
};

bool is_timeline_name(const std::string &name) {
    return name.starts_with("timeline_") && name.ends_with(".nc");
}

std::vector<std::string> timelines_in(const std::string &directory) {
    std::error_code error;
    std::vector<std::string> paths;
    fs::directory_iterator entry(directory, error);
    if (error) throw FileError(directory, "cannot read the folder: " + error.message());
    for (; entry != fs::directory_iterator(); entry.increment(error)) {
        if (error) break;
        if (is_timeline_name(entry->path().filename().string()) && entry->is_regular_file(error))
            paths.push_back(entry->path().string());
    }
    if (paths.empty()) throw FileError(directory, "holds no timeline_<component>.nc");
    std::sort(paths.begin(), paths.end());
    return paths;
}

} // namespace

RunFolder look_into(const std::string &directory) {
    std::map<std::string, Group> by_run;
    for (const std::string &path : timelines_in(directory)) {
        const std::string id = TimelineReader::run_id_of(path);
        Group &group = by_run[id];
        group.run_id = id;
        group.paths.push_back(path);
        std::error_code error;
        group.newest = std::max(group.newest, fs::last_write_time(path, error));
    }
    std::vector<Group> groups;
    groups.reserve(by_run.size());
    for (auto &[id, group] : by_run)
        groups.push_back(std::move(group));
    // OASIS3-MCT writes its own after ours, into the same folder by default: those without a name come last.
    std::stable_sort(groups.begin(), groups.end(), [](const Group &a, const Group &b) {
        return std::pair(!a.run_id.empty(), a.newest) > std::pair(!b.run_id.empty(), b.newest);
    });

    RunFolder folder;
    folder.run_id = groups.front().run_id;
    folder.timelines = groups.front().paths;
    for (std::size_t i = 1; i < groups.size(); ++i)
        folder.other_run_ids.push_back(groups[i].run_id);
    std::error_code error;
    const fs::path json = fs::path(directory) / "load_balancing_info.json";
    if (fs::is_regular_file(json, error)) folder.json = json.string();
    return folder;
}

} // namespace cpl_lb
