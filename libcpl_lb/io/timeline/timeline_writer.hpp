// Writes timeline_<component>.nc (TR/CMGC/20/176, appendix 1; docs/timelines.md): doubles in seconds, classic
// 64-bit offset, or CDF5 where a variable needs it; compressed as the last step (io/timeline/compression.cpp).
// The file appears at its place in close(), when every process's row has been written.
#pragma once

#include "data/balance.hpp"
#include "io/files/result_file.hpp"
#include "io/timeline/netcdf_file.hpp"
#include "io/timeline/row_file.hpp"
#include "io/timeline/timeline.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace cpl_lb {

enum class TimelineFormat : std::uint8_t { offset64, cdf5 };

// In the 64-bit offset format a fixed-size variable that is not the last one takes at most 2^32 - 4 bytes.
[[nodiscard]] TimelineFormat timeline_format(std::int64_t events, std::int64_t processes);

class TimelineWriter {
public:
    static constexpr std::uint64_t any_size = UINT64_MAX;

    // Creates the file and writes all but the times. header.keys: the events; with none of them the file holds
    // one event UNDF without times and the attribute `events` = 0, because a netCDF dimension of length 0 would
    // be unlimited. Throws FileError, like everything here.
    // compress: close() rewrites the file; most_compressed_B as for write_compressed().
    TimelineWriter(const std::string &path, const TimelineHeader &header, bool compress,
                   std::uint64_t most_compressed_B = any_size);

    // Rows of `processes` processes from `first_process` on, one after the other: element [p * events + k],
    // `absent` where process p took no part in event k. Blocks come in any order; each row once.
    void write_rows(std::int64_t first_process, std::int64_t processes, std::span<const Nanoseconds> start,
                    std::span<const Nanoseconds> stop);
    // Time inside other components of one process; header.away_intervals in all.
    void write_away(std::int64_t process, std::span<const Interval> away);
    // Where header.run_end is known: what the process did most in each of raster_bins bins. With header.mpi_inside
    // and no times away as many shares in MPI stand behind that.
    void write_raster(std::int64_t process, std::span<const signed char> kinds);
    // Once everything but the times is written: ends netCDF's part and says where the rows lie, so that others can
    // write them (RowFile). Nothing may be written here any more, and close() takes it that all rows are there.
    [[nodiscard]] RowPlace hand_over();
    // Called when all rows are there. With SYNC events: their counterparts, which were unknown before.
    void write_sync_counterparts(const EventKeys &keys);
    // When all rows are there: the table of coupling steps goes behind them.
    void write_steps(const ComponentBalance &balance);
    // After the steps: what each process did, and its part of the grid.
    void write_figures(const ProcessFigures &figures);
    // Puts the file in place. If it cannot be compressed, it is there as it is, and this says why; else "".
    std::string close();

    [[nodiscard]] std::int64_t events() const { return events_; }

private:
    void define(const TimelineHeader &header);
    void define_times(const TimelineHeader &header);
    void write_keys(const TimelineHeader &header);
    template <class T, class Put>
    void write_along_processes(const char *name, const std::vector<T> &values, Put put);
    // Adds to the file: to the one that is open here, or to the one that was handed over.
    template <class Add>
    void add(Add add_to);
    void write_times(int variable, std::int64_t first_process, std::int64_t processes,
                     std::span<const Nanoseconds> times);

    NoFileSizeSignal no_signal_; // first: outlives the file
    ResultFile file_;
    TimelineFormat format_;
    NetcdfFile netcdf_;
    std::int64_t events_, processes_;
    bool compress_;
    std::uint64_t most_compressed_B_;
    std::int64_t away_intervals_, away_written_ = 0;
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
