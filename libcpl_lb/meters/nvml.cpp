// Energy of NVIDIA GPUs through NVML, which comes with the driver and is opened at run time. Its counter is in mJ
// since the driver was loaded; it counts the whole GPU, whoever uses it.
#include "meters/dynamic_library.hpp"
#include "meters/options.hpp"
#include "meters/table.hpp"
#include "support/fmt.hpp"

#include <array>

namespace cpl_lb {
namespace {

// As in NVML's interface, so that its header is not needed to build.
using NvmlReturn = int;
using NvmlDevice = void *;
constexpr NvmlReturn nvml_success = 0;
constexpr NvmlReturn nvml_not_supported = 3;
constexpr NvmlReturn nvml_no_permission = 4;
constexpr double J_per_mJ = 1e-3;

struct Nvml {
    DynamicLibrary library;
    NvmlReturn (*init)() = nullptr;
    NvmlReturn (*shutdown)() = nullptr;
    NvmlReturn (*count)(unsigned *) = nullptr;
    NvmlReturn (*handle)(unsigned, NvmlDevice *) = nullptr;
    NvmlReturn (*energy_mJ)(NvmlDevice, unsigned long long *) = nullptr;
    const char *(*error_string)(NvmlReturn) = nullptr;

    [[nodiscard]] bool find_all() {
        return library.find("nvmlInit_v2", &init) && library.find("nvmlShutdown", &shutdown) &&
               library.find("nvmlDeviceGetCount_v2", &count) &&
               library.find("nvmlDeviceGetHandleByIndex_v2", &handle) &&
               library.find("nvmlDeviceGetTotalEnergyConsumption", &energy_mJ) &&
               library.find("nvmlErrorString", &error_string);
    }
};

struct Gpu {
    NvmlDevice device = nullptr;
    unsigned long long first_mJ = 0, last_mJ = 0;
    NvmlReturn error = nvml_success; // sticks: from then on NaN
};

class NvmlReader final : public Reader {
public:
    explicit NvmlReader(const ReaderOptions &options) : path_(options.nvml_library) {}
    ~NvmlReader() override {
        if (initialised_) static_cast<void>(nvml_.shutdown());
    }
    NvmlReader(const NvmlReader &) = delete;
    NvmlReader &operator=(const NvmlReader &) = delete;
    NvmlReader(NvmlReader &&) = delete;
    NvmlReader &operator=(NvmlReader &&) = delete;

    [[nodiscard]] std::string_view name() const noexcept override { return "nvml"; }
    [[nodiscard]] Availability open() override;
    [[nodiscard]] std::span<const Quantity> quantities() const noexcept override { return quantities_; }
    void read(std::span<double> values) noexcept override;
    [[nodiscard]] std::vector<std::string> remarks() const override;

private:
    [[nodiscard]] Availability failed(const char *call, NvmlReturn error) const;
    void add_gpu(unsigned index);

    std::string path_;
    Nvml nvml_;
    bool initialised_ = false;
    std::vector<Gpu> gpus_;
    std::vector<Quantity> quantities_;
};

Availability NvmlReader::failed(const char *call, NvmlReturn error) const {
    std::string remedy;
    if (error == nvml_no_permission) remedy = "ask for access to /dev/nvidia* on the compute nodes";
    if (error == nvml_not_supported) remedy = "only GPUs since Volta count energy";
    return Availability::missing(fmt::format("{}: {}", call, nvml_.error_string(error)), std::move(remedy));
}

Availability NvmlReader::open() {
    constexpr std::array<std::string_view, 2> names = {"libnvidia-ml.so.1", "libnvidia-ml.so"};
    if (!nvml_.library.open(library_names(path_, names))) {
        return Availability::missing("no NVIDIA driver here (" + nvml_.library.error() + ")");
    }
    if (!nvml_.find_all()) {
        return Availability::missing(fmt::format("{} has no {}", nvml_.library.name(), nvml_.library.missing()),
                                     "a driver of 2018 (396) or later");
    }
    if (const NvmlReturn error = nvml_.init(); error != nvml_success) return failed("nvmlInit", error);
    initialised_ = true;
    unsigned count = 0;
    if (const NvmlReturn error = nvml_.count(&count); error != nvml_success)
        return failed("nvmlDeviceGetCount", error);
    if (count == 0) return Availability::missing("NVML lists no GPU on this node");
    for (unsigned i = 0; i < count; ++i)
        add_gpu(i);
    for (const Gpu &gpu : gpus_) {
        if (gpu.error == nvml_success) return Availability::good();
    }
    const NvmlReturn error = gpus_.front().error;
    quantities_.clear();
    gpus_.clear();
    return failed("nvmlDeviceGetTotalEnergyConsumption", error);
}

void NvmlReader::add_gpu(unsigned index) {
    Gpu gpu;
    gpu.error = nvml_.handle(index, &gpu.device);
    if (gpu.error == nvml_success) gpu.error = nvml_.energy_mJ(gpu.device, &gpu.first_mJ);
    gpu.last_mJ = gpu.first_mJ;
    gpus_.push_back(gpu);
    quantities_.push_back({.name = fmt::format("gpu-{}", index),
                           .unit = "J",
                           .scope = Scope::device,
                           .measure = Measure::counter,
                           .domain = Domain::gpu});
}

void NvmlReader::read(std::span<double> values) noexcept {
    for (std::size_t i = 0; i < gpus_.size() && i < values.size(); ++i) {
        Gpu &gpu = gpus_[i];
        if (gpu.error == nvml_success) gpu.error = nvml_.energy_mJ(gpu.device, &gpu.last_mJ);
        const bool good = gpu.error == nvml_success && gpu.last_mJ >= gpu.first_mJ;
        values[i] = good ? static_cast<double>(gpu.last_mJ - gpu.first_mJ) * J_per_mJ : unknown;
    }
}

std::vector<std::string> NvmlReader::remarks() const {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < gpus_.size(); ++i) {
        if (gpus_[i].error != nvml_success) {
            all.push_back(
                fmt::format("no energy of {}: {}", quantities_[i].name, nvml_.error_string(gpus_[i].error)));
        } else if (gpus_[i].last_mJ < gpus_[i].first_mJ) {
            all.push_back(fmt::format("the energy counter of {} was reset during the run", quantities_[i].name));
        }
    }
    return all;
}

} // namespace

std::unique_ptr<Reader> make_nvml_reader(const ReaderOptions &options) {
    return std::make_unique<NvmlReader>(options);
}

} // namespace cpl_lb
