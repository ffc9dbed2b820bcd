// Time that one process spends in MPI inside its component, by class, as sums in bins of time. All bins have one
// width, which grows with the run: memory is bounded for any number of calls, and any interval of the run, such
// as the coupling loop, can be asked for later.
#pragma once

#include "data/inside.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>

namespace cpl_lb {

class InsideTimes {
public:
    // Marks the begin of recording MPI, also if no call follows.
    void starts(std::uint64_t now) noexcept;
    // Called on the recording thread. Calls come in the order of time and do not overlap.
    void add(MpiClass mpi_class, std::uint64_t begin, std::uint64_t end) noexcept {
        const auto c = static_cast<std::size_t>(mpi_class);
        ++calls_[c];
        if (const std::uint64_t at = (begin - origin_) >> shift_;
            at < bin_count && at == (end - origin_) >> shift_ && bins_ != nullptr) [[likely]] {
            bins_[at][c] += end - begin;
        } else {
            add_slow(c, begin, end);
        }
    }
    // False if MPI is not recorded, or there was no memory for it.
    [[nodiscard]] bool used() const { return bins_ != nullptr; }
    [[nodiscard]] std::int64_t calls(MpiClass c) const { return calls_[static_cast<std::size_t>(c)]; }
    // Ticks of that class between two times. The bins at both ends count in proportion to the part inside, so that
    // the error is below two bins: 1/1000 of the run.
    [[nodiscard]] double ticks_between(MpiClass mpi_class, std::uint64_t first, std::uint64_t last) const;
    // Calls each(begin, end, ticks of all classes) for each bin that has any, in the order of time.
    template <class Each>
    void for_each_bin(Each &&each) const {
        for (std::size_t i = 0; i < bin_count && bins_ != nullptr; ++i) {
            const std::uint64_t ticks = std::accumulate(bins_[i].begin(), bins_[i].end(), std::uint64_t{0});
            const std::uint64_t begin = origin_ + (std::uint64_t{i} << shift_);
            if (ticks > 0) each(begin, begin + (std::uint64_t{1} << shift_), ticks);
        }
    }

private:
    static constexpr std::size_t bin_count = 4096; // 128 KiB
    static constexpr unsigned first_shift = 18;    // of ticks: 0.1 ms

    void add_slow(std::size_t mpi_class, std::uint64_t begin, std::uint64_t end) noexcept;
    void widen() noexcept;

    using Bin = std::array<std::uint64_t, mpi_class_count>;
    std::uint64_t origin_ = 0;
    unsigned shift_ = first_shift;
    std::unique_ptr<Bin[]> bins_; // null: has not started, or no memory
    std::array<std::int64_t, mpi_class_count> calls_{};
};

} // namespace cpl_lb
