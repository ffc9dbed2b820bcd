// AMD GPUs through ROCm SMI, which comes with ROCm and is opened at run time: the joules of each GPU since its driver
// was loaded (or its power, where it has no such counter), and the memory in use on it.
#include "meters/energy_readers.hpp"

#include "meters/reader.hpp"
#include "meters/rocm_smi_library.hpp"
#include "meters/table.hpp"
#include "support/counted.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cpl_lb {
namespace {

struct AmdGpu {
    std::uint32_t index = 0;
    bool by_power = false; // it has no counter
    std::uint64_t first = 0, last = 0;
    double J_per_count = 0;
    PowerIntegral integral;
    RsmiStatus error = rsmi_success; // of the last reading that failed
    std::int64_t failures = 0;
};

class RocmSmiReader final : public Reader {
public:
    RocmSmiReader(const ReaderOptions &options, Nanoseconds (*clock)() noexcept)
        : path_(options.rocm_smi_library), clock_(clock) {}

    [[nodiscard]] std::string_view name() const noexcept override { return "rocm_smi"; }
    [[nodiscard]] Availability open() override;
    void read(std::span<double> values) noexcept override;
    [[nodiscard]] std::vector<std::string> remarks() const override;

private:
    // rsmi_success: the GPU has an energy or a power, or is the second half of one that has.
    [[nodiscard]] RsmiStatus add_gpu(std::uint32_t index);
    [[nodiscard]] RsmiStatus read_count(AmdGpu &gpu, std::uint64_t &count) const noexcept;
    [[nodiscard]] RsmiStatus power(const AmdGpu &gpu, double &watts) const noexcept;
    [[nodiscard]] double joules(AmdGpu &gpu) noexcept;

    std::string path_;
    Nanoseconds (*clock_)() noexcept;
    Rsmi rsmi_;
    std::vector<AmdGpu> gpus_;
    std::vector<std::string> refused_;
};

RsmiStatus RocmSmiReader::read_count(AmdGpu &gpu, std::uint64_t &count) const noexcept {
    float resolution_uJ = 0;
    std::uint64_t time_ns = 0;
    const RsmiStatus status = rsmi_.energy_count(gpu.index, &count, &resolution_uJ, &time_ns);
    if (status != rsmi_success) return status;
    // All ones stand for "not there".
    if (count == std::numeric_limits<std::uint64_t>::max() || !(resolution_uJ > 0)) return rsmi_not_supported;
    gpu.J_per_count = rsmi_micro * static_cast<double>(resolution_uJ);
    return rsmi_success;
}

RsmiStatus RocmSmiReader::power(const AmdGpu &gpu, double &watts) const noexcept {
    std::uint64_t microwatts = 0;
    int type = 0;
    const RsmiStatus status = rsmi_.power_uW != nullptr ? rsmi_.power_uW(gpu.index, &microwatts, &type)
                                                        : rsmi_.average_power_uW(gpu.index, 0, &microwatts);
    watts = static_cast<double>(microwatts) * rsmi_micro;
    return status;
}

RsmiStatus RocmSmiReader::add_gpu(std::uint32_t index) {
    AmdGpu gpu;
    gpu.index = index;
    RsmiStatus status = read_count(gpu, gpu.first);
    // If a package has two GPUs (MI250X), one counter counts both, and that of the other GPU stays 0.
    if (status == rsmi_success && gpu.first == 0) return rsmi_success;
    gpu.last = gpu.first;
    gpu.by_power = status != rsmi_success;
    if (gpu.by_power) {
        double watts = 0;
        status = power(gpu, watts);
        if (status != rsmi_success) return status;
        gpu.integral = PowerIntegral(watts, clock_());
    }
    gpus_.push_back(gpu);
    const bool apu = rsmi_.is_apu(index);
    add_joules(fmt::format("amd-{}-{}", apu ? "apu" : "gpu", index), Scope::device,
               apu ? Domain::module : Domain::gpu);
    return rsmi_success;
}

Availability RocmSmiReader::open() {
    std::vector<std::uint32_t> indices;
    if (Availability answer = rsmi_.open(path_, indices); !answer.works) return answer;
    RsmiStatus first_failure = rsmi_success;
    for (const std::uint32_t index : indices) {
        const RsmiStatus status = add_gpu(index);
        if (status == rsmi_success) continue;
        if (first_failure == rsmi_success) first_failure = status;
        refused_.push_back(fmt::format("amd-gpu-{}: {}", index, rsmi_.words(status)));
    }
    if (!gpus_.empty()) {
        // Half of the GPUs is no figure.
        for (const std::string &refused : refused_) {
            add_joules(refused.substr(0, refused.find(':')), Scope::device, Domain::gpu);
        }
        return {true, refused_.empty() ? "" : refused_.front(), {}};
    }
    if (first_failure == rsmi_success) return Availability::missing("no AMD GPU on this node has counted any energy");
    return rsmi_.failed("rsmi_dev_energy_count_get and rsmi_dev_power_get", first_failure);
}

double RocmSmiReader::joules(AmdGpu &gpu) noexcept {
    double watts = 0;
    const RsmiStatus status = gpu.by_power ? power(gpu, watts) : read_count(gpu, gpu.last);
    if (status != rsmi_success) {
        gpu.error = status;
        ++gpu.failures;
        return unknown;
    }
    if (gpu.by_power) return gpu.integral.advance(watts, clock_());
    return gpu.last < gpu.first ? unknown : static_cast<double>(gpu.last - gpu.first) * gpu.J_per_count;
}

void RocmSmiReader::read(std::span<double> values) noexcept {
    std::fill(values.begin(), values.end(), unknown);
    for (std::size_t i = 0; i < gpus_.size() && i < values.size(); ++i)
        values[i] = joules(gpus_[i]);
}

std::vector<std::string> RocmSmiReader::remarks() const {
    std::vector<std::string> all;
    for (const std::string &refused : refused_)
        all.push_back(say(Sentence::remark_no_energy, {{"what", refused}}));
    for (std::size_t i = 0; i < gpus_.size(); ++i) {
        const AmdGpu &gpu = gpus_[i];
        if (gpu.failures > 0) {
            all.push_back(say(Sentence::remark_no_energy,
                              {{"what", fmt::format("{}: {} ({})", quantities_[i].name, rsmi_.words(gpu.error),
                                                    counted(gpu.failures, "time"))}}));
        }
        if (gpu.last < gpu.first) all.push_back(say(Sentence::remark_counter_reset, {{"name", quantities_[i].name}}));
        if (gpu.by_power) all.push_back(tells_power(quantities_[i].name, gpu.integral.longest_step_s()));
    }
    return all;
}

class AmdGpuMemoryReader final : public Reader {
public:
    explicit AmdGpuMemoryReader(const ReaderOptions &options) : path_(options.rocm_smi_library) {}

