// Adds up a process's time by kind in bins of equal length, and picks the largest kind of each bin.
#include "analysis/kind_raster.hpp"

#include "analysis/nesting.hpp"

#include <algorithm>
#include <array>

namespace cpl_lb {

// Tells, without a branch, whether events follow each other.
class RowOfWholeEvents::Sequence {
public:
    void add(Nanoseconds start, Nanoseconds stop) {
        const auto s = static_cast<std::uint64_t>(start);
        const auto e = static_cast<std::uint64_t>(stop);
        // Looks at the highest bits. This also finds times so large that a difference would overflow, like `absent`.
        broken_ |= (s - last_stop_) | (e - s) | (s ^ s << 1U) | (e ^ e << 1U);
        last_stop_ = e;
    }
    [[nodiscard]] bool broken() const { return broken_ >> 63U != 0; }

private:
    std::uint64_t last_stop_ = std::uint64_t{3} << 62U; // -2^62
    std::uint64_t broken_ = 0;
};

// Takes pieces in ascending order, so that only the current bin is kept.
class RowOfWholeEvents::Raster {
public:
    Raster(Interval run, std::span<const Interval> away, Nanoseconds end)
        : run_(run), away_(away), end_(std::max<Nanoseconds>(end, 1)), to_(raster_edge(end_, 1)) {
        kinds_.reserve(raster_bins);
    }

    void add(Kind kind, Nanoseconds start, Nanoseconds stop) {
        if (start >= from_ && stop <= to_) { // nearly all
            busy_[static_cast<std::size_t>(kind)] += stop - start;
            return;
        }
        stop = std::min(stop, end_);
        for (start = std::max<Nanoseconds>(start, 0); start < stop;) {
            while (start >= to_)
                next_bin();
            const Nanoseconds until = std::min(stop, to_);
            busy_[static_cast<std::size_t>(kind)] += until - start;
            start = until;
        }
    }
    // Adds events that follow each other, up to the last one that ends in the current bin.
    std::size_t add_many(std::span<const std::uint8_t> kind_of_class, std::span<const std::uint32_t> class_of_event,
                         std::span<const Nanoseconds> start, std::span<const Nanoseconds> stop, Sequence &sequence) {
        if (start.empty() || start[0] < from_) return 0;
        // Two sums in turn, so that no addition waits for the one before.
        std::array<std::array<Nanoseconds, kind_count>, 2> busy{};
        Sequence seen = sequence; // a copy that stays in registers
        std::size_t k = 0;
        for (; k < start.size() && stop[k] <= to_; ++k) {
            seen.add(start[k], stop[k]);
            busy[k % 2][kind_of_class[class_of_event[k]]] += stop[k] - start[k];
        }
        sequence = seen;
        for (std::size_t kind = 0; kind < kind_count; ++kind)
            busy_[kind] += busy[0][kind] + busy[1][kind];
        return k;
    }
    [[nodiscard]] std::vector<signed char> finish() {
        while (kinds_.size() < raster_bins)
            next_bin();
        return std::move(kinds_);
    }

private:
    [[nodiscard]] Nanoseconds overlap(Interval i) const {
        return Interval{std::max(i.start, from_), std::min(i.stop, to_)}.length();
    }
    Nanoseconds away_in_bin() {
        Nanoseconds sum = 0;
        while (!away_.empty() && away_.front().stop <= from_)
            away_ = away_.subspan(1);
        for (const Interval &i : away_) {
            if (i.start >= to_) break;
            sum += overlap(i);
        }
        return sum;
    }
    void next_bin() {
        const Nanoseconds elsewhere = to_ - from_ - overlap(run_) + away_in_bin();
        Nanoseconds longest = to_ - from_ - elsewhere;
        for (const Nanoseconds busy : busy_)
            longest -= busy;
        longest = std::max<Nanoseconds>(longest, 0);
        signed char kind = raster_computing;
        if (elsewhere > longest || from_ == to_) {
            longest = elsewhere;
            kind = raster_not_running;
        }
        for (std::size_t k = 0; k < kind_count; ++k) {
            if (busy_[k] <= longest) continue;
            longest = busy_[k];
            kind = static_cast<signed char>(k);
        }
        kinds_.push_back(kind);
        busy_.fill(0);
        from_ = to_;
        to_ = raster_edge(end_, kinds_.size() + 1);
    }

    Interval run_;
    std::span<const Interval> away_; // the intervals that are left
    Nanoseconds end_, from_ = 0, to_;
    std::array<Nanoseconds, kind_count> busy_{};
    std::vector<signed char> kinds_;
};

RowOfWholeEvents::RowOfWholeEvents(std::span<const Kind> kind_of_class, Interval run, std::span<const Interval> away,
                                   Nanoseconds end)
    : raster_(std::make_unique<Raster>(run, away, end)), sequence_(std::make_unique<Sequence>()) {
    for (const Kind kind : kind_of_class)
        kind_of_class_.push_back(static_cast<std::uint8_t>(kind));
}

RowOfWholeEvents::~RowOfWholeEvents() = default;

bool RowOfWholeEvents::add(std::span<const std::uint32_t> class_of_event, std::span<const Nanoseconds> start,
                           std::span<const Nanoseconds> stop) {
    for (std::size_t k = 0; k < start.size() && !sequence_->broken(); ++k) {
        k += raster_->add_many(kind_of_class_, class_of_event.subspan(k), start.subspan(k), stop.subspan(k),
                               *sequence_);
        if (k == start.size()) break;
        sequence_->add(start[k], stop[k]); // it crosses the border of a bin
        if (!sequence_->broken())
            raster_->add(static_cast<Kind>(kind_of_class_[class_of_event[k]]), start[k], stop[k]);
    }
    return !sequence_->broken();
}

std::vector<signed char> RowOfWholeEvents::finish() {
    return raster_->finish();
}

std::vector<signed char> kind_raster(const Row &row, std::span<const std::uint32_t> class_of_event,
                                     std::span<const Kind> kind_of_class, Interval run, Nanoseconds end) {
    RowOfWholeEvents whole(kind_of_class, run, row.away, end);
    if (whole.add(class_of_event, row.start, row.stop)) return whole.finish();
    RowOfWholeEvents::Raster raster(run, row.away, end);
    InnermostPieces pieces;
    pieces.of(row, [&](EventIndex k, Nanoseconds start, Nanoseconds stop) {
        raster.add(kind_of_class[class_of_event[k]], start, stop);
    });
    return raster.finish();
}

std::vector<signed char> kind_raster(const Row &row, const EventKeys &keys, Interval run, Nanoseconds end) {
    std::vector<Kind> kinds;
    for (const EventClass &c : keys.classes())
        kinds.push_back(c.kind);
    return kind_raster(row, keys.of_events(), kinds, run, end);
}

} // namespace cpl_lb
