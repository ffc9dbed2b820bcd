// Opens NVML and finds its functions.
#include "meters/nvml_library.hpp"

#include "support/fmt.hpp"

#include <array>
#include <cstring>
#include <string_view>

namespace cpl_lb {

double nvml_value(int type, const NvmlValue &value) noexcept {
    enum : int { is_double, is_unsigned, is_unsigned_long, is_unsigned_long_long, is_long_long };
    if (type == is_double) return value.of_double;
    if (type == is_unsigned) return value.of_unsigned;
    if (type == is_unsigned_long) return static_cast<double>(value.of_unsigned_long);
    if (type == is_unsigned_long_long) return static_cast<double>(value.of_unsigned_long_long);
    if (type == is_long_long) return static_cast<double>(value.of_long_long);
    return unknown;
}

bool Nvml::find_all() {
    library.find("nvmlDeviceGetName", &device_name);
    library.find("nvmlDeviceGetUUID", &uuid);
    library.find("nvmlDeviceGetFieldValues", &field_values);
    library.find("nvmlDeviceGetMemoryInfo_v2", &memory);
    library.find("nvmlDeviceGetMigMode", &mig_mode);
    library.find("nvmlDeviceGetSamples", &samples);
    library.find("nvmlDeviceGetUtilizationRates", &utilization);
    library.find("nvmlDeviceGetClockInfo", &clock_MHz);
    library.find("nvmlDeviceGetMaxClockInfo", &largest_clock_MHz);
    return library.find("nvmlInit_v2", &init) && library.find("nvmlShutdown", &shutdown) &&
           library.find("nvmlDeviceGetCount_v2", &count) && library.find("nvmlDeviceGetHandleByIndex_v2", &handle) &&
           library.find("nvmlDeviceGetMemoryInfo", &old_memory) &&
           library.find("nvmlDeviceGetTotalEnergyConsumption", &energy_mJ) &&
           library.find("nvmlErrorString", &error_string);
}

Availability Nvml::failed(const char *call, NvmlReturn error) const {
    std::string remedy;
    if (error == nvml_no_permission) remedy = "ask for access to /dev/nvidia* on the compute nodes";
    if (error == nvml_not_supported && std::strcmp(call, "nvmlDeviceGetTotalEnergyConsumption") == 0)
        remedy = "only GPUs since Volta count energy";
    return Availability::missing(fmt::format("{}: {}", call, error_string(error)), std::move(remedy));
}

Availability Nvml::open(const std::string &path, unsigned &gpus) {
    constexpr std::array<std::string_view, 2> names = {"libnvidia-ml.so.1", "libnvidia-ml.so"};
    has_no_gpu_ = !library.open(library_names(path, names));
    if (has_no_gpu_) return Availability::missing("no NVIDIA driver here (" + library.error() + ")");
    if (!find_all()) {
        return Availability::missing(fmt::format("{} has no {}", library.name(), library.missing()),
                                     "a driver of 2018 (396) or later");
    }
    if (const NvmlReturn error = init(); error != nvml_success) {
        has_no_gpu_ = error == nvml_driver_not_loaded;
        return failed("nvmlInit", error);
    }
    initialised = true;
    if (const NvmlReturn error = count(&gpus); error != nvml_success) return failed("nvmlDeviceGetCount", error);
    has_no_gpu_ = gpus == 0;
    return has_no_gpu_ ? Availability::missing("NVML lists no GPU on this node") : Availability::good();
}

} // namespace cpl_lb
