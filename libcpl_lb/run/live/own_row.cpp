// Makes the row of this process: the times of its events in the order of the component's table.
#include "run/live/own_row.hpp"

#include <algorithm>
#include <utility>

namespace cpl_lb {

OwnRow::OwnRow(Row row, std::span<const std::uint32_t> class_of_event, RasterInput raster)
    : row_(std::move(row)), class_of_event_(class_of_event), raster_input_(std::move(raster)) {}

OwnRow::OwnRow(LocalEvents &events, RasterInput raster)
    : row_{{}, {}, std::move(events.away)}, in_marks_(std::move(events)), class_of_event_(in_marks_.place),
      raster_input_(std::move(raster)) {
    // By place instead of by class, so that no list of classes is needed.
    const std::vector<Kind> kinds = std::exchange(raster_input_.kind_of_class, {});
    for (const std::uint32_t c : in_marks_.class_of_place)
        raster_input_.kind_of_class.push_back(kinds[c]);
}

const Row &OwnRow::whole() {
    if (in_marks_.times_in_marks) {
        take_times_from_marks(in_marks_);
        row_.start = std::move(in_marks_.start);
        row_.stop = std::move(in_marks_.stop);
    }
    return row_;
}

Row OwnRow::take(bool with_times) {
    if (with_times)
        static_cast<void>(whole());
    else
        row_ = {{}, {}, std::move(row_.away)};
    in_marks_ = {};
    return std::exchange(row_, {});
}

std::span<const signed char> OwnRow::raster() {
    if (raster_.empty())
        set_raster(kind_raster(whole(), class_of_event_, raster_input_.kind_of_class, raster_input_.run,
                               raster_input_.run_end));
    return raster_;
}

void OwnRow::set_raster(std::vector<signed char> kinds) {
    raster_ = std::move(kinds);
    raster_.insert(raster_.end(), raster_input_.inside.begin(), raster_input_.inside.end());
}

LookAtLoop OwnRow::look_at_loop(Interval within, const std::vector<ChosenExchange> &chosen) {
    LookAtLoop found;
    std::vector<Nanoseconds> &starts = found.starts;
    const auto take = [&](std::size_t first, std::span<const Nanoseconds> block) {
        while (starts.size() < chosen.size() && chosen[starts.size()].event < first + block.size())
            starts.push_back(block[chosen[starts.size()].event - first]);
    };
    if (!in_marks_.times_in_marks) {
        take(0, row_.start);
    } else {
        ExchangeTimeOfWholeEvents events(raster_input_.kind_of_class, within);
        bool apart = true;
        in_marks_.times_in_marks([&](std::size_t first, std::span<Nanoseconds> start, std::span<Nanoseconds> stop) {
            apart = events.add(class_of_event_.subspan(first, start.size()), start, stop);
            take(first, start);
        });
        if (apart) {
            found.exchanges = events.found();
            return found;
        }
    }
    found.exchanges = exchange_time(whole(), class_of_event_, raster_input_.kind_of_class, within);
    return found;
}

void OwnRow::write_to(RowFile &file, std::int64_t process, bool picture_first, const std::function<void()> &between) {
    if (in_marks_.times_in_marks) {
        write_from_marks(file, process, between);
    } else {
        if (picture_first) static_cast<void>(raster());
        constexpr std::int64_t block = 16'384;
        const auto end = static_cast<std::int64_t>(row_.start.size());
        for (std::int64_t first = 0; first < end; first += block) {
            write_part_to(file, process, {first, std::min(first + block, end)});
            between();
        }
    }
    file.write_raster(process, raster());
}

void OwnRow::write_part_to(RowFile &file, std::int64_t process, EventRange part) {
    const Row &row = whole();
    const auto first = static_cast<std::size_t>(part.first), count = static_cast<std::size_t>(part.end) - first;
    file.write(process, part.first, std::span(row.start).subspan(first, count),
               std::span(row.stop).subspan(first, count));
}

// Each block is written and painted while it is in the cache.
void OwnRow::write_from_marks(RowFile &file, std::int64_t process, const std::function<void()> &between) {
    RowOfWholeEvents painted(raster_input_.kind_of_class, raster_input_.run, row_.away, raster_input_.run_end);
    bool whole = true;
    in_marks_.times_in_marks([&](std::size_t first, std::span<Nanoseconds> start, std::span<Nanoseconds> stop) {
        whole = whole && painted.add(class_of_event_.subspan(first, start.size()), start, stop);
        file.write(process, static_cast<std::int64_t>(first), start, stop);
        between();
    });
    if (whole) set_raster(painted.finish());
}

} // namespace cpl_lb
