// Adds calls of regions to the latest entries, and halves the resolution when there are too many.
#include "record/region_log.hpp"

#include <algorithm>
#include <limits>
#include <new>

namespace cpl_lb {

std::span<const RegionCalls> RegionLog::of(int region) const {
    const auto place = static_cast<std::size_t>(region);
    return place < calls_.size() ? calls_[place] : std::span<const RegionCalls>();
}

void RegionLog::append(std::size_t place, RegionCalls calls) noexcept {
    if (count_ >= most_) unite_close();
    if (count_ >= most_) complete_ = false;
    if (!complete_) return;
    try {
        if (place >= calls_.size()) calls_.resize(place + 1);
        calls_[place].push_back(calls);
        ++count_;
    } catch (const std::bad_alloc &) {
        complete_ = false;
    }
}

// Unites entries until half of the room is free, so that this happens only a few times in a run.
void RegionLog::unite_close() noexcept {
    constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max() / 2;
    while (count_ > most_ / 2 && closest_ < largest) {
        std::uint64_t shortest = largest; // of two neighbours
        for (const std::vector<RegionCalls> &calls : calls_)
            for (std::size_t i = 1; i < calls.size(); ++i)
                shortest = std::min(shortest, calls[i].last_ticks - calls[i - 1].first_ticks);
        closest_ = std::max({2 * closest_, shortest, std::uint64_t{1}});
        count_ = 0;
        for (std::vector<RegionCalls> &calls : calls_) {
            std::size_t kept = 0;
            for (std::size_t i = 0; i < calls.size(); ++i) {
                if (kept > 0 && calls[i].last_ticks - calls[kept - 1].first_ticks < closest_) {
                    calls[kept - 1].last_ticks = calls[i].last_ticks;
                    calls[kept - 1].ticks += calls[i].ticks;
                } else {
                    calls[kept++] = calls[i];
                }
            }
            calls.resize(kept);
            count_ += kept;
        }
    }
}

} // namespace cpl_lb
