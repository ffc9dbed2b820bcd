#include "analysis/kind_raster.hpp"

#include "analysis/innermost.hpp"

#include <algorithm>
#include <array>

namespace cpl_lb {
namespace {

// Takes pieces in ascending order: only the bin that they are in is held.
class RasterRow {
public:
    RasterRow(Interval run, std::span<const Interval> away, Nanoseconds end)
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
    std::span<const Interval> away_; // what is left of them
    Nanoseconds end_, from_ = 0, to_;
    std::array<Nanoseconds, kind_count> busy_{};
    std::vector<signed char> kinds_;
};

} // namespace

std::vector<signed char> kind_raster(const Row &row, std::span<const std::uint32_t> class_of_event,
                                     std::span<const Kind> kind_of_class, Interval run, Nanoseconds end) {
    RasterRow raster(run, row.away, end);
    InnermostPieces pieces;
    pieces.of(row, [&](EventIndex k, Nanoseconds start, Nanoseconds stop) {
        raster.add(kind_of_class[class_of_event[k]], start, stop);
    });
    return raster.finish();
}

std::vector<signed char> kind_raster(const Row &row, const EventKeys &keys, Interval run, Nanoseconds end) {
    std::vector<Kind> kinds;
    for (const EventKeys::Class &c : keys.classes())
        kinds.push_back(c.kind);
    return kind_raster(row, keys.of_events(), kinds, run, end);
}

} // namespace cpl_lb
