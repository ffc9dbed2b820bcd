// NVIDIA GPUs through NVML, which comes with the driver: opened at run time, its structures declared by hand, so that
// its header is not needed to build. Its counter counts mJ of the whole GPU, whoever uses it. A Grace-Hopper module
// tells its power, too, which contains the GPU, the processor and the memory of both.
//
// Utilisation: the driver keeps that of the last seconds as samples, so that nothing between two readings of ours is
// missed. Where it gives none of them, its latest utilisation counts.
#include "meters/energy_readers.hpp"
#include "meters/gpu_driver.hpp"
#include "meters/table.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace cpl_lb {
namespace nvml {
namespace {

using Device = void *;
constexpr int success = 0, not_supported = 3, no_permission = 4, not_found = 6, driver_not_loaded = 9;
constexpr int utilization_samples = 1, clock_sm = 1;
constexpr double driver_samples_apart_s = 1.5; // it takes one at least each second: later ones were forgotten
constexpr std::size_t longest_text = 96;       // NVML_DEVICE_NAME_V2_BUFFER_SIZE, and that of UUIDs

// As nvmlValue_t; its type tells which member holds.
union Value {
    double of_double;
    unsigned of_unsigned;
    unsigned long long of_unsigned_long_long = 0;
};
// As nvmlFieldValue_t.
struct FieldValue {
    unsigned field = 0, scope = 0;
    long long time_us = 0, latency_us = 0;
    int type = 0, error = success;
    Value value;
};
static_assert(sizeof(FieldValue) == 40);
// As nvmlMemory_v2_t: `used` is what programs and the driver allocated for them, as nvidia-smi tells it.
struct Memory {
    unsigned version = 40U | 2U << 24U; // its size, and 2
    unsigned long long total = 0, reserved = 0, free = 0, used = 0;
};
static_assert(sizeof(Memory) == 40);
// As nvmlMemory_t, for drivers before 2021 (510): `used` contains what the driver reserves for itself.
struct OldMemory {
    unsigned long long total = 0, free = 0, used = 0;
};
// As nvmlSample_t: what held from the sample before until this one.
struct Sample {
    unsigned long long time_us = 0;
    Value value;
};
static_assert(sizeof(Sample) == 16);
// As nvmlUtilization_t [%].
struct Utilization {
    unsigned gpu = 0, memory = 0;
};

// NaN: a type that is not known.
double number_in(int type, const Value &value) noexcept {
    enum : int { is_double, is_unsigned, is_unsigned_long, is_unsigned_long_long };
    if (type == is_double) return value.of_double;
    if (type == is_unsigned) return value.of_unsigned;
    const bool is_long = type == is_unsigned_long || type == is_unsigned_long_long; // both have 64 bits
    return is_long ? static_cast<double>(value.of_unsigned_long_long) : unknown;
}

class Nvml final : public GpuDriver {
public:
    Nvml()
        : GpuDriver({"nvml",
                     "",
                     "no NVIDIA driver here",
                     "NVML lists no GPU on this node",
                     "a driver of 2018 (396) or later",
                     "nvmlInit",
                     "nvmlDeviceGetCount",
                     "nvmlDeviceGetTotalEnergyConsumption",
                     "nvmlDeviceGetMemoryInfo",
                     {"libnvidia-ml.so.1", "libnvidia-ml.so"}}) {}
    [[nodiscard]] int joules(unsigned gpu, double &J) noexcept override {
        unsigned long long mJ = 0;
        const int status = found[gpu] == success ? energy_mJ_(devices[gpu], &mJ) : found[gpu];
        J = static_cast<double>(mJ) / 1e3;
        return status;
    }
    [[nodiscard]] int module_watts(unsigned gpu, double &W) noexcept override;
    [[nodiscard]] int memory_B(unsigned gpu, double &used) noexcept override {
        Memory memory;
        OldMemory old;
        if (found[gpu] != success) return found[gpu];
        const int status = memory_ != nullptr ? memory_(devices[gpu], &memory) : old_memory_(devices[gpu], &old);
        used = static_cast<double>(memory_ != nullptr ? memory.used : old.used);
        return status;
    }
    [[nodiscard]] std::string words(int status) const override { return error_string_(status); }
    std::vector<int> found; // by GPU: whether its device was found, as a status
    std::vector<Device> devices;
    int (*device_name)(Device, char *, unsigned) = nullptr;
    int (*uuid)(Device, char *, unsigned) = nullptr;
    int (*mig_mode)(Device, unsigned *current, unsigned *pending) = nullptr; // null where the driver is older
    int (*samples)(Device, int, unsigned long long last_us, int *type, unsigned *count, Sample *) = nullptr;
    int (*utilization)(Device, Utilization *) = nullptr;
    int (*clock_MHz)(Device, int clock, unsigned *) = nullptr;
    int (*largest_clock_MHz)(Device, int clock, unsigned *) = nullptr;

private:
    [[nodiscard]] bool find_all() override {
        library_.find("nvmlDeviceGetMemoryInfo_v2", &memory_);
        library_.find("nvmlDeviceGetMigMode", &mig_mode);
        return library_.find("nvmlInit_v2", &init_) && library_.find("nvmlShutdown", &shutdown_) &&
               library_.find("nvmlDeviceGetCount_v2", &count_) &&
               library_.find("nvmlDeviceGetHandleByIndex_v2", &handle_) &&
               library_.find(names.memory_call, &old_memory_) && library_.find(names.energy_call, &energy_mJ_) &&
               library_.find("nvmlErrorString", &error_string_) && library_.find("nvmlDeviceGetName", &device_name) &&
               library_.find("nvmlDeviceGetUUID", &uuid) &&
               library_.find("nvmlDeviceGetFieldValues", &field_values_) &&
               library_.find("nvmlDeviceGetSamples", &samples) &&
               library_.find("nvmlDeviceGetUtilizationRates", &utilization) &&
               library_.find("nvmlDeviceGetClockInfo", &clock_MHz) &&
               library_.find("nvmlDeviceGetMaxClockInfo", &largest_clock_MHz);
    }
    [[nodiscard]] int initialise() override { return init_(); }
    [[nodiscard]] bool has_no_gpu(int status) const override { return status == driver_not_loaded; }
    [[nodiscard]] bool is_gpu(unsigned gpu) override {
        found.push_back(handle_(gpu, &devices.emplace_back()));
        return true;
    }
    [[nodiscard]] const char *remedy(std::string_view call, int status) const override {
        if (status == no_permission) return "ask for access to /dev/nvidia* on the compute nodes";
        return status == not_supported && call == names.energy_call ? "only GPUs since Volta count energy" : "";
    }

