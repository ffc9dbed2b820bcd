// Chooses between threads on a classic file and netCDF's reading ahead, for both passes.
#include "run/loaded/timeline_passes.hpp"

#include "analysis/share_calculator.hpp"
#include "io/timeline/classic_rows.hpp"
#include "run/loaded/row_stream.hpp"
#include "support/shared_rows.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <vector>

namespace cpl_lb {
namespace {

// Memory of one thread for each event: extremes in pass 1; a row, a pattern of waiting and more in pass 2.
constexpr std::size_t extremes_bytes = 32;
constexpr std::size_t share_bytes = 128;

// Several long rows are reduced together, see ClassicRows::add_to(); short ones are not worth a thread's question.
std::int64_t rows_together(const TimelineReader &reader) {
    constexpr std::int64_t least = 8, most = 1024, values = 131'072;
    return std::clamp<std::int64_t>(values / (reader.events() + 1), least, most);
}

std::size_t workers_for(const TimelineReader &reader, std::size_t bytes_of_event) {
    const std::int64_t blocks = (reader.processes() + rows_together(reader) - 1) / rows_together(reader);
    return row_workers(blocks, bytes_of_event * static_cast<std::size_t>(reader.events()));
}

// False: something in the rows is odd, and must be looked at row by row.
bool reduce_shared(const TimelineReader &reader, const ClassicLayout &layout, std::span<EventSpan> spans,
                   const Progress &progress) {
    const ClassicRows rows(reader.path(), layout);
    const std::size_t workers = workers_for(reader, extremes_bytes);
    std::vector<RowExtremes> extremes(workers, RowExtremes(spans.size()));
    std::vector<ClassicRows::Buffer> buffers(workers);
    std::atomic<bool> good{true};
    share_rows(reader.processes(), rows_together(reader), workers, progress,
               [&](std::size_t worker, std::int64_t first, std::int64_t count) {
                   if (good && !rows.add_to(extremes[worker], first, count, buffers[worker])) good = false;
               });
    for (const RowExtremes &part : extremes) {
        if (good) part.add_to(spans);
    }
    return good;
}

// Every process took part in every event, and none of them does anything but exchange: then all wait alike, and one
// row stands for all. Without that, what differs are the own times of operations and of what lies inside exchanges.
bool all_wait_alike(const EventTable &table, const TimelineReader &reader) {
    if (reader.header().away_intervals > 0) return false;
    for (std::size_t k = 0; k < table.keys.size(); ++k) {
        const Kind kind = table.keys.what(k).kind;
        if (!is_exchange(kind) && kind != Kind::term) return false;
        if (table.spans[k].processes != reader.processes()) return false;
    }
    return true;
}

// One thread's part of pass 2.
struct Summing {
    Summing(const EventTable &table, const Window &window, Interval run, std::int32_t counterparts,
            std::int64_t processes)
        : calculator(table, window, run, counterparts, processes) {}
    ShareCalculator calculator;
    Row row;
    ClassicRows::Buffer buffer;
    Share sum;
};

Share sum_shared(const TimelineReader &reader, const ClassicLayout &layout,
                 std::vector<std::unique_ptr<Summing>> parts, const Progress &progress) {
    const ClassicRows rows(reader.path(), layout);
    share_rows(reader.processes(), rows_together(reader), parts.size(), progress,
               [&](std::size_t worker, std::int64_t first, std::int64_t count) {
                   Summing &part = *parts[worker];
                   for (std::int64_t process = first; process < first + count; ++process) {
                       rows.read(process, part.row, part.buffer);
                       const std::span<const Interval> away = reader.away_of(process);
                       part.row.away.assign(away.begin(), away.end());
                       part.calculator.add(part.row, part.sum);
                   }
               });
    Share sum = std::move(parts.front()->sum);
    for (auto part = parts.begin() + 1; part != parts.end(); ++part)
        sum += (*part)->sum;
    return sum;
}

} // namespace

void reduce_rows(TimelineReader &reader, std::span<EventSpan> spans, const Progress &progress) {
    const std::optional<ClassicLayout> layout = reader.classic_layout();
    if (layout && reduce_shared(reader, *layout, spans, progress)) return;
    for_each_row(reader, progress, [&](const Row &row) { add_row(spans, row); });
}

Share sum_of_shares(TimelineReader &reader, const EventTable &table, const Window &window, Interval run,
                    std::int32_t counterparts, const Progress &progress) {
    const auto part = [&] { return std::make_unique<Summing>(table, window, run, counterparts, reader.processes()); };
    if (all_wait_alike(table, reader)) {
        std::vector<Row> one(1);
        reader.read_rows(0, one);
        Share sum;
        part()->calculator.add(one.front(), sum);
        return repeated(std::move(sum), reader.processes());
    }
    if (const std::optional<ClassicLayout> layout = reader.classic_layout()) {
        std::vector<std::unique_ptr<Summing>> parts(workers_for(reader, share_bytes));
        std::generate(parts.begin(), parts.end(), part);
        return sum_shared(reader, *layout, std::move(parts), progress);
    }
    const std::unique_ptr<Summing> all = part();
    for_each_row(reader, progress, [&](const Row &row) { all->calculator.add(row, all->sum); });
    return std::move(all->sum);
}

} // namespace cpl_lb
