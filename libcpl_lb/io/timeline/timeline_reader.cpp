// Reads and checks the header of a timeline, then its rows through netCDF.
#include "io/timeline/timeline_reader.hpp"

#include "data/model_date.hpp"
#include "data/raster.hpp"
#include "io/files/file_handle.hpp"
#include "io/timeline/classic_file.hpp"
#include "io/timeline/figure_variables.hpp"
#include "io/timeline/header_attributes.hpp"
#include "io/timeline/netcdf_variables.hpp"
#include "io/timeline/timeline_times.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <mutex>
#include <unistd.h>

namespace cpl_lb {
namespace {

constexpr std::size_t block_values = 16'384; // 128 KiB of doubles between file and nanoseconds: cached

// What netCDF reads at a time and keeps while the file is open. Who wants the header needs little, and so does a
// small file: there may be hundreds.
constexpr std::size_t for_header = std::size_t{16} << 10U;
std::size_t for_all(const std::string &path) {
    constexpr std::size_t most = std::size_t{256} << 10U, share = 64;
    std::error_code error;
    const std::uintmax_t bytes = std::filesystem::file_size(path, error);
    return error ? most : static_cast<std::size_t>(std::clamp<std::uintmax_t>(bytes / share, for_header, most));
}

// netCDF would also take URLs and formats that it guesses; here only what a timeline can be: one of the classic
// formats, or HDF5. `begins` stays empty if the format is none of the classic ones.
NetcdfFile open(const std::string &path, ClassicBegins &begins, std::size_t buffer) {
    const FileHandle file = open_to_read(path);
    if (!is_classic(file, path)) return open_hdf5(file, path);
    begins = check_classic_header(path);
    int id = -1;
    ask_for_memory_for_netcdf();
    const int status = nc__open(file.path(path).c_str(), NC_NOWRITE, &buffer, &id);
    if (status != NC_NOERR) throw FileError(path, std::string("cannot open: ") + nc_strerror(status));
    return {id, path};
}

// A variable by name; -1 if the file has none.
int require(const NetcdfFile &file, const char *name) {
    const int id = file.find(name);
    if (id < 0) throw FileError(file.path(), std::string("is not a timeline: it has no variable ") + name);
    return id;
}

// Of a variable that the file has to have.
std::vector<double> required(const NetcdfFile &file, const char *name, std::int64_t length) {
    static_cast<void>(require(file, name));
    std::vector<double> found = numbers(file, name, size(length));
    // netCDF may fail to find what it has just found.
    if (found.size() != size(length)) throw FileError(file.path(), std::string("cannot read ") + name);
    return found;
}

std::int32_t checked_id(const NetcdfFile &file, const char *name, double value, std::size_t names) {
    if (!(value >= 1)) return 0; // none; OASIS also writes negative numbers
    const auto largest = static_cast<double>(names == 0 ? size(largest_nameless_id) : names);
    if (value > largest || value != std::floor(value))
        throw FileError(file.path(), std::string("the variable ") + name +
                                         " holds an id without a name: " + std::to_string(value));
    return static_cast<std::int32_t>(value);
}

Kind checked_kind(const NetcdfFile &file, double value) {
    if (!(value >= 0 && value < kind_count) || value != std::floor(value))
        throw FileError(file.path(), "holds an unknown kind of event: " + std::to_string(value));
    return static_cast<Kind>(static_cast<int>(value));
}

std::int64_t checked_date(const NetcdfFile &file, double value, double fill) {
    if (value == fill || std::isnan(value)) return no_date;
    if (std::abs(value) > static_cast<double>(largest_date))
        throw FileError(file.path(), "holds an impossible date: " + std::to_string(value));
    return std::llround(value);
}

double fill_of(const NetcdfFile &file, int variable, bool single) {
    const double given = AttributeReader(file, variable).number("_FillValue");
    if (is_known(given)) return given;
    return single ? static_cast<double>(NC_FILL_FLOAT) : NC_FILL_DOUBLE;
}

// Whether the values of a variable lie apart, one record after the other.
bool in_records(const NetcdfFile &file, int variable) {
    int unlimited = -1;
    file.check(nc_inq_unlimdim(file.id(), &unlimited), "cannot read the dimensions");
    std::array<int, 2> dimensions{};
    file.check(nc_inq_vardimid(file.id(), variable, dimensions.data()), "cannot read a variable");
    return unlimited >= 0 && std::find(dimensions.begin(), dimensions.end(), unlimited) != dimensions.end();
}

} // namespace

TimelineReader::TimelineReader(const std::string &path) : netcdf_(open(path, begins_, for_all(path))) {
    read_sizes();
    read_globals();
    limit_caches();
    read_keys();
    read_away();
    find_inside();
    header_.figures = read_figures(netcdf_, header_.processes);
}

// Our own chunks are 256 KiB at most and are read one after the other; netCDF would keep 16 MiB of each variable.
void TimelineReader::limit_caches() {
    if (!compressed_ || header_.version.empty()) return;
    constexpr std::size_t bytes = std::size_t{4} << 20U;
    constexpr std::size_t slots = 521;
    for (const int variable : {start_, stop_})
        netcdf_.check(nc_set_var_chunk_cache(netcdf_.id(), variable, bytes, slots, 1.0F),
                      "cannot set the chunk cache");
}

std::optional<ClassicLayout> TimelineReader::classic_layout() const {
    if (compressed_ || single_precision_ || in_records(netcdf_, start_) || in_records(netcdf_, stop_)) return {};
    return ClassicLayout{.start_at = classic_offset(begins_, path(), "timer_strt"),
                         .stop_at = classic_offset(begins_, path(), "timer_stop"),
                         .fill = {.start = start_fill_, .stop = stop_fill_},
                         .processes = processes(),
                         .events = events_};
}

std::string TimelineReader::run_id_of(const std::string &path) {
    if (is_classic(open_to_read(path), path)) return classic_text(path, "run_id"); // much faster than netCDF
    ClassicBegins begins;
    const NetcdfFile file = open(path, begins, for_header);
    return AttributeReader(file, NC_GLOBAL).text("run_id");
}

bool TimelineReader::has_kind_dominant(const std::string &path) {
    ClassicBegins begins;
    return open(path, begins, for_header).find("kind_dominant") >= 0;
}

void TimelineReader::read_sizes() {
    start_ = require(netcdf_, "timer_strt");
    stop_ = require(netcdf_, "timer_stop");
    const std::vector<std::size_t> lengths = lengths_of(netcdf_, start_);
    if (lengths.size() != 2 || lengths[0] < 1 || lengths_of(netcdf_, stop_) != lengths)
        throw FileError(netcdf_.path(), "timer_strt and timer_stop are not both (processes, events)");
    constexpr std::size_t most = std::size_t{1} << 62U;
    header_.processes = static_cast<std::int64_t>(std::min(lengths[0], most));
    file_events_ = static_cast<std::int64_t>(std::min(lengths[1], most));
    std::array<nc_type, 2> types{};
    netcdf_.check(nc_inq_vartype(netcdf_.id(), start_, types.data()), "timer_strt");
    netcdf_.check(nc_inq_vartype(netcdf_.id(), stop_, &types[1]), "timer_stop");
    for (const nc_type type : types)
        if (type != NC_FLOAT && type != NC_DOUBLE)
            throw FileError(netcdf_.path(), "times are neither float nor double");
    single_precision_ = types[0] == NC_FLOAT || types[1] == NC_FLOAT;
    start_fill_ = fill_of(netcdf_, start_, types[0] == NC_FLOAT);
    stop_fill_ = fill_of(netcdf_, stop_, types[1] == NC_FLOAT);

    int format = 0;
    netcdf_.check(nc_inq_format(netcdf_.id(), &format), "cannot read the format");
    compressed_ = format == NC_FORMAT_NETCDF4 || format == NC_FORMAT_NETCDF4_CLASSIC;
    std::error_code error;
    const auto bytes = static_cast<double>(std::filesystem::file_size(netcdf_.path(), error));
    // Deflate shrinks at most 1032-fold. In floating point: no product of hostile sizes overflows.
    const double value_bytes = (single_precision_ ? 8.0 : 16.0) / (compressed_ ? 1100.0 : 1.0);
    const double values =
        static_cast<double>(std::max<std::int64_t>(file_events_, 1)) * static_cast<double>(header_.processes);
    if (error || values * value_bytes > bytes) throw FileError(netcdf_.path(), "is truncated");
}

void TimelineReader::read_globals() {
    const AttributeReader global(netcdf_, NC_GLOBAL);
    header_attributes(global, header_);
    header_.component_names = split_names(global.text("component_names"));
    header_.field_names = split_names(global.text("field_names"));
    header_.why_not_comparable = global.text("clocks_not_comparable");
    header_.version = global.text("cpl_lb_version");
    header_.clock_error_bounds_s = numbers(netcdf_, "clock_error_bound", size(header_.processes));
    for (const double value : numbers(netcdf_, "rank", size(header_.processes))) {
        if (!(value >= 0 && value < 2147483648.0)) throw FileError(netcdf_.path(), "holds an impossible rank");
        header_.ranks.push_back(static_cast<std::int32_t>(value));
    }
}

void TimelineReader::read_keys() {
    const std::int64_t said = AttributeReader(netcdf_, NC_GLOBAL).whole("events", 0, file_events_, file_events_);
    if (said == 0) return; // the one event of the file stands for none, see TimelineWriter
    events_ = file_events_;
    const std::vector<double> kinds = required(netcdf_, "kind", file_events_);
    std::vector<double> fields = numbers(netcdf_, "field", kinds.size());
    std::vector<double> others = numbers(netcdf_, "component", kinds.size());
    std::vector<double> dates = numbers(netcdf_, "date", kinds.size());
    const int date = netcdf_.find("date");
    const double no_date_value = date >= 0 ? fill_of(netcdf_, date, false) : NC_FILL_DOUBLE;
    fields.resize(kinds.size());
    others.resize(kinds.size());
    dates.resize(kinds.size(), NC_FILL_DOUBLE);
    header_.keys.reserve(kinds.size());
    for (std::size_t k = 0; k < kinds.size(); ++k) {
        header_.keys.push_back(
            {.kind = checked_kind(netcdf_, kinds[k]),
             .field = checked_id(netcdf_, "field", fields[k], header_.field_names.size()),
             .counterpart = checked_id(netcdf_, "component", others[k], header_.component_names.size()),
             .date = checked_date(netcdf_, dates[k], no_date_value)});
    }
    count_occurrences(header_.keys);
}

void TimelineReader::read_away() {
    const int process = netcdf_.find("away_process");
    if (process < 0) return;
    const std::vector<std::size_t> lengths = lengths_of(netcdf_, process);
    std::error_code error;
    const auto bytes = static_cast<double>(std::filesystem::file_size(netcdf_.path(), error));
    if (lengths.size() != 1 || static_cast<double>(lengths[0]) * 20.0 > bytes * (compressed_ ? 1100.0 : 1.0))
        throw FileError(netcdf_.path(), "is truncated");
    header_.away_intervals = static_cast<std::int64_t>(lengths[0]);
    const std::vector<double> rows = required(netcdf_, "away_process", header_.away_intervals);
    const std::vector<double> start = required(netcdf_, "away_strt", header_.away_intervals);
    const std::vector<double> stop = required(netcdf_, "away_stop", header_.away_intervals);
    away_.resize(size(header_.processes));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const bool good = rows[i] >= 0 && rows[i] < static_cast<double>(header_.processes) &&
                          std::abs(start[i]) <= largest_time_s && std::abs(stop[i]) <= largest_time_s &&
                          start[i] <= stop[i];
        if (!good) throw FileError(netcdf_.path(), "holds an impossible time inside another component");
        std::vector<Interval> &away = away_[static_cast<std::size_t>(rows[i])];
        const Interval interval{from_file_seconds(start[i]), from_file_seconds(stop[i])};
        if (!away.empty() && interval.start < away.back().stop)
            throw FileError(netcdf_.path(), "times inside other components overlap");
        away.push_back(interval);
    }
}

