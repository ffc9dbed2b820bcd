// Chooses between threads on a classic file and netCDF's reading ahead, for both passes. Opens the timelines one
// after the other, and meanwhile reads the rows of the opened ones.
#include "run/loaded/timeline_passes.hpp"

#include "analysis/decomposition.hpp"
#include "analysis/intervals.hpp"
#include "analysis/share_calculator.hpp"
#include "io/timeline/classic_rows.hpp"
#include "support/threads.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <functional>
#include <future>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

namespace cpl_lb {
namespace {

// Memory of one thread for each event: extremes in pass 1; a row, a pattern of waiting and more in pass 2.
constexpr std::size_t extremes_bytes = 32;
constexpr std::size_t share_bytes = 128;

// So many rows that they have about that many values; short ones are read many at a time.
std::int64_t rows_in_block(const TimelineReader &reader, std::int64_t least) {
    constexpr std::int64_t most = 1024, values = 131'072;
    return std::clamp(values / (reader.events() + 1), least, most);
}

// Several long rows are reduced together, see ClassicRows::add_to(); short ones are not worth a thread's question.
std::int64_t rows_together(const TimelineReader &reader) {
    return rows_in_block(reader, 8);
}

std::size_t workers_for(const TimelineReader &reader, std::size_t bytes_of_event) {
    const std::int64_t blocks = (reader.processes() + rows_together(reader) - 1) / rows_together(reader);
    return row_workers(blocks, bytes_of_event * static_cast<std::size_t>(reader.events()));
}

// Two blocks of rows take turns: a thread reads one while the caller works on the other.
struct Block {
    std::vector<Row> rows;
    std::size_t used = 0;
};

void read_block(TimelineReader &reader, std::int64_t first, Block &block) {
    const std::int64_t left = std::max<std::int64_t>(reader.processes() - first, 0);
    block.used = static_cast<std::size_t>(std::min(left, static_cast<std::int64_t>(block.rows.size())));
    reader.read_rows(first, std::span(block.rows).first(block.used));
}

// Reads in another thread, or later in this one if the system gives none. Only one thread at a time uses netCDF.
std::future<void> read_ahead(TimelineReader &reader, std::int64_t first, Block &block) {
    const auto task = [&reader, first, &block] { read_block(reader, first, block); };
    try {
        return std::async(std::launch::async, task);
    } catch (const std::system_error &) {
        return std::async(std::launch::deferred, task);
    }
}

// Calls `each` for all rows of the file, in their order; each is read ahead. Throws FileError.
void for_each_row(TimelineReader &reader, const Progress &progress, const std::function<void(const Row &)> &each) {
    const std::int64_t together = reader.block_rows(); // whole chunks of compressed files
    const std::int64_t chunks = (rows_in_block(reader, 1) + together - 1) / together;
    const std::int64_t height = std::min(chunks * together, reader.processes());
    std::array<Block, 2> blocks;
    for (Block &block : blocks)
        block.rows.resize(static_cast<std::size_t>(height));
    std::future<void> next = read_ahead(reader, 0, blocks[0]);
    for (std::int64_t first = 0; first < reader.processes(); first += height) {
        next.get(); // rethrows what the reading threw
        const Block &now = blocks[static_cast<std::size_t>(first / height % 2)];
        next = read_ahead(reader, first + height, blocks[static_cast<std::size_t>((first / height + 1) % 2)]);
        for (std::size_t r = 0; r < now.used; ++r)
            each(now.rows[r]);
        if (progress) progress(first + height, reader.processes());
    }
    next.get();
}

// With one thread for each buffer. False: something in the rows is unusual, so they must be read row by row.
bool reduce_shared(const TimelineReader &reader, const ClassicLayout &layout, std::span<EventSpan> spans,
                   const Progress &progress, std::span<ClassicRows::Buffer> buffers) {
    const ClassicRows rows(reader.path(), layout);
    std::vector<RowExtremes> extremes(buffers.size(), RowExtremes(spans.size()));
    std::atomic<bool> good{true};
    share_rows(reader.processes(), rows_together(reader), buffers.size(), progress,
               [&](std::size_t worker, std::int64_t first, std::int64_t count) {
                   if (good && !rows.add_to(extremes[worker], first, count, buffers[worker])) good = false;
               });
    for (const RowExtremes &part : extremes) {
        if (good) part.add_to(spans);
    }
    return good;
}

// Every process took part in every event, and all events are exchanges: then all wait alike, and one row stands for
// all. Otherwise the own times of operations and of events inside exchanges differ.
bool all_wait_alike(const EventTable &table, const TimelineReader &reader) {
    if (reader.header().away_intervals > 0) return false;
    for (std::size_t k = 0; k < table.keys.size(); ++k) {
        const Kind kind = table.keys.what(k).kind;
        if (!is_exchange(kind) && kind != Kind::term) return false;
        if (table.spans[k].processes != reader.processes()) return false;
    }
    return true;
}

bool one_row_is_enough(const SharePass &pass) {
    return !pass.process_waiting && pass.arrivals == nullptr && all_wait_alike(*pass.table, *pass.reader);
}

// One thread's part of pass 2.
struct Summing {
    explicit Summing(const SharePass &pass)
        : calculator(*pass.table, pass.window, pass.run, pass.counterparts, pass.reader->processes()),
          waiting(pass.table->keys, pass.window), arrivals(pass.arrivals), wanted(pass.process_waiting) {}
    void add(std::int64_t process, const Row &with) {
        calculator.add(with, share);
        if (wanted) waiting.add(with);
        if (arrivals != nullptr) arrivals->set(static_cast<std::size_t>(process), with);
    }
    ShareCalculator calculator;
    ProcessWaiting waiting;
    ArrivalsOfAll *arrivals;
    bool wanted;
    Row row;
    ClassicRows::Buffer buffer;
    Share share;
};
using SummingParts = std::vector<std::unique_ptr<Summing>>; // of threads

ProcessSums total_of(const SummingParts &parts) {
    ProcessSums sums;
    for (const auto &part : parts) {
        sums.share += part->share;
        sums.waiting.add(part->waiting.sum());
    }
    return sums;
}

ProcessSums sums_shared(const SharePass &pass, const ClassicLayout &layout, const Progress &progress) {
    const TimelineReader &reader = *pass.reader;
    SummingParts parts(workers_for(reader, share_bytes));
    std::generate(parts.begin(), parts.end(), [&] { return std::make_unique<Summing>(pass); });
    const ClassicRows rows(reader.path(), layout);
    share_rows(reader.processes(), rows_together(reader), parts.size(), progress,
               [&](std::size_t worker, std::int64_t first, std::int64_t count) {
                   Summing &part = *parts[worker];
                   for (std::int64_t process = first; process < first + count; ++process) {
                       rows.read(process, part.row, part.buffer);
                       const std::span<const Interval> away = reader.away_of(process);
                       part.row.away.assign(away.begin(), away.end());
                       part.add(process, part.row);
                   }
               });
    return total_of(parts);
}

ProcessSums sums_of_alike(const SharePass &pass) {
    std::vector<Row> one(1);
    pass.reader->read_rows(0, one);
    Summing part(pass);
    part.add(0, one.front());
    return {repeated(std::move(part.share), pass.reader->processes()), {}};
}

ProcessSums sums_of(const SharePass &pass) {
    if (one_row_is_enough(pass)) return sums_of_alike(pass);
    if (const std::optional<ClassicLayout> layout = pass.reader->classic_layout())
        return sums_shared(pass, *layout, pass.progress);
    SummingParts all;
    all.push_back(std::make_unique<Summing>(pass));
    for_each_row(*pass.reader, pass.progress,
                 [&, process = std::int64_t{0}](const Row &row) mutable { all.front()->add(process++, row); });
    return total_of(all);
}

// The layout of a file that is too small for several threads: it is reduced side by side with others. None if the
// file is larger or needs netCDF, which is asked here.
std::optional<ClassicLayout> layout_of_small(const TimelineReader &reader) {
    if (workers_for(reader, extremes_bytes) > 1) return {};
    constexpr std::int64_t many = 1'000'000; // then the memory that each thread takes limits their number
    const std::size_t bytes = extremes_bytes * static_cast<std::size_t>(reader.events());
    if (row_workers(many, bytes) < row_workers(many, 0)) return {};
    return reader.classic_layout();
}

// "timeline_ocean.nc" -> "ocean", for files that do not say.
std::string name_from(const std::string &path) {
    return std::filesystem::path(path).stem().string().substr(std::string("timeline_").size());
}

// All that needs no netCDF any more: everything but the spans of the events.
Component component_of(TimelineReader &reader) {
    const TimelineHeader &header = reader.header();
    Component c;
    c.table.keys = reader.take_keys();
    c.table.spans.whole().resize(c.table.keys.size());
    c.name = header.component_name.empty() ? name_from(reader.path()) : header.component_name;
    c.id = header.component_id;
    c.threads = header.threads;
    c.dropped_events = header.dropped_events;
    c.events = static_cast<std::int64_t>(c.table.keys.size());
    c.ranks = header.ranks;
    c.first_init = header.first_init;
    c.last_terminate = header.last_terminate;
    if (header.window_first != absent) c.window_first = header.window_first;
    if (header.window_last != absent) c.window_last = header.window_last;
    c.figures = header.figures;
    check_parts(c.figures);
    TimesAway away;
    for (std::int64_t process = 0; process < reader.processes(); ++process)
        add_away(away, reader.away_of(process));
    c.away = std::move(away.times);
    c.away_differs = away.differ;
    return c;
}

// OASIS's own files lack the times of init and terminate, so the extent of the events stands for them.
void fill_in_extent(Component &component) {
    Nanoseconds first = std::numeric_limits<Nanoseconds>::max();
    Nanoseconds last = std::numeric_limits<Nanoseconds>::min();
    for (std::size_t k = 0; k < component.table.spans.size(); ++k) {
        const EventSpan span = component.table.spans[k];
        if (span.empty()) continue;
        first = std::min(first, span.first_start);
        last = std::max(last, span.last_stop);
    }
    if (component.first_init == absent) component.first_init = first <= last ? std::min<Nanoseconds>(first, 0) : 0;
    if (component.last_terminate == absent)
        component.last_terminate = std::max(first <= last ? last : 0, component.first_init);
}

} // namespace

void reduce_rows(TimelineReader &reader, std::span<EventSpan> spans, const Progress &progress) {
    const std::optional<ClassicLayout> layout = reader.classic_layout();
    std::vector<ClassicRows::Buffer> buffers(workers_for(reader, extremes_bytes));
    if (layout && reduce_shared(reader, *layout, spans, progress, buffers)) return;
    for_each_row(reader, progress, [&](const Row &row) { add_row(spans, row); });
}

std::vector<OpenTimeline> open_timelines(const std::vector<std::string> &paths, const ProgressOf &progress_of) {
    std::vector<OpenTimeline> timelines(paths.size());
    for (std::size_t i = 0; i < paths.size() && progress_of; ++i)
        timelines[i].progress = progress_of("reading " + paths[i].substr(paths[i].rfind('/') + 1));
    const auto count = static_cast<std::int64_t>(paths.size());
    std::vector<ClassicRows::Buffer> buffers(row_workers(count, 0));
    std::vector<std::uint8_t> reduced(paths.size());
    std::vector<std::optional<ClassicLayout>> small(paths.size());
    std::atomic<std::size_t> opened = 0;
    const auto open_all = [&] {
        const auto tell = [&](std::size_t up_to) {
            opened = up_to;
            opened.notify_all();
        };
        try {
            for (std::size_t i = 0; i < paths.size(); tell(++i)) {
                timelines[i].reader = std::make_unique<TimelineReader>(paths[i]);
                if (paths.size() > 1) small[i] = layout_of_small(*timelines[i].reader);
            }
        } catch (...) {
            tell(paths.size()); // nobody waits for those that are missing
            throw;
        }
    };
    // Only this thread opens files: another one would print HDF5's messages, which netCDF silences for one thread.
    // Only this thread reports progress, too. Each of the others waits for at most one file, so at least one is left
    // for this thread.
    const auto reduce = [&](std::size_t worker, std::size_t i) {
        if (worker == 0 && opened == 0) open_all();
        for (std::size_t up_to = opened; up_to <= i; up_to = opened)
            opened.wait(up_to);
        OpenTimeline &timeline = timelines[i];
        if (!timeline.reader) return;
        timeline.component = component_of(*timeline.reader);
        const Progress progress = worker == 0 ? timeline.progress : Progress();
        const std::span<EventSpan> spans = timeline.component.table.spans.whole();
        const std::span<ClassicRows::Buffer> buffer(&buffers[worker], 1);
        if (small[i] && reduce_shared(*timeline.reader, *small[i], spans, progress, buffer)) reduced[i] = 1;
    };
    share_rows(count, 1, buffers.size(), {}, [&](std::size_t worker, std::int64_t first, std::int64_t /*one*/) {
        reduce(worker, static_cast<std::size_t>(first));
    });
    for (std::size_t i = 0; i < paths.size(); ++i) {
        OpenTimeline &timeline = timelines[i];
        if (reduced[i] == 0) reduce_rows(*timeline.reader, timeline.component.table.spans.whole(), timeline.progress);
        fill_in_extent(timeline.component);
    }
    return timelines;
}

std::vector<ProcessSums> sums_over_processes(std::span<const SharePass> passes) {
    std::vector<std::pair<std::size_t, ClassicLayout>> small;
    std::vector<std::size_t> others;
    std::int64_t events = 0; // the most of a small one
    for (std::size_t c = 0; c < passes.size(); ++c) {
        const TimelineReader &reader = *passes[c].reader;
        const bool is_small =
            passes.size() > 1 && workers_for(reader, share_bytes) <= 1 && !one_row_is_enough(passes[c]);
        if (const auto layout = is_small ? reader.classic_layout() : std::nullopt) {
            small.emplace_back(c, *layout);
            events = std::max(events, layout->events);
        } else {
            others.push_back(c);
        }
    }
    std::vector<ProcessSums> sums(passes.size());
    const auto count = static_cast<std::int64_t>(small.size());
    share_rows(count, 1, row_workers(count, share_bytes * static_cast<std::size_t>(events)), {},
               [&](std::size_t worker, std::int64_t first, std::int64_t /*one*/) {
                   const auto &[c, layout] = small[static_cast<std::size_t>(first)];
                   // Only one thread may report progress.
                   sums[c] = sums_shared(passes[c], layout, worker == 0 ? passes[c].progress : Progress());
               });
    for (const std::size_t c : others)
        sums[c] = sums_of(passes[c]);
    return sums;
}

} // namespace cpl_lb
