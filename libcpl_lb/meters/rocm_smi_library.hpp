// ROCm SMI, which comes with ROCm: opened at run time, its structures declared by hand, so that its header is not
// needed to build.
//
// Not through its successor AMD SMI: that one locks each GPU between all processes of a node and cannot be told not
// to, so a process that was stopped while it held the lock would stop the model.
#pragma once

#include "meters/dynamic_library.hpp"
#include "meters/reader.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cpl_lb {

using RsmiStatus = int;
inline constexpr RsmiStatus rsmi_success = 0;
inline constexpr RsmiStatus rsmi_not_supported = 2;
inline constexpr RsmiStatus rsmi_permission = 4;
// Locks for the threads of this process only. The usual ones are between processes: see above.
inline constexpr std::uint64_t rsmi_init_thread_only_mutex = 0x400000000000000;
inline constexpr int rsmi_memory_vram = 0;
inline constexpr double rsmi_micro = 1e-6; // it tells uJ and uW
// Processors and GPU in one socket: its counter has both in it.
inline constexpr std::uint16_t device_mi300a = 0x74a0;

// As rsmi_utilization_counter_t, of which older versions have the first two members only.
struct RsmiUtilization {
    int kind = 0; // RSMI_COARSE_GRAIN_GFX_ACTIVITY
    std::uint64_t percent_ms = 0;
    std::uint64_t fine[4] = {};
    std::uint16_t fine_count = 0;
};

struct Rsmi {
    DynamicLibrary library;
    RsmiStatus (*init)(std::uint64_t flags) = nullptr;
    RsmiStatus (*shut_down)() = nullptr;
    RsmiStatus (*count)(std::uint32_t *) = nullptr;
    RsmiStatus (*device_id)(std::uint32_t, std::uint16_t *) = nullptr;
    RsmiStatus (*pci_id)(std::uint32_t, std::uint64_t *) = nullptr;
    RsmiStatus (*energy_count)(std::uint32_t, std::uint64_t *, float *resolution_uJ,
                               std::uint64_t *time_ns) = nullptr;
    RsmiStatus (*power_uW)(std::uint32_t, std::uint64_t *, int *type) = nullptr; // since ROCm 6
    RsmiStatus (*average_power_uW)(std::uint32_t, std::uint32_t sensor, std::uint64_t *) = nullptr;
    RsmiStatus (*memory_B)(std::uint32_t, int type, std::uint64_t *) = nullptr;
    // Null where ROCm is older.
    RsmiStatus (*device_name)(std::uint32_t, char *, std::size_t) = nullptr;
    RsmiStatus (*unique_id)(std::uint32_t, std::uint64_t *) = nullptr;
    RsmiStatus (*utilization_count)(std::uint32_t, RsmiUtilization *, std::uint32_t count,
                                    std::uint64_t *time_ns) = nullptr;
    RsmiStatus (*busy_percent)(std::uint32_t, std::uint32_t *) = nullptr;
    RsmiStatus (*status_string)(RsmiStatus, const char **) = nullptr;
    bool initialised = false;

    Rsmi() = default;
    Rsmi(const Rsmi &) = delete;
    Rsmi &operator=(const Rsmi &) = delete;
    Rsmi(Rsmi &&) = delete;
    Rsmi &operator=(Rsmi &&) = delete;
    ~Rsmi() {
        if (initialised) static_cast<void>(shut_down());
    }

    // The GPUs of the node, by their numbers; a GPU that is divided into several devices counts once.
    [[nodiscard]] Availability open(const std::string &path, std::vector<std::uint32_t> &gpus);
    [[nodiscard]] std::string words(RsmiStatus status) const;
    [[nodiscard]] Availability failed(const char *call, RsmiStatus status) const;
    [[nodiscard]] bool is_apu(std::uint32_t gpu) const;

private:
    [[nodiscard]] bool find_all();
};

} // namespace cpl_lb
