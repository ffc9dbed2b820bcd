// Energy of the node: powercap where it can be read, else the perf power events; GPUs through NVML and ROCm SMI
// beside them; Cray's pm_counters, which also know the whole node. Where two sources count the same part, the first
// of these counts: they are never added, and where they disagree it is said.
//
// Threads: sample() and read() may be called from two threads, the one that records and the node's sleeping one. A
// call that meets another under way does not wait: sample() returns at once (the other one is sampling this very
// moment) and read() gives NaN. open(), totals() and remarks() are for one thread, when the other is not running.
#pragma once

#include "data/time.hpp"
#include "meters/reader.hpp"

#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace cpl_lb {

// Joules since open(); NaN: not measured here.
struct EnergyTotals {
    // The whole node if a source counts it, else the sum of its modules, else package_and_dram_J + gpu_J.
    double total_J = unknown;
    double package_and_dram_J = unknown;
    double package_J = unknown; // all sockets and dies; core and uncore lie inside it
    double dram_J = unknown;
    double core_J = unknown;
    double uncore_J = unknown;
    double psys_J = unknown; // the whole board: contains package and dram, never added to them
    double gpu_J = unknown;
    double module_J = unknown; // modules: contain package, dram and GPUs, never added to them
    double node_J = unknown;   // the whole node: contains all others, never added to them
};

class EnergyMeter final : public Reader {
public:
    explicit EnergyMeter(ReaderOptions options) : options_(std::move(options)) {}

    [[nodiscard]] std::string_view name() const noexcept override { return "energy"; }
    [[nodiscard]] Availability open() override;
    // The members of EnergyTotals, total first, on every machine: rows of different nodes fit together.
    void read_known(std::span<double> values) noexcept override;
    [[nodiscard]] std::vector<std::string> remarks() const override;

    // Adds the energy since the last sample. A call every longest_gap_s() is enough.
    void sample() noexcept;
    [[nodiscard]] EnergyTotals totals() const noexcept;
    // The total of one zone behind them: "package-0", "package-0/dram", ...
    struct ZoneTotal {
        std::string name;
        Domain domain = Domain::none;
        double joules = unknown;
    };
    [[nodiscard]] std::vector<ZoneTotal> zones() const;
    // The longest time between samples in which no counter wraps twice unseen. NaN seconds: there is no limit.
    [[nodiscard]] double longest_gap_s() const noexcept { return longest_gap_s_; }
    // The sources that work, named as in the table: "rapl, nvml"; empty: none.
    [[nodiscard]] std::string source() const;

private:
    struct Zone {
        std::size_t source = 0; // of sources_
        Domain domain = Domain::none;
        double last_J = 0, total_J = 0;
        double since_s = 0;    // time since last_J was read
        double rejected_s = 0; // time whose power was beyond what the domain can draw
        bool missing = false;  // its last reading was NaN
    };

    void list_quantities();
    [[nodiscard]] Availability open_cpu();
    // Adds a reader to sources_ if it works. Returns whether it does.
    bool open_beside(std::unique_ptr<Reader> reader);
    void add_source(std::unique_ptr<Reader> reader);
    void account(double elapsed_s) noexcept;
    [[nodiscard]] double zone_J(const Zone &zone) const noexcept;
    [[nodiscard]] bool counts_nothing(const Zone &zone) const noexcept;
    [[nodiscard]] bool has(Domain domain) const noexcept;
    [[nodiscard]] std::size_t source_of(Domain domain) const noexcept; // sources_.size(): none
    [[nodiscard]] double sum_of(Domain domain) const noexcept;
    [[nodiscard]] double sum_of(Domain domain, std::size_t source) const noexcept;
    void find_longest_gap();
    void compare_sockets(std::vector<std::string> &remarks) const;
    void compare_sources(std::vector<std::string> &remarks) const;
    void compare_parts(std::vector<std::string> &remarks) const;

    ReaderOptions options_;
    std::vector<std::unique_ptr<Reader>> sources_; // those that work; of a domain the first that has it counts
    std::vector<std::string> zone_names_;
    std::vector<Zone> zones_; // those of the first source, then those of the next
    std::vector<double> values_;
    Nanoseconds last_sample_ = 0;
    double sampled_s_ = 0, worst_gap_s_ = 0;
    double longest_gap_s_ = unknown;
    std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
};

// The highest power that the domain of one socket, board or GPU can draw [W].
[[nodiscard]] double most_power_W(Domain domain) noexcept;
// A counter that shows more than this multiple of that power was reset or misread.
inline constexpr double implausible_factor = 5;

} // namespace cpl_lb
