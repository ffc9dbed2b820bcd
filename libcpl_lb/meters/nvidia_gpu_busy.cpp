// How long NVIDIA GPUs were busy, and their clock, through NVML. The driver keeps the utilisation of the last seconds
// as samples, so that nothing between two readings of ours is missed. Where it gives none of them, its latest
// utilisation counts.
#include "meters/energy_readers.hpp"
#include "meters/gpu_reader.hpp"
#include "meters/nvml_library.hpp"
#include "meters/table.hpp"

#include <algorithm>
#include <array>

namespace cpl_lb {
namespace {

constexpr int nvml_gpu_utilization_samples = 1;
constexpr int nvml_clock_sm = 1;
constexpr double driver_samples_apart_s = 1.5; // it takes one at least each second: later ones were forgotten

struct NvidiaBusy {
    NvmlDevice device = nullptr;
    std::size_t place = 0; // in found_
    bool by_samples = false;
    unsigned long long first_us = 0, last_us = 0; // time stamps of the driver's samples
    double busy_s = 0, unseen_s = 0;
    Nanoseconds last_read = 0;
    PowerIntegral by_rates; // where there are no samples
    unsigned largest_MHz = 0;
    NvmlReturn error = nvml_success; // sticks: from then on NaN
};

class NvidiaGpuBusyReader final : public GpuReader {
public:
    NvidiaGpuBusyReader(const ReaderOptions &options, Nanoseconds (*clock)() noexcept)
        : path_(options.nvml_library), clock_(clock) {}

    [[nodiscard]] std::string_view name() const noexcept override { return "nvidia_gpu_busy"; }
    [[nodiscard]] Availability open() override;
    void read(std::span<double> values) noexcept override;
    [[nodiscard]] std::vector<std::string> remarks() const override;

private:
    void add_gpu(unsigned index);
    [[nodiscard]] NodeGpu identity(NvmlDevice device) const;
    [[nodiscard]] std::string try_busy(NvidiaBusy &gpu);
    [[nodiscard]] bool has_samples(NvidiaBusy &gpu);
    [[nodiscard]] NvmlReturn read_samples(NvidiaBusy &gpu) noexcept;
    [[nodiscard]] double busy_s(NvidiaBusy &gpu) noexcept;
    [[nodiscard]] double clock_share(const NvidiaBusy &gpu) const noexcept;

