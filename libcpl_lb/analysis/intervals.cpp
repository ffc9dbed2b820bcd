// Unions, differences and lengths of lists of time intervals, each in one pass over sorted lists.
#include "analysis/intervals.hpp"

namespace cpl_lb {

Intervals union_of(Intervals list) {
    std::erase_if(list, [](const Interval &i) { return i.length() == 0; });
    std::ranges::sort(list, {}, &Interval::start);
    Intervals out;
    for (const Interval &next : list) {
        if (out.empty() || next.start > out.back().stop) {
            out.push_back(next);
        } else {
            out.back().stop = std::max(out.back().stop, next.stop);
        }
    }
    return out;
}

Intervals difference_of(std::span<const Interval> from, std::span<const Interval> taken) {
    Intervals out;
    Subtrahend subtrahend(source_of(taken));
    for (const Interval &piece : from) {
        subtrahend.take_from(piece, [&](Interval rest) { out.push_back(rest); });
    }
    return out;
}

Nanoseconds length_of(std::span<const Interval> list) {
    Nanoseconds sum = 0;
    for (const Interval &i : list)
        sum += i.length();
    return sum;
}

void add_away(TimesAway &all, std::span<const Interval> row) {
    if (row.empty()) return;
    if (all.times.empty()) all.times.assign(row.begin(), row.end());
    all.differ = all.differ || all.times.size() != row.size();
    for (std::size_t n = 0; n < row.size() && !all.differ; ++n) {
        all.times[n].start = std::max(all.times[n].start, row[n].start);
        all.times[n].stop = std::max(all.times[n].stop, row[n].stop);
    }
}

} // namespace cpl_lb
