// The header of a timeline file: everything but the times (docs/timelines.md); and the file's name.
#pragma once

#include "data/coupled_run.hpp"
#include "data/events.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

struct TimelineHeader {
    std::string component_name;
    std::int32_t component_id = 0;            // from 1; 0: the file does not say
    std::vector<std::string> component_names; // by id - 1
    std::vector<std::string> field_names;     // by id - 1
    std::string run_id;
    std::string zero_time;          // RunZero::time; empty: not known
    std::string why_not_comparable; // ClockInfo::why_not_comparable; only in files of 0.3
    std::string version; // of the cpl_lb that wrote it; the writer fills it in; empty: another program's file
    double simulated_s = unknown;
    double year_days = unknown;
    double clock_error_bound_s = unknown;
    Nanoseconds first_init = absent;     // earliest cpl_lb_init of the component
    Nanoseconds last_terminate = absent; // latest cpl_lb_terminate
    Nanoseconds run_end = absent;        // of the whole run, for kind_dominant; absent: the file has none
    bool mpi_inside = false;             // with that: the file has mpi_inside, too
    Nanoseconds window_first = absent;   // limits of the window: slice, first dropped event
    Nanoseconds window_last = absent;
    std::int32_t threads = 1;
    std::int64_t dropped_events = 0;
    std::int64_t processes = 0;
    std::vector<std::int32_t> ranks;          // in comm, one for each process; or empty
    std::vector<double> clock_error_bounds_s; // of each process's node against the run's clock; or empty
    std::int64_t away_intervals = 0;          // of all processes: time inside other components, see Row::away
    ProcessFigures figures;                   // filled in by the reader; the writer takes them at its end
    EventKeys keys;                           // in the order of the file
};

// The part of the header that is the same for all components of a run.
[[nodiscard]] TimelineHeader header_of_run(const CoupledRun &run, Nanoseconds run_end);

// Fills the part of the header that describes the component alone; names and keys stay.
void describe(TimelineHeader &header, const Component &component);

// Comma separated in id order; ',' inside a name is written %2C and '%' is written %25.
[[nodiscard]] std::string join_names(std::span<const std::string> names);
[[nodiscard]] std::vector<std::string> split_names(std::string_view joined);

// Occurrences are not stored: the n-th event of a key in file order is its n-th occurrence, because on every
// process the n-th follows the one before, so its first start does, too.
void count_occurrences(EventKeys &keys);

// Seconds of the file and nanoseconds here: the round trip is exact up to 2^23 s (97 days), where a double still
// tells neighbouring nanoseconds apart; beyond, the error is at most 1 ns until 2^24 s.
[[nodiscard]] constexpr double file_seconds(Nanoseconds t) {
    return static_cast<double>(t) / 1e9;
}
[[nodiscard]] inline Nanoseconds from_file_seconds(double s) {
    // The whole part and what is left are exact, so one rounding remains; |s| must be below 9e9.
    const auto whole = static_cast<std::int64_t>(s);
    const double rest = (s - static_cast<double>(whole)) * 1e9;
    return whole * 1'000'000'000 + static_cast<std::int64_t>(rest < 0 ? rest - 0.5 : rest + 0.5);
}

// An event needs both ends: with one absent, both are. False when one ends before it starts.
[[nodiscard]] bool pair_up(Row &row);

// The nearest multiple of 2^-20 s, for compressed files: unrounded times hardly compress.
[[nodiscard]] inline double rounded_to_file(double seconds) {
    return std::nearbyint(seconds * 1048576.0) / 1048576.0;
}

// Chooses the file name of a component's timeline. OASIS3-MCT 5 writes timeline_<component>.nc, too, and neither
// program may replace the other's file.
// Whether the file at `path` is a timeline that another program wrote. Not if there is no regular file, or where
// it is no classic netCDF, which is all that OASIS writes.
[[nodiscard]] bool is_foreign_timeline(const std::string &path);

// timeline_<stem>.nc, but timeline_<stem>.cpl_lb.nc where another program's timeline has the first name. It is the
// same before and after ours has been written.
[[nodiscard]] std::string timeline_name_in(const std::string &directory, std::string_view stem);

// One line for users who look for the timeline under its usual name; empty if it has that name.
[[nodiscard]] std::string words_for_other_name(const std::string &name, std::string_view stem);

} // namespace cpl_lb
