// load_balancing_report.html: one self-contained page that opens from a file system, without a request to anywhere.
#pragma once

#include "data/coupled_run.hpp"
#include "data/progress.hpp"
#include "page/page_file.hpp"
#include "support/budget.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cpl_lb {

// What limits the regions on a machine (projection/roofline/roofline.hpp, which the library does not carry).
struct PageRoofline {
    std::string why_not; // empty if a region has operations and bytes
    std::string json;    // what cpl-lb machine roofline --json prints
    std::string words;   // of the region that takes the most time
    std::string svg;     // styled by the class "roofline"; names are escaped
};

struct PageSources {
    std::vector<std::string> timelines; // paths; those that cannot be read are left out, and the page says why
    std::string why_no_timeline;        // if there are none
    // Limit of events x processes to read, because the page must take only a moment at the end of a run. If there are
    // more, evenly chosen processes stand for all, and the page says so.
    std::int64_t most_read = std::numeric_limits<std::int64_t>::max();
    // Limit of events x processes whose times are in memory at once; at least one row.
    std::int64_t most_held = std::numeric_limits<std::int64_t>::max();
    // After this time the timelines are given up, and the page says so: a file system may be busy.
    double longest_s = std::numeric_limits<double>::infinity();
    Budget budget{}; // the same for processor time: then the exchanges of the timelines are left out, too
    // True outside of a model: then several threads read.
    bool threads = false;
    Compress2 *zlib = zlib_in_process();  // without it the page is larger, and says so
    Progress progress;                    // of the rows of each timeline
    std::optional<PageRoofline> roofline; // none: no machine was named
    std::string fields;                   // field_rows() of the run while it had its events; empty: it has them
};

// The coupling fields in the page's format.
[[nodiscard]] std::string field_rows(const CoupledRun &run);

// Sources for a run from the timers of its model: no timeline, with the reason.
[[nodiscard]] PageSources page_of_timers();

// Limit at terminate: half a GB of timelines.
inline constexpr std::int64_t most_read_at_terminate = 32'000'000;
inline constexpr double longest_at_terminate_s = 20.0;

// The file appears whole or not at all. Memory: some 50 MB, whatever the run's size. Throws FileError.
void write_page(const std::string &path, const CoupledRun &run, const PageSources &sources);

inline constexpr const char *page_file_name = "load_balancing_report.html";

} // namespace cpl_lb