void TimelineReader::find_inside() {
    inside_ = netcdf_.find("mpi_inside");
    if (inside_ < 0) return;
    if (lengths_of(netcdf_, inside_) != std::vector{size(header_.processes), raster_bins})
        throw FileError(netcdf_.path(), "the variable mpi_inside has the wrong shape");
}

void TimelineReader::read_inside(std::int64_t process, std::span<signed char> percent) {
    if (inside_ < 0 || process < 0 || process >= header_.processes || percent.size() != raster_bins)
        throw FileError(netcdf_.path(), "has no process " + std::to_string(process));
    const std::array<std::size_t, 2> at = {size(process), 0}, count = {1, raster_bins};
    static std::mutex one_at_a_time; // netCDF's rule, for all files
    const std::lock_guard lock(one_at_a_time);
    netcdf_.check(nc_get_vara_schar(netcdf_.id(), inside_, at.data(), count.data(), percent.data()),
                  "cannot read mpi_inside");
}

void TimelineReader::read_times(int variable, double fill, std::int64_t first_process, std::span<Row> rows,
                                std::vector<Nanoseconds> Row::*times) {
    const std::size_t n = size(events_);
    const std::size_t width = std::min(n, block_values / rows.size());
    seconds_.resize(rows.size() * width);
    for (Row &row : rows)
        (row.*times).resize(n);
    for (std::size_t first = 0; first < n; first += width) {
        const std::array<std::size_t, 2> at = {size(first_process), first};
        const std::array<std::size_t, 2> count = {rows.size(), std::min(width, n - first)};
        netcdf_.check(nc_get_vara_double(netcdf_.id(), variable, at.data(), count.data(), seconds_.data()),
                      "cannot read times");
        for (std::size_t r = 0; r < rows.size(); ++r) {
            const std::span<const double> piece = std::span(seconds_).subspan(r * count[1], count[1]);
            if (!to_nanoseconds(piece, fill, (rows[r].*times).data() + first))
                throw FileError(netcdf_.path(), "holds an impossible time of process " + std::to_string(at[0] + r));
        }
    }
}

