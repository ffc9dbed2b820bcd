// When each region used its time, from which its time in each coupling step follows (docs/definitions.md, section 2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cpl_lb {

// Calls of one region without an event between them, or calls that are close to each other.
struct RegionCalls {
    std::uint64_t first_ticks = 0; // the first one's begin
    std::uint64_t last_ticks = 0;  // the last one's end
    std::uint64_t ticks = 0;       // their sum
};

class RegionLog {
public:
    // Uses at most so many bytes. If more would be needed, calls that are close are united, the closest first.
    explicit RegionLog(std::size_t most_bytes = 0) : most_(most_bytes / sizeof(RegionCalls)) {}

    // Adds one outermost call of a region; regions count from 1. last_event: ticks of the process's latest event.
    void add(int region, std::uint64_t begin, std::uint64_t end, std::uint64_t last_event) noexcept {
        const auto place = static_cast<std::size_t>(region);
        if (place < calls_.size() && !calls_[place].empty()) {
            RegionCalls &last = calls_[place].back();
            if (last.last_ticks > last_event || end - last.first_ticks < closest_) {
                last.last_ticks = end;
                last.ticks += end - begin;
                return;
            }
        }
        append(place, {begin, end, end - begin});
    }

    [[nodiscard]] std::span<const RegionCalls> of(int region) const;
    // Calls closer than this may be united in spite of an event between them; 0: none are.
    [[nodiscard]] std::uint64_t closest_ticks() const { return closest_; }
    [[nodiscard]] bool complete() const { return complete_; } // false: there was no memory, or none was allowed

private:
    void append(std::size_t place, RegionCalls calls) noexcept;
    void unite_close() noexcept;

    std::vector<std::vector<RegionCalls>> calls_; // by region
    std::size_t count_ = 0;
    std::size_t most_;
    std::uint64_t closest_ = 0;
    bool complete_ = true;
};

} // namespace cpl_lb