    std::string path_;
    Nanoseconds (*clock_)() noexcept;
    Nvml nvml_;
    std::vector<NvidiaBusy> working_;
    std::vector<NvmlSample> samples_; // room for all that the driver keeps
};

Availability NvidiaGpuBusyReader::open() {
    unsigned count = 0;
    Availability answer = nvml_.open(path_, count);
    knows_gpus_ = answer.works || nvml_.has_no_gpu();
    answer.hardware_missing = nvml_.has_no_gpu(); // the energy meter says so already
    if (!answer.works) return answer;
    for (unsigned i = 0; i < count; ++i)
        add_gpu(i);
    return one_works();
}

NodeGpu NvidiaGpuBusyReader::identity(NvmlDevice device) const {
    std::array<char, 96> text{}; // as NVML_DEVICE_NAME_V2_BUFFER_SIZE and NVML_DEVICE_UUID_V2_BUFFER_SIZE
    NodeGpu gpu;
    if (nvml_.device_name != nullptr && nvml_.device_name(device, text.data(), text.size()) == nvml_success)
        gpu.kind = text.data();
    if (nvml_.uuid != nullptr && nvml_.uuid(device, text.data(), text.size()) == nvml_success) gpu.uuid = text.data();
    return gpu;
}

void NvidiaGpuBusyReader::add_gpu(unsigned index) {
    NvidiaBusy gpu;
    const std::string name = fmt::format("gpu-{}", index);
    if (const NvmlReturn error = nvml_.handle(index, &gpu.device); error != nvml_success) {
        add_found({}, name, false, nvml_.failed("nvmlDeviceGetHandleByIndex", error).reason);
        return;
    }
    const std::string why = try_busy(gpu);
    unsigned now_MHz = 0;
    const bool has_clock = why.empty() && nvml_.clock_MHz != nullptr && nvml_.largest_clock_MHz != nullptr &&
                           nvml_.largest_clock_MHz(gpu.device, nvml_clock_sm, &gpu.largest_MHz) == nvml_success &&
                           gpu.largest_MHz > 0 &&
                           nvml_.clock_MHz(gpu.device, nvml_clock_sm, &now_MHz) == nvml_success;
    gpu.place = found_.size();
    add_found(identity(gpu.device), name, has_clock, why);
    if (why.empty()) working_.push_back(gpu);
}

// Why the utilisation cannot be read; empty: it can.
std::string NvidiaGpuBusyReader::try_busy(NvidiaBusy &gpu) {
    unsigned mig = 0, pending = 0;
    if (nvml_.mig_mode != nullptr && nvml_.mig_mode(gpu.device, &mig, &pending) == nvml_success && mig == 1)
        return say(Sentence::no_utilisation_of_slices);
    gpu.last_read = clock_();
    gpu.by_samples = has_samples(gpu);
    if (gpu.by_samples) return {};
    NvmlUtilization now;
    if (nvml_.utilization == nullptr) return nvml_.library.name() + " has no nvmlDeviceGetUtilizationRates";
    if (const NvmlReturn error = nvml_.utilization(gpu.device, &now); error != nvml_success)
        return nvml_.failed("nvmlDeviceGetUtilizationRates", error).reason;
    gpu.by_rates = PowerIntegral(0.01 * now.gpu, gpu.last_read);
    return {};
}

bool NvidiaGpuBusyReader::has_samples(NvidiaBusy &gpu) {
    int type = 0;
    unsigned count = 0;
    if (nvml_.samples == nullptr ||
        nvml_.samples(gpu.device, nvml_gpu_utilization_samples, 0, &type, &count, nullptr) != nvml_success)
        return false;
    samples_.resize(std::max<std::size_t>(samples_.size(), count));
    if (read_samples(gpu) != nvml_success || gpu.last_us == 0) return false;
    gpu.first_us = gpu.last_us;
    gpu.busy_s = gpu.unseen_s = 0;
    return true;
}

// Their mean counts for the time since the last reading.
NvmlReturn NvidiaGpuBusyReader::read_samples(NvidiaBusy &gpu) noexcept {
    int type = 0;
    auto count = static_cast<unsigned>(samples_.size());
    const NvmlReturn error =
        nvml_.samples(gpu.device, nvml_gpu_utilization_samples, gpu.last_us, &type, &count, samples_.data());
    if (error == nvml_not_found) return nvml_success; // none since then
    if (error != nvml_success) return error;
    const unsigned long long before_us = gpu.last_us;
    unsigned long long earliest_us = 0;
    double sum = 0;
    std::int64_t known = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(count, samples_.size()); ++i) {
        const double per_cent = nvml_value(type, samples_[i].value);
        if (samples_[i].time_us <= before_us || !(per_cent >= 0 && per_cent <= 100)) continue;
        earliest_us = earliest_us == 0 ? samples_[i].time_us : std::min(earliest_us, samples_[i].time_us);
        gpu.last_us = std::max(gpu.last_us, samples_[i].time_us);
        sum += per_cent;
        ++known;
    }
    if (known == 0) return nvml_success;
    const Nanoseconds now = clock_();
    gpu.busy_s += 0.01 * sum / static_cast<double>(known) * to_seconds(now - gpu.last_read);
    gpu.last_read = now;
    const double gap_s = before_us == 0 ? 0 : 1e-6 * static_cast<double>(earliest_us - before_us);
    if (gap_s > driver_samples_apart_s) gpu.unseen_s += gap_s;
    return nvml_success;
}

double NvidiaGpuBusyReader::busy_s(NvidiaBusy &gpu) noexcept {
    if (gpu.error != nvml_success) return unknown;
    if (gpu.by_samples) {
        const unsigned long long before_us = gpu.last_us;
        gpu.error = read_samples(gpu);
        // Without a new sample the driver knows nothing of the time since the last one yet.
        return gpu.error == nvml_success && gpu.last_us > before_us ? gpu.busy_s : unknown;
    }
    NvmlUtilization now;
    gpu.error = nvml_.utilization(gpu.device, &now);
    return gpu.error == nvml_success ? gpu.by_rates.advance(0.01 * now.gpu, clock_()) : unknown;
}

double NvidiaGpuBusyReader::clock_share(const NvidiaBusy &gpu) const noexcept {
    unsigned now_MHz = 0;
    if (gpu.error != nvml_success || nvml_.clock_MHz(gpu.device, nvml_clock_sm, &now_MHz) != nvml_success)
        return unknown;
    return static_cast<double>(now_MHz) / gpu.largest_MHz;
}

void NvidiaGpuBusyReader::read(std::span<double> values) noexcept {
    std::fill(values.begin(), values.end(), unknown);
    for (NvidiaBusy &gpu : working_) {
        const FoundGpu &found = found_[gpu.place];
        if (found.busy < values.size()) values[found.busy] = busy_s(gpu);
        if (found.clock && *found.clock < values.size()) values[*found.clock] = clock_share(gpu);
    }
}

std::vector<std::string> NvidiaGpuBusyReader::remarks() const {
    std::vector<std::string> all;
    for (const NvidiaBusy &gpu : working_) {
        const std::string &name = quantities_[found_[gpu.place].busy].name;
        const double seen_s = 1e-6 * static_cast<double>(gpu.last_us - gpu.first_us);
        if (gpu.error != nvml_success) {
            all.push_back(say(Sentence::remark_no_utilisation,
                              {{"what", fmt::format("{}: {}", name, nvml_.error_string(gpu.error))}}));
        } else if (!gpu.by_samples) {
            all.push_back(read_at_instants(name, gpu.by_rates.longest_step_s()));
        } else if (gpu.unseen_s > 0.05 * seen_s) {
            all.push_back(
                say(Sentence::remark_utilisation_forgotten, {{"gpu", name},
                                                             {"seconds", fmt::format("{:.1f}", gpu.unseen_s)},
                                                             {"all", fmt::format("{:.1f}", seen_s)}}));
        }
    }
    return all;
}

} // namespace

std::unique_ptr<GpuReader> make_nvidia_gpu_busy_reader(const ReaderOptions &options,
                                                       Nanoseconds (*clock)() noexcept) {
    return std::make_unique<NvidiaGpuBusyReader>(options, clock);
}

std::unique_ptr<Reader> make_nvidia_gpu_busy_reader(const ReaderOptions &options) {
    return make_nvidia_gpu_busy_reader(options, steady_now);
}

} // namespace cpl_lb
