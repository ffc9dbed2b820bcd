// Reads classic files at their rows' places, and the others in blocks through netCDF.
#include "page/timeline_rows.hpp"

#include <algorithm>

namespace cpl_lb {

TimelineRows::TimelineRows(TimelineReader &reader) : reader_(reader) {
    if (const std::optional<ClassicLayout> layout = reader.classic_layout()) classic_.emplace(reader.path(), *layout);
}

std::size_t TimelineRows::read(std::span<const std::int64_t> processes, std::int64_t most_held,
                               Buffers &buffers) const {
    if (classic_) {
        buffers.rows.resize(std::max<std::size_t>(buffers.rows.size(), 1));
        Row &row = buffers.rows.front();
        classic_->read(processes.front(), row, buffers.file);
        const std::span<const Interval> away = reader_.away_of(processes.front());
        row.away.assign(away.begin(), away.end());
        return 1;
    }
    const auto most = static_cast<std::size_t>(
        std::clamp<std::int64_t>(most_held / (reader_.events() + 1), 1, reader_.block_rows()));
    std::size_t n = 1;
    while (n < std::min(most, processes.size()) && processes[n] == processes[n - 1] + 1)
        ++n;
    buffers.rows.resize(std::max(buffers.rows.size(), n));
    reader_.read_rows(processes.front(), std::span(buffers.rows).first(n));
    return n;
}

} // namespace cpl_lb
