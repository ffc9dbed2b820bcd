// Fills the bins of each process with the busy time of each class of events.
#include "page/bins.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {

BinRow::BinRow(Interval extent, std::size_t bins) : extent_(extent), bins_(bins), dominant_(bins) {
    for (auto &busy : busy_)
        busy.resize(bins);
    for (std::size_t bin = 0; bin <= bins; ++bin) {
        edges_.push_back(extent.start + static_cast<Nanoseconds>(static_cast<WideNanoseconds>(extent.length()) *
                                                                 static_cast<WideNanoseconds>(bin) /
                                                                 static_cast<WideNanoseconds>(bins)));
    }
}

// each(bin, length) for the bins that the interval touches, ascending; what lies outside the extent is left out.
template <class Each>
void BinRow::for_each_bin(Nanoseconds start, Nanoseconds stop, Each &&each) const {
    start = std::max(start, extent_.start);
    stop = std::min(stop, extent_.stop);
    if (start >= stop) return;
    const double place = static_cast<double>(start - extent_.start) / static_cast<double>(extent_.length());
    auto bin = std::min(static_cast<std::size_t>(place * static_cast<double>(bins_)), bins_ - 1);
    while (bin > 0 && edges_[bin] > start) // the quotient was rounded
        --bin;
    while (start < stop) {
        const Nanoseconds end = std::min(stop, edges_[bin + 1]);
        if (end > start) each(bin, end - start);
        start = std::max(start, end);
        ++bin;
    }
}

void BinRow::flush(std::size_t bin) {
    if (candidates_.empty()) return;
    const auto longest = std::max_element(candidates_.begin(), candidates_.end(),
                                          [](const auto &a, const auto &b) { return a.second < b.second; });
    dominant_[bin] = static_cast<std::uint16_t>(longest->first + 1);
    candidates_.clear();
}

void BinRow::set(const Row &row, std::span<const std::uint16_t> class_of, std::span<const EventClass> classes) {
    for (auto &busy : busy_)
        std::fill(busy.begin(), busy.end(), 0);
    std::fill(dominant_.begin(), dominant_.end(), std::uint16_t{0});
    candidates_.clear();
    std::size_t now = 0;
    segments_.of(row, [&](EventIndex k, Nanoseconds start, Nanoseconds stop) {
        const std::uint16_t event_class = class_of[k];
        std::vector<Nanoseconds> &busy = busy_[static_cast<std::size_t>(time_class_of(classes[event_class].kind))];
        for_each_bin(start, stop, [&](std::size_t bin, Nanoseconds length) {
            busy[bin] += length;
            if (bin != now) flush(now);
            now = bin;
            const auto same = std::find_if(candidates_.begin(), candidates_.end(),
                                           [&](const auto &c) { return c.first == event_class; });
            if (same == candidates_.end())
                candidates_.emplace_back(event_class, length);
            else
                same->second += length;
        });
    });
    flush(now);
    std::vector<Nanoseconds> &away = busy_[static_cast<std::size_t>(TimeClass::away)];
    for (const Interval &i : row.away)
        for_each_bin(i.start, i.stop, [&](std::size_t bin, Nanoseconds length) { away[bin] += length; });
}

std::uint8_t BinRow::share(TimeClass c, std::size_t bin) const {
    const Nanoseconds width = edges_[bin + 1] - edges_[bin];
    if (width <= 0) return 0;
    const double part = static_cast<double>(busy_[static_cast<std::size_t>(c)][bin]) / static_cast<double>(width);
    return static_cast<std::uint8_t>(std::lround(255 * std::clamp(part, 0.0, 1.0)));
}

} // namespace cpl_lb
