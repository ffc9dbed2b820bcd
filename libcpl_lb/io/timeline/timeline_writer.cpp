// Defines dimensions, variables and attributes of a timeline and writes its rows.
#include "io/timeline/timeline_writer.hpp"

#include "data/raster.hpp"
#include "io/timeline/classic_file.hpp"
#include "io/timeline/figure_variables.hpp"
#include "io/timeline/header_attributes.hpp"
#include "io/timeline/netcdf_variables.hpp"
#include "io/timeline/raster_variables.hpp"
#include "support/fmt.hpp"
#include "support/messages.hpp"

#include <algorithm>
#include <array>
#include <cpl_lb/version.h>
#include <limits>

namespace cpl_lb {
namespace {

constexpr double fill = NC_FILL_DOUBLE;
constexpr std::int64_t buffer_values = 262'144; // 2 MiB, stays in the cache between conversion and write
constexpr std::size_t stream_bytes = 1U << 20U; // netCDF's own buffer; its default is 8 KiB

int create(const ResultFile &file, TimelineFormat format) {
    int mode = NC_CLOBBER;
    if (format == TimelineFormat::offset64) mode |= NC_64BIT_OFFSET;
    if (format == TimelineFormat::cdf5) mode |= NC_64BIT_DATA;
    int id = -1;
    std::size_t buffer = stream_bytes;
    ask_for_memory_for_netcdf();
    const int status = nc__create(file.open_as().c_str(), mode, 0, &buffer, &id);
    if (status != NC_NOERR) throw FileError(file.path(), std::string("cannot create: ") + nc_strerror(status));
    return id;
}

void define_kind(const NetcdfFile &file, int nx) {
    const Attributes kind(file, define(file, "kind", NC_INT, {&nx, 1}, "kind of coupling event"));
    kind.flags(0, joined({kind_names.begin(), kind_names.end()}, " "));
    kind.text("comment", "undefined, send, receive, mapping, field to file, field from file, restart, partial "
                         "restart, partition definition, end of definition, terminate, collective operation");
}

void define_ids(const NetcdfFile &file, int nx) {
    Attributes(file, define(file, "field", NC_INT, {&nx, 1}, "coupling field"))
        .text("comment", "position in the global attribute field_names, from 1; 0: none");
    Attributes(file, define(file, "component", NC_INT, {&nx, 1}, "component at the other end"))
        .text("comment", "position in the global attribute component_names, from 1; 0: none");
}

void define_date(const NetcdfFile &file, int nx) {
    Attributes(file, define(file, "date", NC_DOUBLE, {&nx, 1}, "model date since the start of the simulation", "s"))
        .real("_FillValue", fill);
}

void define_globals(const NetcdfFile &file, const TimelineHeader &header) {
    const Attributes global(file, NC_GLOBAL);
    global.text("Conventions", "CF-1.8");
    global.text("title", "Timeline of the coupling events (nx) on every process (ny) of one component");
    global.text("source", "cpl_lb " CPL_LB_VERSION);
    global.text("cpl_lb_version", CPL_LB_VERSION);
    global.text("component_names", join_names(header.component_names));
    global.text("field_names", join_names(header.field_names));
    header_attributes(global, header);
    global.integer("events", static_cast<std::int64_t>(header.keys.size()));
}

} // namespace

TimelineFormat timeline_format(std::int64_t events, std::int64_t processes) {
    constexpr double largest = 4'294'967'292.0; // 2^32 - 4
    // Computed in floating point: hostile sizes cannot overflow it, and it is exact far beyond the limit.
    const double bytes = 8.0 * static_cast<double>(events) * static_cast<double>(processes);
    return bytes > largest ? TimelineFormat::cdf5 : TimelineFormat::offset64;
}

TimelineWriter::TimelineWriter(const std::string &path, const TimelineHeader &header, bool compress,
                               std::uint64_t most_compressed_B)
    : file_(path), format_(timeline_format(static_cast<std::int64_t>(header.keys.size()), header.processes)),
      netcdf_(create(file_, format_), path), events_(static_cast<std::int64_t>(header.keys.size())),
      processes_(header.processes), compress_(compress), most_compressed_B_(most_compressed_B),
      away_intervals_(header.away_intervals) {
    if (processes_ < 1) throw FileError(path, "a timeline needs at least one process");
    // Every value is written: filling first would write the file twice.
    netcdf_.check(nc_set_fill(netcdf_.id(), NC_NOFILL, nullptr), "cannot set the fill mode");
    define(header);
    netcdf_.check(nc__enddef(netcdf_.id(), room_for_steps_bytes, 4, 0, 4), "cannot end the header");
    write_keys(header);
    if (kinds_ >= 0) write_raster_axes(netcdf_, {processes_}, header.run_end);
    if (events_ == 0) {
        const std::vector<double> none(size(processes_), fill);
        netcdf_.check(nc_put_var_double(netcdf_.id(), start_, none.data()), "cannot write timer_strt");
        netcdf_.check(nc_put_var_double(netcdf_.id(), stop_, none.data()), "cannot write timer_stop");
    }
}

void TimelineWriter::define(const TimelineHeader &header) {
    const int nx = define_dimension(netcdf_, "nx", size(std::max<std::int64_t>(events_, 1)));
    const int ny = define_dimension(netcdf_, "ny", size(processes_));
    define_kind(netcdf_, nx);
    define_ids(netcdf_, nx);
    if (any_date(header.keys)) define_date(netcdf_, nx);
    if (!header.ranks.empty())
        cpl_lb::define(netcdf_, "rank", NC_INT, {&ny, 1}, "rank of the process in the run's communicator");
    if (!header.clock_error_bounds_s.empty()) {
        cpl_lb::define(netcdf_, "clock_error_bound", NC_DOUBLE, {&ny, 1},
                       "times of the process are at most that far from the run's clock", "s");
    }
    if (header.run_end != absent) kinds_ = define_raster(netcdf_, {processes_});
    if (kinds_ >= 0 && header.mpi_inside && away_intervals_ == 0) inside_ = define_inside(netcdf_);
    define_times(header);
    define_globals(netcdf_, header);
}

void TimelineWriter::define_times(const TimelineHeader &header) {
    const std::array<int, 2> both = {dimension_of(netcdf_, "ny"), dimension_of(netcdf_, "nx")};
    const auto times = [this](const char *name, std::span<const int> dimensions, const char *long_name) {
        return cpl_lb::define(netcdf_, name, NC_DOUBLE, dimensions, long_name, "s");
    };
    start_ = times("timer_strt", both, "start of the event since the start of the run");
    stop_ = times("timer_stop", both, "end of the event since the start of the run");
    for (const int id : {start_, stop_})
        Attributes(netcdf_, id).real("_FillValue", fill);
    if (header.away_intervals == 0) return;
    const int away = define_dimension(netcdf_, "na", size(header.away_intervals));
    away_process_ =
        cpl_lb::define(netcdf_, "away_process", NC_INT, {&away, 1}, "row of a time inside another component, from 0");
    away_start_ = times("away_strt", {&away, 1}, "start of a time inside another component");
    away_stop_ = times("away_stop", {&away, 1}, "end of a time inside another component");
}

template <class T, class Put>
void TimelineWriter::write_along_processes(const char *name, const std::vector<T> &values, Put put) {
    if (values.empty()) return;
    if (static_cast<std::int64_t>(values.size()) != processes_)
        throw FileError(file_.path(), std::string("the header does not hold one ") + name + " for each process");
    netcdf_.check(put(netcdf_.id(), netcdf_.find(name), values.data()),
                  (std::string("cannot write ") + name).c_str());
}

void TimelineWriter::write_keys(const TimelineHeader &header) {
    const EventKeys one{EventKey{}}; // kind UNDF, field 0, component 0
    cpl_lb::write_keys(netcdf_, header.keys.empty() ? one : header.keys);
    write_along_processes("rank", header.ranks, &nc_put_var_int);
    write_along_processes("clock_error_bound", header.clock_error_bounds_s, &nc_put_var_double);
}

void TimelineWriter::write_rows(std::int64_t first_process, std::int64_t processes,
                                std::span<const Nanoseconds> start, std::span<const Nanoseconds> stop) {
    if (processes == 0 || events_ == 0) return;
    if (start.size() != size(processes * events_) || stop.size() != start.size())
        throw FileError(file_.path(), "a block of rows has the wrong size");
    write_times(start_, first_process, processes, start);
    write_times(stop_, first_process, processes, stop);
    values_written_ += processes * events_;
}

void TimelineWriter::write_times(int variable, std::int64_t first_process, std::int64_t processes,
                                 std::span<const Nanoseconds> times) {
    for (std::int64_t row = 0; row < processes; ++row) {
        for (std::int64_t event = 0; event < events_; event += buffer_values) {
            const std::int64_t length = std::min(buffer_values, events_ - event);
            seconds_.resize(size(length));
            const std::span<const Nanoseconds> piece = times.subspan(size(row * events_ + event), size(length));
            std::transform(piece.begin(), piece.end(), seconds_.begin(),
                           [](Nanoseconds t) { return t == absent ? fill : file_seconds(t); });
            const std::array<std::size_t, 2> first = {size(first_process + row), size(event)};
            const std::array<std::size_t, 2> count = {1, size(length)};
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
    std::transform(away.begin(), away.end(), start.begin(), [](Interval i) { return file_seconds(i.start); });
    std::transform(away.begin(), away.end(), stop.begin(), [](Interval i) { return file_seconds(i.stop); });
    const int file = netcdf_.id();
    netcdf_.check(nc_put_vara_int(file, away_process_, &first, &count, rows.data()), "cannot write away_process");
    netcdf_.check(nc_put_vara_double(file, away_start_, &first, &count, start.data()), "cannot write away_strt");
    netcdf_.check(nc_put_vara_double(file, away_stop_, &first, &count, stop.data()), "cannot write away_stop");
    away_written_ += static_cast<std::int64_t>(count);
}

void TimelineWriter::write_raster(std::int64_t process, std::span<const signed char> kinds) {
    if (kinds_ < 0 || kinds.size() != (inside_ < 0 ? 1 : 2) * raster_bins)
        throw FileError(file_.path(), "a row of kind_dominant has the wrong size");
    write_raster_row(netcdf_, kinds_, {processes_}, process, kinds.first(raster_bins));
    if (inside_ >= 0) write_raster_row(netcdf_, inside_, {processes_}, process, kinds.subspan(raster_bins));
    ++rasters_written_;
}

template <class Add>
void TimelineWriter::add(Add add_to) {
    if (!handed_over_) return add_to(netcdf_);
    NetcdfFile file = open_to_write(file_.open_as(), file_.path());
    file.check(nc_set_fill(file.id(), NC_NOFILL, nullptr), "cannot set the fill mode");
    add_to(file);
    file.close();
}

void TimelineWriter::write_sync_counterparts(const EventKeys &keys) {
    const std::vector<EventClass> &classes = keys.classes();
    if (std::none_of(classes.begin(), classes.end(), [](const EventClass &c) { return c.kind == Kind::sync; }))
        return;
    add([&](const NetcdfFile &file) { write_counterparts(file, keys); });
}

void TimelineWriter::write_steps(const ComponentBalance &balance) {
    if (!balance.steps.empty()) add([&](const NetcdfFile &file) { append_steps(file, balance); });
}

void TimelineWriter::write_figures(const ProcessFigures &figures) {
    if (!figures.empty()) add([&](const NetcdfFile &file) { append_figures(file, figures); });
}

RowPlace TimelineWriter::hand_over() {
    if (values_written_ != 0 || rasters_written_ != 0 || away_written_ != away_intervals_)
        throw FileError(file_.path(), "rows are missing, the timeline is given up");
    // netCDF keeps whole blocks of the file in memory and would write old bytes over what others write: it must go.
    netcdf_.close();
    handed_over_ = true;
    const std::string here = file_.open_as();
    const ClassicBegins begins = check_classic_header(here);
    const auto begin_of = [&](const char *variable) { return classic_offset(begins, here, variable); };
    RowPlace place = row_place(here, file_.path(), begin_of("timer_strt"), begin_of("timer_stop"), events_);
    if (kinds_ >= 0) place.raster_at = begin_of("kind_dominant");
    if (inside_ >= 0) place.inside_at = begin_of("mpi_inside");
    place.file = file_.temporary(); // for other processes
    return place;
}

std::string TimelineWriter::close() {
    if (!handed_over_) {
        if (values_written_ != events_ * processes_ || away_written_ != away_intervals_ ||
            (kinds_ >= 0 && rasters_written_ != processes_))
            throw FileError(file_.path(), "rows are missing, the timeline is given up");
        netcdf_.close();
    }
    std::string why;
    if (compress_) {
        try {
            ResultFile compressed(file_.path());
            write_compressed(file_.open_as(), compressed, most_compressed_B_);
            compressed.commit();
            return {};
        } catch (const std::exception &e) {
            const bool named = dynamic_cast<const std::bad_alloc *>(&e) == nullptr;
            why = (named ? "" : file_.path() + ": ") + in_words(e) + ": the timeline is there, but not compressed";
        }
    }
    file_.commit();
    return why;
}

} // namespace cpl_lb
