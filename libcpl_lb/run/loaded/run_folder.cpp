// Lists the timelines and the json of a folder and picks those of the newest run.
#include "run/loaded/run_folder.hpp"

#include "io/files/file_error.hpp"
#include "io/files/file_handle.hpp"
#include "io/timeline/timeline_reader.hpp"
#include "support/some_of.hpp"
#include "support/utf8.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <numeric>
#include <system_error>
#include <utility>

namespace cpl_lb {
namespace {

namespace fs = std::filesystem;

struct Group {
    std::vector<std::string> paths;
    fs::file_time_type newest = fs::file_time_type::min();
};

std::vector<std::string> timelines_in(const std::string &directory) {
    std::error_code error;
    std::vector<std::string> paths;
    for (const std::string &name : names_in(directory, error)) {
        std::error_code none;
        const fs::path path = fs::path(directory) / name;
        if (is_timeline_name(name) && fs::is_regular_file(path, none)) paths.push_back(path.string());
    }
    if (error) throw FileError(directory, "cannot read the folder: " + error.message());
    return paths;
}

// For a user who gives the folder above: "; its folders a, b hold runs"; empty if none does.
std::string runs_inside(const std::string &directory) {
    constexpr std::size_t most_looked_into = 1000;
    std::error_code error;
    std::vector<std::string> names;
    std::size_t looked = 0;
    for (const std::string &name : names_in(directory, error)) {
        std::error_code none;
        const fs::path inside = fs::path(directory) / name;
        if (!fs::is_directory(inside, none) || looked++ >= most_looked_into) continue;
        if (holds_results(inside.string())) names.push_back(safe_name(name));
    }
    return names.empty() ? "" : "; runs are in folders inside, give one of these: " + some_of(std::move(names));
}

} // namespace

bool is_timeline_name(std::string_view name) {
    return name.starts_with("timeline_") && name.ends_with(".nc");
}

std::string json_in(const std::string &directory) {
    std::error_code error;
    const fs::path json = fs::path(directory) / "load_balancing_info.json";
    return fs::is_regular_file(json, error) ? json.string() : "";
}

bool holds_results(const std::string &directory) {
    if (!json_in(directory).empty()) return true;
    std::error_code error;
    return std::ranges::any_of(names_in(directory, error), is_timeline_name);
}

std::string lone_json_in(const std::string &directory) {
    return timelines_in(directory).empty() ? json_in(directory) : "";
}

RunFolder look_into(const std::string &directory) {
    std::map<std::string, Group> by_run;
    const std::vector<std::string> timelines = timelines_in(directory);
    if (timelines.empty()) throw FileError(directory, "holds no timeline_<component>.nc" + runs_inside(directory));
    for (const std::string &path : timelines) {
        Group &group = by_run[TimelineReader::run_id_of(path)];
        group.paths.push_back(path);
        std::error_code error;
        group.newest = std::max(group.newest, fs::last_write_time(path, error));
    }
    std::vector<std::pair<std::string, Group>> groups(by_run.begin(), by_run.end());
    // OASIS3-MCT writes its own after ours, into the same folder by default: those without a name come last.
    std::ranges::stable_sort(groups, std::ranges::greater{},
                             [](const auto &group) { return std::pair(!group.first.empty(), group.second.newest); });

    RunFolder folder;
    folder.run_id = groups.front().first;
    folder.timelines = groups.front().second.paths;
    for (std::size_t i = 1; i < groups.size(); ++i)
        folder.other_run_ids.push_back(groups[i].first);
    folder.json = json_in(directory);
    return folder;
}

namespace {

constexpr std::int32_t most_components = 7; // 5040 orders

// The exchange that the other side must have, seen from the component with `id`.
bool is_answered(const NamedExchanges &other, Kind kind, std::int32_t field, std::int32_t id, bool with_field) {
    const Kind opposite = kind == Kind::put ? Kind::get : Kind::put;
    if (with_field) return other.contains({opposite, field, id});
    return std::ranges::any_of(other,
                               [&](const auto &e) { return std::get<0>(e) == opposite && std::get<2>(e) == id; });
}

bool fits(const std::vector<NamedExchanges> &components, const std::vector<std::int32_t> &ids, bool with_field) {
    for (std::size_t c = 0; c < components.size(); ++c) {
        for (const auto &[kind, field, counterpart] : components[c]) {
            if (counterpart == ids[c]) return false;
            // A counterpart without a file was not recorded: it fits everywhere.
            const auto other = static_cast<std::size_t>(std::ranges::find(ids, counterpart) - ids.begin());
            if (other < ids.size() && !is_answered(components[other], kind, field, ids[c], with_field)) return false;
        }
    }
    return true;
}

// The ids of the components with files, for each order of all ids. The ids without a file ascend, so that each result
// comes once.
std::vector<std::vector<std::int32_t>> all_that_fit(const std::vector<NamedExchanges> &components, std::int32_t most,
                                                    bool with_field) {
    std::vector<std::vector<std::int32_t>> found;
    std::vector<std::int32_t> order(static_cast<std::size_t>(most));
    std::iota(order.begin(), order.end(), 1);
    const auto with_files = static_cast<std::ptrdiff_t>(components.size());
    do {
        const std::vector<std::int32_t> ids(order.begin(), order.begin() + with_files);
        if (std::is_sorted(order.begin() + with_files, order.end()) && fits(components, ids, with_field))
            found.push_back(ids);
    } while (std::next_permutation(order.begin(), order.end()));
    return found;
}

} // namespace

NamedExchanges named_exchanges(const EventKeys &keys) {
    NamedExchanges exchanges;
    for (const EventClass &key : keys.classes())
        if ((key.kind == Kind::put || key.kind == Kind::get) && key.counterpart > 0)
            exchanges.insert({key.kind, key.field, key.counterpart});
    return exchanges;
}

std::optional<std::vector<std::int32_t>> ids_that_fit(const std::vector<NamedExchanges> &components) {
    auto most = static_cast<std::int32_t>(std::min<std::size_t>(components.size(), most_components + 1));
    for (const NamedExchanges &exchanges : components)
        for (const auto &[kind, field, counterpart] : exchanges)
            most = std::max(most, counterpart);
    // In OASIS a field has the same number at both ends; if not, its number means nothing. The last component of a
    // run may be missing in all files here.
    for (const std::int32_t all : {most, most + 1}) {
        if (all > most_components) return std::nullopt;
        for (const bool with_field : {true, false}) {
            const auto found = all_that_fit(components, all, with_field);
            if (found.size() == 1) return found.front();
            if (!found.empty()) return std::nullopt;
        }
    }
    return std::nullopt;
}

} // namespace cpl_lb
