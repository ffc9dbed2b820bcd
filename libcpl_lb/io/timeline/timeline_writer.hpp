// Writes timeline_<component>.nc (TR/CMGC/20/176, appendix 1; docs/timelines.md): doubles in seconds, classic
// 64-bit offset, CDF5 where a variable needs it, or compressed netCDF-4 with times rounded to 2^-20 s.
// The file appears at its place in close(), when every process's row has been written.
#pragma once

#include "data/balance.hpp"
#include "io/files/disk_space.hpp"
#include "io/files/result_file.hpp"
#include "io/timeline/netcdf_file.hpp"
#include "io/timeline/row_file.hpp"
#include "io/timeline/timeline.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cpl_lb {

enum class TimelineFormat : std::uint8_t { offset64, cdf5, netcdf4 };

// In the 64-bit offset format a fixed-size variable that is not the last one takes at most 2^32 - 4 bytes.
[[nodiscard]] TimelineFormat timeline_format(std::int64_t events, std::int64_t processes, bool compress);

class TimelineWriter {
public:
    // Creates the file and writes all but the times. header.keys: the events; with none of them the file holds
    // one event UNDF without times and the attribute `events` = 0, because a netCDF dimension of length 0 would
    // be unlimited. Throws FileError, like everything here.
    // cached_values: of each variable of a compressed file, kept until a chunk is whole.
    TimelineWriter(const std::string &path, const TimelineHeader &header, bool compress,
                   std::int64_t cached_values = most_cached_values);

    static constexpr std::int64_t most_cached_values = 2'097'152; // 16 MiB; more is of no use
    // Most rows in one chunk of a compressed file: blocks of as many cost least.
    static constexpr std::int64_t block_rows = 8;

    // Rows of `processes` processes from `first_process` on, one after the other: element [p * events + k],
    // `absent` where process p took no part in event k. Blocks come in any order; each row once.
    void write_rows(std::int64_t first_process, std::int64_t processes, std::span<const Nanoseconds> start,
                    std::span<const Nanoseconds> stop);
    // The same for a part of the events, where not even one whole row fits.
    void write_block(std::int64_t first_process, std::int64_t processes, std::int64_t first_event,
                     std::int64_t events, std::span<const Nanoseconds> start, std::span<const Nanoseconds> stop);
    // Time inside other components of one process; header.away_intervals in all.
    void write_away(std::int64_t process, std::span<const Interval> away);
    // Where header.run_end is known: what the process did most in each of raster_bins bins. With header.mpi_inside
    // and no times away as many shares in MPI stand behind that.
    void write_raster(std::int64_t process, std::span<const signed char> kinds);
    // For formats of fixed places, once everything but the times is written: ends netCDF's part and says where the
    // rows lie, so that others can write them (RowFile). Nothing may be written here any more, and close() takes it
    // that all rows are there.
    [[nodiscard]] bool has_fixed_places() const { return format_ != TimelineFormat::netcdf4 && events_ > 0; }
    [[nodiscard]] RowPlace hand_over();
    // Called when all rows are there. With SYNC events: their counterparts, which were unknown before.
    void write_sync_counterparts(const EventKeys &keys);
    // When all rows are there: the table of coupling steps goes behind them.
    void write_steps(const ComponentBalance &balance);
    void close();

    [[nodiscard]] std::int64_t events() const { return events_; }

private:
    void reserve(std::int64_t bytes);
    void define(const TimelineHeader &header);
    void define_times(const TimelineHeader &header);
    void define_chunks(int variable);
    void write_keys(const TimelineHeader &header);
    template <class T, class Put>
    void write_along_processes(const char *name, const std::vector<T> &values, Put put);
    void write_times(int variable, std::int64_t first_process, std::int64_t processes, std::int64_t first_event,
                     std::int64_t events, std::span<const Nanoseconds> times);

    NoFileSizeSignal no_signal_; // first: outlives the file
    ResultFile file_;
    TimelineFormat format_;
    std::optional<DiskSpace> space_; // of compressed files
    NetcdfFile netcdf_;
    std::int64_t events_, processes_;
    std::int64_t cached_values_;
    std::int64_t away_intervals_, away_written_ = 0;
    std::int64_t accepted_bytes_ = 0;
    bool handed_over_ = false;
    std::int64_t values_written_ = 0; // of each of the two variables
    std::int64_t rasters_written_ = 0;
    int start_ = -1, stop_ = -1;
    int kinds_ = -1;  // kind_dominant; -1: none
    int inside_ = -1; // mpi_inside
    int away_process_ = -1, away_start_ = -1, away_stop_ = -1;
    std::vector<double> seconds_; // conversion buffer, reused
};

} // namespace cpl_lb
