// Reads timeline files: those of cpl_lb, and those that OASIS3-MCT 5 writes itself (single precision, no names;
// TR/CMGC/20/176, appendix 1). Nothing in a file is trusted: sizes are compared with the file's own before
// anything is allocated, and what is wrong becomes one FileError.
#pragma once

#include "io/timeline/classic_file.hpp"
#include "io/timeline/classic_rows.hpp"
#include "io/timeline/netcdf_file.hpp"
#include "io/timeline/timeline.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace cpl_lb {

class TimelineReader {
public:
    explicit TimelineReader(const std::string &path);

    // Names that the file lacks are empty; component_id 0 and NaN if it does not say.
    [[nodiscard]] const TimelineHeader &header() const { return header_; }
    [[nodiscard]] const std::string &path() const { return netcdf_.path(); }
    [[nodiscard]] std::int64_t events() const { return events_; }
    [[nodiscard]] std::int64_t processes() const { return header_.processes; }
    // Times stored as floats: 0.24 ms steps after an hour.
    [[nodiscard]] bool single_precision() const { return single_precision_; }
    // Frees the header's keys, for callers that keep them elsewhere.
    void forget_keys() { header_.keys = {}; }
    [[nodiscard]] EventKeys take_keys() { return std::exchange(header_.keys, {}); }
    // Only the attribute run_id of a file; "" if there is none.
    [[nodiscard]] static std::string run_id_of(const std::string &path);
    // Shares in MPI inside the component, raster_bins of them for each process (data/raster.hpp). Any thread may ask
    // where classic_layout() is known.
    [[nodiscard]] bool has_inside() const { return inside_ >= 0; }
    void read_inside(std::int64_t process, std::span<signed char> percent);
    // Whether the file holds its own picture: not those of other programs and older versions.
    [[nodiscard]] static bool has_kind_dominant(const std::string &path);

    // The rows that are read together at the cost of one: 8 if the file is compressed, else 1.
    [[nodiscard]] std::int64_t block_rows() const { return compressed_ ? 8 : 1; }

    // Where the times lie, for those who read many rows themselves; none if the file is compressed, in records or
    // in single precision. Throws FileError.
    [[nodiscard]] std::optional<ClassicLayout> classic_layout() const;
    // Time of a process inside other components, see Row.
    [[nodiscard]] std::span<const Interval> away_of(std::int64_t process) const;

    // Rows first_process, first_process + 1, ...; the vectors of `rows` are reused.
    void read_rows(std::int64_t first_process, std::span<Row> rows);

private:
    void read_sizes();
    void limit_caches();
    void read_globals();
    void read_keys();
    void read_away();
    void find_inside();
    void read_times(int variable, double fill, std::int64_t first_process, std::span<Row> rows,
                    std::vector<Nanoseconds> Row::*times);

    ClassicBegins begins_; // before netcdf_, whose opening fills it
    NetcdfFile netcdf_;
    TimelineHeader header_;
    std::int64_t events_ = 0;
    std::int64_t file_events_ = 0; // the dimension nx; 1 if there are no events
    bool single_precision_ = false, compressed_ = false;
    int start_ = -1, stop_ = -1;
    int inside_ = -1; // mpi_inside; -1: none
    double start_fill_ = 0, stop_fill_ = 0;
    std::vector<std::vector<Interval>> away_; // by process; empty without any
    std::vector<double> seconds_;             // reused
};

} // namespace cpl_lb
