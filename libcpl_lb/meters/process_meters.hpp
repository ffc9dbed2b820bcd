// The meters of one process while the model runs: those of the process, and on one process of each node also those of
// the node. They are read after events that happen anyway, at most every `sample_s` seconds. On the node's leader a
// sleeping thread reads them if no event came for a minute, so that no energy counter
// wraps unseen.
#pragma once

#include "meters/energy.hpp"
#include "meters/figures.hpp"
#include "meters/process_gpus.hpp"
#include "meters/sampler.hpp"
#include "meters/table.hpp"
#include "record/recorder.hpp"

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
        WantedMeters wanted;
        double sample_s = 1.0;
        bool leads_node = false;
        ClockPoint start;                 // an earlier time, from which the rate of the ticks follows
        std::int64_t first_switches = -1; // involuntary context switches at `start`; -1: not known
        double longest_silence_s = 60.0;
    };
    // Opens the readers, which may take milliseconds, and takes a first sample. Throws std::bad_alloc only.
    explicit ProcessMeters(Setup setup);

    // Called on the recording thread: samples and regions begin now. The recorder must live until finish().
    void attach(Recorder &recorder);
    // Takes the last sample and ends the thread.
    void finish(std::uint64_t ticks) noexcept;

    [[nodiscard]] std::uint64_t tick(std::uint64_t ticks) noexcept override;
    [[nodiscard]] std::size_t counters() const noexcept override;
    void read_counters(std::span<double> values) noexcept override;
    [[nodiscard]] double resident_B() noexcept override;
    [[nodiscard]] std::uint64_t shortest_for_memory_ticks() const noexcept override { return memory_ticks_; }

    // The rest is for the time after finish().
    [[nodiscard]] double resident_at_end_B() const { return latest(process_, "rss"); }
    [[nodiscard]] double high_water_B() const { return latest(process_, "hwm"); }
    [[nodiscard]] double executable_B() const { return latest(process_, "executable"); }
    [[nodiscard]] double node_memory_B() const { return latest(node_, "node_memory"); }
    [[nodiscard]] const EnergyMeter *energy() const { return energy_; } // null: not wanted, or not available
    // Samples of one quantity of a meter whose figures have places of their own, in the order of their times on
    // CLOCK_MONOTONIC; empty: not measured.
    [[nodiscard]] std::vector<TimedValue> series(std::string_view quantity) const;
    // The GPUs of the node, on its leader, with the samples of those that can be read.
    struct NodeGpuSamples {
        NodeGpu gpu;
        std::string why_not_busy;
        std::vector<TimedValue> busy_s, clock;
    };
    struct NodeGpuReadings {
        bool known = false; // false: whether there are any is not known
        std::vector<NodeGpuSamples> gpus;
    };
    [[nodiscard]] NodeGpuReadings node_gpus() const;
    // The GPUs that this process uses now.
    [[nodiscard]] ProcessGpus own_gpus() const { return gpus_of_process(setup_.readers); }
    // All quantities of the other meters, with their samples, also those that have none and a reason.
    [[nodiscard]] std::vector<SampledQuantity> listed() const;
    [[nodiscard]] std::span<const Quantity> counter_quantities() const;
    [[nodiscard]] std::int64_t samples() const;
    [[nodiscard]] double sampling_s() const; // all samples together
    // The wanted meters that do not work, with the reason and what to ask the administrator for, and everything
    // that went wrong.
    struct Absence {
        std::string what, why, remedy;
        bool of_node = false;
    };
    [[nodiscard]] std::vector<Absence> absences() const;

private:
    // An open reader, and the row that asked for it.
    struct OpenMeter {
        const MeterRow *row;
        std::unique_ptr<Reader> reader;
        bool works;
    };
    // The readers of one scope, which one sampler reads together.
    struct MeterGroup {
        std::vector<OpenMeter> meters;
        std::optional<Sampler> sampler; // none: no meter works
        // The place of a meter's first quantity in the sampler.
        [[nodiscard]] std::size_t first_of(const Reader &reader) const;
        [[nodiscard]] std::optional<std::size_t> find(std::string_view quantity) const;
        [[nodiscard]] std::vector<TimedValue> samples(std::size_t quantity) const;
    };
    void open_group(MeterGroup &group, bool of_node);
    void open_meter(MeterGroup &group, const MeterRow &row);
    void keep_for_regions(const OpenMeter &meter);
    void sample(Nanoseconds now) noexcept;
    void sample_node(Nanoseconds now) noexcept;
    void spool_switches(Nanoseconds now) noexcept;
    void share_energy(std::uint64_t ticks) noexcept;
    [[nodiscard]] Nanoseconds memory_cost() const noexcept;
    [[nodiscard]] std::chrono::nanoseconds watch() noexcept; // the thread's action
    [[nodiscard]] std::uint64_t ticks_of(Nanoseconds wait, std::uint64_t ticks, Nanoseconds now) const noexcept;
    [[nodiscard]] static double latest(const MeterGroup &group, std::string_view quantity);

    Setup setup_;
    Nanoseconds interval_;
    MeterGroup process_, node_;
    Reader *counters_ = nullptr;    // of process_, for regions, too; null: not asked for
    bool reads_gpus_ = false;       // the driver forgets their utilisation after some seconds
    EnergyMeter *energy_ = nullptr; // of node_; null: not asked for, or not here
    std::size_t first_energy_ = 0;  // its first quantity in a sample
    ResidentSet resident_;          // for regions
    bool region_memory_ = false;
    std::uint64_t memory_ticks_ = 0;
    std::vector<Absence> absences_;
    Recorder *recorder_ = nullptr;
    Nanoseconds due_ = 0;
    double shared_J_ = unknown; // the node's energy when it was last shared out to regions

    std::atomic_flag node_busy_ = ATOMIC_FLAG_INIT; // one of the two threads samples the node
    std::atomic<Nanoseconds> node_sampled_{0};
    Nanoseconds longest_silence_ = 0;
    PeriodicThread thread_; // the last member, so that it ends before the others that it uses
};

} // namespace cpl_lb
