// perf_event_open(2), kept apart because tests replace it and other systems lack it.
#pragma once

#include "support/held_descriptor.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace cpl_lb {

struct PerfEventRequest {
    std::uint32_t type = 0;
    std::uint64_t config = 0, config1 = 0, config2 = 0;
    int process = 0;             // 0: this one, -1: all
    int cpu = -1;                // -1: wherever it runs
    bool exclude_kernel = false; // also leaves out the hypervisor
    bool exclude_user = false;
    bool stopped = false; // counts from start() on
    int group = -1;       // descriptor of the event that starts this one and whose read gives it too
};

// A descriptor, or -1 with errno.
using PerfEventOpen = int (*)(const PerfEventRequest &request);
[[nodiscard]] int system_perf_event_open(const PerfEventRequest &request);

// One open event. Its value is the 64-bit count since it was opened; the kernel handles overflow. If events take
// turns on too few hardware counters, the count is only a part: then there is no value, not an estimate.
class PerfEventFile {
public:
    PerfEventFile() = default;
    explicit PerfEventFile(int descriptor) noexcept;
    PerfEventFile(const PerfEventFile &) = delete;
    PerfEventFile &operator=(const PerfEventFile &) = delete;
    PerfEventFile(PerfEventFile &&other) noexcept = default;
    PerfEventFile &operator=(PerfEventFile &&other) noexcept = default;
    ~PerfEventFile();

    [[nodiscard]] bool is_open() const noexcept { return file_.was_opened(); }
    [[nodiscard]] int descriptor() const noexcept { return file_.number(); }
    [[nodiscard]] std::optional<std::uint64_t> read() const noexcept;
    // Starts the events of its group, which were opened `stopped`: an event that joins a running group counts only
    // from some later context switch on.
    [[nodiscard]] bool start() const noexcept;
    // Reads the counts of its group's events, itself first, with one system call. False: no values.
    [[nodiscard]] bool read_group(std::span<std::uint64_t> counts) const noexcept;

    static constexpr std::size_t most_in_group = 32;

private:
    [[nodiscard]] bool is_ours() const noexcept;

    HeldDescriptor file_;
    std::uint64_t id_ = 0; // the kernel's: all such files have one inode, and so have the model's eventfds
};

// The reason why perf_event_open failed and the remedy, from its errno and /proc/sys/kernel/perf_event_paranoid.
[[nodiscard]] std::string perf_failure_reason(int error);
[[nodiscard]] std::string perf_failure_remedy(int error, const std::string &procfs_root, int needed_paranoid);

} // namespace cpl_lb
