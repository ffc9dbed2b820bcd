// Opens ROCm SMI and finds its functions.
#include "meters/rocm_smi_library.hpp"

#include "support/fmt.hpp"

#include <array>
#include <set>
#include <string_view>

namespace cpl_lb {

bool Rsmi::find_all() {
    library.find("rsmi_dev_power_get", &power_uW);
    library.find("rsmi_dev_name_get", &device_name);
    library.find("rsmi_dev_unique_id_get", &unique_id);
    library.find("rsmi_utilization_count_get", &utilization_count);
    library.find("rsmi_dev_busy_percent_get", &busy_percent);
    return library.find("rsmi_init", &init) && library.find("rsmi_shut_down", &shut_down) &&
           library.find("rsmi_num_monitor_devices", &count) && library.find("rsmi_dev_id_get", &device_id) &&
           library.find("rsmi_dev_pci_id_get", &pci_id) && library.find("rsmi_status_string", &status_string) &&
           library.find("rsmi_dev_memory_usage_get", &memory_B) &&
           library.find("rsmi_dev_power_ave_get", &average_power_uW) &&
           library.find("rsmi_dev_energy_count_get", &energy_count);
}

std::string Rsmi::words(RsmiStatus status) const {
    const char *text = nullptr;
    if (status_string(status, &text) != rsmi_success || text == nullptr) return fmt::format("error {}", status);
    return text;
}

Availability Rsmi::failed(const char *call, RsmiStatus status) const {
    std::string remedy;
    if (status == rsmi_permission) remedy = "ask for the groups video and render on the compute nodes";
    return Availability::missing(fmt::format("{}: {}", call, words(status)), std::move(remedy));
}

bool Rsmi::is_apu(std::uint32_t gpu) const {
    std::uint16_t id = 0;
    return device_id(gpu, &id) == rsmi_success && id == device_mi300a;
}

Availability Rsmi::open(const std::string &path, std::vector<std::uint32_t> &gpus) {
    constexpr std::array<std::string_view, 4> names = {"librocm_smi64.so.1", "librocm_smi64.so.7", "librocm_smi64.so",
                                                       "/opt/rocm/lib/librocm_smi64.so"};
    if (!library.open(library_names(path, names)))
        return Availability::no_hardware("no ROCm here (" + library.error() + ")");
    if (!find_all())
        return Availability::missing(fmt::format("{} has no {}", library.name(), library.missing()), "a newer ROCm");
    if (const RsmiStatus status = init(rsmi_init_thread_only_mutex); status != rsmi_success)
        return failed("rsmi_init", status);
    initialised = true;
    std::uint32_t devices = 0;
    if (const RsmiStatus status = count(&devices); status != rsmi_success)
        return failed("rsmi_num_monitor_devices", status);
    std::set<std::uint64_t> seen;
    for (std::uint32_t i = 0; i < devices; ++i) {
        // Domain, bus and device; the parts of one GPU differ in partition and function only.
        constexpr std::uint64_t one_gpu = 0xFFFFFFFF0000FFF8;
        std::uint64_t address = 0;
        if (pci_id(i, &address) != rsmi_success || seen.insert(address & one_gpu).second) gpus.push_back(i);
    }
    return gpus.empty() ? Availability::no_hardware("ROCm SMI lists no GPU on this node") : Availability::good();
}

} // namespace cpl_lb