    int (*init_)() = nullptr;
    int (*handle_)(unsigned, Device *) = nullptr;
    int (*energy_mJ_)(Device, unsigned long long *) = nullptr;
    const char *(*error_string_)(int) = nullptr;
    int (*old_memory_)(Device, OldMemory *) = nullptr;
    int (*memory_)(Device, Memory *) = nullptr; // null where the driver is older
    int (*field_values_)(Device, int, FieldValue *) = nullptr;
};

// Each GPU of a module tells the same power of the module. So only the one that is known to be alone on its module is
// asked: Hopper beside Grace.
int Nvml::module_watts(unsigned gpu, double &W) noexcept {
    constexpr unsigned power_average = 185, power_instant = 186, of_module = 1; // [mW]; the average is over 1 s
    std::array<char, longest_text> kind{};
    if (found[gpu] != success || device_name(devices[gpu], kind.data(), kind.size()) != success ||
        std::strstr(kind.data(), "GH200") == nullptr)
        return gpu_cannot;
    std::array<FieldValue, 2> fields = {{{.field = power_average, .scope = of_module, .value = {}},
                                         {.field = power_instant, .scope = of_module, .value = {}}}};
    const int status = field_values_(devices[gpu], static_cast<int>(fields.size()), fields.data());
    if (status != success) return status;
    for (const FieldValue &field : fields) {
        W = field.error == success ? 1e-3 * number_in(field.type, field.value) : unknown;
        if (W > 0) return success; // 0: not measured
    }
    return not_supported;
}

struct Busy {
    Device device = nullptr;
    std::size_t place = 0; // in found_
    bool by_samples = false;
    unsigned long long first_us = 0, last_us = 0; // time stamps of the driver's samples
    double busy_s = 0, unseen_s = 0;
    Nanoseconds last_read = 0;
    PowerIntegral by_rates; // where there are no samples
    unsigned largest_MHz = 0;
    int error = success; // sticks: from then on NaN
};

class NvidiaGpuBusyReader final : public GpuBusyReader {
public:
    explicit NvidiaGpuBusyReader(const ReaderOptions &options) : path_(options.nvml_library), clock_(options.clock) {}

