// What the page holds of consecutive rows of a component: bins, single events, the mean of a group.
#pragma once

#include "io/timeline/classic_rows.hpp"
#include "io/timeline/timeline_reader.hpp"
#include "page/bins.hpp"
#include "page/event_bytes.hpp"
#include "page/inside_bins.hpp"
#include "page/page_plan.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace cpl_lb {

// The rows of a timeline for the page. Several threads may read at once if the file's format allows it.
class TimelineRows {
public:
    // `reader` outlives this object. Throws FileError, like everything here.
    explicit TimelineRows(TimelineReader &reader);

    // The data that one thread keeps between its calls.
    struct Buffers {
        std::vector<Row> rows;
        ClassicRows::Buffer file;
    };
    // Whether several threads may read at once, each with buffers of its own.
    [[nodiscard]] bool shareable() const { return classic_.has_value(); }
    // Reads the first of these ascending processes, and the following ones that cost no more. Returns how many, at
    // least one; they are the first rows of buffers.rows. most_held: limit of events x processes in memory; at least
    // one row.
    std::size_t read(std::span<const std::int64_t> processes, std::int64_t most_held, Buffers &buffers) const;
    // The same as the reader's. Any thread may call it if shareable().
    [[nodiscard]] bool has_inside() const { return reader_.has_inside(); }
    void read_inside(std::int64_t process, std::span<signed char> percent) const {
        reader_.read_inside(process, percent);
    }

private:
    TimelineReader &reader_;
    std::optional<ClassicRows> classic_;
};

// Bytes of a bin: shares of the classes of time, and two bytes for the event class that fills most of it.
inline constexpr std::size_t bin_planes = time_class_count + 2;

struct TimelinePiece {
    std::vector<std::uint8_t> bins;         // plane after plane, in each row after row; empty without bins
    std::vector<std::uint8_t> group;        // plane after plane; empty without a group
    std::vector<std::uint8_t> inside;       // row after row, see InsideBins; empty if there is nothing to show
    std::vector<std::uint8_t> group_inside; // likewise
    std::vector<std::uint8_t> events;
    std::vector<std::int64_t> exact; // processes of the events
    unsigned gap_bytes = 1, length_bytes = 1;
};

// Makes pieces, one after the other; each thread has its own.
class PieceMaker {
public:
    PieceMaker(Interval extent, const PagePlan &plan, std::span<const EventClass> classes);

    struct Wanted {
        const TimelineRows &rows;
        std::span<const std::uint16_t> class_of; // by event
        std::span<const std::int64_t> processes; // ascending
        std::span<const std::int64_t> exact;     // ascending; those that are no processes of this piece do no harm
        bool group = false;                      // they form one group
        std::int64_t most_held;
        Interval running; // the component's
    };
    // `check` is called after each read; what it throws ends the work. Throws FileError.
    [[nodiscard]] TimelinePiece make(const Wanted &wanted, const std::function<void()> &check);

private:
    void add_bins(TimelinePiece &piece, std::size_t row, std::size_t rows) const;
    void add_inside(TimelinePiece &piece, const Wanted &wanted, std::size_t row, const Row &times);
    [[nodiscard]] std::vector<std::uint8_t> group_planes() const;

    std::span<const EventClass> classes_;
    std::size_t bins_;
    BinRow row_;
    std::unique_ptr<GroupBins> group_; // none if the page has no groups
    InsideBins inside_, inside_of_group_;
    GroupInside group_inside_;
    std::vector<signed char> percent_;
    EventBytes events_;
    TimelineRows::Buffers buffers_;
};

} // namespace cpl_lb
