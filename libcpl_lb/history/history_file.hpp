// Figures of many runs in one file: SQLite, with the tables described in docs/history.md.
#pragma once

#include "data/coupled_run.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cpl_lb {

// Why the processes of a component wait for each other, in seconds of a coupling step.
struct ImbalanceRecord {
    std::int64_t processes = 0, nodes = 0; // 0: not known
    double total_s = unknown, processes_s = unknown, nodes_s = unknown, moving_s = unknown, steps_s = unknown,
           random_s = unknown;
    std::string late_node;               // empty: none, or its name is not known
    std::int64_t late_node_process = -1; // the first process on it: its place
    std::vector<std::string> node_names; // empty: not known, or more than most_nodes_kept
};
inline constexpr std::size_t most_nodes_kept = 512;

// What the processes of a component send each other, in a coupling step, and the process that is late again and again
// (analysis/waiting_share.hpp).
struct InsideRecord {
    double messages = unknown, bytes = unknown;
    std::int64_t late_process = -1; // negative: none
    double late_share = unknown;    // of the core time; 0: none

    [[nodiscard]] bool known() const { return is_known(messages) || is_known(late_share); }
};

// One run as a history keeps it: a few figures, no events.
struct ComponentRecord {
    std::string name;
    std::int64_t cores = 0;
    // Means over the coupling steps.
    double step_s = unknown, computing_s = unknown, waiting_s = unknown;
    double memory_B = unknown; // largest process
    bool is_io_server = false;
    ImbalanceRecord imbalance{};
    InsideRecord inside{};
};

// The start-up of a run (docs/definitions.md, section 3), and that of its members if it is an ensemble (section 5).
struct StartupRecord {
    bool kept = false; // by the cpl-lb that added the run
    double startup_s = unknown;
    std::int64_t members = 0;          // of the largest group; 0: no components are known to be members
    double member_startup_s = unknown; // of the member whose start-up takes longest; NaN: of one it is not known
};

struct RunRecord {
    std::string key;                       // the same for the same run, wherever its folder is
    std::string name;                      // cn_run
    std::string submitted, started, ended; // ISO 8601 UTC; empty: not known
    std::string folder;                    // where it was added from
    std::string platform, slow_side;
    std::int64_t cores = 0;
    double wall_s = unknown, simulated_s = unknown;
    double sypd = unknown, asypd = unknown, chsy = unknown, jpsy = unknown;
    double energy_J = unknown;
    double waiting_share = unknown; // of the cores' time in the coupling loops
    StartupRecord startup{};
    std::vector<ComponentRecord> components;
};

// A figure that cannot be (negative joules) is not known.
[[nodiscard]] RunRecord record_of(const CoupledRun &run, const std::string &folder);

struct AddedRuns {
    std::size_t added = 0, known_before = 0;
    std::string damaged; // the copy of a file that was damaged, and was begun anew; empty: it was not
};

// Makes the file if it is missing. In a build without SQLite this and the next one throw. All runs or none; a run
// that is in it already only gets what an older version did not keep. Jobs that add at the same time
// wait for each other, up to a minute. A history that is damaged is renamed, and a new one is begun. Throws
// FileError, for a file that is no history, too.
AddedRuns add_to_history(const std::string &path, const std::vector<RunRecord> &runs);

// In the order of their starts; those without come last. Throws FileError, for a damaged file, too.
[[nodiscard]] std::vector<RunRecord> read_history(const std::string &path);

} // namespace cpl_lb