    [[nodiscard]] std::string_view name() const noexcept override { return "nvidia_gpu_busy"; }
    [[nodiscard]] Availability open() override;
    void read_known(std::span<double> values) noexcept override;
    [[nodiscard]] std::vector<std::string> remarks() const override;

private:
    void add_gpu(unsigned index);
    [[nodiscard]] std::string try_busy(Busy &gpu);
    [[nodiscard]] int read_samples(Busy &gpu) noexcept;
    [[nodiscard]] double busy_s(Busy &gpu) noexcept;

    std::string path_;
    Nanoseconds (*clock_)() noexcept;
    Nvml nvml_;
    std::vector<Busy> working_;
    std::vector<Sample> samples_; // room for all that the driver keeps
};

Availability NvidiaGpuBusyReader::open() {
    std::vector<unsigned> gpus;
    const Availability answer = nvml_.open(path_, gpus);
    knows_gpus_ = answer.works || answer.hardware_missing;
    for (const unsigned gpu : gpus)
        add_gpu(gpu);
    return answer.works && working_.empty() ? Availability::missing(found_.front().why_not_busy) : answer;
}

void NvidiaGpuBusyReader::add_gpu(unsigned index) {
    Busy gpu;
    gpu.device = nvml_.devices[index];
    gpu.place = found_.size();
    FoundGpu &found = found_.emplace_back();
    std::array<char, longest_text> text{};
    if (const int error = nvml_.found[index]; error != success) {
        found.why_not_busy = nvml_.failed("nvmlDeviceGetHandleByIndex", error).reason;
    } else {
        if (nvml_.device_name(gpu.device, text.data(), text.size()) == success) found.gpu.kind = text.data();
        if (nvml_.uuid(gpu.device, text.data(), text.size()) == success) found.gpu.uuid = text.data();
        found.why_not_busy = try_busy(gpu);
    }
    found.busy = quantities_.size();
    const std::string name = fmt::format("gpu-{}", index);
    quantities_.push_back({.name = name,
                           .unit = "s",
                           .scope = Scope::device,
                           .measure = Measure::counter,
                           .why_missing = found.why_not_busy});
    if (!found.why_not_busy.empty()) return;
    unsigned now_MHz = 0;
    if (nvml_.largest_clock_MHz(gpu.device, clock_sm, &gpu.largest_MHz) == success && gpu.largest_MHz > 0 &&
        nvml_.clock_MHz(gpu.device, clock_sm, &now_MHz) == success) {
        found.clock = quantities_.size();
        quantities_.push_back({.name = name + "/clock", .unit = "1", .scope = Scope::device});
    }
    working_.push_back(gpu);
}

// Why the utilisation cannot be read; empty: it can.
std::string NvidiaGpuBusyReader::try_busy(Busy &gpu) {
    unsigned mig = 0, pending = 0;
    if (nvml_.mig_mode != nullptr && nvml_.mig_mode(gpu.device, &mig, &pending) == success && mig == 1)
        return say(Sentence::no_utilisation_of_slices);
    gpu.last_read = clock_();
    int type = 0;
    unsigned count = 0;
    if (nvml_.samples(gpu.device, utilization_samples, 0, &type, &count, nullptr) == success) {
        samples_.resize(std::max<std::size_t>(samples_.size(), count));
        gpu.by_samples = read_samples(gpu) == success && gpu.last_us > 0;
        gpu.first_us = gpu.last_us;
        gpu.busy_s = gpu.unseen_s = 0;
    }
    Utilization now;
    const int error = gpu.by_samples ? success : nvml_.utilization(gpu.device, &now);
    if (error != success) return nvml_.failed("nvmlDeviceGetUtilizationRates", error).reason;
    gpu.by_rates = PowerIntegral(0.01 * now.gpu, gpu.last_read);
    return {};
}

// Their mean counts for the time since the last reading.
int NvidiaGpuBusyReader::read_samples(Busy &gpu) noexcept {
    int type = 0;
    auto count = static_cast<unsigned>(samples_.size());
    const int error = nvml_.samples(gpu.device, utilization_samples, gpu.last_us, &type, &count, samples_.data());
    if (error != success) return error == not_found ? success : error; // not found: none since then
    const unsigned long long before_us = gpu.last_us;
    unsigned long long earliest_us = 0;
    double sum = 0;
    std::int64_t known = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(count, samples_.size()); ++i) {
        const double per_cent = number_in(type, samples_[i].value);
        if (samples_[i].time_us <= before_us || !(per_cent >= 0 && per_cent <= 100)) continue;
        earliest_us = earliest_us == 0 ? samples_[i].time_us : std::min(earliest_us, samples_[i].time_us);
        gpu.last_us = std::max(gpu.last_us, samples_[i].time_us);
        sum += per_cent;
        ++known;
    }
    if (known == 0) return success;
    const Nanoseconds now = clock_();
    gpu.busy_s += 0.01 * sum / static_cast<double>(known) * to_seconds(now - gpu.last_read);
    gpu.last_read = now;
    const double gap_s = before_us == 0 ? 0 : 1e-6 * static_cast<double>(earliest_us - before_us);
    if (gap_s > driver_samples_apart_s) gpu.unseen_s += gap_s;
    return success;
}

double NvidiaGpuBusyReader::busy_s(Busy &gpu) noexcept {
    if (gpu.error != success) return unknown;
    if (gpu.by_samples) {
        const unsigned long long before_us = gpu.last_us;
        gpu.error = read_samples(gpu);
        // Without a new sample the driver knows nothing of the time since the last one yet.
        return gpu.error == success && gpu.last_us > before_us ? gpu.busy_s : unknown;
    }
    Utilization now;
    gpu.error = nvml_.utilization(gpu.device, &now);
    return gpu.error == success ? gpu.by_rates.advance(0.01 * now.gpu, clock_()) : unknown;
}

void NvidiaGpuBusyReader::read_known(std::span<double> values) noexcept {
    for (Busy &gpu : working_) {
        const FoundGpu &found = found_[gpu.place];
        values[found.busy] = busy_s(gpu);
        unsigned now_MHz = 0;
        if (found.clock && gpu.error == success && nvml_.clock_MHz(gpu.device, clock_sm, &now_MHz) == success)
            values[*found.clock] = static_cast<double>(now_MHz) / gpu.largest_MHz;
    }
}

std::vector<std::string> NvidiaGpuBusyReader::remarks() const {
    std::vector<std::string> all;
    const auto seconds = [](double s) { return fmt::format("{:.1f}", s); };
    for (const Busy &gpu : working_) {
        const std::string &name = quantities_[found_[gpu.place].busy].name;
        const double seen_s = 1e-6 * static_cast<double>(gpu.last_us - gpu.first_us);
        if (gpu.error != success) {
            all.push_back(say(Sentence::remark_no_utilisation,
                              {{"what", fmt::format("{}: {}", name, nvml_.words(gpu.error))}}));
        } else if (!gpu.by_samples) {
            all.push_back(say(Sentence::remark_utilisation_at_instants,
                              {{"gpu", name}, {"seconds", seconds(gpu.by_rates.longest_step_s())}}));
        } else if (gpu.unseen_s > 0.05 * seen_s) {
            all.push_back(say(Sentence::remark_utilisation_forgotten,
                              {{"gpu", name}, {"seconds", seconds(gpu.unseen_s)}, {"all", seconds(seen_s)}}));
        }
    }
    return all;
}

} // namespace
} // namespace nvml

std::unique_ptr<GpuDriver> nvml_driver() {
    return std::make_unique<nvml::Nvml>();
}

std::unique_ptr<Reader> make_nvidia_gpu_busy_reader(const ReaderOptions &options) {
    return std::make_unique<nvml::NvidiaGpuBusyReader>(options);
}

} // namespace cpl_lb
