// ROCm SMI, which comes with ROCm: opened at run time, its functions declared by hand, so that its header is not
// needed to build.
//
// Not through its successor AMD SMI: that one locks each GPU between all processes of a node and cannot be told not
// to, so a process that was stopped while it held the lock would stop the model.
#include "meters/gpu_driver.hpp"
#include "support/fmt.hpp"

#include <limits>
#include <set>

namespace cpl_lb {
namespace rsmi {
namespace {

using Gpu = std::uint32_t;
using Number = std::uint64_t;
constexpr int success = 0, not_supported = 2, no_permission = 4;
constexpr double micro = 1e6; // of them are one: it tells uJ and uW

class RocmSmi final : public GpuDriver {
public:
    RocmSmi()
        : GpuDriver(
              {"rocm_smi",
               "amd-",
               "no ROCm here",
               "ROCm SMI lists no GPU on this node",
               "a newer ROCm",
               "rsmi_init",
               "rsmi_num_monitor_devices",
               "rsmi_dev_energy_count_get and rsmi_dev_power_get",
               "rsmi_dev_memory_usage_get",
               {"librocm_smi64.so.1", "librocm_smi64.so.7", "librocm_smi64.so", "/opt/rocm/lib/librocm_smi64.so"}}) {}
    [[nodiscard]] int joules(unsigned gpu, double &J) noexcept override {
        float resolution_uJ = 0;
        Number count = 0, time_ns = 0;
        const int status = energy_count_(gpu, &count, &resolution_uJ, &time_ns);
        // All ones stand for "not there".
        const bool none = count == std::numeric_limits<Number>::max() || !(resolution_uJ > 0);
        J = static_cast<double>(count) * static_cast<double>(resolution_uJ) / micro;
        return status == success && none ? not_supported : status;
    }
    [[nodiscard]] int watts(unsigned gpu, double &W) noexcept override {
        Number uW = 0;
        int type = 0;
        const int status = power_uW_ != nullptr ? power_uW_(gpu, &uW, &type) : average_power_uW_(gpu, 0, &uW);
        W = static_cast<double>(uW) / micro;
        return status;
    }
    [[nodiscard]] int memory_B(unsigned gpu, double &used) noexcept override {
        constexpr int of_gpu = 0; // RSMI_MEM_TYPE_VRAM
        Number bytes = 0;
        const int status = memory_(gpu, of_gpu, &bytes);
        used = static_cast<double>(bytes);
        return status;
    }
    // If a package has two GPUs (MI250X), one counter counts both, and that of the other GPU stays 0.
    [[nodiscard]] bool is_counted_elsewhere(double J) const override { return J == 0; }
    // MI300A: processors and GPU in one socket.
    [[nodiscard]] bool is_module(unsigned gpu) const override {
        constexpr std::uint16_t mi300a = 0x74a0;
        std::uint16_t id = 0;
        return device_id_(gpu, &id) == success && id == mi300a;
    }
    [[nodiscard]] std::string words(int status) const override {
        const char *text = nullptr;
        if (status_string_(status, &text) != success || text == nullptr) return fmt::format("error {}", status);
        return text;
    }

private:
    [[nodiscard]] bool find_all() override {
        library_.find("rsmi_dev_power_get", &power_uW_);
        return library_.find("rsmi_init", &init_) && library_.find("rsmi_shut_down", &shutdown_) &&
               library_.find(names.count_call, &count_) && library_.find("rsmi_dev_id_get", &device_id_) &&
               library_.find("rsmi_dev_pci_id_get", &pci_id_) &&
               library_.find("rsmi_status_string", &status_string_) && library_.find(names.memory_call, &memory_) &&
               library_.find("rsmi_dev_power_ave_get", &average_power_uW_) &&
               library_.find("rsmi_dev_energy_count_get", &energy_count_);
    }
    // With locks for the threads of this process only. The usual ones are between processes: see above.
    [[nodiscard]] int initialise() override { return init_(0x400000000000000); }
    // A GPU that is divided into several devices counts once: these differ in partition and function only, not in
    // domain, bus and device.
    [[nodiscard]] bool is_gpu(unsigned gpu) override {
        Number address = 0;
        return pci_id_(gpu, &address) != success || seen_.insert(address & 0xFFFFFFFF0000FFF8).second;
    }
    [[nodiscard]] const char *remedy(std::string_view, int status) const override {
        return status == no_permission ? "ask for the groups video and render on the compute nodes" : "";
    }

    int (*init_)(Number flags) = nullptr;
    int (*device_id_)(Gpu, std::uint16_t *) = nullptr;
    int (*pci_id_)(Gpu, Number *) = nullptr;
    int (*energy_count_)(Gpu, Number *, float *resolution_uJ, Number *time_ns) = nullptr;
    int (*power_uW_)(Gpu, Number *, int *type) = nullptr; // since ROCm 6
    int (*average_power_uW_)(Gpu, std::uint32_t sensor, Number *) = nullptr;
    int (*memory_)(Gpu, int type, Number *) = nullptr;
    int (*status_string_)(int, const char **) = nullptr;
    std::set<Number> seen_;
};

} // namespace
} // namespace rsmi

std::unique_ptr<GpuDriver> rocm_smi_driver() {
    return std::make_unique<rsmi::RocmSmi>();
}

} // namespace cpl_lb
