// Bins of time in MPI. They get wider as the run goes on.
#include "record/inside_times.hpp"

#include <algorithm>
#include <new>

namespace cpl_lb {

void InsideTimes::starts(std::uint64_t now) noexcept {
    if (bins_ != nullptr) return;
    bins_.reset(new (std::nothrow) Bin[bin_count]{});
    origin_ = now;
}

void InsideTimes::add_slow(std::size_t mpi_class, std::uint64_t begin, std::uint64_t end) noexcept {
    if (bins_ == nullptr) return;
    begin = std::max(begin, origin_);
    if (end <= begin) return;
    while ((end - origin_) >> shift_ >= bin_count)
        widen();
    while (begin < end) {
        const std::uint64_t at = (begin - origin_) >> shift_;
        const std::uint64_t next = std::min(end, origin_ + ((at + 1) << shift_));
        bins_[at][mpi_class] += next - begin;
        begin = next;
    }
}

// Unites each two bins.
void InsideTimes::widen() noexcept {
    for (std::size_t i = 0; i < bin_count; ++i) {
        Bin sum{};
        for (std::size_t from = 2 * i; from < std::min(2 * i + 2, bin_count); ++from)
            for (std::size_t c = 0; c < mpi_class_count; ++c)
                sum[c] += bins_[from][c];
        bins_[i] = sum;
    }
    ++shift_;
}

double InsideTimes::ticks_between(MpiClass mpi_class, std::uint64_t first, std::uint64_t last) const {
    const auto c = static_cast<std::size_t>(mpi_class);
    double sum = 0;
    if (bins_ == nullptr) return sum;
    for (std::size_t i = 0; i < bin_count; ++i) {
        const std::uint64_t bin_first = origin_ + (std::uint64_t{i} << shift_);
        const std::uint64_t bin_last = bin_first + (std::uint64_t{1} << shift_);
        const std::uint64_t from = std::max(first, bin_first), to = std::min(last, bin_last);
        if (from >= to) continue;
        const double part = static_cast<double>(to - from) / static_cast<double>(bin_last - bin_first);
        sum += part * static_cast<double>(bins_[i][c]);
    }
    return sum;
}

} // namespace cpl_lb
