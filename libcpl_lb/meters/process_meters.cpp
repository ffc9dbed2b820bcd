// Opens the readers of this process, takes samples that are due, and gives the figures at terminate.
#include "meters/process_meters.hpp"

#include "meters/gpu_driver.hpp"
#include "meters/processors.hpp"
#include "meters/reader.hpp"
#include "meters/table.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>

namespace cpl_lb {
namespace {

constexpr std::size_t kept_samples = 1024;
// A call of a region that lasts so many times as long as reading the memory is worth two readings: 2 % of its time.
constexpr Nanoseconds calls_for_a_reading = 100;
// For so long each driver keeps the utilisation of its GPUs.
constexpr double driver_remembers_s = 5;

Nanoseconds monotonic_now() noexcept {
    return static_cast<Nanoseconds>(monotonic_ns());
}

} // namespace

ProcessMeters::ProcessMeters(Setup setup) : setup_(std::move(setup)), interval_(from_seconds(setup_.sample_s)) {
    open_group(process_, false);
    if (setup_.leads_node) open_group(node_, true);
    const Nanoseconds now = monotonic_now();
    sample(now);
    if (!node_.sampler) return;
    double silence_s = setup_.longest_silence_s;
    if (energy_ != nullptr && is_known(energy_->longest_gap_s()))
        silence_s = std::min(silence_s, 0.5 * energy_->longest_gap_s());
    if (reads_gpus_) silence_s = std::min(silence_s, driver_remembers_s);
    longest_silence_ = from_seconds(silence_s);
    if (!thread_.start(std::chrono::nanoseconds(longest_silence_), [this] { return watch(); })) {
        absences_.push_back({"samples while no event comes", "the system gives no thread for them", {}, true});
    }
}

void ProcessMeters::open_group(MeterGroup &group, bool of_node) {
    for (const MeterRow &row : meter_table())
        if (row.part_of.empty() && row.of_node() == of_node && setup_.wanted.has(row.wanted)) open_meter(group, row);
    std::vector<Reader *> readers;
    for (const OpenMeter &meter : group.meters)
        if (meter.works) readers.push_back(meter.reader.get());
    if (!readers.empty()) group.sampler.emplace(std::move(readers), interval_, kept_samples, steady_now);
    if (energy_ != nullptr && of_node) first_energy_ = group.first_of(*energy_);
}

void ProcessMeters::open_meter(MeterGroup &group, const MeterRow &row) {
    auto reader = row.make(setup_.readers);
    const Availability answer = reader->open();
    const bool missed = !answer.works && !answer.hardware_missing;
    if (missed || (answer.works && !answer.reason.empty()))
        absences_.push_back({std::string(row.called), answer.reason, answer.remedy, row.of_node()});
    // Also one that does not work: its quantities may say why.
    group.meters.push_back({&row, std::move(reader), answer.works});
    keep_for_regions(group.meters.back());
}

void ProcessMeters::keep_for_regions(const OpenMeter &meter) {
    switch (meter.row->figures) {
    case Figures::resident_set:
        region_memory_ = meter.works && resident_.open(setup_.readers.procfs_root, setup_.readers.open_file) == 0;
        break;
    case Figures::counters:
        counters_ = meter.reader.get();
        break;
    case Figures::energy:
        if (meter.works) energy_ = dynamic_cast<EnergyMeter *>(meter.reader.get());
        break;
    case Figures::gpu_busy:
        reads_gpus_ = reads_gpus_ || meter.works;
        break;
    default:
        break;
    }
}

// The cost of one undisturbed reading. It differs by a factor of 50 between machines.
Nanoseconds ProcessMeters::memory_cost() const noexcept {
    constexpr int tries = 3;
    Nanoseconds least = std::numeric_limits<Nanoseconds>::max();
    for (int i = 0; i < tries && region_memory_; ++i) {
        const Nanoseconds before = monotonic_now();
        static_cast<void>(resident_.read_B());
        least = std::min(least, monotonic_now() - before);
    }
    return region_memory_ ? least : 0;
}

void ProcessMeters::attach(Recorder &recorder) {
    const Nanoseconds now = monotonic_now();
    const std::uint64_t ticks = read_ticks(recorder.clock());
    memory_ticks_ = ticks_of(calls_for_a_reading * memory_cost(), ticks, now);
    recorder_ = &recorder;
    if (counters() > 0 || region_memory_) recorder.regions().meter_with(*this);
    share_energy(ticks);
    if (process_.sampler || node_.sampler) recorder.listen(*this);
}

// The rate of the clock since the start, good enough to know about when a sample is due.
std::uint64_t ProcessMeters::ticks_of(Nanoseconds wait, std::uint64_t ticks, Nanoseconds now) const noexcept {
    const auto passed_ns = static_cast<double>(now - setup_.start.monotonic_ns);
    const auto passed_ticks = static_cast<double>(ticks - setup_.start.ticks);
    const double rate = passed_ns > 0 && passed_ticks > 0 ? passed_ticks / passed_ns : 1.0;
    return static_cast<std::uint64_t>(std::clamp(static_cast<double>(wait) * rate, 1.0, 9e18));
}

std::uint64_t ProcessMeters::tick(std::uint64_t ticks) noexcept {
    const Nanoseconds now = monotonic_now();
    if (now >= due_) {
        sample(now);
        share_energy(ticks);
    }
    return ticks + ticks_of(due_ - now, ticks, now);
}

void ProcessMeters::sample(Nanoseconds now) noexcept {
    if (process_.sampler) process_.sampler->offer(now);
    sample_node(now);
    spool_switches(now);
    due_ = now + interval_;
}

// A run that dies cannot tell at its end how often it lost its processor.
void ProcessMeters::spool_switches(Nanoseconds now) noexcept {
    if (recorder_ == nullptr || setup_.first_switches < 0) return;
    ChunkSource &source = recorder_->store().first_source();
    const std::int64_t switches = source.survives() ? involuntary_switches() : -1;
    const double seconds = to_seconds(now - setup_.start.monotonic_ns);
    if (switches >= setup_.first_switches && seconds > 0)
        source.lost_processor(static_cast<double>(switches - setup_.first_switches) / seconds);
}

// Nobody waits: when the other thread is sampling this very moment, that is the sample.
void ProcessMeters::sample_node(Nanoseconds now) noexcept {
    if (!node_.sampler || node_busy_.test_and_set(std::memory_order_acquire)) return;
    node_.sampler->offer(now);
    node_sampled_.store(now, std::memory_order_relaxed);
    node_busy_.clear(std::memory_order_release);
}

std::chrono::nanoseconds ProcessMeters::watch() noexcept {
    const Nanoseconds now = monotonic_now();
    const Nanoseconds silent = now - node_sampled_.load(std::memory_order_relaxed);
    if (silent < longest_silence_) return std::chrono::nanoseconds(longest_silence_ - silent);
    sample_node(now);
    // With a large rn_sample the sampler has nothing due, but the counters may wrap.
    if (energy_ != nullptr) energy_->sample();
    return std::chrono::nanoseconds(longest_silence_);
}

// The energy that the node used since the last sample goes to the regions that were open.
void ProcessMeters::share_energy(std::uint64_t ticks) noexcept {
    if (energy_ == nullptr || recorder_ == nullptr || node_busy_.test_and_set(std::memory_order_acquire)) return;
    const auto joules = node_.sampler->latest().subspan(first_energy_);
    const double total_J = joules[0]; // as energy.cpp lists them
    node_busy_.clear(std::memory_order_release);
    recorder_->regions().share_energy(total_J - shared_J_, ticks);
    shared_J_ = total_J;
}

void ProcessMeters::finish(std::uint64_t ticks) noexcept {
    thread_.stop();
    const Nanoseconds now = monotonic_now();
    for (MeterGroup *group : {&process_, &node_})
        if (group->sampler) group->sampler->finish(now);
    if (recorder_ == nullptr) return;
    share_energy(ticks);
    recorder_->regions().close_all(ticks);
}

std::size_t ProcessMeters::counters() const noexcept {
    return counters_ != nullptr ? counters_->quantities().size() : 0;
}

void ProcessMeters::read_counters(std::span<double> values) noexcept {
    if (counters_ != nullptr) counters_->read(values);
}

double ProcessMeters::resident_B() noexcept {
    return region_memory_ ? resident_.read_B() : unknown;
}

std::span<const Quantity> ProcessMeters::counter_quantities() const {
    return counters_ != nullptr ? counters_->quantities() : std::span<const Quantity>();
}

std::size_t ProcessMeters::MeterGroup::first_of(const Reader &reader) const {
    std::size_t first = 0;
    for (const OpenMeter &meter : meters) {
        if (meter.reader.get() == &reader) break;
        if (meter.works) first += meter.reader->quantities().size();
    }
    return first;
}

std::vector<TimedValue> ProcessMeters::MeterGroup::samples(std::size_t quantity) const {
    std::vector<TimedValue> all;
    for (std::size_t k = 0; k < sampler->times().size(); ++k)
        all.push_back({sampler->times()[k], sampler->values(k)[quantity]});
    return all;
}

// Where its sample stands. A listed meter may call a quantity as it likes: it is never found by that name alone.
std::optional<std::size_t> ProcessMeters::MeterGroup::find(std::string_view quantity) const {
    for (const OpenMeter &meter : meters) {
        if (!meter.works || meter.row->is_listed()) continue;
        const auto all = meter.reader->quantities();
        const auto at = std::find_if(all.begin(), all.end(), [&](const Quantity &q) { return q.name == quantity; });
        if (at != all.end()) return first_of(*meter.reader) + static_cast<std::size_t>(at - all.begin());
    }
    return std::nullopt;
}

double ProcessMeters::latest(const MeterGroup &group, std::string_view quantity) {
    const auto at = group.find(quantity);
    return at ? group.sampler->latest()[*at] : unknown;
}

std::vector<TimedValue> ProcessMeters::series(std::string_view quantity) const {
    for (const MeterGroup *group : {&process_, &node_})
        if (const auto at = group->find(quantity)) return group->samples(*at);
    return {};
}

std::vector<SampledQuantity> ProcessMeters::listed() const {
    std::vector<SampledQuantity> all;
    for (const MeterGroup *group : {&process_, &node_}) {
        for (const OpenMeter &meter : group->meters) {
            if (!meter.row->is_listed()) continue;
            std::size_t at = group->first_of(*meter.reader);
            for (const Quantity &quantity : meter.reader->quantities()) {
                all.push_back({meter.row->name, meter.row->of_node(), &quantity, {}});
                if (meter.works) all.back().samples = group->samples(at++);
            }
        }
    }
    return all;
}

ProcessMeters::NodeGpuReadings ProcessMeters::node_gpus() const {
    NodeGpuReadings all;
    bool read = false, known = true;
    for (const OpenMeter &meter : node_.meters) {
        if (meter.row->figures != Figures::gpu_busy) continue;
        const auto &reader = dynamic_cast<const GpuBusyReader &>(*meter.reader);
        read = true;
        known = known && reader.knows_gpus();
        const std::size_t first = node_.first_of(reader);
        for (const FoundGpu &found : reader.gpus()) {
            NodeGpuSamples &gpu = all.gpus.emplace_back();
            gpu.gpu = found.gpu;
            gpu.why_not_busy = found.why_not_busy;
            if (!meter.works || !found.why_not_busy.empty()) continue;
            gpu.busy_s = node_.samples(first + found.busy);
            if (found.clock) gpu.clock = node_.samples(first + *found.clock);
        }
    }
    // A graphics device that NVIDIA's driver does not list is of another maker.
    std::error_code none;
    const bool another =
        all.gpus.empty() && std::filesystem::exists(setup_.readers.sysfs_root + "/class/drm/renderD128", none);
    all.known = read && known && !another;
    return all;
}

std::int64_t ProcessMeters::samples() const {
    return (process_.sampler ? process_.sampler->samples() : 0) + (node_.sampler ? node_.sampler->samples() : 0);
}

double ProcessMeters::sampling_s() const {
    double cost_s = 0;
    for (const MeterGroup *group : {&process_, &node_})
        if (group->sampler && group->sampler->samples() > 0)
            cost_s += 1e-9 * group->sampler->mean_cost_ns() * static_cast<double>(group->sampler->samples());
    return cost_s;
}

std::vector<ProcessMeters::Absence> ProcessMeters::absences() const {
    std::vector<Absence> all = absences_;
    for (const MeterGroup *group : {&node_, &process_}) {
        for (const OpenMeter &meter : group->meters) {
            for (std::string &remark : meter.works ? meter.reader->remarks() : std::vector<std::string>())
                all.push_back({std::string(meter.row->called), std::move(remark), {}, meter.row->of_node()});
        }
    }
    return all;
}

} // namespace cpl_lb
