// The row of this process on its way to the timeline: times from memory, or still from the marks; and its picture.
#pragma once

#include "analysis/kind_raster.hpp"
#include "analysis/process_waiting.hpp"
#include "data/raster.hpp"
#include "events/event_order.hpp"
#include "io/timeline/row_file.hpp"

#include <functional>
#include <span>
#include <vector>

namespace cpl_lb {

// What the picture needs beside the times.
struct RasterInput {
    std::vector<Kind> kind_of_class;
    Interval run;
    Nanoseconds run_end = 0;
    std::vector<signed char> inside = {}; // share of each bin in MPI, or empty: not known of all processes
};

class OwnRow {
public:
    OwnRow() = default;
    // class_of_event outlives this object.
    OwnRow(Row row, std::span<const std::uint32_t> class_of_event, RasterInput raster);
    // Takes everything out of them; no times are made until they are asked for.
    OwnRow(LocalEvents &events, RasterInput raster);

    // In memory from the first call on.
    [[nodiscard]] const Row &whole();
    [[nodiscard]] const std::vector<Interval> &away() const { return row_.away; }
    // What it did most in each bin; then, if they are known, the shares in MPI.
    [[nodiscard]] std::span<const signed char> raster();
    [[nodiscard]] std::size_t raster_bytes() const { return raster_bins + raster_input_.inside.size(); }
    // Times that are in the marks stay there, unless events overlap.
    [[nodiscard]] ExchangeTime exchange_time(Interval within);
    // `picture_first`: of two processes that want to write into the same file one has to wait, and can paint
    // meanwhile.
    // between: called a few hundred times a second, for what cannot wait; it may write to the file, too.
    void write_to(RowFile &file, std::int64_t process, bool picture_first, const std::function<void()> &between);
    // Some of the times only, and no picture.
    void write_part_to(RowFile &file, std::int64_t process, EventRange part);

private:
    void set_raster(std::vector<signed char> kinds);
    void write_from_marks(RowFile &file, std::int64_t process, const std::function<void()> &between);

    Row row_;
    LocalEvents in_marks_; // until whole() was called
    std::span<const std::uint32_t> class_of_event_;
    RasterInput raster_input_;
    std::vector<signed char> raster_; // empty: not yet made
};

} // namespace cpl_lb
