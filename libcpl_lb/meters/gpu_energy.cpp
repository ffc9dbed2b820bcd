// Energy of GPUs, by the counter of each, else by its power, and of modules that hold one; and the memory in use.
#include "meters/energy_readers.hpp"
#include "meters/gpu_driver.hpp"
#include "meters/table.hpp"
#include "support/counted.hpp"

#include <algorithm>
#include <utility>

namespace cpl_lb {

Availability GpuDriver::open(const std::string &path, std::vector<unsigned> &gpus) {
    if (!library_.open(library_names(path, names.libraries)))
        return Availability::no_hardware(fmt::format("{} ({})", names.no_library, library_.error()));
    if (!find_all())
        return Availability::missing(fmt::format("{} has no {}", library_.name(), library_.missing()), names.newer);
    const int status = initialise();
    initialised_ = status == 0;
    if (has_no_gpu(status)) return Availability::no_hardware(failed(names.init_call, status).reason);
    if (!initialised_) return failed(names.init_call, status);
    unsigned count = 0;
    if (const int error = count_(&count); error != 0) return failed(names.count_call, error);
    for (unsigned gpu = 0; gpu < count; ++gpu)
        if (is_gpu(gpu)) gpus.push_back(gpu);
    return gpus.empty() ? Availability::no_hardware(names.no_gpu) : Availability::good();
}

namespace {

enum class What : std::uint8_t { joules, watts, module_watts, memory }; // the driver's functions

// One quantity.
struct GpuSource {
    unsigned gpu = 0;
    What what = What::joules;
    double first_J = 0;
    PowerIntegral integral{};
    bool refused = false, reset = false; // refused: from the start
    int error = 0;                       // of the last reading that failed
    std::int64_t failures = 0;
};

class GpuMeter final : public Reader {
public:
    // memory: its name where it reads memory; null: it reads energy.
    GpuMeter(std::unique_ptr<GpuDriver> driver, std::string path, Nanoseconds (*clock)() noexcept, const char *memory)
        : driver_(std::move(driver)), path_(std::move(path)), clock_(clock), memory_(memory) {}

    [[nodiscard]] std::string_view name() const noexcept override {
        return memory_ != nullptr ? memory_ : driver_->names.meter;
    }
    [[nodiscard]] Availability open() override;
    void read_known(std::span<double> values) noexcept override {
        for (std::size_t i = 0; i < all_.size(); ++i)
            if (!all_[i].refused) values[i] = value_of(all_[i]);
    }
    [[nodiscard]] std::vector<std::string> remarks() const override;

private:
    [[nodiscard]] int ask(const GpuSource &one, double &value) noexcept;
    void add_energy(unsigned gpu);
    [[nodiscard]] double value_of(GpuSource &one) noexcept;

