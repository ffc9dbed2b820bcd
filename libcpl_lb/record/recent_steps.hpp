// The last coupling steps of this process during recording: their length, and the process's own time in exchanges
// (docs/definitions.md, section 9). Costs nothing until it is first asked. From then on each mark is read once.
#pragma once

#include "data/kinds.hpp"
#include "record/recorder.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace cpl_lb {

inline constexpr std::size_t most_recent_steps = 1000; // fewer, if the exchange that begins them comes in bursts

struct RecentTimes {
    int steps = 0;                              // over which the times are summed
    double seconds = 0;                         // length of these steps, without own_s
    double waiting_s = 0;                       // in exchanges, less the events of other kinds inside them
    double coupling_s = 0;                      // waiting_s and the coupler's operations
    double own_s = 0;                           // of the library itself, in calls that ask for the steps
    std::uint64_t from_ticks = 0, to_ticks = 0; // begin of the first of them, end of the last
    std::size_t component = 0;                  // in Recorder::components()
};

class RecentSteps {
public:
    // The last `steps` whole steps, or as many as there are, of the component in which this process is. Always called
    // with the same recorder. Throws std::bad_alloc.
    [[nodiscard]] RecentTimes last(const Recorder &recorder, std::size_t steps, double ticks_per_s);
    // Says how much of the time since the last mark was the library's own. Call it after last().
    void add_own_time(std::uint64_t ticks) { own_ticks_ += ticks; }

private:
    // In ticks, since the beginning.
    struct Sums {
        std::uint64_t present = 0, waiting = 0, coupling = 0, own = 0, at = 0; // at: of the recorder's clock
        [[nodiscard]] std::uint64_t computing() const { return present - waiting; }
    };
    // The exchange that begins the steps: the most frequent one of the latest.
    class Reference {
    public:
        // Counts an exchange. Returns true if it becomes the reference.
        bool count(std::uint32_t exchange);
        [[nodiscard]] bool is(std::uint32_t exchange) const { return any_ && exchange == reference_; }

    private:
        std::unordered_map<std::uint32_t, std::uint32_t> counts_; // of the latest ones
        std::vector<std::uint32_t> latest_;                       // a ring
        std::size_t oldest_ = 0;
        std::uint32_t reference_ = 0;
        bool any_ = false;
    };
    struct Component {
        Sums sums;
        Reference reference;
        std::vector<Sums> occurrences; // of the reference, where they began: a ring
        std::size_t next = 0;

        void exchange_begins(std::uint32_t exchange, std::uint64_t at);
        void forget_steps();
        [[nodiscard]] const Sums &occurrence(std::size_t place) const; // 0: the oldest
        [[nodiscard]] bool is_right_after(std::size_t place, std::uint64_t ticks) const;
        // The places of those occurrences that begin a step, if the reference comes in bursts; else empty.
        [[nodiscard]] std::vector<std::size_t> begins_of_bursts(std::size_t first) const;
        [[nodiscard]] std::vector<std::size_t> begins_of_steps(std::size_t wanted) const;
    };

    void take(const MarkRead &mark, std::uint64_t ticks);
    void pass_time(std::uint64_t ticks);
    void begin(Kind kind, std::uint32_t what);
    void end(std::uint32_t what);
    [[nodiscard]] std::uint32_t component_now() const { return inside_.empty() ? 0 : inside_.back(); }

    MarkStore::Place place_;
    std::uint64_t ticks_ = 0; // of the latest mark
    std::uint64_t own_ticks_ = 0;
    bool any_ = false;
    struct Open {
        std::uint32_t what;
        Kind kind;
    };
    std::vector<Open> open_; // events, outermost first
    std::size_t open_exchanges_ = 0;
    std::vector<std::uint32_t> inside_; // components that were begun
    std::map<std::uint32_t, Component> components_;
};

} // namespace cpl_lb
