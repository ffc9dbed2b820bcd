// The meters of one process while the model runs: memory and counters of the process, on one process of each node
// also the node's energy and memory. They are read on the events that happen anyway, at most every `sample_s`
// seconds, and on the node's leader by a sleeping thread when no event came for a minute, so that no energy counter
// wraps unseen.
#pragma once

#include "metering/periodic_thread.hpp"
#include "metering/resample.hpp"
#include "readers/energy.hpp"
#include "readers/resident_set.hpp"
#include "readers/sampler.hpp"
#include "record/recorder.hpp"
#include "record/tick_listener.hpp"

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cpl_lb {

class ProcessMeters final : public TickListener, public RegionProbe {
public:
    struct Setup {
        ReaderOptions readers;
        bool memory = true, energy = true;
        double sample_s = 1.0;
        bool leads_node = false;
        ClockPoint start; // some time ago: the rate of the ticks follows from it
        double longest_silence_s = 60.0;
    };
    // Opens the readers, which may take milliseconds, and takes a first sample. Throws std::bad_alloc only.
    explicit ProcessMeters(Setup setup);

    // On the recording thread: samples and regions from now on. The recorder must live until finish().
    void attach(Recorder &recorder);
    // The last sample; the thread ends.
    void finish(std::uint64_t ticks) noexcept;

    [[nodiscard]] std::uint64_t tick(std::uint64_t ticks) noexcept override;
    [[nodiscard]] std::size_t counters() const noexcept override;
    void read_counters(std::span<double> values) noexcept override;
    [[nodiscard]] double resident_B() noexcept override;
    [[nodiscard]] std::uint64_t shortest_for_memory_ticks() const noexcept override { return memory_ticks_; }

    // After finish().
    [[nodiscard]] double resident_at_end_B() const { return latest(process_, "rss"); }
    [[nodiscard]] double high_water_B() const { return latest(process_, "hwm"); }
    [[nodiscard]] double executable_B() const { return latest(process_, "executable"); }
    [[nodiscard]] double node_memory_B() const { return latest(node_, "node_memory"); }
    [[nodiscard]] const EnergyMeter *energy() const { return energy_.get(); } // null: not asked for, or not here
    // Samples of one quantity in the order of their times on CLOCK_MONOTONIC; empty: not measured.
    [[nodiscard]] std::vector<TimedValue> series(std::string_view quantity) const;
    [[nodiscard]] std::span<const Quantity> counter_quantities() const;
    [[nodiscard]] std::int64_t samples() const;
    [[nodiscard]] double sampling_s() const; // all samples together
    // What was asked for and is not there, with the reason and what to ask the administrator for; and what went
    // wrong.
    struct Absence {
        std::string what, why, remedy;
        bool of_node = false;
    };
    [[nodiscard]] std::vector<Absence> absences() const;

private:
    void open_process_readers();
    void open_node_readers();
    void note(std::string what, const Availability &answer, bool of_node);
    void sample(Nanoseconds now) noexcept;
    void sample_node(Nanoseconds now) noexcept;
    void share_energy(std::uint64_t ticks) noexcept;
    [[nodiscard]] Nanoseconds memory_cost() const noexcept;
    [[nodiscard]] std::chrono::nanoseconds watch() noexcept; // the thread's action
    [[nodiscard]] std::uint64_t ticks_of(Nanoseconds wait, std::uint64_t ticks, Nanoseconds now) const noexcept;
    [[nodiscard]] static double latest(const std::optional<Sampler> &sampler, std::string_view quantity);

    Setup setup_;
    Nanoseconds interval_;
    std::unique_ptr<Reader> rss_, counters_, node_memory_;
    std::unique_ptr<EnergyMeter> energy_;
    ResidentSet resident_; // for regions
    bool region_memory_ = false;
    std::uint64_t memory_ticks_ = 0;
    std::optional<Sampler> process_, node_;
    std::vector<Absence> absences_;
    Recorder *recorder_ = nullptr;
    Nanoseconds due_ = 0;
    double shared_J_ = unknown; // the node's energy when it was last shared out to regions

    std::atomic_flag node_busy_ = ATOMIC_FLAG_INIT; // one of the two threads samples the node
    std::atomic<Nanoseconds> node_sampled_{0};
    Nanoseconds longest_silence_ = 0;
    PeriodicThread thread_; // the last member: it ends before what it uses
};

} // namespace cpl_lb
