// The finest level of detail of the page's timeline. For each process and bin of time it has the exact share of each
// class of time, and the event class that fills most of the bin.
#pragma once

#include "analysis/innermost.hpp"
#include "data/events.hpp"
#include "page/shown_class.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cpl_lb {

class BinRow {
public:
    BinRow(Interval extent, std::size_t bins);

    // class_of: event class of each event of the row's component; kinds: kind of each event class.
    void set(const Row &row, std::span<const std::uint16_t> class_of, std::span<const EventClass> classes);

    // 255 is the whole bin. Shares of all classes of time add up to at most 255, roundings apart.
    [[nodiscard]] std::uint8_t share(TimeClass c, std::size_t bin) const;
    // 1 + the event class with the longest time in the bin; 0: no event.
    [[nodiscard]] std::uint16_t dominant(std::size_t bin) const { return dominant_[bin]; }
    [[nodiscard]] std::size_t bins() const { return bins_; }

private:
    template <class Each>
    void for_each_bin(Nanoseconds start, Nanoseconds stop, Each &&each) const;
    void flush(std::size_t bin);

    Interval extent_;
    std::size_t bins_;
    std::vector<Nanoseconds> edges_; // bins + 1
    std::array<std::vector<Nanoseconds>, time_class_count> busy_;
    std::vector<std::uint16_t> dominant_;
    std::vector<std::pair<std::uint16_t, Nanoseconds>> candidates_; // of one bin
    InnermostPieces segments_;
};

} // namespace cpl_lb
