// Lists the folders of powercap and sorts the zones by package and domain.
#include "meters/rapl_zones.hpp"

#include "meters/small_file.hpp"

#include <algorithm>
#include <dirent.h>
#include <map>
#include <memory>

namespace cpl_lb {
namespace {

struct CloseFolder {
    void operator()(DIR *folder) const { closedir(folder); }
};

// Zone id ("intel-rapl:0:1") -> directory. The class folder lists zones flat and the control type's folder nests
// them, both as links into /sys/devices: each id is taken once.
using ZoneDirectories = std::map<std::string, std::string>;

bool is_zone_id(std::string_view id, std::string_view control_type) {
    if (!id.starts_with(control_type)) return false;
    const std::string_view rest = id.substr(control_type.size());
    return rest.empty() || (rest.front() == ':' && rest.find_first_not_of(":0123456789") == std::string_view::npos);
}

void collect(const std::string &folder, std::string_view control_type, int depth, ZoneDirectories &zones) {
    const std::unique_ptr<DIR, CloseFolder> list(opendir(folder.c_str()));
    while (const dirent *entry = list ? readdir(list.get()) : nullptr) {
        const std::string id = entry->d_name;
        if (!is_zone_id(id, control_type)) continue;
        const std::string path = folder + "/" + id;
        if (id.size() > control_type.size()) zones.emplace(id, path);
        if (depth > 0) collect(path, control_type, depth - 1, zones);
    }
}

ZoneDirectories zones_of(const std::string &sysfs_root, std::string_view control_type) {
    ZoneDirectories zones;
    constexpr int control_type_package_subzone = 3;
    for (const char *place : {"/class/powercap", "/devices/virtual/powercap"}) {
        collect(sysfs_root + place, control_type, control_type_package_subzone, zones);
        if (!zones.empty()) break;
    }
    return zones;
}

std::string parent_label(const ZoneDirectories &zones, const std::string &id) {
    const auto parent = zones.find(id.substr(0, id.rfind(':')));
    if (parent == zones.end()) return {};
    return read_text(parent->second + "/name").value_or("") + "/";
}

} // namespace

Domain rapl_domain(std::string_view zone_name) noexcept {
    if (zone_name.starts_with("package-")) return Domain::package;
    if (zone_name == "dram") return Domain::dram;
    if (zone_name == "core") return Domain::core;
    if (zone_name == "uncore") return Domain::uncore;
    if (zone_name == "psys") return Domain::psys;
    return Domain::none;
}

std::vector<RaplZone> find_rapl_zones(const std::string &sysfs_root) {
    std::vector<RaplZone> found;
    for (const std::string_view control_type : {"intel-rapl", "intel-rapl-mmio"}) {
        const ZoneDirectories zones = zones_of(sysfs_root, control_type);
        for (const auto &[id, directory] : zones) {
            const auto name = read_text(directory + "/name");
            const Domain domain = rapl_domain(name.value_or(""));
            if (domain == Domain::none) continue;
            const std::string label = parent_label(zones, id) + *name;
            const bool known =
                std::any_of(found.begin(), found.end(), [&](const RaplZone &zone) { return zone.label == label; });
            if (!known) found.push_back({label, domain, directory});
        }
        if (!found.empty()) break;
    }
    std::sort(found.begin(), found.end(), [](const auto &a, const auto &b) { return a.label < b.label; });
    return found;
}

} // namespace cpl_lb