    std::unique_ptr<GpuDriver> driver_;
    std::string path_;
    Nanoseconds (*clock_)() noexcept;
    const char *memory_;
    std::vector<GpuSource> all_; // as the quantities
};

int GpuMeter::ask(const GpuSource &one, double &value) noexcept {
    if (one.what == What::joules) return driver_->joules(one.gpu, value);
    if (one.what == What::watts) return driver_->watts(one.gpu, value);
    return one.what == What::memory ? driver_->memory_B(one.gpu, value) : driver_->module_watts(one.gpu, value);
}

void GpuMeter::add_energy(unsigned gpu) {
    GpuSource one{.gpu = gpu};
    one.error = ask(one, one.first_J);
    if (one.error == 0 && driver_->is_counted_elsewhere(one.first_J)) return;
    double watts = 0;
    if (const int error = one.error != 0 ? driver_->watts(gpu, watts) : gpu_cannot; error != gpu_cannot) {
        one.error = error;
        one.what = What::watts;
        one.integral = PowerIntegral(watts, clock_());
    }
    one.refused = one.error != 0;
    all_.push_back(one);
    const bool module = driver_->is_module(gpu);
    add_joules(fmt::format("{}{}-{}", driver_->names.prefix, module ? "apu" : "gpu", gpu), Scope::device,
               module ? Domain::module : Domain::gpu);
}

// Half of the GPUs is no figure: those that refuse their energy stay, without a value.
Availability GpuMeter::open() {
    std::vector<unsigned> gpus;
    Availability answer = driver_->open(path_, gpus);
    for (const unsigned gpu : gpus) {
        if (memory_ == nullptr) {
            add_energy(gpu);
            continue;
        }
        double used = 0;
        const GpuSource &one = all_.emplace_back(GpuSource{.gpu = gpu, .what = What::memory});
        if (const int error = ask(one, used); error != 0) return driver_->failed(driver_->names.memory_call, error);
        const std::string name = fmt::format("{}gpu-{}", driver_->names.prefix, gpu);
        quantities_.push_back({.name = name, .unit = "B", .scope = Scope::device});
    }
    if (!answer.works || memory_ != nullptr) return answer;
    if (all_.empty()) return Availability::missing("no AMD GPU on this node has counted any energy");
    if (std::ranges::all_of(all_, &GpuSource::refused)) {
        quantities_.clear();
        return driver_->failed(driver_->names.energy_call, std::exchange(all_, {}).front().error);
    }
    for (std::size_t i = all_.size(); i-- > 0;)
        if (all_[i].refused) answer.reason = quantities_[i].name + ": " + driver_->words(all_[i].error);
    for (const unsigned gpu : gpus) {
        double watts = 0;
        if (driver_->module_watts(gpu, watts) != 0) continue;
        all_.push_back({.gpu = gpu, .what = What::module_watts, .integral = PowerIntegral(watts, clock_())});
        add_joules(fmt::format("module-{}", gpu), Scope::device, Domain::module);
    }
    return answer;
}

double GpuMeter::value_of(GpuSource &one) noexcept {
    double value = 0;
    if (const int error = ask(one, value); error != 0) {
        one.error = error;
        ++one.failures;
        return unknown;
    }
    if (one.what == What::watts || one.what == What::module_watts) return one.integral.advance(value, clock_());
    one.reset = value < one.first_J;
    return one.reset ? unknown : value - one.first_J;
}

std::vector<std::string> GpuMeter::remarks() const {
    std::vector<std::string> texts;
    bool told = false; // of the modules, which are read together
    for (std::size_t i = 0; i < all_.size() && memory_ == nullptr; ++i) {
        const GpuSource &one = all_[i];
        const std::string &name = quantities_[i].name;
        const std::string times = one.failures > 0 ? fmt::format(" ({})", counted(one.failures, "time")) : "";
        const std::string power = tells_power(name, one.integral.longest_step_s());
        if (one.error != 0)
            texts.push_back(say(Sentence::remark_no_energy,
                                {{"what", fmt::format("{}: {}{}", name, driver_->words(one.error), times)}}));
        if (one.reset) texts.push_back(say(Sentence::remark_counter_reset, {{"name", name}}));
        if (one.what == What::watts && !one.refused) texts.push_back(power);
        if (one.what == What::module_watts && !std::exchange(told, true))
            texts.push_back(fmt::format("{}: {}", driver_->names.meter, power));
    }
    return texts;
}

} // namespace

std::unique_ptr<Reader> make_nvml_reader(const ReaderOptions &options) {
    return std::make_unique<GpuMeter>(nvml_driver(), options.nvml_library, options.clock, nullptr);
}
std::unique_ptr<Reader> make_rocm_smi_reader(const ReaderOptions &options) {
    return std::make_unique<GpuMeter>(rocm_smi_driver(), options.rocm_smi_library, options.clock, nullptr);
}
std::unique_ptr<Reader> make_nvidia_gpu_memory_reader(const ReaderOptions &options) {
    return std::make_unique<GpuMeter>(nvml_driver(), options.nvml_library, options.clock, "nvidia_gpu_memory");
}
std::unique_ptr<Reader> make_amd_gpu_memory_reader(const ReaderOptions &options) {
    return std::make_unique<GpuMeter>(rocm_smi_driver(), options.rocm_smi_library, options.clock, "amd_gpu_memory");
}

} // namespace cpl_lb
