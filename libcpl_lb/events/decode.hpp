// Makes events from marks: matches every end with its begin, gives each event its date and component, turns ticks
// into nanoseconds. Used at terminate and for the files of a crashed run, so it trusts nothing.
#pragma once

#include "data/events.hpp"
#include "data/time.hpp"
#include "events/marks.hpp"
#include "support/clock.hpp"

#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace cpl_lb {

// A kind and a field of one process, by its own field id, in one word. catalogue.hpp has the ids of the run.
using LocalWhat = std::uint32_t;
[[nodiscard]] constexpr LocalWhat make_what(unsigned kind, std::uint32_t field) {
    return kind << mark_id_bits | field;
}
[[nodiscard]] constexpr Kind kind_of(LocalWhat what) {
    return static_cast<Kind>(what >> mark_id_bits);
}
[[nodiscard]] constexpr std::uint32_t field_of(LocalWhat what) {
    return what & mark_max_id;
}

// Hash of a sequence of small numbers. Several chains take the numbers in turn, so that a processor works on all of
// them at once.
class OrderHash {
public:
    void add(std::uint32_t number) { chains_[count_++ % chains_.size()].add(number); }
    // Adds many numbers; the hash is the same as with one call for each.
    void add(std::span<const std::uint32_t> numbers) {
        std::size_t i = 0;
        for (; i < numbers.size() && count_ % chains_.size() != 0; ++i)
            add(numbers[i]);
        std::array<Chain, 4> chains = chains_; // in registers
        for (; i + chains.size() <= numbers.size(); i += chains.size(), count_ += chains.size())
            for (std::size_t c = 0; c < chains.size(); ++c)
                chains[c].add(numbers[i + c]);
        chains_ = chains;
        for (; i < numbers.size(); ++i)
            add(numbers[i]);
    }
    [[nodiscard]] std::uint64_t low() const { return all().low; }
    [[nodiscard]] std::uint64_t high() const { return all().high; }

private:
    struct Chain {
        std::uint64_t low = 0x9e3779b97f4a7c15U;
        std::uint64_t high = 0xc2b2ae3d27d4eb4fU;

        void add(std::uint64_t value) {
            low = std::rotl((low ^ (value + 1)) * 0x9fb21c651e98df25U, 27);
            high = std::rotl(high + (value + 1), 31) * 0xd6e8feb86659fd93U;
        }
    };
    [[nodiscard]] Chain all() const {
        Chain sum;
        for (const Chain &c : chains_) {
            sum.add(c.low);
            sum.add(c.high);
        }
        return sum;
    }
    std::array<Chain, 4> chains_;
    std::size_t count_ = 0;
};

// From event `first` on (until the next) the model's date was `date`.
struct DateChange {
    std::size_t first = 0;
    std::int64_t date = no_date;
};

// The events of one component on one process, in the order of their begins.
struct LocalTimeline {
    std::vector<std::uint32_t> place; // of each event, in distinct
    std::vector<Nanoseconds> start;
    std::vector<Nanoseconds> stop;
    std::vector<DateChange> dates;
    std::vector<Interval> away;      // in other components, ascending, disjoint
    bool dated = false;              // the process gave dates while it was in this component
    std::vector<LocalWhat> distinct; // each kind and field once, in the order of first appearance
    OrderHash order;                 // of place
    std::size_t ended = 0;           // how many of these events have ended so far
    std::uint64_t end_order = 0;     // hash of the order of their ends; with that of the begins it gives the nesting
    // For some kinds and fields, the exchange number of each occurrence, if the occurrences are not just counted
    // (message_numbers.hpp).
    std::map<LocalWhat, std::vector<std::uint32_t>> numbers;
    // start and stop are empty: no event lies inside another, and for_each_block_of_times() reads the times when they
    // are needed, block by block, instead of writing them all to memory first.
    bool times_in_marks = false;

    [[nodiscard]] std::size_t size() const { return place.size(); }
    [[nodiscard]] LocalWhat what(std::size_t event) const { return distinct[place[event]]; }
};

struct DecodeProblems {
    std::int64_t end_without_begin = 0;
    LocalWhat first_end_without_begin = 0;
    std::int64_t forgotten_end = 0;
    LocalWhat first_forgotten_end = 0;
    std::int64_t dropped = 0; // events open when the memory bound was reached, or at the edge of a slice
    std::int64_t damaged_chunks = 0;
};

struct EventPlace {
    std::uint32_t component = 0;
    std::size_t index = 0; // in the component's timeline

    friend auto operator<=>(const EventPlace &, const EventPlace &) = default;
};

struct DecodedProcess {
    std::vector<LocalTimeline> components; // by the process's own component index
    DecodeProblems problems;
    Nanoseconds first_dropped = std::numeric_limits<Nanoseconds>::max(); // start of the earliest dropped event
    Nanoseconds last_mark = 0;                                           // time of the last mark
    Interval slice{0, 0}; // from the first resume to the last pause or the end; empty: no slice
    std::vector<ClockPoint> calibrations;
    std::vector<EventPlace> open_at_end; // the forgotten ends, in the order of their begins
};

struct DecodeInput {
    std::size_t chunks = 0;
    std::function<std::span<const Mark>(std::size_t)> chunk; // words of chunk i
    std::function<void(std::size_t)> done_with; // called once chunk i is not needed any more; may be empty
    TickScale scale;
    std::size_t components = 1;
    std::uint32_t fields = 1;      // ids below this exist
    std::uint64_t close_ticks = 0; // forgotten ends are closed here; 0: at the last mark
    bool full = false;             // the memory bound was reached: what is open was dropped, not forgotten
    std::size_t most_events = std::numeric_limits<std::size_t>::max(); // more: as at the memory bound
    bool list_open_at_end = true;                                      // see DecodedProcess
    bool times_may_stay = false; // times may stay in the marks, see LocalTimeline; then the chunks are still needed
};

[[nodiscard]] DecodedProcess decode(const DecodeInput &input);

// Decoding of a process whose events lie one after the other, none inside another: their times stay in the marks
// (LocalTimeline::times_in_marks) until they are written, and are read from there block by block (whole_events.cpp).
// Decodes everything but the times. Nothing if an event lies inside another, or if the marks hold more than events,
// dates, times and calibrations.
[[nodiscard]] std::optional<DecodedProcess> decode_whole_events(const DecodeInput &input);

// Takes the times of the events from `first` on. It may change them: they are used once.
using TakeTimes = std::function<void(std::size_t first, std::span<Nanoseconds> start, std::span<Nanoseconds> stop)>;

// Gives all events in order, in blocks that stay in the cache. The input is that of decode(), with unchanged chunks.
void for_each_block_of_times(const DecodeInput &input, const TakeTimes &take);

} // namespace cpl_lb