std::span<const Interval> TimelineReader::away_of(std::int64_t process) const {
    if (away_.empty()) return {};
    return away_[size(process)];
}

void TimelineReader::read_rows(std::int64_t first_process, std::span<Row> rows) {
    if (rows.empty()) return;
    if (first_process < 0 || first_process + static_cast<std::int64_t>(rows.size()) > header_.processes)
        throw FileError(netcdf_.path(), "has no process " + std::to_string(first_process));
    // Compressed chunks hold 8 rows: read together, each is decompressed once.
    const std::size_t block = size(block_rows());
    for (std::size_t r = 0; r < rows.size(); r += block) {
        const std::span<Row> together = rows.subspan(r, std::min(block, rows.size() - r));
        const std::int64_t first = first_process + static_cast<std::int64_t>(r);
        read_times(start_, start_fill_, first, together, &Row::start);
        read_times(stop_, stop_fill_, first, together, &Row::stop);
    }
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const std::size_t process = size(first_process) + r;
        const std::span<const Interval> away = away_of(first_process + static_cast<std::int64_t>(r));
        rows[r].away.assign(away.begin(), away.end());
        if (!pair_up(rows[r]))
            throw FileError(netcdf_.path(),
                            "an event of process " + std::to_string(process) + " ends before it starts");
    }
}

} // namespace cpl_lb
