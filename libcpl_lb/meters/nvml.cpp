// NVIDIA GPUs through NVML, which comes with the driver and is opened at run time: energy and memory in use. Its
// counter is in mJ since the driver was loaded; it counts the whole GPU, whoever uses it. A Grace-Hopper module tells
// its power, too, which contains the GPU, the processor and the memory of both.
#include "meters/energy_readers.hpp"

#include "meters/nvml_library.hpp"
#include "meters/reader.hpp"
#include "meters/table.hpp"
#include "support/sentences.hpp"

#include <array>
#include <cstring>
#include <optional>

namespace cpl_lb {
namespace {

constexpr double J_per_mJ = 1e-3, W_per_mW = 1e-3;
constexpr unsigned nvml_power_average = 185, nvml_power_instant = 186; // [mW]; the average is over 1 s
constexpr unsigned nvml_scope_module = 1;

struct Gpu {
    NvmlDevice device = nullptr;
    unsigned long long first_mJ = 0, last_mJ = 0;
    NvmlReturn error = nvml_success; // sticks: from then on NaN
};

struct NvmlModule {
    NvmlDevice device = nullptr;
    PowerIntegral energy;
};

class NvmlReader final : public Reader {
public:
    NvmlReader(const ReaderOptions &options, Nanoseconds (*clock)() noexcept)
        : path_(options.nvml_library), clock_(clock) {}

    [[nodiscard]] std::string_view name() const noexcept override { return "nvml"; }
    [[nodiscard]] Availability open() override;
    void read(std::span<double> values) noexcept override;
    [[nodiscard]] std::vector<std::string> remarks() const override;

private:
    void add_gpu(unsigned index);
    void add_module(unsigned index);
    [[nodiscard]] bool is_alone_on_its_module(NvmlDevice device) const;
    [[nodiscard]] double module_W(NvmlDevice device) const noexcept;
    void read_modules(std::span<double> values) noexcept;

    std::string path_;
    Nanoseconds (*clock_)() noexcept;
    Nvml nvml_;
    std::vector<Gpu> gpus_;
    std::vector<NvmlModule> modules_; // their quantities come after those of the GPUs
};

Availability NvmlReader::open() {
    unsigned count = 0;
    if (Availability answer = nvml_.open(path_, count); !answer.works) return answer;
    for (unsigned i = 0; i < count; ++i)
        add_gpu(i);
    for (unsigned i = 0; i < count; ++i)
        add_module(i);
    for (const Gpu &gpu : gpus_) {
        if (gpu.error == nvml_success) return Availability::good();
    }
    const NvmlReturn error = gpus_.front().error;
    quantities_.clear();
    gpus_.clear();
    modules_.clear();
    return nvml_.failed("nvmlDeviceGetTotalEnergyConsumption", error);
}

void NvmlReader::add_gpu(unsigned index) {
    Gpu gpu;
    gpu.error = nvml_.handle(index, &gpu.device);
    if (gpu.error == nvml_success) gpu.error = nvml_.energy_mJ(gpu.device, &gpu.first_mJ);
    gpu.last_mJ = gpu.first_mJ;
    gpus_.push_back(gpu);
    add_joules(fmt::format("gpu-{}", index), Scope::device, Domain::gpu);
}

// Each GPU of a module tells the same power of the module. So only the one that is known to be alone on its module is
// asked: Hopper beside Grace.
bool NvmlReader::is_alone_on_its_module(NvmlDevice device) const {
    std::array<char, 96> name{}; // NVML_DEVICE_NAME_V2_BUFFER_SIZE
    return nvml_.device_name != nullptr && nvml_.device_name(device, name.data(), name.size()) == nvml_success &&
           std::strstr(name.data(), "GH200") != nullptr;
}

double NvmlReader::module_W(NvmlDevice device) const noexcept {
    std::array<NvmlFieldValue, 2> fields{};
    fields[0].field = nvml_power_average;
    fields[1].field = nvml_power_instant;
    for (NvmlFieldValue &field : fields)
        field.scope = nvml_scope_module;
    if (nvml_.field_values(device, static_cast<int>(fields.size()), fields.data()) != nvml_success) return unknown;
    for (const NvmlFieldValue &field : fields) {
        const double power_W = field.error == nvml_success ? nvml_value(field.type, field.value) * W_per_mW : unknown;
        if (power_W > 0) return power_W; // 0: not measured
    }
    return unknown;
}

void NvmlReader::add_module(unsigned index) {
    const Gpu &gpu = gpus_[index];
    if (gpu.error != nvml_success || nvml_.field_values == nullptr || !is_alone_on_its_module(gpu.device)) return;
    const double power_W = module_W(gpu.device);
    if (!is_known(power_W)) return;
    modules_.push_back({gpu.device, PowerIntegral(power_W, clock_())});
    add_joules(fmt::format("module-{}", index), Scope::device, Domain::module);
}

void NvmlReader::read_modules(std::span<double> values) noexcept {
    for (std::size_t i = 0; i < modules_.size() && i < values.size(); ++i) {
        const double power_W = module_W(modules_[i].device);
        values[i] = is_known(power_W) ? modules_[i].energy.advance(power_W, clock_()) : unknown;
    }
}

void NvmlReader::read(std::span<double> values) noexcept {
    if (values.size() > gpus_.size()) read_modules(values.subspan(gpus_.size()));
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
                say(Sentence::remark_no_energy,
                    {{"what", fmt::format("{}: {}", quantities_[i].name, nvml_.error_string(gpus_[i].error))}}));
        } else if (gpus_[i].last_mJ < gpus_[i].first_mJ) {
            all.push_back(say(Sentence::remark_counter_reset, {{"name", quantities_[i].name}}));
        }
    }
    double longest_step_s = 0;
    for (const NvmlModule &module : modules_)
        longest_step_s = std::max(longest_step_s, module.energy.longest_step_s());
    if (!modules_.empty()) all.push_back("nvml: " + tells_power(quantities_[gpus_.size()].name, longest_step_s));
    return all;
}

