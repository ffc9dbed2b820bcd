// Bins of other widths get the means of the raster's bins. A bin counts as seen only if all of it was seen.
#include "page/inside_bins.hpp"

#include "data/raster.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {

InsideBins::InsideBins(Interval extent, std::size_t bins) : extent_(extent), bytes_(bins) {}

void InsideBins::set_recorded(std::span<const signed char> percent) {
    const double width = static_cast<double>(percent.size()) / static_cast<double>(bytes_.size());
    for (std::size_t bin = 0; bin < bytes_.size(); ++bin) {
        const double from = width * static_cast<double>(bin), to = from + width;
        double sum = 0;
        bool known = true;
        const std::size_t end = std::min(percent.size(), static_cast<std::size_t>(std::ceil(to)));
        for (auto at = static_cast<std::size_t>(from); at < end; ++at) {
            const auto place = static_cast<double>(at);
            known = known && percent[at] >= 0 && percent[at] <= 100;
            sum += percent[at] * (std::min(to, place + 1) - std::max(from, place));
        }
        bytes_[bin] = known ? static_cast<std::uint8_t>(std::lround(inside_whole * std::min(sum / width / 100, 1.0)))
                            : inside_unseen;
    }
}

void InsideBins::add_unseen(Interval unseen) {
    const double width = static_cast<double>(extent_.length()) / static_cast<double>(bytes_.size());
    if (!(width > 0)) return;
    const auto place = [&](Nanoseconds t) { return static_cast<double>(t - extent_.start) / width; };
    const auto bins = static_cast<double>(bytes_.size());
    const auto first = static_cast<std::ptrdiff_t>(std::clamp(std::ceil(place(unseen.start)), 0.0, bins));
    const auto end = static_cast<std::ptrdiff_t>(std::clamp(std::floor(place(unseen.stop)), 0.0, bins));
    if (end > first) std::fill(bytes_.begin() + first, bytes_.begin() + end, inside_unseen);
}

void InsideBins::set_unrecorded(const Row &row, std::span<const std::uint16_t> class_of,
                                std::span<const EventClass> classes, Interval running) {
    std::fill(bytes_.begin(), bytes_.end(), std::uint8_t{0});
    missed_.assign(classes.size(), 0);
    Nanoseconds seen_until = running.start;
    std::uint32_t most_missed = 0;
    for (std::size_t k = 0; k < row.start.size(); ++k) {
        if (!is_exchange(classes[class_of[k]].kind)) continue;
        if (row.start[k] == absent) {
            most_missed = std::max(most_missed, ++missed_[class_of[k]]);
            continue;
        }
        if (most_missed > 1) add_unseen({seen_until, row.start[k]});
        if (most_missed > 0) std::fill(missed_.begin(), missed_.end(), 0);
        most_missed = 0;
        seen_until = std::max(seen_until, row.stop[k]);
    }
    if (most_missed > 1) add_unseen({seen_until, running.stop});
}

bool InsideBins::tells() const {
    return std::any_of(bytes_.begin(), bytes_.end(), [](std::uint8_t b) { return b != 0; });
}

void GroupInside::clear() {
    std::fill(inside_.begin(), inside_.end(), 0);
    std::fill(unseen_.begin(), unseen_.end(), 0);
    rows_ = 0;
}

void GroupInside::add(std::span<const std::uint8_t> bytes) {
    ++rows_;
    for (std::size_t bin = 0; bin < bytes.size(); ++bin) {
        if (bytes[bin] == inside_unseen)
            ++unseen_[bin];
        else
            inside_[bin] += bytes[bin];
    }
}

std::vector<std::uint8_t> GroupInside::planes() const {
    std::vector<std::uint8_t> bytes(2 * inside_.size());
    const std::uint32_t rows = std::max(rows_, 1U);
    for (std::size_t bin = 0; bin < inside_.size(); ++bin) {
        bytes[bin] = static_cast<std::uint8_t>(std::lround(255.0 * inside_[bin] / (double{inside_whole} * rows)));
        bytes[inside_.size() + bin] = static_cast<std::uint8_t>(std::lround(255.0 * unseen_[bin] / rows));
    }
    return bytes;
}

} // namespace cpl_lb
