// Adds up a process's time by kind in bins of equal length, and picks the largest kind of each bin.
#include "analysis/kind_raster.hpp"

#include "analysis/nesting.hpp"

#include <algorithm>

namespace cpl_lb {

RowOfWholeEvents::RowOfWholeEvents(std::span<const Kind> kind_of_class, Interval run, std::span<const Interval> away,
                                   Nanoseconds end)
    : run_(run), away_(away), end_(std::max<Nanoseconds>(end, 1)), to_(raster_edge(end_, 1)) {
    for (const Kind kind : kind_of_class)
        kind_of_class_.push_back(static_cast<std::uint8_t>(kind));
    kinds_.reserve(raster_bins);
}

void RowOfWholeEvents::add_piece(std::size_t kind, Nanoseconds start, Nanoseconds stop) {
    if (start >= from_ && stop <= to_) { // nearly all
        busy_[kind] += stop - start;
        return;
    }
    stop = std::min(stop, end_);
    for (start = std::max<Nanoseconds>(start, 0); start < stop;) {
        while (start >= to_)
            next_bin();
        const Nanoseconds until = std::min(stop, to_);
        busy_[kind] += until - start;
        start = until;
    }
}

// Adds events that follow each other, up to the last one that ends in the current bin.
std::size_t RowOfWholeEvents::add_inside_bin(std::span<const std::uint32_t> class_of_event,
                                             std::span<const Nanoseconds> start, std::span<const Nanoseconds> stop) {
    if (start.empty() || start[0] < from_) return 0;
    // Two sums in turn, so that no addition waits for the one before.
    std::array<std::array<Nanoseconds, kind_count>, 2> busy{};
    Sequence seen = sequence_; // copies that stay in registers
    const std::span<const std::uint8_t> kinds = kind_of_class_;
    const Nanoseconds to = to_;
    std::size_t k = 0;
    for (; k < start.size() && stop[k] <= to; ++k) {
        seen.add(start[k], stop[k]);
        busy[k % 2][kinds[class_of_event[k]]] += stop[k] - start[k];
    }
    sequence_ = seen;
    for (std::size_t kind = 0; kind < kind_count; ++kind)
        busy_[kind] += busy[0][kind] + busy[1][kind];
    return k;
}

bool RowOfWholeEvents::add(std::span<const std::uint32_t> class_of_event, std::span<const Nanoseconds> start,
                           std::span<const Nanoseconds> stop) {
    for (std::size_t k = 0; k < start.size() && !sequence_.broken(); ++k) {
        k += add_inside_bin(class_of_event.subspan(k), start.subspan(k), stop.subspan(k));
        if (k == start.size()) break;
        sequence_.add(start[k], stop[k]); // it crosses the border of a bin
        if (!sequence_.broken()) add_piece(kind_of_class_[class_of_event[k]], start[k], stop[k]);
    }
    return !sequence_.broken();
}

std::vector<signed char> RowOfWholeEvents::finish() {
    while (kinds_.size() < raster_bins)
        next_bin();
    return std::move(kinds_);
}

Nanoseconds RowOfWholeEvents::overlap(Interval i) const {
    return Interval{std::max(i.start, from_), std::min(i.stop, to_)}.length();
}

Nanoseconds RowOfWholeEvents::away_in_bin() {
    Nanoseconds sum = 0;
    while (!away_.empty() && away_.front().stop <= from_)
        away_ = away_.subspan(1);
    for (const Interval &i : away_) {
        if (i.start >= to_) break;
        sum += overlap(i);
    }
    return sum;
}

void RowOfWholeEvents::next_bin() {
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

std::vector<signed char> kind_raster(const Row &row, std::span<const std::uint32_t> class_of_event,
                                     std::span<const Kind> kind_of_class, Interval run, Nanoseconds end) {
    RowOfWholeEvents whole(kind_of_class, run, row.away, end);
    if (whole.add(class_of_event, row.start, row.stop)) return whole.finish();
    RowOfWholeEvents pieces(kind_of_class, run, row.away, end);
    InnermostPieces().of(row, [&](EventIndex k, Nanoseconds start, Nanoseconds stop) {
        pieces.add_piece(static_cast<std::size_t>(kind_of_class[class_of_event[k]]), start, stop);
    });
    return pieces.finish();
}

std::vector<signed char> kind_raster(const Row &row, const EventKeys &keys, Interval run, Nanoseconds end) {
    std::vector<Kind> kinds;
    for (const EventClass &c : keys.classes())
        kinds.push_back(c.kind);
    return kind_raster(row, keys.of_events(), kinds, run, end);
}

} // namespace cpl_lb
