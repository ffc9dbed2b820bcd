// What to start: the components of a job with their counts, and which of them share cores. Input of the forms
// and of templates (launch_form.hpp).
#pragma once

#include "prediction/balance_model.hpp"
#include "prediction/processor_pool.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cpl_lb {

struct LaunchPart {
    std::string name;
    std::int64_t processes = 0, threads = 1; // threads of each process
    bool recorded = false;                   // its MPI was recorded: cpl-lb-record comes before its program

    [[nodiscard]] std::int64_t cores() const { return processes * threads; }
    [[nodiscard]] std::int64_t nodes(std::int64_t node_cores) const {
        return (cores() + node_cores - 1) / node_cores;
    }
    // I x J processes, the most square split. I is the index that is contiguous in memory, so it gets the smaller
    // number of tiles.
    [[nodiscard]] std::pair<std::int64_t, std::int64_t> tiles() const;
};

struct LaunchPlan {
    std::vector<LaunchPart> parts; // in the order of the run
    ProcessorPool pool{};          // of the parts, by their place in the list; its root is side by side
    std::string with_unknown;      // names of parts on cores of others, if it is not known of which; empty: none
    std::int64_t node_cores = 1;   // more than 1: each part has whole nodes of so many cores
    bool other_threads = false;    // some may have other numbers of threads than now

    // Some components run in turn on the same processes.
    [[nodiscard]] bool in_turn() const;
    // The threads of each process if all have the same number; else 0.
    [[nodiscard]] std::int64_t same_threads() const;
};

// Components with these counts (of cores, by component of the model) and threads, and the components that were left
// out, with theirs. `node_cores`: 1 if components may share nodes.
[[nodiscard]] LaunchPlan launch_plan(const BalanceModel &model, const std::vector<std::int64_t> &cores,
                                     const std::vector<std::int64_t> &threads, std::int64_t node_cores);

// Places in a row of processes, cores or nodes.
struct PlaceInRow {
    std::int64_t first = 0, count = 0;
    [[nodiscard]] std::int64_t last() const { return first + count - 1; }
};
struct PlacesInRow {
    std::vector<PlaceInRow> parts; // as LaunchPlan::parts
    std::int64_t total = 0;        // up to the last place that is taken
};

// Parts side by side get places behind each other, in the order of the run; parts in turn begin at the same place.
// `sizes`: of each part.
[[nodiscard]] PlacesInRow placed(const LaunchPlan &plan, const std::vector<std::int64_t> &sizes);

// The ranks of each part in MPI_COMM_WORLD if a launcher starts one after the other.
[[nodiscard]] PlacesInRow ranks_of(const LaunchPlan &plan);

} // namespace cpl_lb