class NvidiaGpuMemoryReader final : public Reader {
public:
    explicit NvidiaGpuMemoryReader(const ReaderOptions &options) : path_(options.nvml_library) {}

    [[nodiscard]] std::string_view name() const noexcept override { return "nvidia_gpu_memory"; }
    [[nodiscard]] Availability open() override;
    void read(std::span<double> values) noexcept override;

private:
    [[nodiscard]] NvmlReturn used_B(NvmlDevice device, double &used) const noexcept;

    std::string path_;
    Nvml nvml_;
    std::vector<NvmlDevice> devices_;
};

NvmlReturn NvidiaGpuMemoryReader::used_B(NvmlDevice device, double &used) const noexcept {
    used = unknown;
    if (nvml_.memory != nullptr) {
        NvmlMemory memory;
        const NvmlReturn error = nvml_.memory(device, &memory);
        if (error == nvml_success) used = static_cast<double>(memory.used);
        return error;
    }
    NvmlOldMemory memory;
    const NvmlReturn error = nvml_.old_memory(device, &memory);
    if (error == nvml_success) used = static_cast<double>(memory.used);
    return error;
}

Availability NvidiaGpuMemoryReader::open() {
    unsigned count = 0;
    Availability answer = nvml_.open(path_, count);
    answer.hardware_missing = !nvml_.library.is_open(); // the energy meter says so already
    if (!answer.works) return answer;
    for (unsigned i = 0; i < count; ++i) {
        NvmlDevice device = nullptr;
        double used = unknown;
        NvmlReturn error = nvml_.handle(i, &device);
        if (error == nvml_success) error = used_B(device, used);
        if (error != nvml_success) return nvml_.failed("nvmlDeviceGetMemoryInfo", error);
        devices_.push_back(device);
        quantities_.push_back({.name = fmt::format("gpu-{}", i), .unit = "B", .scope = Scope::device});
    }
    return answer;
}

void NvidiaGpuMemoryReader::read(std::span<double> values) noexcept {
    for (std::size_t i = 0; i < devices_.size() && i < values.size(); ++i)
        static_cast<void>(used_B(devices_[i], values[i]));
}

} // namespace

std::unique_ptr<Reader> make_nvml_reader(const ReaderOptions &options, Nanoseconds (*clock)() noexcept) {
    return std::make_unique<NvmlReader>(options, clock);
}

std::unique_ptr<Reader> make_nvml_reader(const ReaderOptions &options) {
    return make_nvml_reader(options, steady_now);
}

std::unique_ptr<Reader> make_nvidia_gpu_memory_reader(const ReaderOptions &options) {
    return std::make_unique<NvidiaGpuMemoryReader>(options);
}

} // namespace cpl_lb
