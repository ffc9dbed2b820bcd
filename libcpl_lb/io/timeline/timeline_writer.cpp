// Defines dimensions, variables and attributes of a timeline and writes its rows.
#include "io/timeline/timeline_writer.hpp"

#include "data/raster.hpp"
#include "io/timeline/classic_header.hpp"
#include "io/timeline/compression.hpp"
#include "io/timeline/key_variables.hpp"
#include "io/timeline/netcdf_attributes.hpp"
#include "io/timeline/netcdf_size.hpp"
#include "io/timeline/raster_variables.hpp"

#include <algorithm>
#include <array>
#include <cpl_lb/version.h>
#include <limits>
#include <numeric>

namespace cpl_lb {
namespace {

constexpr double fill = NC_FILL_DOUBLE;
constexpr std::int64_t buffer_values = 262'144; // 2 MiB, stays in the cache between conversion and write
constexpr std::int64_t chunk_events = 4096;     // with block_rows: 256 KiB, see field notes
constexpr std::size_t stream_bytes = 1U << 20U; // netCDF's own buffer; its default is 8 KiB

void check_created(int status, const std::string &path) {
    if (status != NC_NOERR) throw FileError(path, std::string("cannot create: ") + nc_strerror(status));
}

int create(const ResultFile &file, TimelineFormat format) {
    int mode = NC_CLOBBER;
    if (format == TimelineFormat::offset64) mode |= NC_64BIT_OFFSET;
    if (format == TimelineFormat::cdf5) mode |= NC_64BIT_DATA;
    if (format == TimelineFormat::netcdf4) mode |= NC_NETCDF4 | NC_CLASSIC_MODEL;
    int id = -1;
    std::size_t buffer = stream_bytes;
    ask_for_memory_for_netcdf();
    if (format == TimelineFormat::netcdf4)
        check_created(nc_create(file.open_as().c_str(), mode, &id), file.path());
    else
        check_created(nc__create(file.open_as().c_str(), mode, 0, &buffer, &id), file.path());
    return id;
}

int dimension(const NetcdfFile &file, const char *name, std::int64_t length) {
    int id = -1;
    file.check(nc_def_dim(file.id(), name, size(length), &id), "cannot define a dimension");
    return id;
}

int variable(const NetcdfFile &file, const char *name, nc_type type, std::span<const int> dimensions,
             const std::string &long_name) {
    int id = -1;
    file.check(nc_def_var(file.id(), name, type, static_cast<int>(dimensions.size()), dimensions.data(), &id),
               "cannot define a variable");
    Attributes(file, id).text("long_name", long_name);
    return id;
}

void define_kind(const NetcdfFile &file, int nx) {
    const std::array<int, 1> events = {nx};
    const int kind = variable(file, "kind", NC_INT, events, "kind of coupling event");
    std::array<int, kind_count> values{};
    std::iota(values.begin(), values.end(), 0);
    std::string meanings;
    for (const std::string_view name : kind_names)
        meanings += (meanings.empty() ? "" : " ") + std::string(name);
    file.check(nc_put_att_int(file.id(), kind, "flag_values", NC_INT, values.size(), values.data()),
               "cannot write flag_values");
    const std::array<int, 2> range = {values.front(), values.back()};
    file.check(nc_put_att_int(file.id(), kind, "valid_range", NC_INT, range.size(), range.data()),
               "cannot write valid_range");
    const Attributes attributes(file, kind);
    attributes.text("flag_meanings", meanings);
    attributes.text("comment", "undefined, send, receive, mapping, field to file, field from file, restart, partial "
                               "restart, partition definition, end of definition, terminate, collective operation");
}

void define_ids(const NetcdfFile &file, int nx) {
    const std::array<int, 1> events = {nx};
    const int field = variable(file, "field", NC_INT, events, "coupling field");
    Attributes(file, field).text("comment", "position in the global attribute field_names, from 1; 0: none");
    const int component = variable(file, "component", NC_INT, events, "component at the other end");
    Attributes(file, component).text("comment", "position in the global attribute component_names, from 1; 0: none");
}

void define_date(const NetcdfFile &file, int nx) {
    const std::array<int, 1> events = {nx};
    const int date = variable(file, "date", NC_DOUBLE, events, "model date since the start of the simulation");
    const Attributes attributes(file, date);
    attributes.text("units", "s");
    attributes.real("_FillValue", fill);
}

// In a component of few processes the keys of the events are as large as their times.
void compress_keys(const NetcdfFile &file, std::size_t events) {
    for (const char *name : {"kind", "field", "component", "date"}) {
        int id = -1; // none: a run without dates
        if (nc_inq_varid(file.id(), name, &id) == NC_NOERR) compress_along(file, id, events, sizeof(int));
    }
}

void define_globals(const NetcdfFile &file, const TimelineHeader &header) {
    const Attributes global(file, NC_GLOBAL);
    global.text("Conventions", "CF-1.8");
    global.text("title", "Timeline of the coupling events (nx) on every process (ny) of one component");
    global.text("source", "cpl_lb " CPL_LB_VERSION);
    global.text("component_name", header.component_name);
    global.integer("component_id", header.component_id);
    global.text("component_names", join_names(header.component_names));
    global.text("field_names", join_names(header.field_names));
    global.text("run_id", header.run_id);
    global.text("cpl_lb_version", CPL_LB_VERSION);
    global.real("simulated_seconds", header.simulated_s);
    global.real("year_days", header.year_days);
    global.real("clock_error_bound_s", header.clock_error_bound_s);
    global.time("init_s", header.first_init);
    global.time("terminate_s", header.last_terminate);
    global.time("window_first_s", header.window_first);
    global.time("window_last_s", header.window_last);
    global.integer("threads", header.threads);
    global.integer("events", static_cast<std::int64_t>(header.keys.size()));
    global.integer("dropped_events", header.dropped_events);
}

// All formats keep the doubles of the file equal to those of the definition in io/timeline/timeline.hpp.
void to_file(std::span<const Nanoseconds> times, double *seconds, bool rounded) {
    if (rounded) {
        std::transform(times.begin(), times.end(), seconds,
                       [](Nanoseconds t) { return t == absent ? fill : rounded_seconds(t); });
    } else {
        std::transform(times.begin(), times.end(), seconds,
                       [](Nanoseconds t) { return t == absent ? fill : file_seconds(t); });
    }
}

// More than the attributes and the variables along the events can take, the indices of the chunks included.
std::int64_t header_bytes(const TimelineHeader &header) {
    std::size_t names = header.component_name.size() + header.run_id.size();
    for (const auto *list : {&header.component_names, &header.field_names})
        for (const std::string &name : *list)
            names += 3 * name.size() + 1;
    const auto events = static_cast<std::int64_t>(header.keys.size());
    return 65'536 + 2 * static_cast<std::int64_t>(names) + 24 * events + 16 * header.processes +
           32 * header.away_intervals;
}

} // namespace

TimelineFormat timeline_format(std::int64_t events, std::int64_t processes, bool compress) {
    constexpr double largest = 4'294'967'292.0; // 2^32 - 4
    if (compress) return TimelineFormat::netcdf4;
    // Computed in floating point: hostile sizes cannot overflow it, and it is exact far beyond the limit.
    const double bytes = 8.0 * static_cast<double>(events) * static_cast<double>(processes);
    return bytes > largest ? TimelineFormat::cdf5 : TimelineFormat::offset64;
}

TimelineWriter::TimelineWriter(const std::string &path, const TimelineHeader &header, bool compress,
                               std::int64_t cached_values)
    : file_(path),
      format_(timeline_format(static_cast<std::int64_t>(header.keys.size()), header.processes, compress)),
      netcdf_(create(file_, format_), path, format_ == TimelineFormat::netcdf4 ? file_.open_as() : ""),
      events_(static_cast<std::int64_t>(header.keys.size())), processes_(header.processes),
      cached_values_(cached_values), away_intervals_(header.away_intervals) {
    if (processes_ < 1) throw FileError(path, "a timeline needs at least one process");
    if (format_ == TimelineFormat::netcdf4) space_.emplace(file_.open_as(), path);
    reserve(header_bytes(header));
    // Every value is written: filling first would write the file twice.
    netcdf_.check(nc_set_fill(netcdf_.id(), NC_NOFILL, nullptr), "cannot set the fill mode");
    define(header);
    netcdf_.check(nc__enddef(netcdf_.id(), room_for_steps_bytes, 4, 0, 4), "cannot end the header");
    write_keys(header);
    if (kinds_ >= 0) write_raster_axes(netcdf_, {processes_}, header.run_end);
    accepted_bytes_ = 32 * away_intervals_; // the rest is on the disk
    if (events_ == 0) {
        const std::vector<double> none(size(processes_), fill);
        netcdf_.check(nc_put_var_double(netcdf_.id(), start_, none.data()), "cannot write timer_strt");
        netcdf_.check(nc_put_var_double(netcdf_.id(), stop_, none.data()), "cannot write timer_stop");
    }
}

// HDF5's caches hold data that it has accepted but not yet written: that data needs its room, too.
void TimelineWriter::reserve(std::int64_t bytes) {
    if (!space_) return;
    accepted_bytes_ += bytes;
    const std::int64_t cached =
        std::int64_t{16} * cached_values_ + 4'194'304; // chunks of both variables, and metadata
    space_->reserve(std::min(accepted_bytes_, cached + bytes) + 65'536);
}

void TimelineWriter::define(const TimelineHeader &header) {
    const int nx = dimension(netcdf_, "nx", std::max<std::int64_t>(events_, 1));
    const int ny = dimension(netcdf_, "ny", processes_);
    define_kind(netcdf_, nx);
    define_ids(netcdf_, nx);
    if (any_date(header.keys)) define_date(netcdf_, nx);
    if (format_ == TimelineFormat::netcdf4) compress_keys(netcdf_, size(events_));
    if (!header.ranks.empty()) {
        const std::array<int, 1> along_processes = {ny};
        variable(netcdf_, "rank", NC_INT, along_processes, "rank of the process in the run's communicator");
    }
    if (!header.clock_error_bounds_s.empty()) {
        const std::array<int, 1> along_processes = {ny};
        const int bound = variable(netcdf_, "clock_error_bound", NC_DOUBLE, along_processes,
                                   "times of the process are at most that far from the run's clock");
        Attributes(netcdf_, bound).text("units", "s");
    }
    const bool compressed = format_ == TimelineFormat::netcdf4;
    if (header.run_end != absent) kinds_ = define_raster(netcdf_, {processes_}, compressed);
    if (kinds_ >= 0 && header.mpi_inside && away_intervals_ == 0)
        inside_ = define_inside(netcdf_, size(processes_), compressed);
    define_times(header);
    define_globals(netcdf_, header);
}

void TimelineWriter::define_times(const TimelineHeader &header) {
    int nx = -1;
    int ny = -1;
    netcdf_.check(nc_inq_dimid(netcdf_.id(), "nx", &nx), "nx");
    netcdf_.check(nc_inq_dimid(netcdf_.id(), "ny", &ny), "ny");
    const std::array<int, 2> both = {ny, nx};
    start_ = variable(netcdf_, "timer_strt", NC_DOUBLE, both, "start of the event since the start of the run");
    stop_ = variable(netcdf_, "timer_stop", NC_DOUBLE, both, "end of the event since the start of the run");
    for (const int id : {start_, stop_}) {
        const Attributes attributes(netcdf_, id);
        attributes.text("units", "s");
        attributes.real("_FillValue", fill);
        if (format_ == TimelineFormat::netcdf4) define_chunks(id);
    }
    if (header.away_intervals == 0) return;
    const std::array<int, 1> away = {dimension(netcdf_, "na", header.away_intervals)};
    away_process_ = variable(netcdf_, "away_process", NC_INT, away, "row of a time inside another component, from 0");
    away_start_ = variable(netcdf_, "away_strt", NC_DOUBLE, away, "start of a time inside another component");
    away_stop_ = variable(netcdf_, "away_stop", NC_DOUBLE, away, "end of a time inside another component");
    Attributes(netcdf_, away_start_).text("units", "s");
    Attributes(netcdf_, away_stop_).text("units", "s");
    if (format_ != TimelineFormat::netcdf4) return;
    const std::size_t chunk = std::min(size(header.away_intervals), values_of_a_chunk);
    for (const int id : {away_process_, away_start_, away_stop_}) // process by process, through the cache
        compress(netcdf_, id, {&chunk, 1}, true);
}

// Rows may come one by one: the chunks of one band of rows then wait in the cache until they are whole, and are
// compressed once. 8 x 4096 values, and fewer and longer rows where a band of 8 would not fit the cache.
void TimelineWriter::define_chunks(int variable) {
    const std::int64_t events = std::max<std::int64_t>(events_, 1);
    std::int64_t rows = block_rows; // halved, so that blocks of 8 rows hold whole chunks
    while (rows > 1 && rows * events > cached_values_)
        rows /= 2;
    const std::int64_t width = block_rows * chunk_events / rows;
    const std::array<std::size_t, 2> chunk = {size(std::min(processes_, rows)), size(std::min(events, width))};
    compress(netcdf_, variable, chunk, true);
    constexpr std::size_t slots = 4099; // prime, far more than the chunks that fit
    netcdf_.check(nc_set_var_chunk_cache(netcdf_.id(), variable, size(cached_values_) * sizeof(double), slots, 1.0F),
                  "cannot set the chunk cache");
}

template <class T, class Put>
void TimelineWriter::write_along_processes(const char *name, const std::vector<T> &values, Put put) {
    if (values.empty()) return;
    if (static_cast<std::int64_t>(values.size()) != processes_)
        throw FileError(file_.path(), std::string("the header does not hold one ") + name + " for each process");
    int id = -1;
    netcdf_.check(nc_inq_varid(netcdf_.id(), name, &id), name);
    netcdf_.check(put(netcdf_.id(), id, values.data()), (std::string("cannot write ") + name).c_str());
}

void TimelineWriter::write_keys(const TimelineHeader &header) {
    const EventKeys one{EventKey{}}; // kind UNDF, field 0, component 0
    cpl_lb::write_keys(netcdf_, header.keys.empty() ? one : header.keys);
    write_along_processes("rank", header.ranks, &nc_put_var_int);
    write_along_processes("clock_error_bound", header.clock_error_bounds_s, &nc_put_var_double);
}

void TimelineWriter::write_rows(std::int64_t first_process, std::int64_t processes,
                                std::span<const Nanoseconds> start, std::span<const Nanoseconds> stop) {
    write_block(first_process, processes, 0, events_, start, stop);
}

void TimelineWriter::write_block(std::int64_t first_process, std::int64_t processes, std::int64_t first_event,
                                 std::int64_t events, std::span<const Nanoseconds> start,
                                 std::span<const Nanoseconds> stop) {
    if (processes == 0 || events == 0) return;
    if (start.size() != size(processes * events) || stop.size() != start.size())
        throw FileError(file_.path(), "a block of rows has the wrong size");
    write_times(start_, first_process, processes, first_event, events, start);
    write_times(stop_, first_process, processes, first_event, events, stop);
    values_written_ += processes * events;
}

void TimelineWriter::write_times(int variable, std::int64_t first_process, std::int64_t processes,
                                 std::int64_t first_event, std::int64_t events, std::span<const Nanoseconds> times) {
    // Compressed: all rows of a piece at once, so that each chunk is compressed once. Else row by row.
    const bool compressed = format_ == TimelineFormat::netcdf4;
    const std::int64_t rows = compressed ? std::min(processes, block_rows) : 1;
    const std::int64_t width =
        std::max(buffer_values / rows / chunk_events, std::int64_t{1}) * chunk_events; // whole chunks
    for (std::int64_t row = 0; row < processes; row += rows) {
        const std::int64_t height = std::min(rows, processes - row);
        for (std::int64_t event = 0; event < events; event += width) {
            const std::int64_t length = std::min(width, events - event);
            seconds_.resize(std::max(seconds_.size(), size(height * length)));
            for (std::int64_t r = 0; r < height; ++r)
                to_file(times.subspan(size((row + r) * events + event), size(length)), seconds_.data() + r * length,
                        compressed);
            const std::array<std::size_t, 2> first = {size(first_process + row), size(first_event + event)};
            const std::array<std::size_t, 2> count = {size(height), size(length)};
            reserve(height * length * 8);
            netcdf_.check(nc_put_vara_double(netcdf_.id(), variable, first.data(), count.data(), seconds_.data()),
                          "cannot write times");
        }
    }
}

void TimelineWriter::write_away(std::int64_t process, std::span<const Interval> away) {
    if (away_written_ + static_cast<std::int64_t>(away.size()) > away_intervals_)
        throw FileError(file_.path(), "more times away than announced");
    if (away.empty()) return;
    const std::size_t first = size(away_written_);
    const std::size_t count = away.size();
    const std::vector<int> rows(count, static_cast<int>(process));
    std::vector<double> start(count);
    std::vector<double> stop(count);
    const bool rounded = format_ == TimelineFormat::netcdf4;
    const auto seconds = [rounded](Nanoseconds t) { return rounded ? rounded_seconds(t) : file_seconds(t); };
    std::transform(away.begin(), away.end(), start.begin(), [&](Interval i) { return seconds(i.start); });
    std::transform(away.begin(), away.end(), stop.begin(), [&](Interval i) { return seconds(i.stop); });
    const int file = netcdf_.id();
    netcdf_.check(nc_put_vara_int(file, away_process_, &first, &count, rows.data()), "cannot write away_process");
    netcdf_.check(nc_put_vara_double(file, away_start_, &first, &count, start.data()), "cannot write away_strt");
    netcdf_.check(nc_put_vara_double(file, away_stop_, &first, &count, stop.data()), "cannot write away_stop");
    away_written_ += static_cast<std::int64_t>(count);
}

void TimelineWriter::write_raster(std::int64_t process, std::span<const signed char> kinds) {
    if (kinds_ < 0 || kinds.size() != (inside_ < 0 ? 1 : 2) * raster_bins)
        throw FileError(file_.path(), "a row of kind_dominant has the wrong size");
    reserve(static_cast<std::int64_t>(kinds.size()));
    write_raster_row(netcdf_, kinds_, {processes_}, process, kinds.first(raster_bins));
    if (inside_ >= 0) write_raster_row(netcdf_, inside_, {processes_}, process, kinds.subspan(raster_bins));
    ++rasters_written_;
}

void TimelineWriter::write_sync_counterparts(const EventKeys &keys) {
    const std::vector<EventClass> &classes = keys.classes();
    if (std::none_of(classes.begin(), classes.end(), [](const EventClass &c) { return c.kind == Kind::sync; }))
        return;
    if (handed_over_)
        write_counterparts_to_file(file_.open_as(), file_.path(), keys);
    else
        write_counterparts(netcdf_, keys);
}

void TimelineWriter::write_steps(const ComponentBalance &balance) {
    reserve(64 * static_cast<std::int64_t>(balance.steps.size()));
    if (handed_over_)
        append_steps_to_file(file_.open_as(), file_.path(), balance);
    else
        append_steps(netcdf_, balance, format_ == TimelineFormat::netcdf4);
}

RowPlace TimelineWriter::hand_over() {
    if (values_written_ != 0 || rasters_written_ != 0 || away_written_ != away_intervals_)
        throw FileError(file_.path(), "rows are missing, the timeline is given up");
    // netCDF keeps whole blocks of the file in memory and would write old bytes over what others write: it must go.
    netcdf_.close();
    handed_over_ = true;
    const std::string here = file_.open_as();
    RowPlace place = row_place(here, file_.path(), classic_offset(here, "timer_strt"),
                               classic_offset(here, "timer_stop"), events_);
    if (kinds_ >= 0) place.raster_at = classic_offset(here, "kind_dominant");
    if (inside_ >= 0) place.inside_at = classic_offset(here, "mpi_inside");
    place.file = file_.temporary(); // for other processes
    return place;
}

void TimelineWriter::close() {
    if (handed_over_) return file_.commit();
    if (values_written_ != events_ * processes_ || away_written_ != away_intervals_ ||
        (kinds_ >= 0 && rasters_written_ != processes_))
        throw FileError(file_.path(), "rows are missing, the timeline is given up");
    netcdf_.close();
    if (space_) space_->release();
    file_.commit();
}

} // namespace cpl_lb
