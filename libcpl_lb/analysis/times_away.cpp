// The times away of a component's processes, made one list.
#include "analysis/times_away.hpp"

#include <algorithm>

namespace cpl_lb {

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
