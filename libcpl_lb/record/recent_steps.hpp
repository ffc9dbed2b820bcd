// The last coupling steps of this process, while it records: how long they took, and its own time in exchanges in
// them (docs/definitions.md, section 9). Costs nothing before it is asked; then each mark is read once.
#pragma once

#include "data/kinds.hpp"
#include "record/recorder.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace cpl_lb {

inline constexpr std::size_t most_recent_steps = 1000;

struct RecentTimes {
    int steps = 0;             // that the times are of
    double seconds = 0;        // of these steps, without own_s
    double waiting_s = 0;      // in exchanges, less the events of other kinds inside them
    double coupling_s = 0;     // waiting_s and the coupler's operations
    double own_s = 0;          // the library's, in calls that ask
    std::size_t component = 0; // in Recorder::components()

    friend bool operator==(const RecentTimes &, const RecentTimes &) = default;
};

class RecentSteps {
public:
    // The last `steps` whole steps, or as many as there are, of the component that this process is in. Always of the
    // same recorder. Throws std::bad_alloc.
    [[nodiscard]] RecentTimes last(const Recorder &recorder, std::size_t steps, double ticks_per_s);
    // So much of the time since the last mark was the library's own. Call it after last().
    void add_own_time(std::uint64_t ticks) { own_ticks_ += ticks; }

private:
    // In ticks, since the beginning.
    struct Sums {
        std::uint64_t present = 0, waiting = 0, coupling = 0, own = 0;
        [[nodiscard]] std::uint64_t computing() const { return present - waiting; }
    };
    // Which exchange begins the steps: the most frequent one of late.
    class Reference {
    public:
        // Counts an exchange. True: it is the reference from now on.
        bool count(std::uint32_t exchange);
        [[nodiscard]] bool is(std::uint32_t exchange) const { return any_ && exchange == reference_; }

    private:
        std::unordered_map<std::uint32_t, std::uint32_t> counts_; // of the latest ones
        std::vector<std::uint32_t> latest_;                       // a ring
        std::size_t oldest_ = 0;
        std::uint32_t reference_ = 0;
        bool any_ = false;
    };
    // The computing between occurrences of the reference, with the longest one apart.
    struct Gaps {
        std::uint64_t sum = 0, longest = 0, count = 0;
        void add(std::uint64_t ticks);
        [[nodiscard]] bool is_burst(std::uint64_t ticks) const;
    };
    struct Component {
        Sums sums;
        Reference reference;
        Gaps gaps;
        std::uint64_t computing_before = 0; // the latest occurrence of the reference
        bool occurred = false, bursts = false;
        std::vector<Sums> begins; // of the latest steps: a ring
        std::size_t next = 0;

        void exchange_begins(std::uint32_t exchange);
        void forget_steps();
        void add_begin(const Sums &begin);
        [[nodiscard]] const Sums &begin_before(std::size_t steps) const; // 0: the latest
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
