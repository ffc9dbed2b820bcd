// Compares the bytes of rows as seconds and keeps the earliest and the latest of each event.
#include "io/timeline/row_extremes.hpp"

#include "io/timeline/classic_file.hpp"
#include "io/timeline/timeline.hpp"
#include "io/timeline/timeline_times.hpp"
#include "io/timeline/vectorized.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace cpl_lb {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

constexpr std::uint64_t mask(bool condition) {
    return ~static_cast<std::uint64_t>(condition) + 1;
}
constexpr double chosen(std::uint64_t mask, double value, double otherwise) {
    return std::bit_cast<double>((std::bit_cast<std::uint64_t>(value) & mask) |
                                 (std::bit_cast<std::uint64_t>(otherwise) & ~mask));
}

struct Columns {
    double *first_start, *last_start, *last_stop;
    std::int64_t *processes;
};

// No branch, and nothing that could lie in the arrays: so compilers make vector code of the loop.
inline bool add_events(const std::uint64_t *start, const std::uint64_t *stop, std::size_t events, FillValues fill,
                       Columns to) {
    double *__restrict first_start = to.first_start;
    double *__restrict last_start = to.last_start;
    double *__restrict last_stop = to.last_stop;
    std::int64_t *__restrict processes = to.processes;
    std::uint64_t bad = 0;
    for (std::size_t k = 0; k < events; ++k) {
        const auto s = std::bit_cast<double>(big_endian(start[k]));
        const auto e = std::bit_cast<double>(big_endian(stop[k]));
        const std::uint64_t s_given = mask(s != fill.start) & mask(s == s);
        const std::uint64_t e_given = mask(e != fill.stop) & mask(e == e);
        bad |= s_given & ~mask(std::abs(s) <= largest_time_s);
        bad |= e_given & ~mask(std::abs(e) <= largest_time_s);
        const std::uint64_t there = s_given & e_given;
        bad |= there & mask(e < s);
        const double early = chosen(there, s, infinity);
        const double late = chosen(there, s, -infinity);
        const double end = chosen(there, e, -infinity);
        first_start[k] = early < first_start[k] ? early : first_start[k];
        last_start[k] = late > last_start[k] ? late : last_start[k];
        last_stop[k] = end > last_stop[k] ? end : last_stop[k];
        processes[k] -= static_cast<std::int64_t>(there);
    }
    return bad == 0;
}

} // namespace

RowExtremes::RowExtremes(std::size_t events)
    : first_start_(events, infinity), last_start_(events, -infinity), last_stop_(events, -infinity),
      processes_(events) {}

bool RowExtremes::add(std::size_t first, std::span<const std::uint64_t> start, std::span<const std::uint64_t> stop,
                      const FillValues &fill) {
    const std::size_t events = std::min({start.size(), stop.size(), processes_.size() - first});
    const Columns to{first_start_.data() + first, last_start_.data() + first, last_stop_.data() + first,
                     processes_.data() + first};
    return vectorized<add_events>(start.data(), stop.data(), events, fill, to);
}

void RowExtremes::add_to(std::span<EventSpan> spans) const {
    for (std::size_t k = 0; k < processes_.size(); ++k) {
        if (processes_[k] == 0) continue;
        EventSpan &span = spans[k];
        span.first_start = std::min(span.first_start, from_file_seconds(first_start_[k]));
        span.last_start = std::max(span.last_start, from_file_seconds(last_start_[k]));
        span.last_stop = std::max(span.last_stop, from_file_seconds(last_stop_[k]));
        span.processes += static_cast<std::int32_t>(processes_[k]);
    }
}

} // namespace cpl_lb
