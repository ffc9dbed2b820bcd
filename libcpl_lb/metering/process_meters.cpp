#include "metering/process_meters.hpp"

#include "readers/steady_clock.hpp"
#include "readers/table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace cpl_lb {
namespace {

constexpr std::size_t kept_samples = 1024;
// A call of a region that lasts so many times as long as reading the memory is worth two readings: 2 % of its time.
constexpr Nanoseconds calls_for_a_reading = 100;

Nanoseconds monotonic_now() noexcept {
    return static_cast<Nanoseconds>(monotonic_ns());
}

} // namespace

ProcessMeters::ProcessMeters(Setup setup) : setup_(std::move(setup)), interval_(from_seconds(setup_.sample_s)) {
    open_process_readers();
    if (setup_.leads_node) open_node_readers();
    const Nanoseconds now = monotonic_now();
    sample(now);
    if (!node_) return;
    double silence_s = setup_.longest_silence_s;
    if (energy_ && is_known(energy_->longest_gap_s()))
        silence_s = std::min(silence_s, 0.5 * energy_->longest_gap_s());
    longest_silence_ = from_seconds(silence_s);
    if (!thread_.start(std::chrono::nanoseconds(longest_silence_), [this] { return watch(); })) {
        absences_.push_back({"samples while no event comes", "the system gives no thread for them", {}, true});
    }
}

void ProcessMeters::note(std::string what, const Availability &answer, bool of_node) {
    if (answer.reason.empty() && answer.works) return;
    absences_.push_back({std::move(what), answer.reason, answer.remedy, of_node});
}

void ProcessMeters::open_process_readers() {
    std::vector<Reader *> readers;
    if (setup_.memory) {
        rss_ = make_rss_reader(setup_.readers);
        const Availability answer = rss_->open();
        note("memory of a process", answer, false);
        if (answer.works) readers.push_back(rss_.get());
        region_memory_ = answer.works && resident_.open(setup_.readers) == 0;
    }
    if (!setup_.readers.counters.empty()) {
        counters_ = make_counters_reader(setup_.readers);
        const Availability answer = counters_->open();
        note("counters", answer, false);
        if (answer.works) readers.push_back(counters_.get());
    }
    if (!readers.empty()) process_.emplace(std::move(readers), interval_, kept_samples, steady_now);
}

void ProcessMeters::open_node_readers() {
    std::vector<Reader *> readers;
    if (setup_.energy) {
        energy_ = std::make_unique<EnergyMeter>(setup_.readers, steady_now);
        const Availability answer = energy_->open();
        note("energy", answer, true);
        if (answer.works)
            readers.push_back(energy_.get());
        else
            energy_.reset();
    }
    if (setup_.memory) {
        node_memory_ = make_node_memory_reader(setup_.readers);
        const Availability answer = node_memory_->open();
        note("memory of the node", answer, true);
        if (answer.works) readers.push_back(node_memory_.get());
    }
    if (!readers.empty()) node_.emplace(std::move(readers), interval_, kept_samples, steady_now);
}

// Of one reading, undisturbed: it differs by a factor of 50 between machines.
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
    if (process_ || node_) recorder.listen(*this);
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
    if (process_) process_->offer(now);
    sample_node(now);
    due_ = now + interval_;
}

// Nobody waits: when the other thread is sampling this very moment, that is the sample.
void ProcessMeters::sample_node(Nanoseconds now) noexcept {
    if (!node_ || node_busy_.test_and_set(std::memory_order_acquire)) return;
    node_->offer(now);
    node_sampled_.store(now, std::memory_order_relaxed);
    node_busy_.clear(std::memory_order_release);
}

std::chrono::nanoseconds ProcessMeters::watch() noexcept {
    const Nanoseconds now = monotonic_now();
    const Nanoseconds silent = now - node_sampled_.load(std::memory_order_relaxed);
    if (silent < longest_silence_) return std::chrono::nanoseconds(longest_silence_ - silent);
    sample_node(now);
    // With a large rn_sample the sampler has nothing due, but the counters may wrap.
    if (energy_) energy_->sample();
    return std::chrono::nanoseconds(longest_silence_);
}

// What the node used since the last sample goes to the regions that were open.
void ProcessMeters::share_energy(std::uint64_t ticks) noexcept {
    if (!energy_ || recorder_ == nullptr || node_busy_.test_and_set(std::memory_order_acquire)) return;
    const double cpu_J = node_->latest()[0], gpu_J = node_->latest()[6]; // as energy.cpp lists them
    node_busy_.clear(std::memory_order_release);
    const double total_J = is_known(gpu_J) ? cpu_J + gpu_J : cpu_J;
    recorder_->regions().share_energy(total_J - shared_J_, ticks);
    shared_J_ = total_J;
}

void ProcessMeters::finish(std::uint64_t ticks) noexcept {
    thread_.stop();
    const Nanoseconds now = monotonic_now();
    if (process_) process_->finish(now);
    if (node_) node_->finish(now);
    if (recorder_ == nullptr) return;
    share_energy(ticks);
    recorder_->regions().close_all(ticks);
}

std::size_t ProcessMeters::counters() const noexcept {
    return counters_ ? counters_->quantities().size() : 0;
}

void ProcessMeters::read_counters(std::span<double> values) noexcept {
    if (counters_) counters_->read(values);
}

double ProcessMeters::resident_B() noexcept {
    return region_memory_ ? resident_.read_B() : unknown;
}

std::span<const Quantity> ProcessMeters::counter_quantities() const {
    return counters_ ? counters_->quantities() : std::span<const Quantity>();
}

double ProcessMeters::latest(const std::optional<Sampler> &sampler, std::string_view quantity) {
    if (!sampler) return unknown;
    for (std::size_t i = 0; i < sampler->quantities().size(); ++i)
        if (sampler->quantities()[i].name == quantity) return sampler->latest()[i];
    return unknown;
}

std::vector<TimedValue> ProcessMeters::series(std::string_view quantity) const {
    std::vector<TimedValue> all;
    for (const std::optional<Sampler> *sampler : {&process_, &node_}) {
        if (!*sampler) continue;
        const Sampler &s = **sampler;
        for (std::size_t i = 0; i < s.quantities().size(); ++i) {
            if (s.quantities()[i].name != quantity) continue;
            for (std::size_t k = 0; k < s.times().size(); ++k)
                all.push_back({s.times()[k], s.values(k)[i]});
            return all;
        }
    }
    return all;
}

std::int64_t ProcessMeters::samples() const {
    return (process_ ? process_->samples() : 0) + (node_ ? node_->samples() : 0);
}

double ProcessMeters::sampling_s() const {
    double cost_s = 0;
    for (const std::optional<Sampler> *sampler : {&process_, &node_})
        if (*sampler && (*sampler)->samples() > 0)
            cost_s += 1e-9 * (*sampler)->mean_cost_ns() * static_cast<double>((*sampler)->samples());
    return cost_s;
}

std::vector<ProcessMeters::Absence> ProcessMeters::absences() const {
    std::vector<Absence> all = absences_;
    const auto add = [&](const char *what, const Reader *reader, bool of_node) {
        if (reader == nullptr) return;
        for (std::string &remark : reader->remarks())
            all.push_back({what, std::move(remark), {}, of_node});
    };
    add("energy", energy_.get(), true);
    add("counters", counters_.get(), false);
    return all;
}

} // namespace cpl_lb
