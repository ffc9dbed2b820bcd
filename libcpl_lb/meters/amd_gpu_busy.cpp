// How long AMD GPUs were busy, through ROCm SMI: its firmware adds the per cent of each millisecond to a counter.
// Where there is none, the latest per cent counts. Their clock is not read: the structure that tells it differs
// between versions of ROCm.
#include "meters/counter_file.hpp"
#include "meters/energy_readers.hpp"
#include "meters/gpu_reader.hpp"
#include "meters/rocm_smi_library.hpp"
#include "meters/table.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace cpl_lb {
namespace {

constexpr double s_per_percent_ms = 1e-5;
constexpr std::uint64_t percent_ms_range = std::uint64_t{1} << 32U;
constexpr double most_busy = 1.1; // a counter that says more counts something else

struct AmdBusy {
    std::uint32_t index = 0;
    std::size_t place = 0; // in found_
    bool by_count = false;
    WrapCounter percent_ms;
    Nanoseconds opened = 0;
    PowerIntegral by_percent;
    bool too_fast = false; // sticks
    RsmiStatus error = rsmi_success;
};

class AmdGpuBusyReader final : public GpuReader {
public:
    AmdGpuBusyReader(const ReaderOptions &options, Nanoseconds (*clock)() noexcept)
        : path_(options.rocm_smi_library), clock_(clock) {}

    [[nodiscard]] std::string_view name() const noexcept override { return "amd_gpu_busy"; }
    [[nodiscard]] Availability open() override;
    void read(std::span<double> values) noexcept override;
    [[nodiscard]] std::vector<std::string> remarks() const override;

private:
    void add_gpu(std::uint32_t index);
    [[nodiscard]] NodeGpu identity(std::uint32_t index) const;
    [[nodiscard]] RsmiStatus read_count(std::uint32_t index, std::uint64_t &percent_ms) const noexcept;
    [[nodiscard]] RsmiStatus read_share(std::uint32_t index, double &share) const noexcept;
    [[nodiscard]] double busy_s(AmdBusy &gpu) noexcept;

    std::string path_;
    Nanoseconds (*clock_)() noexcept;
    Rsmi rsmi_;
    std::vector<AmdBusy> working_;
};

Availability AmdGpuBusyReader::open() {
    std::vector<std::uint32_t> indices;
    Availability answer = rsmi_.open(path_, indices);
    knows_gpus_ = answer.works || answer.hardware_missing;
    if (!answer.works) return answer;
    for (const std::uint32_t index : indices)
        add_gpu(index);
    return one_works();
}

NodeGpu AmdGpuBusyReader::identity(std::uint32_t index) const {
    std::array<char, 128> text{};
    std::uint64_t id = 0;
    NodeGpu gpu;
    if (rsmi_.device_name != nullptr && rsmi_.device_name(index, text.data(), text.size() - 1) == rsmi_success)
        gpu.kind = text.data();
    // As in ROCR_VISIBLE_DEVICES.
    if (rsmi_.unique_id != nullptr && rsmi_.unique_id(index, &id) == rsmi_success)
        gpu.uuid = fmt::format("GPU-{:016x}", id);
    return gpu;
}

RsmiStatus AmdGpuBusyReader::read_count(std::uint32_t index, std::uint64_t &percent_ms) const noexcept {
    if (rsmi_.utilization_count == nullptr) return rsmi_not_supported;
    RsmiUtilization counter;
    std::uint64_t time_ns = 0;
    const RsmiStatus status = rsmi_.utilization_count(index, &counter, 1, &time_ns);
    percent_ms = counter.percent_ms;
    // All ones stand for "not there".
    const bool none = percent_ms == std::numeric_limits<std::uint64_t>::max() ||
                      percent_ms == std::numeric_limits<std::uint32_t>::max();
    return status == rsmi_success && none ? rsmi_not_supported : status;
}

RsmiStatus AmdGpuBusyReader::read_share(std::uint32_t index, double &share) const noexcept {
    if (rsmi_.busy_percent == nullptr) return rsmi_not_supported;
    std::uint32_t per_cent = 0;
    const RsmiStatus status = rsmi_.busy_percent(index, &per_cent);
    share = 0.01 * per_cent;
    return status;
}

void AmdGpuBusyReader::add_gpu(std::uint32_t index) {
    AmdBusy gpu;
    gpu.index = index;
    gpu.place = found_.size();
    gpu.opened = clock_();
    std::uint64_t percent_ms = 0;
    gpu.by_count = read_count(index, percent_ms) == rsmi_success;
    std::string why;
    if (gpu.by_count) {
        gpu.percent_ms = WrapCounter(percent_ms, percent_ms_range);
    } else {
        double share = 0;
        const RsmiStatus status = read_share(index, share);
        if (status != rsmi_success) why = rsmi_.failed("rsmi_dev_busy_percent_get", status).reason;
        gpu.by_percent = PowerIntegral(share, gpu.opened);
    }
    add_found(identity(index), fmt::format("amd-gpu-{}", index), false, why);
    if (why.empty()) working_.push_back(gpu);
}

double AmdGpuBusyReader::busy_s(AmdBusy &gpu) noexcept {
    if (gpu.error != rsmi_success || gpu.too_fast) return unknown;
    if (!gpu.by_count) {
        double share = 0;
        gpu.error = read_share(gpu.index, share);
        return gpu.error == rsmi_success ? gpu.by_percent.advance(share, clock_()) : unknown;
    }
    std::uint64_t percent_ms = 0;
    gpu.error = read_count(gpu.index, percent_ms);
    if (gpu.error != rsmi_success) return unknown;
    static_cast<void>(gpu.percent_ms.advance(percent_ms));
    const double busy_s = s_per_percent_ms * static_cast<double>(gpu.percent_ms.total());
    gpu.too_fast = busy_s > most_busy * to_seconds(clock_() - gpu.opened) + 0.1;
    return gpu.too_fast ? unknown : busy_s;
}

void AmdGpuBusyReader::read(std::span<double> values) noexcept {
    std::fill(values.begin(), values.end(), unknown);
    for (AmdBusy &gpu : working_) {
        const FoundGpu &found = found_[gpu.place];
        if (found.busy < values.size()) values[found.busy] = busy_s(gpu);
    }
}

std::vector<std::string> AmdGpuBusyReader::remarks() const {
    std::vector<std::string> all;
    for (const AmdBusy &gpu : working_) {
        const std::string &name = quantities_[found_[gpu.place].busy].name;
        const std::string why = gpu.error != rsmi_success ? rsmi_.words(gpu.error)
                                : gpu.too_fast            ? "its counter runs faster than time"
                                                          : std::string();
        if (!why.empty()) {
            all.push_back(say(Sentence::remark_no_utilisation, {{"what", fmt::format("{}: {}", name, why)}}));
        } else if (!gpu.by_count) {
            all.push_back(read_at_instants(name, gpu.by_percent.longest_step_s()));
        }
    }
    return all;
}

} // namespace

std::unique_ptr<GpuReader> make_amd_gpu_busy_reader(const ReaderOptions &options, Nanoseconds (*clock)() noexcept) {
    return std::make_unique<AmdGpuBusyReader>(options, clock);
}

std::unique_ptr<Reader> make_amd_gpu_busy_reader(const ReaderOptions &options) {
    return make_amd_gpu_busy_reader(options, steady_now);
}

} // namespace cpl_lb
