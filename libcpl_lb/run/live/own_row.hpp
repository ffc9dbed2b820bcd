// The row of this process on its way to the timeline: its times, in memory or still in the marks, and its picture.
#pragma once

#include "analysis/chosen_exchanges.hpp"
#include "analysis/kind_raster.hpp"
#include "analysis/process_waiting.hpp"
#include "data/raster.hpp"
#include "events/event_order.hpp"
#include "io/timeline/row_file.hpp"

#include <functional>
#include <span>
#include <vector>

namespace cpl_lb {

// The input of the picture, in addition to the times.
struct RasterInput {
    std::vector<Kind> kind_of_class;
    Interval run;
    Nanoseconds run_end = 0;
    std::vector<signed char> inside = {}; // share of each bin in MPI; empty: not all processes know it
};

// What this process did in the coupling loop.
struct LookAtLoop {
    ExchangeTime exchanges;
    std::vector<Nanoseconds> starts; // of the chosen exchanges
};

class OwnRow {
public:
    OwnRow() = default;
    // class_of_event outlives this object.
    OwnRow(Row row, std::span<const std::uint32_t> class_of_event, RasterInput raster);
    // Takes everything out of `events`. Times are made only when they are asked for.
    OwnRow(LocalEvents &events, RasterInput raster);

    // The whole row; it stays in memory from the first call on.
    [[nodiscard]] const Row &whole();
    // The same for the last look at it: afterwards there is no row here. Without times: only the time away.
    [[nodiscard]] Row take(bool with_times);
    [[nodiscard]] const std::vector<Interval> &away() const { return row_.away; }
    // The kind with the most time in each bin; behind them the shares in MPI, if they are known.
    [[nodiscard]] std::span<const signed char> raster();
    [[nodiscard]] std::size_t raster_bytes() const { return raster_bins + raster_input_.inside.size(); }
    // One look at the times, which stay in the marks unless events overlap. chosen: ascending.
    [[nodiscard]] LookAtLoop look_at_loop(Interval within, const std::vector<ChosenExchange> &chosen);
    // `picture_first`: paint before writing. If two processes want to write into the same file, one has to wait, and
    // can paint meanwhile.
    // between: called a few hundred times a second, for work that cannot wait; it may write to the file, too.
    void write_to(RowFile &file, std::int64_t process, bool picture_first, const std::function<void()> &between);

private:
    // Some of the times, and no picture.
    void write_part_to(RowFile &file, std::int64_t process, EventRange part);
    void set_raster(std::vector<signed char> kinds);
    void write_from_marks(RowFile &file, std::int64_t process, const std::function<void()> &between);

    Row row_;
    LocalEvents in_marks_; // empty after whole()
    std::span<const std::uint32_t> class_of_event_;
    RasterInput raster_input_;
    std::vector<signed char> raster_; // empty: not yet made
};

} // namespace cpl_lb
