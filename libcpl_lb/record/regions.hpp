// Named parts of the model's own code: inclusive time, calls and the meters' figures, summed as they happen.
#pragma once

#include "data/time.hpp"
#include "record/name_room.hpp"
#include "record/region_log.hpp"
#include "support/clock.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

// The control flow of annotated regions: which was entered from which, how often, in what order (Modeling Assertions,
// section 2.2). Created when the first region is annotated. Regions without an annotation cost nothing and do not
// appear.
class RegionFlow {
public:
    struct Edge {
        int from = 0, to = 0; // ids of regions; from 0: outside of all annotated ones
        std::int64_t times = 0;
        std::size_t next = none; // another edge to the same region
    };
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    explicit RegionFlow(std::size_t most_edges) : most_edges_(most_edges) {}

    // Makes the region appear from now on. Throws std::bad_alloc.
    void annotate(int region, bool is_open);

    // Called at a region's outermost begin and end. An edge for which there is no room is not counted.
    void enter(int region) noexcept;
    void leave(int region) noexcept;

    [[nodiscard]] const std::vector<Edge> &edges() const { return edges_; } // in the order of the first entry

private:
    [[nodiscard]] bool shows(int region) const noexcept {
        return static_cast<std::size_t>(region) < newest_.size() && shows_[static_cast<std::size_t>(region)];
    }
    std::vector<bool> shows_;         // by region
    std::vector<std::size_t> newest_; // by region: the last edge made to it
    std::vector<std::size_t> latest_; // by region: the edge of its latest entry; most come from the same place
    std::size_t most_edges_;
    std::vector<Edge> edges_;
    std::vector<int> open_; // open regions that appear, innermost last
};

// The meters that a region reads at its begin and end in addition to the clock; see meters/process_meters.hpp.
class RegionProbe {
public:
    RegionProbe() = default;
    RegionProbe(const RegionProbe &) = delete;
    RegionProbe &operator=(const RegionProbe &) = delete;
    virtual ~RegionProbe() = default;
    [[nodiscard]] virtual std::size_t counters() const noexcept = 0;
    virtual void read_counters(std::span<double> values) noexcept = 0; // NaN: not known
    [[nodiscard]] virtual double resident_B() noexcept = 0;            // NaN: not wanted or not known
    // Reading memory is a system call: it is left out for calls of a region that are likely to be shorter than this.
    [[nodiscard]] virtual std::uint64_t shortest_for_memory_ticks() const noexcept = 0;
};

struct SentMessages {
    std::int64_t count = 0, bytes = 0;

    void add(std::int64_t more_bytes) noexcept {
        ++count;
        bytes += more_bytes;
    }
};

struct RegionTimer {
    std::string name;
    std::uint64_t start_ticks = 0;
    std::uint64_t total_ticks = 0;
    std::int64_t calls = 0;
    std::int64_t depth = 0; // a region may call itself: only the outermost counts

    std::vector<double> start_counts{}, counts{}; // by counter; NaN: it failed once inside the region
    std::uint64_t last_length = 0;                // of the latest call, in ticks
    double start_B = unknown, change_B = 0;       // resident set
    std::int64_t memory_calls = 0;                // calls in which memory was read
    std::uint64_t shared_ticks = 0;               // total when energy was last shared out
    double energy_J = 0;
    SentMessages at_begin{}, messages{}; // messages of the process so far, and those inside the region

    // The region's time; a region that is still open counts up to now.
    [[nodiscard]] std::uint64_t total_at(std::uint64_t now) const {
        return depth > 0 ? total_ticks + (now - start_ticks) : total_ticks;
    }
};

class Regions {
public:
    [[nodiscard]] int id(std::string_view name);
    [[nodiscard]] bool knows(std::string_view name) const { return ids_.contains(name); }
    void keep_edges(std::size_t most) { most_edges_ = most; } // call it before the first region is annotated
    // From now on times() is kept, in at most so many bytes. Call it before the first region begins.
    void keep_times(std::size_t most_bytes) { times_ = RegionLog(most_bytes); }
    // False if there is no such region. A begin reads the clock after the probe and an end reads it before, so that a
    // region's time does not contain its own metering.
    bool begin(int region, ClockSource clock) noexcept;
    enum class End : std::uint8_t { good, unknown, not_begun };
    struct Ended {
        End how;
        std::uint64_t ticks; // when it ended; 0: it is still open, or was not open
    };
    // last_event: ticks of the latest event of the process; 0: there is none.
    Ended end(int region, ClockSource clock, std::uint64_t last_event = 0) noexcept;
    [[nodiscard]] const std::vector<RegionTimer> &timers() const { return timers_; }

    // Call it before the first region begins, on the recording thread. The probe must outlive the recording.
    void meter_with(RegionProbe &probe);
    // From now on counts the flow between this region and other annotated ones. Throws std::bad_alloc.
    void annotate(int region);                                           // the region exists
    [[nodiscard]] const RegionFlow *flow() const { return flow_.get(); } // null: nothing is annotated

    // From now on message() is called for each message, and regions count those sent inside them.
    void count_messages() noexcept { counts_messages_ = watched_ = true; }
    [[nodiscard]] bool counts_messages() const { return counts_messages_; }
    [[nodiscard]] SentMessages messages_in(const RegionTimer &timer) const noexcept; // so far, if it is open
    void message(std::int64_t bytes) noexcept { sent_.add(bytes); }

    // Shares out the node's energy since the last call by the part of that time in which each region was open.
    void share_energy(double joules, std::uint64_t now) noexcept;
    // Ends all regions that are still open, with their counters and memory.
    void close_all(std::uint64_t now) noexcept;
    [[nodiscard]] const RegionLog &times() const { return times_; }

private:
    void enter(int region, RegionTimer &timer) noexcept;
    void leave(int region, RegionTimer &timer) noexcept;
    [[nodiscard]] SentMessages messages_so_far(const RegionTimer &timer) const noexcept;
    void start_meters(RegionTimer &timer) noexcept;
    void stop_meters(RegionTimer &timer) noexcept;

    std::vector<RegionTimer> timers_;
    NumberOfName<int> ids_;
    std::size_t most_edges_ = 65536;
    RegionLog times_;
    bool watched_ = false; // meters, flow or messages are on: one test for all on the hot path
    bool counts_messages_ = false;
    SentMessages sent_;
    RegionProbe *probe_ = nullptr;
    std::unique_ptr<RegionFlow> flow_;
    std::vector<double> now_counts_;
    std::uint64_t shared_at_ = 0; // ticks of the last share_energy(); 0: none yet
};

} // namespace cpl_lb
