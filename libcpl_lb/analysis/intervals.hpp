// Lists of time intervals as sets of instants. "Ascending": by start; "disjoint": no two share an instant.
#pragma once

#include "data/time.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace cpl_lb {

using Intervals = std::vector<Interval>;

// Makes an ascending and disjoint list from any list, without intervals of no length.
[[nodiscard]] Intervals union_of(Intervals list);
// These take ascending, disjoint lists.
[[nodiscard]] Intervals difference_of(std::span<const Interval> from, std::span<const Interval> taken);
[[nodiscard]] Nanoseconds length_of(std::span<const Interval> list);

// Length of the union of intervals that are added in ascending order of start, without keeping them.
class UnionLength {
public:
    void add(Interval interval) {
        const Nanoseconds start = interval.start > covered_until_ ? interval.start : covered_until_;
        if (interval.stop <= start) return;
        length_ += interval.stop - start;
        covered_until_ = interval.stop;
    }
    [[nodiscard]] Nanoseconds length() const { return length_; }

private:
    Nanoseconds covered_until_ = absent; // the smallest number there is
    Nanoseconds length_ = 0;
};

// The streams below hold one interval at a time: an analysis of a million events needs no list of its own.
// A source is a callable bool(Interval &) that gives the next interval, false at the end.

// Makes a list a source.
inline auto source_of(std::span<const Interval> list) {
    return [next = list.begin(), end = list.end()](Interval &out) mutable {
        if (next == end) return false;
        out = *next++;
        return true;
    };
}

// The union of the intervals of an ascending source, one disjoint interval after the other.
template <class Source>
class UnionStream {
public:
    explicit UnionStream(Source source) : source_(source) { more_ = source_(next_); }
    bool operator()(Interval &out) {
        if (!more_) return false;
        out = next_;
        while ((more_ = source_(next_)) && next_.start <= out.stop) {
            if (next_.stop > out.stop) out.stop = next_.stop;
        }
        return true;
    }

private:
    Source source_;
    Interval next_;
    bool more_ = false;
};

// Subtracts the intervals of an ascending, disjoint source from ascending, disjoint pieces.
template <class Source>
class Subtrahend {
public:
    explicit Subtrahend(Source source) : source_(source) { more_ = source_(current_); }
    template <class Sink>
    void take_from(Interval piece, Sink &&sink) {
        while (more_ && current_.stop <= piece.start)
            more_ = source_(current_);
        while (more_ && current_.start < piece.stop) {
            if (current_.start > piece.start) sink(Interval{piece.start, current_.start});
            piece.start = current_.stop;
            if (piece.start >= piece.stop) return; // `current_` may reach into the next piece
            more_ = source_(current_);
        }
        sink(piece);
    }

private:
    Source source_;
    Interval current_;
    bool more_ = false;
};

// The opposite: the intervals of an ascending, disjoint source, less the ascending, disjoint pieces that
// arrive one by one.
template <class Source, class Sink>
class Remainder {
public:
    Remainder(Source source, Sink sink) : source_(source), sink_(sink) { more_ = source_(current_); }
    void take_out(Interval piece) {
        while (more_ && current_.start < piece.stop) {
            if (current_.start < piece.start) {
                sink_(Interval{current_.start, current_.stop < piece.start ? current_.stop : piece.start});
            }
            if (current_.stop > piece.stop) {
                current_.start = piece.stop;
                return;
            }
            more_ = source_(current_);
        }
    }
    void finish() {
        for (; more_; more_ = source_(current_))
            sink_(current_);
    }

private:
    Source source_;
    Sink sink_;
    Interval current_;
    bool more_ = false;
};

// Each time away, from the last process's leaving to the last one's return, over the processes that were away.
struct TimesAway {
    std::vector<Interval> times;
    bool differ = false; // these processes have different numbers of times away: then `times` means nothing
};

void add_away(TimesAway &all, std::span<const Interval> row);

// Sorts lists that are in order but for a few neighbours, as the event lists of processes are.
// Insertion while the moves stay few (linear then), else std::sort. `less` is a strict total order.
template <class Element, class Less>
void sort_nearly_sorted(std::vector<Element> &list, Less less) {
    std::size_t moves_left = 16 * list.size();
    for (std::size_t i = 1; i < list.size(); ++i) {
        for (std::size_t j = i; j > 0 && less(list[j], list[j - 1]); --j) {
            if (moves_left-- == 0) {
                std::ranges::sort(list, less);
                return;
            }
            std::swap(list[j], list[j - 1]);
        }
    }
}

} // namespace cpl_lb
