// Fills the bins of each process, and of groups of them, with the busy time of each class of events.
#include "page/bins.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {
namespace {

// Calls each(bin, length) for the bins that the interval touches, ascending. Time outside the extent is left out. The
// intervals of several calls ascend: `bin` is that of the last call, 0 at the first.
template <class Each>
void for_each_bin(const BinEdges &edges, std::size_t &bin, Nanoseconds start, Nanoseconds stop, Each &&each) {
    if (start >= edges.end(bin)) {
        if (start >= edges.extent().stop) return;
        if (++bin; start >= edges.end(bin)) bin = edges.bin_of(start);
    }
    while (stop > edges.end(bin)) {
        if (edges.end(bin) > start) each(bin, edges.end(bin) - start);
        start = std::max(start, edges.end(bin));
        if (bin + 1 == edges.bins()) return;
        ++bin;
    }
    if (stop > start) each(bin, stop - start);
}

} // namespace

BinEdges::BinEdges(Interval extent, std::size_t bins) {
    for (std::size_t bin = 0; bin <= bins; ++bin) {
        edges_.push_back(extent.start + static_cast<Nanoseconds>(static_cast<WideNanoseconds>(extent.length()) *
                                                                 static_cast<WideNanoseconds>(bin) /
                                                                 static_cast<WideNanoseconds>(bins)));
    }
}

std::size_t BinEdges::bin_of(Nanoseconds t) const {
    const double place =
        static_cast<double>(t - edges_.front()) / static_cast<double>(edges_.back() - edges_.front());
    auto bin = std::min(static_cast<std::size_t>(place * static_cast<double>(bins())), bins() - 1);
    while (bin > 0 && edges_[bin] > t) // the quotient was rounded
        --bin;
    while (end(bin) <= t)
        ++bin;
    return bin;
}

std::uint8_t share_byte(double part, double whole) {
    if (!(whole > 0)) return 0;
    // Not std::lround, which would be a function call for each cell of the page.
    constexpr double half = 0.5;
    return static_cast<std::uint8_t>(255 * std::clamp(part / whole, 0.0, 1.0) + half);
}

GroupBins::GroupBins(Interval extent, std::size_t bins, std::span<const EventClass> classes) : edges_(extent, bins) {
    const bool each_alone = classes.size() <= most_columns;
    std::array<std::size_t, time_class_count> column_of_time{};
    column_of_time.fill(most_columns);
    for (std::size_t c = 0; c < classes.size(); ++c) {
        const TimeClass time_class = time_class_of(classes[c].kind);
        std::size_t &shared = column_of_time[static_cast<std::size_t>(time_class)];
        if (each_alone || shared == most_columns) {
            shared = class_of_.size();
            class_of_.push_back(static_cast<std::uint16_t>(c));
            time_class_of_.push_back(time_class);
        }
        column_of_.push_back(static_cast<std::uint16_t>(shared));
    }
    columns_ = class_of_.size();
    times_.resize(bins * columns_);
    away_.resize(bins);
}

void GroupBins::clear() {
    std::fill(times_.begin(), times_.end(), 0);
    std::fill(away_.begin(), away_.end(), 0);
    rows_ = 0;
}

void GroupBins::add_away(const Interval &away) {
    const Nanoseconds start = std::max(away.start, edges_.extent().start);
    std::size_t bin = 0;
    for_each_bin(edges_, bin, start, away.stop, [&](std::size_t b, Nanoseconds length) { away_[b] += length; });
}

void GroupBins::bytes(std::size_t bin, std::span<std::uint8_t> shares, std::uint16_t &dominant) const {
    std::array<double, time_class_count> sums{};
    Nanoseconds longest = 0;
    dominant = 0;
    for (std::size_t c = 0; c < columns_; ++c) {
        const Nanoseconds time = times_[bin * columns_ + c];
        sums[static_cast<std::size_t>(time_class_of_[c])] += static_cast<double>(time);
        if (time <= longest) continue;
        longest = time;
        dominant = static_cast<std::uint16_t>(class_of_[c] + 1);
    }
    sums[static_cast<std::size_t>(TimeClass::away)] += static_cast<double>(away_[bin]);
    const double whole = static_cast<double>(rows_) * static_cast<double>(edges_.width(bin));
    for (std::size_t c = 0; c < time_class_count; ++c)
        shares[c] = share_byte(sums[c], whole);
}

BinRow::BinRow(Interval extent, std::size_t bins) : edges_(extent, bins), dominant_(bins) {
    for (auto &busy : busy_)
        busy.resize(bins);
}

void BinRow::Open::start(std::size_t classes) {
    if (time.size() == classes) return;
    time.assign(classes, 0);
    touched.clear();
    few = classes <= most_few;
    for (std::size_t c = 0; few && c < classes; ++c)
        touched.push_back(static_cast<std::uint16_t>(c));
}

// Ends the current bin.
void BinRow::close(std::size_t bin, std::span<const EventClass> classes) {
    Nanoseconds longest = 0;
    for (const std::uint16_t c : open_.touched) {
        Nanoseconds &time = open_.time[c];
        busy_[static_cast<std::size_t>(time_class_of(classes[c].kind))][bin] += time;
        if (time > longest) {
            longest = time;
            dominant_[bin] = static_cast<std::uint16_t>(c + 1);
        }
        time = 0;
    }
    if (!open_.few) open_.touched.clear();
}

