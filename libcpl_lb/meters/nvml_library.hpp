// NVML, which comes with NVIDIA's driver: opened at run time, its structures declared by hand, so that its header is
// not needed to build.
#pragma once

#include "meters/dynamic_library.hpp"
#include "meters/reader.hpp"

#include <string>

namespace cpl_lb {

using NvmlReturn = int;
using NvmlDevice = void *;
inline constexpr NvmlReturn nvml_success = 0;
inline constexpr NvmlReturn nvml_not_supported = 3;
inline constexpr NvmlReturn nvml_no_permission = 4;
inline constexpr NvmlReturn nvml_not_found = 6;
inline constexpr NvmlReturn nvml_driver_not_loaded = 9;

// A value of NVML, as nvmlValue_t; its type tells which member holds.
union NvmlValue {
    double of_double;
    unsigned of_unsigned;
    unsigned long of_unsigned_long;
    unsigned long long of_unsigned_long_long = 0;
    long long of_long_long;
};
[[nodiscard]] double nvml_value(int type, const NvmlValue &value) noexcept; // NaN: a type that is not known

// A field of NVML as it answers for one of its scopes.
struct NvmlFieldValue {
    unsigned field = 0, scope = 0;
    long long time_us = 0, latency_us = 0;
    int type = 0;
    NvmlReturn error = nvml_success;
    NvmlValue value;
};
static_assert(sizeof(NvmlFieldValue) == 40);

// As nvmlMemory_v2_t: `used` is what programs and the driver allocated for them, as nvidia-smi tells it.
struct NvmlMemory {
    unsigned version = 40U | 2U << 24U; // its size, and 2
    unsigned long long total = 0, reserved = 0, free = 0, used = 0;
};
static_assert(sizeof(NvmlMemory) == 40);
// As nvmlMemory_t, for drivers before 2021 (510): `used` contains what the driver reserves for itself.
struct NvmlOldMemory {
    unsigned long long total = 0, free = 0, used = 0;
};

// As nvmlSample_t: what held from the sample before until this one.
struct NvmlSample {
    unsigned long long time_us = 0;
    NvmlValue value;
};
static_assert(sizeof(NvmlSample) == 16);

// As nvmlUtilization_t [%].
struct NvmlUtilization {
    unsigned gpu = 0, memory = 0;
};

struct Nvml {
    DynamicLibrary library;
    NvmlReturn (*init)() = nullptr;
    NvmlReturn (*shutdown)() = nullptr;
    NvmlReturn (*count)(unsigned *) = nullptr;
    NvmlReturn (*handle)(unsigned, NvmlDevice *) = nullptr;
    NvmlReturn (*energy_mJ)(NvmlDevice, unsigned long long *) = nullptr;
    const char *(*error_string)(NvmlReturn) = nullptr;
    NvmlReturn (*old_memory)(NvmlDevice, NvmlOldMemory *) = nullptr;
    // Null where the driver is older.
    NvmlReturn (*device_name)(NvmlDevice, char *, unsigned) = nullptr;
    NvmlReturn (*uuid)(NvmlDevice, char *, unsigned) = nullptr;
    NvmlReturn (*field_values)(NvmlDevice, int, NvmlFieldValue *) = nullptr;
    NvmlReturn (*memory)(NvmlDevice, NvmlMemory *) = nullptr;
    NvmlReturn (*mig_mode)(NvmlDevice, unsigned *current, unsigned *pending) = nullptr;
    NvmlReturn (*samples)(NvmlDevice, int kind, unsigned long long last_us, int *type, unsigned *count,
                          NvmlSample *) = nullptr;
    NvmlReturn (*utilization)(NvmlDevice, NvmlUtilization *) = nullptr;
    NvmlReturn (*clock_MHz)(NvmlDevice, int clock, unsigned *) = nullptr;
    NvmlReturn (*largest_clock_MHz)(NvmlDevice, int clock, unsigned *) = nullptr;
    bool initialised = false;

    Nvml() = default;
    Nvml(const Nvml &) = delete;
    Nvml &operator=(const Nvml &) = delete;
    Nvml(Nvml &&) = delete;
    Nvml &operator=(Nvml &&) = delete;
    ~Nvml() {
        if (initialised) static_cast<void>(shutdown());
    }

    // Initialises NVML and says how many GPUs it lists, at least one.
    [[nodiscard]] Availability open(const std::string &path, unsigned &gpus);
    [[nodiscard]] Availability failed(const char *call, NvmlReturn error) const;
    // No driver, or one that lists no GPU: after open() that did not work.
    [[nodiscard]] bool has_no_gpu() const noexcept { return has_no_gpu_; }

private:
    [[nodiscard]] bool find_all();
    bool has_no_gpu_ = false;
};

} // namespace cpl_lb
