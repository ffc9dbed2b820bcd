// NVIDIA GPUs through NVML, which comes with the driver and is opened at run time: energy and memory in use. Its
// counter is in mJ since the driver was loaded; it counts the whole GPU, whoever uses it. A Grace-Hopper module tells
// its power, too, which contains the GPU, the processor and the memory of both.
#include "meters/energy_readers.hpp"

#include "meters/dynamic_library.hpp"
#include "meters/reader.hpp"
#include "meters/table.hpp"
#include "support/sentences.hpp"

#include <array>
#include <cstring>
#include <optional>

namespace cpl_lb {
namespace {

// As in NVML's interface, so that its header is not needed to build.
using NvmlReturn = int;
using NvmlDevice = void *;
constexpr NvmlReturn nvml_success = 0;
constexpr NvmlReturn nvml_not_supported = 3;
constexpr NvmlReturn nvml_no_permission = 4;
constexpr double J_per_mJ = 1e-3, W_per_mW = 1e-3;

// A field of NVML as it answers for one of its scopes.
struct NvmlFieldValue {
    unsigned field = 0, scope = 0;
    long long time_us = 0, latency_us = 0;
    int type = 0;
    NvmlReturn error = nvml_success;
    union {
        double of_double;
        unsigned of_unsigned;
        unsigned long of_unsigned_long;
        unsigned long long of_unsigned_long_long = 0;
    } value;
};
static_assert(sizeof(NvmlFieldValue) == 40);
constexpr unsigned nvml_power_average = 185, nvml_power_instant = 186; // [mW]; the average is over 1 s
constexpr unsigned nvml_scope_module = 1;

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

double field_value(const NvmlFieldValue &field) noexcept {
    enum : int { is_double, is_unsigned, is_unsigned_long, is_unsigned_long_long };
    if (field.type == is_double) return field.value.of_double;
    if (field.type == is_unsigned) return field.value.of_unsigned;
    if (field.type == is_unsigned_long) return static_cast<double>(field.value.of_unsigned_long);
    if (field.type == is_unsigned_long_long) return static_cast<double>(field.value.of_unsigned_long_long);
    return unknown;
}

struct Nvml {
    DynamicLibrary library;
    NvmlReturn (*init)() = nullptr;
    NvmlReturn (*shutdown)() = nullptr;
    NvmlReturn (*count)(unsigned *) = nullptr;
    NvmlReturn (*handle)(unsigned, NvmlDevice *) = nullptr;
    NvmlReturn (*energy_mJ)(NvmlDevice, unsigned long long *) = nullptr;
    const char *(*error_string)(NvmlReturn) = nullptr;
    // For modules; older drivers have no fields.
    NvmlReturn (*device_name)(NvmlDevice, char *, unsigned) = nullptr;
    NvmlReturn (*field_values)(NvmlDevice, int, NvmlFieldValue *) = nullptr;
    NvmlReturn (*memory)(NvmlDevice, NvmlMemory *) = nullptr; // newer drivers only
    NvmlReturn (*old_memory)(NvmlDevice, NvmlOldMemory *) = nullptr;
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

private:
    [[nodiscard]] bool find_all();
};

bool Nvml::find_all() {
    static_cast<void>(library.find("nvmlDeviceGetName", &device_name) &&
                      library.find("nvmlDeviceGetFieldValues", &field_values));
    static_cast<void>(library.find("nvmlDeviceGetMemoryInfo_v2", &memory));
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
    if (!library.open(library_names(path, names)))
        return Availability::missing("no NVIDIA driver here (" + library.error() + ")");
    if (!find_all()) {
        return Availability::missing(fmt::format("{} has no {}", library.name(), library.missing()),
                                     "a driver of 2018 (396) or later");
    }
    if (const NvmlReturn error = init(); error != nvml_success) return failed("nvmlInit", error);
    initialised = true;
    if (const NvmlReturn error = count(&gpus); error != nvml_success) return failed("nvmlDeviceGetCount", error);
    return gpus == 0 ? Availability::missing("NVML lists no GPU on this node") : Availability::good();
}

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
    [[nodiscard]] std::span<const Quantity> quantities() const noexcept override { return quantities_; }
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
    std::vector<Quantity> quantities_;
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
    quantities_.push_back({.name = fmt::format("gpu-{}", index),
                           .unit = "J",
                           .scope = Scope::device,
                           .measure = Measure::counter,
                           .domain = Domain::gpu});
}

// Each GPU of a module tells the same power of the module. So only the one that is known to be alone on its module is
// asked: Hopper beside Grace.
bool NvmlReader::is_alone_on_its_module(NvmlDevice device) const {
    std::array<char, 96> name{}; // NVML_DEVICE_NAME_V2_BUFFER_SIZE
    return nvml_.device_name(device, name.data(), name.size()) == nvml_success &&
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
        const double power_W = field.error == nvml_success ? field_value(field) * W_per_mW : unknown;
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
    quantities_.push_back({.name = fmt::format("module-{}", index),
                           .unit = "J",
                           .scope = Scope::device,
                           .measure = Measure::counter,
                           .domain = Domain::module});
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
    [[nodiscard]] std::span<const Quantity> quantities() const noexcept override { return quantities_; }
    void read(std::span<double> values) noexcept override;

private:
    [[nodiscard]] NvmlReturn used_B(NvmlDevice device, double &used) const noexcept;

    std::string path_;
    Nvml nvml_;
    std::vector<NvmlDevice> devices_;
    std::vector<Quantity> quantities_;
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
