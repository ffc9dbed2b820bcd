// Energy of packages and DRAM from the powercap tree: energy_uj [uJ] of each zone, which starts again after
// max_energy_range_uj. Root only since Linux 5.10 (CVE-2020-8694), so it is tried, not looked for.
#include "meters/counter_file.hpp"
#include "meters/energy_readers.hpp"
#include "meters/reader.hpp"
#include "meters/small_file.hpp"
#include "meters/table.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <cerrno>
#include <dirent.h>
#include <map>
#include <memory>

namespace cpl_lb {
namespace {

constexpr double J_per_uJ = 1e-6;

struct OpenZone {
    CounterFile file{};
    bool gone = false;
};

class RaplReader final : public Reader {
public:
    explicit RaplReader(const ReaderOptions &options)
        : sysfs_root_(options.sysfs_root), open_file_(options.open_file) {}

    [[nodiscard]] std::string_view name() const noexcept override { return "rapl"; }
    [[nodiscard]] Availability open() override;
    void read_known(std::span<double> values) noexcept override;
    [[nodiscard]] std::vector<std::string> remarks() const override;

private:
    void add_zone(const RaplZone &zone, OpenZone opened);

    std::string sysfs_root_;
    OpenFile open_file_;
    std::vector<OpenZone> zones_;
    std::vector<std::string> refused_;
};

std::string remedy_for(int error) {
    if (error != EACCES && error != EPERM) return {};
    return "energy_uj is for root since Linux 5.10 (CVE-2020-8694): ask for a udev rule such as "
           "SUBSYSTEM==\"powercap\", "
           "ACTION==\"add\", RUN+=\"/bin/chmod 0444 /sys%p/energy_uj\", or for mode 0444 on energy_uj at boot";
}

Availability RaplReader::open() {
    const std::vector<RaplZone> found = find_rapl_zones(sysfs_root_);
    if (found.empty()) {
        return Availability::missing(
            fmt::format("no RAPL zone under {}/class/powercap: virtual machines, containers, and processors that are "
                        "not from Intel or AMD have none",
                        sysfs_root_),
            "on a physical node ask for the kernel module intel_rapl_msr; in a container set CPL_LB_SYSFS to the "
            "host's /sys");
    }
    int last_error = 0;
    for (const RaplZone &zone : found) {
        OpenZone opened;
        std::string why;
        const std::string path = zone.directory + "/energy_uj";
        if (opened.file.open(path, open_file_, parse_number, "number", &why) == CounterFile::Opened::works) {
            add_zone(zone, std::move(opened));
            continue;
        }
        last_error = opened.file.error();
        refused_.push_back(fmt::format("{}: {}", zone.label, why.empty() ? path + ": not there" : why));
    }
    Availability answer{!zones_.empty(), refused_.empty() ? "" : refused_.front(), remedy_for(last_error)};
    if (refused_.size() > 1) answer.reason += " (and " + counted(refused_.size() - 1, "more zone") + ")";
    return answer;
}

void RaplReader::add_zone(const RaplZone &zone, OpenZone opened) {
    const auto range_text = read_text(zone.directory + "/max_energy_range_uj", open_file_);
    const std::uint64_t range_uJ = parse_number(range_text.value_or("")).value_or(0);
    opened.file.set_range(range_uJ);
    zones_.push_back(std::move(opened));
    quantities_.push_back({.name = zone.label,
                           .unit = "J",
                           .scope = Scope::node,
                           .measure = Measure::counter,
                           .domain = zone.domain,
                           .wraps_after = range_uJ > 0 ? static_cast<double>(range_uJ) * J_per_uJ : unknown});
}

// A zone that is gone stays NaN: what it counted from then on is lost, and a lower figure would look whole.
double read_zone(OpenZone &zone) noexcept {
    zone.gone = zone.gone || zone.file.is_gone();
    if (zone.gone) return unknown;
    errno = 0;
    if (const auto raw = zone.file.read()) return static_cast<double>(zone.file.count(*raw)) * J_per_uJ;
    zone.gone = errno == ENODEV || errno == ENOENT || errno == EACCES || errno == EPERM;
    return unknown;
}

void RaplReader::read_known(std::span<double> values) noexcept {
    for (std::size_t i = 0; i < zones_.size(); ++i)
        values[i] = read_zone(zones_[i]);
}

std::vector<std::string> RaplReader::remarks() const {
    std::vector<std::string> all = no_energy_of(refused_);
    for (std::size_t i = 0; i < zones_.size(); ++i) {
        const std::string &label = quantities_[i].name;
        if (zones_[i].gone) {
            const double joules = static_cast<double>(zones_[i].file.total()) * J_per_uJ;
            all.push_back(
                say(Sentence::remark_zone_gone, {{"zone", label}, {"joules", fmt::format("{:.3f}", joules)}}));
        }
        if (zones_[i].file.skipped() > 0) {
            all.push_back(say(Sentence::remark_zone_started_again,
                              {{"zone", label}, {"times", counted(zones_[i].file.skipped(), "time")}}));
        }
    }
    return all;
}

} // namespace

std::unique_ptr<Reader> make_rapl_reader(const ReaderOptions &options) {
    return std::make_unique<RaplReader>(options);
}

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
