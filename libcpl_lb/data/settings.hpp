// The namelist &namcpl_lb as plain data, with its defaults (docs/namelist.md).
#pragma once

#include <cstdint>
#include <string>

namespace cpl_lb {

struct Settings {
    bool enabled = false;                     // ln_lb
    bool timeline = true;                     // ln_timeline
    bool timeline_given = false;              // ln_timeline was set by the user
    bool report = true;                       // ln_report
    bool print = true;                        // ln_print
    std::string directory = ".";              // cn_dir
    std::int64_t date_first_s = 0;            // nn_date_first
    std::int64_t date_last_s = -1;            // nn_date_last; -1: to the end
    std::int64_t max_MiB = 0;                 // nn_max_mb; 0: chosen by the library
    double timeout_s = 600.0;                 // rn_timeout
    double analysis_s = 10.0;                 // rn_analysis
    bool compress = false;                    // ln_compress
    bool spool = false;                       // ln_spool
    std::string spool_directory = "/dev/shm"; // cn_spool_dir
    double year_days = 365.0;                 // rn_year_days
    std::int64_t cores = 0;                   // nn_cores
    std::int64_t gpus = -1;                   // nn_gpus: of each node; -1: not given
    bool rss = true;                          // ln_rss
    bool energy = true;                       // ln_energy
    double sample_s = 1.0;                    // rn_sample
    std::string counters;                     // cn_counters
    std::string submitted;                    // cn_submitted
    std::string run;                          // cn_run
    std::string components;                   // cn_components: names by ranks, for cpl-lb-record
    std::string members;                      // cn_members
    double simulated_s = 0.0;                 // CPL_LB_SIMULATED; 0: not known
    std::string sysfs_root = "/sys";          // CPL_LB_SYSFS
    std::string procfs_root = "/proc";        // CPL_LB_PROCFS

    [[nodiscard]] bool sliced() const { return date_first_s != 0 || date_last_s != -1; }
    friend bool operator==(const Settings &, const Settings &) = default;
};

} // namespace cpl_lb
