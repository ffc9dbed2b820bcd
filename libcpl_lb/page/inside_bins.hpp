// What the page knows of a process between its events: the share of time in MPI, bin by bin, or that it is unknown.
#pragma once

#include "data/events.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cpl_lb {

// A byte for each bin: 0 to inside_whole, the share of the bin in MPI inside the component; or inside_unseen.
inline constexpr std::uint8_t inside_whole = 254;
inline constexpr std::uint8_t inside_unseen = 255;

class InsideBins {
public:
    InsideBins(Interval extent, std::size_t bins);

    // percent: raster_bins values of data/raster.hpp, of the same extent.
    void set_recorded(std::span<const signed char> percent);
    // For runs without recorded MPI. Between two of its own exchanges a process is taken to compute. If it misses two
    // or more of the same exchange of its component, what it does meanwhile is unknown. class_of: event class of each
    // event; running: of the component.
    void set_unrecorded(const Row &row, std::span<const std::uint16_t> class_of, std::span<const EventClass> classes,
                        Interval running);
    [[nodiscard]] std::span<const std::uint8_t> bytes() const { return bytes_; }
    [[nodiscard]] bool tells() const;

private:
    void add_unseen(Interval unseen);

    Interval extent_;
    std::vector<std::uint8_t> bytes_;
    std::vector<std::uint32_t> missed_; // by class: exchanges without this process since its last own one
};

// Means over the rows of a group.
class GroupInside {
public:
    explicit GroupInside(std::size_t bins) : inside_(bins), unseen_(bins) {}
    void clear();
    void add(std::span<const std::uint8_t> bytes);
    // Two planes: shares in MPI, shares not seen; 255 is the whole.
    [[nodiscard]] std::vector<std::uint8_t> planes() const;

private:
    std::vector<std::uint32_t> inside_, unseen_;
    std::uint32_t rows_ = 0;
};

} // namespace cpl_lb
