// Energy of processors from the kernel's hwmon folders, where RAPL is not to be had: AMD's amd_energy counts [uJ];
// ARM servers tell their power [uW] (apm_xgene of Ampere, ACPI power meters of NVIDIA Grace), which is integrated.
#include "meters/energy_readers.hpp"

#include "meters/counter_file.hpp"
#include "meters/reader.hpp"
#include "meters/table.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

namespace cpl_lb {
namespace {

constexpr double unit_per_micro = 1e-6;

// Which sensors count, by driver and the beginning of their label. What is not here is not read: an unknown sensor
// may contain another one. Ecore* of amd_energy is left out: each of them interrupts its core, and lies inside
// Esocket.
struct KnownSensor {
    std::string_view driver, label;
    Domain domain;
    bool power; // else energy
};
constexpr std::array known_sensors = {
    KnownSensor{"amd_energy", "Esocket", Domain::package, false},
    KnownSensor{"apm_xgene", "CPU power", Domain::package, true},
    KnownSensor{"apm_xgene", "IO power", Domain::package, true},
    KnownSensor{"power_meter", "Grace Power Socket", Domain::package, true}, // with its DRAM
    KnownSensor{"power_meter", "CPU Power Socket", Domain::core, true},      // inside it
    KnownSensor{"power_meter", "SysIO Power Socket", Domain::uncore, true},  // inside it
    KnownSensor{"power_meter", "Module Power Socket", Domain::module, true}, // Grace, Hopper and their memory
};

const KnownSensor *known_sensor(std::string_view driver, std::string_view label, bool power) {
    const auto *const found = std::find_if(known_sensors.begin(), known_sensors.end(), [&](const KnownSensor &known) {
        return known.driver == driver && known.power == power && label.starts_with(known.label);
    });
    return found != known_sensors.end() ? found : nullptr;
}

struct Sensor {
    CounterFile file;
    bool power = false;
    PowerIntegral integral;
};

class HwmonReader final : public Reader {
public:
    explicit HwmonReader(const ReaderOptions &options)
        : folder_(options.sysfs_root + "/class/hwmon"), open_file_(options.open_file), clock_(options.clock) {}

    [[nodiscard]] std::string_view name() const noexcept override { return "hwmon"; }
    [[nodiscard]] Availability open() override;
    void read_known(std::span<double> values) noexcept override;
    [[nodiscard]] std::vector<std::string> remarks() const override;

private:
    void add_device(const std::string &device, const std::string &driver);
    // One sensor of a device: "energy1", "power2".
    void add_sensor(const std::string &stem, const std::string &driver, bool power);

    std::string folder_;
    OpenFile open_file_;
    Nanoseconds (*clock_)() noexcept;
    std::vector<Sensor> sensors_;
    std::vector<std::string> refused_;
};

// Folders in the order of their names, so that zones have the same order on each node.
std::vector<std::string> entries_of(const std::string &folder) {
    std::vector<std::string> all;
    std::error_code failed;
    for (std::filesystem::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
        all.push_back(at->path().string());
    std::sort(all.begin(), all.end());
    return all;
}

Availability HwmonReader::open() {
    // Older drivers (ACPI's meters) have their files in the folder `device` of the hwmon folder.
    for (const std::string &hwmon : entries_of(folder_))
        for (const std::string &device : {hwmon, hwmon + "/device"})
            add_device(device, read_text(device + "/name", open_file_).value_or(""));
    if (!sensors_.empty()) return {true, refused_.empty() ? "" : refused_.front(), {}};
    if (!refused_.empty())
        return Availability::missing(refused_.front(), "ask for mode 0444 on energy*_input and power*_average");
    return Availability::missing(
        "no energy or power sensor known to cpl_lb under " + folder_,
        "ask for the kernel module amd_energy (AMD processors), xgene_hwmon or acpi_power_meter (ARM servers)");
}

void HwmonReader::add_device(const std::string &device, const std::string &driver) {
    for (const std::string &path : entries_of(device)) {
        const std::string file = path.substr(device.size() + 1);
        if (file.starts_with("energy") && file.ends_with("_input"))
            add_sensor(path.substr(0, path.rfind('_')), driver, false);
        const bool averages = file.starts_with("power") && file.ends_with("_average");
        const bool instant = file.starts_with("power") && file.ends_with("_input") && driver == "apm_xgene";
        if (averages || instant) add_sensor(path.substr(0, path.rfind('_')), driver, true);
    }
}

void HwmonReader::add_sensor(const std::string &stem, const std::string &driver, bool power) {
    // ACPI's meters have their name in oem_info.
    const char *const label_file = driver == "power_meter" ? "_oem_info" : "_label";
    const std::string label = read_text(stem + label_file, open_file_).value_or("");
    const KnownSensor *known = known_sensor(driver, label, power);
    if (known == nullptr) return;
    const std::string path = stem + (driver == "power_meter" ? "_average" : "_input");
    Sensor sensor;
    std::string why;
    if (sensor.file.open(path, open_file_, parse_number, "number", &why) != CounterFile::Opened::works) {
        refused_.push_back(fmt::format("{}: {}", label, why.empty() ? path + ": not there" : why));
        return;
    }
    sensor.power = power;
    sensor.integral = PowerIntegral(static_cast<double>(sensor.file.first()) * unit_per_micro, clock_());
    sensors_.push_back(std::move(sensor));
    add_joules(driver + ": " + label, Scope::node, known->domain);
}

void HwmonReader::read_known(std::span<double> values) noexcept {
    for (std::size_t i = 0; i < sensors_.size(); ++i) {
        Sensor &sensor = sensors_[i];
        const auto raw = sensor.file.read();
        if (!raw) continue;
        values[i] = sensor.power ? sensor.integral.advance(static_cast<double>(*raw) * unit_per_micro, clock_())
                                 : static_cast<double>(sensor.file.count(*raw)) * unit_per_micro;
    }
}

std::vector<std::string> HwmonReader::remarks() const {
    std::vector<std::string> all = no_energy_of(refused_);
    double longest_step_s = 0;
    for (const Sensor &sensor : sensors_)
        longest_step_s = std::max(longest_step_s, sensor.integral.longest_step_s());
    if (std::any_of(sensors_.begin(), sensors_.end(), [](const Sensor &sensor) { return sensor.power; }))
        all.push_back(tells_power(quantities_.front().name, longest_step_s));
    for (std::size_t i = 0; i < sensors_.size(); ++i)
        if (sensors_[i].file.skipped() > 0)
            all.push_back(started_again(quantities_[i].name, sensors_[i].file.skipped()));
    return all;
}

} // namespace

std::unique_ptr<Reader> make_hwmon_reader(const ReaderOptions &options) {
    return std::make_unique<HwmonReader>(options);
}

} // namespace cpl_lb