// Pages of very many processes spend most of their time here. So the loop keeps in local variables what it needs, and
// takes many pieces at a time.
template <bool grouped>
void BinRow::enter(std::span<const Piece> pieces, std::span<const EventClass> classes, GroupBins *group) {
    const BinEdges &edges = grouped ? group->edges() : edges_;
    const Interval extent = edges.extent();
    const std::size_t merged = edges.bins() / edges_.bins();
    const std::uint16_t *const columns = grouped ? group->columns() : nullptr;
    const bool few = open_.few;
    Nanoseconds *const busy = open_.time.data();
    Nanoseconds *times = nullptr;
    Nanoseconds bin_end = 0;
    std::size_t bin = 0;
    std::size_t row_end = (place_ / merged + 1) * merged; // end of the row's bin, in bins of the group
    const auto move_to = [&](std::size_t to) {
        bin = to;
        bin_end = edges.end(to);
        if constexpr (grouped) times = group->times(to);
        if (to < row_end) return;
        close(row_end / merged - 1, classes);
        row_end = (to / merged + 1) * merged;
    };
    const auto add = [&](std::uint16_t event_class, Nanoseconds length) {
        if (!few && busy[event_class] == 0) open_.touched.push_back(event_class);
        busy[event_class] += length;
        if constexpr (grouped) times[columns[event_class]] += length;
    };
    move_to(place_);
    for (const Piece &piece : pieces) {
        if (few && piece.stop <= bin_end && piece.start >= extent.start) { // the usual case
            busy[piece.event_class] += piece.stop - piece.start;
            if constexpr (grouped) times[columns[piece.event_class]] += piece.stop - piece.start;
            continue;
        }
        Nanoseconds start = std::max(piece.start, extent.start);
        if (start >= bin_end) {
            if (start >= extent.stop) break;
            move_to(start < edges.end(bin + 1) ? bin + 1 : edges.bin_of(start));
        }
        for (;;) {
            const Nanoseconds length = std::min(piece.stop, bin_end) - start;
            if (length > 0) add(piece.event_class, length);
            if (piece.stop <= bin_end || bin + 1 == edges.bins()) break;
            start = std::max(start, bin_end);
            move_to(bin + 1);
        }
    }
    place_ = bin;
}

template <bool grouped>
void BinRow::set_pieces(const Row &row, std::span<const std::uint16_t> class_of, std::span<const EventClass> classes,
                        GroupBins *group) {
    place_ = 0;
    std::array<Piece, pieces_at_once> pieces;
    Piece *next = pieces.data();
    const Piece *const end = next + pieces.size();
    const std::uint16_t *const events = class_of.data();
    segments_.of(row, [&](EventIndex k, Nanoseconds start, Nanoseconds stop) {
        next->start = start;
        next->stop = stop;
        next->event_class = events[k];
        if (++next < end) return;
        enter<grouped>(pieces, classes, group);
        next = pieces.data();
    });
    enter<grouped>({pieces.data(), next}, classes, group);
    close(grouped ? place_ / (group->edges().bins() / edges_.bins()) : place_, classes);
}

void BinRow::set(const Row &row, std::span<const std::uint16_t> class_of, std::span<const EventClass> classes,
                 GroupBins *group) {
    for (auto &busy : busy_)
        std::fill(busy.begin(), busy.end(), 0);
    std::fill(dominant_.begin(), dominant_.end(), std::uint16_t{0});
    open_.start(classes.size());
    if (group == nullptr)
        set_pieces<false>(row, class_of, classes, nullptr);
    else
        set_pieces<true>(row, class_of, classes, group);
    std::vector<Nanoseconds> &away = busy_[static_cast<std::size_t>(TimeClass::away)];
    for (const Interval &i : row.away) {
        std::size_t bin = 0;
        for_each_bin(edges_, bin, std::max(i.start, edges_.extent().start), i.stop,
                     [&](std::size_t b, Nanoseconds length) { away[b] += length; });
        if (group != nullptr) group->add_away(i);
    }
    if (group != nullptr) group->count_row();
}

std::uint8_t BinRow::share(TimeClass c, std::size_t bin) const {
    return share_byte(static_cast<double>(busy_[static_cast<std::size_t>(c)][bin]),
                      static_cast<double>(edges_.width(bin)));
}

std::vector<std::uint8_t> plane_by_plane(const std::vector<std::vector<std::uint8_t>> &groups, std::size_t planes,
                                         std::size_t bins) {
    std::vector<std::uint8_t> bytes;
    for (std::size_t plane = 0; plane < planes; ++plane) {
        for (const std::vector<std::uint8_t> &group : groups) {
            const auto from = group.begin() + static_cast<std::ptrdiff_t>(plane * bins);
            bytes.insert(bytes.end(), from, from + static_cast<std::ptrdiff_t>(bins));
        }
    }
    return bytes;
}

} // namespace cpl_lb