    [[nodiscard]] std::string_view name() const noexcept override { return "amd_gpu_memory"; }
    [[nodiscard]] Availability open() override;
    void read(std::span<double> values) noexcept override;

private:
    [[nodiscard]] double used_B(std::uint32_t gpu) const noexcept;

    std::string path_;
    Rsmi rsmi_;
    std::vector<std::uint32_t> gpus_;
};

double AmdGpuMemoryReader::used_B(std::uint32_t gpu) const noexcept {
    std::uint64_t used = 0;
    return rsmi_.memory_B(gpu, rsmi_memory_vram, &used) == rsmi_success ? static_cast<double>(used) : unknown;
}

Availability AmdGpuMemoryReader::open() {
    if (Availability answer = rsmi_.open(path_, gpus_); !answer.works) return answer;
    std::uint64_t used = 0;
    for (const std::uint32_t gpu : gpus_) {
        if (const RsmiStatus status = rsmi_.memory_B(gpu, rsmi_memory_vram, &used); status != rsmi_success)
            return rsmi_.failed("rsmi_dev_memory_usage_get", status);
        quantities_.push_back({.name = fmt::format("amd-gpu-{}", gpu), .unit = "B", .scope = Scope::device});
    }
    return Availability::good();
}

void AmdGpuMemoryReader::read(std::span<double> values) noexcept {
    for (std::size_t i = 0; i < gpus_.size() && i < values.size(); ++i)
        values[i] = used_B(gpus_[i]);
}

} // namespace

std::unique_ptr<Reader> make_rocm_smi_reader(const ReaderOptions &options, Nanoseconds (*clock)() noexcept) {
    return std::make_unique<RocmSmiReader>(options, clock);
}

std::unique_ptr<Reader> make_rocm_smi_reader(const ReaderOptions &options) {
    return make_rocm_smi_reader(options, steady_now);
}

std::unique_ptr<Reader> make_amd_gpu_memory_reader(const ReaderOptions &options) {
    return std::make_unique<AmdGpuMemoryReader>(options);
}

} // namespace cpl_lb
