// Energy of packages and DRAM from the powercap tree: energy_uj [uJ] of each zone, which starts again after
// max_energy_range_uj. Root only since Linux 5.10 (CVE-2020-8694), so it is tried, not looked for.
#include "meters/counter_file.hpp"
#include "meters/options.hpp"
#include "meters/rapl_zones.hpp"
#include "meters/table.hpp"
#include "meters/wrap_counter.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <array>
#include <cerrno>

namespace cpl_lb {
namespace {

constexpr double J_per_uJ = 1e-6;

// Longest text of a 64-bit number and a line end.
using NumberText = std::array<char, 32>;

struct OpenZone {
    KeptFile energy;
    WrapCounter counter;
    bool gone = false;
    std::int64_t skipped = 0; // wraps of unknown range
};

class RaplReader final : public Reader {
public:
    explicit RaplReader(const ReaderOptions &options)
        : sysfs_root_(options.sysfs_root), open_file_(options.open_file) {}

    [[nodiscard]] std::string_view name() const noexcept override { return "rapl"; }
    [[nodiscard]] Availability open() override;
    [[nodiscard]] std::span<const Quantity> quantities() const noexcept override { return quantities_; }
    void read(std::span<double> values) noexcept override;
    [[nodiscard]] std::vector<std::string> remarks() const override;

private:
    // The errno of the failure, or 0 with the zone added.
    [[nodiscard]] int add_zone(const RaplZone &zone);

    std::string sysfs_root_;
    OpenFile open_file_;
    std::vector<OpenZone> zones_;
    std::vector<Quantity> quantities_;
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
        if (const int error = add_zone(zone); error != 0) {
            last_error = error;
            refused_.push_back(fmt::format("{}: {}/energy_uj: {}", zone.label, zone.directory, error_text(error)));
        }
    }
    Availability answer{!zones_.empty(), refused_.empty() ? "" : refused_.front(), remedy_for(last_error)};
    if (refused_.size() > 1) answer.reason += " (and " + counted(refused_.size() - 1, "more zone") + ")";
    return answer;
}

int RaplReader::add_zone(const RaplZone &zone) {
    OpenZone opened;
    if (const int error = opened.energy.open(zone.directory + "/energy_uj", open_file_); error != 0) return error;
    NumberText text{};
    errno = 0;
    const auto first = parse_number(opened.energy.read(text));
    if (!first) return errno != 0 ? errno : ENODATA;
    const auto range_text = read_text(zone.directory + "/max_energy_range_uj", open_file_);
    const std::uint64_t range_uJ = parse_number(range_text.value_or("")).value_or(0);
    opened.counter = WrapCounter(*first, range_uJ);
    zones_.push_back(std::move(opened));
    quantities_.push_back({.name = zone.label,
                           .unit = "J",
                           .scope = Scope::node,
                           .measure = Measure::counter,
                           .domain = zone.domain,
                           .wraps_after = range_uJ > 0 ? static_cast<double>(range_uJ) * J_per_uJ : unknown});
    return 0;
}

// A zone that is gone stays NaN: what it counted from then on is lost, and a lower figure would look whole.
double read_zone(OpenZone &zone) noexcept {
    if (zone.gone) return unknown;
    NumberText text{};
    errno = 0;
    if (zone.energy.removed() && !zone.energy.reopen()) {
        zone.gone = true;
        return unknown;
    }
    const auto raw = parse_number(zone.energy.read(text));
    if (!raw) {
        zone.gone = errno == ENODEV || errno == ENOENT || errno == EACCES || errno == EPERM;
        return unknown;
    }
    if (zone.counter.advance(*raw) == WrapCounter::Step::skipped) ++zone.skipped;
    return static_cast<double>(zone.counter.total()) * J_per_uJ;
}

void RaplReader::read(std::span<double> values) noexcept {
    for (std::size_t i = 0; i < zones_.size() && i < values.size(); ++i)
        values[i] = read_zone(zones_[i]);
}

std::vector<std::string> RaplReader::remarks() const {
    std::vector<std::string> all = no_energy_of(refused_);
    for (std::size_t i = 0; i < zones_.size(); ++i) {
        const std::string &label = quantities_[i].name;
        if (zones_[i].gone) {
            const double joules = static_cast<double>(zones_[i].counter.total()) * J_per_uJ;
            all.push_back(
                say(Sentence::remark_zone_gone, {{"zone", label}, {"joules", fmt::format("{:.3f}", joules)}}));
        }
        if (zones_[i].skipped > 0) {
            all.push_back(say(Sentence::remark_zone_started_again,
                              {{"zone", label}, {"times", counted(zones_[i].skipped, "time")}}));
        }
    }
    return all;
}

} // namespace

std::unique_ptr<Reader> make_rapl_reader(const ReaderOptions &options) {
    return std::make_unique<RaplReader>(options);
}

} // namespace cpl_lb
