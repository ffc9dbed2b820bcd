// Copies rows from one timeline to another, with all times moved by the same amount.
#include "run/joined/joined_timeline.hpp"

#include "analysis/kind_raster.hpp"
#include "io/timeline/timeline_reader.hpp"
#include "io/timeline/timeline_writer.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace cpl_lb {
namespace {

void shift_row(Row &row, Nanoseconds shift) {
    for (std::vector<Nanoseconds> *times : {&row.start, &row.stop})
        for (Nanoseconds &t : *times)
            if (t != absent) t += shift;
    for (Interval &away : row.away)
        away = {away.start + shift, away.stop + shift};
}

} // namespace

void shift_times(Component &component, Nanoseconds shift) {
    const Component untouched;
    component.first_init += shift;
    component.last_terminate += shift;
    if (component.window_first != untouched.window_first) component.window_first += shift;
    if (component.window_last != untouched.window_last) component.window_last += shift;
    for (EventSpan &span : component.table.spans) {
        if (span.empty()) continue;
        span.first_start += shift;
        span.last_start += shift;
        span.last_stop += shift;
    }
    for (Interval &away : component.away)
        away = {away.start + shift, away.stop + shift};
    for (Step &step : component.balance.steps)
        step.start_s += to_seconds(shift);
}

void write_shifted_timeline(const std::string &from, const std::string &to, const Component &component,
                            TimelineHeader header, Nanoseconds shift, bool compress, const Progress &progress) {
    TimelineReader reader(from);
    describe(header, component);
    header.keys = component.table.keys;
    header.away_intervals = reader.header().away_intervals;
    const Nanoseconds run_end = header.run_end;
    TimelineWriter writer(to, header, compress);
    header = {};
    reader.forget_keys();
    const Interval run{component.first_init, component.last_terminate};
    std::vector<Row> rows(static_cast<std::size_t>(reader.block_rows()));
    for (std::int64_t first = 0; first < reader.processes(); first += reader.block_rows()) {
        rows.resize(static_cast<std::size_t>(std::min(reader.block_rows(), reader.processes() - first)));
        reader.read_rows(first, rows);
        for (std::size_t r = 0; r < rows.size(); ++r) {
            const std::int64_t process = first + static_cast<std::int64_t>(r);
            shift_row(rows[r], shift);
            writer.write_rows(process, 1, rows[r].start, rows[r].stop);
            writer.write_raster(process, kind_raster(rows[r], component.table.keys, run, run_end));
            writer.write_away(process, rows[r].away);
        }
        if (progress) progress(first + static_cast<std::int64_t>(rows.size()), reader.processes());
    }
    writer.write_figures(component.figures);
    writer.write_steps(component.balance);
    if (const std::string why = writer.close(); !why.empty()) throw std::runtime_error(why);
}

} // namespace cpl_lb
