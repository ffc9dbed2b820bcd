// Energy from the perf PMU `power`: events energy-pkg, energy-ram, energy-psys, on each CPU of its cpumask (one of
// each socket or die). type, config and scale (2^-32 J) come from sysfs. The kernel sees to wrap-around.
#include "meters/reader.hpp"
#include "meters/table.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <array>
#include <cerrno>
#include <charconv>

namespace cpl_lb {
namespace {

struct PowerEvent {
    std::string_view file, label;
    Domain domain;
};

constexpr std::array power_events = {
    PowerEvent{"energy-pkg", "", Domain::package},     PowerEvent{"energy-ram", "/dram", Domain::dram},
    PowerEvent{"energy-cores", "/core", Domain::core}, PowerEvent{"energy-gpu", "/uncore", Domain::uncore},
    PowerEvent{"energy-psys", "/psys", Domain::psys},
};

struct OpenEvent {
    PerfEventFile file;
    double J_per_count = 0;
    bool gone = false;
};

class PerfPowerReader final : public Reader {
public:
    explicit PerfPowerReader(const ReaderOptions &options)
        : options_(options), pmu_(options.sysfs_root + "/bus/event_source/devices/power") {}

    [[nodiscard]] std::string_view name() const noexcept override { return "perf_power"; }
    [[nodiscard]] Availability open() override;
    void read_known(std::span<double> values) noexcept override;
    [[nodiscard]] std::vector<std::string> remarks() const override;

private:
    void add(const PowerEvent &event, std::uint32_t type, const std::vector<int> &cpus);
    void add_on_cpu(const PowerEvent &event, const PerfEventRequest &request, double J_per_count);
    [[nodiscard]] std::string package_of(int cpu) const;

    ReaderOptions options_;
    std::string pmu_;
    std::vector<OpenEvent> events_;
    int last_error_ = 0;
};

// "event=0x02" -> 2: in this PMU `event` is the low byte of config.
std::optional<std::uint64_t> event_config(std::string_view text) {
    constexpr std::string_view key = "event=0x";
    if (!text.starts_with(key)) return std::nullopt;
    std::uint64_t config = 0;
    const auto result = std::from_chars(text.data() + key.size(), text.data() + text.size(), config, 16);
    if (result.ec != std::errc()) return std::nullopt;
    return config;
}

std::optional<double> event_scale(std::string_view text) {
    double scale = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), scale);
    if (result.ec != std::errc() || !(scale > 0)) return std::nullopt;
    return scale;
}

// "0,18-19" -> 0 18 19.
std::vector<int> cpu_list(std::string_view text) {
    std::vector<int> cpus;
    const char *at = text.data();
    const char *const end = at + text.size();
    while (at < end) {
        int first = 0;
        auto result = std::from_chars(at, end, first);
        if (result.ec != std::errc()) break;
        int last = first;
        if (result.ptr < end && *result.ptr == '-') result = std::from_chars(result.ptr + 1, end, last);
        for (int cpu = first; cpu <= last; ++cpu)
            cpus.push_back(cpu);
        at = result.ptr + 1;
    }
    return cpus;
}

std::string PerfPowerReader::package_of(int cpu) const {
    const std::string topology = fmt::format("{}/devices/system/cpu/cpu{}/topology/", options_.sysfs_root, cpu);
    const auto package = read_text(topology + "physical_package_id");
    const auto die = read_text(topology + "die_id");
    std::string label = package ? "package-" + *package : fmt::format("package-of-cpu{}", cpu);
    const bool several_dies = die && *die != "0";
    if (several_dies) label += "-die-" + *die;
    return label;
}

Availability PerfPowerReader::open() {
    const auto type = parse_number(read_text(pmu_ + "/type", options_.open_file).value_or(""));
    if (!type) {
        return Availability::missing(
            pmu_ + " is not there: virtual machines and old processors do not have it",
            "on a physical node ask for the kernel module rapl (CONFIG_PERF_EVENTS_INTEL_RAPL)");
    }
    std::vector<int> cpus = cpu_list(read_text(pmu_ + "/cpumask", options_.open_file).value_or(""));
    if (cpus.empty()) cpus.push_back(0);
    for (const PowerEvent &event : power_events)
        add(event, static_cast<std::uint32_t>(*type), cpus);
    if (events_.empty()) {
        const int error = last_error_ != 0 ? last_error_ : ENOENT;
        return Availability::missing("perf power events: " + perf_failure_reason(error),
                                     perf_failure_remedy(error, options_.procfs_root, 0));
    }
    return Availability::good();
}

void PerfPowerReader::add(const PowerEvent &event, std::uint32_t type, const std::vector<int> &cpus) {
    const std::string file = fmt::format("{}/events/{}", pmu_, event.file);
    const auto config = event_config(read_text(file, options_.open_file).value_or(""));
    const auto scale = event_scale(read_text(file + ".scale", options_.open_file).value_or(""));
    if (!config || !scale) return;
    for (const int cpu : cpus)
        add_on_cpu(event, {.type = type, .config = *config, .process = -1, .cpu = cpu}, *scale);
}

void PerfPowerReader::add_on_cpu(const PowerEvent &event, const PerfEventRequest &request, double J_per_count) {
    errno = 0;
    PerfEventFile file(options_.perf_event_open(request));
    if (!file.is_open() || !file.read()) {
        last_error_ = errno;
        return;
    }
    events_.push_back({std::move(file), J_per_count});
    add_joules(package_of(request.cpu).append(event.label), Scope::node, event.domain);
}

void PerfPowerReader::read_known(std::span<double> values) noexcept {
    for (std::size_t i = 0; i < events_.size(); ++i) {
        const auto count = events_[i].file.read();
        if (!count) events_[i].gone = true;
        values[i] = events_[i].gone ? unknown : static_cast<double>(*count) * events_[i].J_per_count;
    }
}

std::vector<std::string> PerfPowerReader::remarks() const {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < events_.size(); ++i) {
        if (events_[i].gone) all.push_back(say(Sentence::remark_perf_event_gone, {{"name", quantities_[i].name}}));
    }
    return all;
}

} // namespace

std::unique_ptr<Reader> make_perf_power_reader(const ReaderOptions &options) {
    return std::make_unique<PerfPowerReader>(options);
}

} // namespace cpl_lb
