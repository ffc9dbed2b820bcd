// The model that the optimiser works on: the graph of a run or a layout in words, scaling curves, memory, power.
#pragma once

#include "prediction/coupled_part.hpp"
#include "prediction/curve_samples.hpp"
#include "prediction/layout.hpp"
#include "prediction/memory_floor.hpp"
#include "prediction/optimiser.hpp"

#include <optional>
#include <string>
#include <vector>

namespace cpl_lb {

// Either a measured graph or a layout in words; times in seconds of the coupling loop, or of the table.
struct BalanceModel {
    std::optional<MeasuredGraph> measured;
    std::optional<ProcessorLayout> layout;
    std::vector<std::string> names;
    std::vector<std::int32_t> ids; // of the run's components; empty with a layout
    std::vector<ScalingCurve> curves;
    std::vector<bool> io_server;                   // said so (cpl_lb_set_io_server)
    std::vector<std::int64_t> threads;             // of each process
    std::vector<std::vector<MemorySample>> memory; // empty where it was not measured
    double core_memory_B = unknown;                // of a node, for each of its cores
    std::vector<CorePower> power;                  // empty: not known
    std::string why_no_power;
    ProcessorPool pool;
    double alpha = 1;
    std::vector<std::string> io_servers; // that were left out
    std::vector<KeptComponent> kept;     // all that were left out
    SeenExchanges seen;                  // in any of the runs
    std::string cycle;                   // of the first run, in words
    std::vector<std::string> remarks;    // of all runs

    [[nodiscard]] double computing_s(std::size_t c, double count, CurveForm form) const;
    [[nodiscard]] double length_s(const std::vector<double> &computing_s) const;
    [[nodiscard]] std::vector<double> path_shares(const std::vector<double> &computing_s) const;
    // The least cores of a component by its memory; 1 where it was not measured.
    [[nodiscard]] std::int64_t memory_floor(std::size_t c) const;
    // It computes nothing in the coupling loop, in no run.
    [[nodiscard]] bool is_idle(std::size_t c) const;
    // The count that a component keeps in any case: one that is idle, and an I/O server that was measured with one
    // count only, so that nobody knows how it scales. 0: free.
    [[nodiscard]] std::int64_t held(std::size_t c) const;
    // Cores of those that were left out, in whole nodes of so many.
    [[nodiscard]] std::int64_t kept_cores(std::int64_t node_cores) const;
    // The time to expect with these counts: by whole cycles, where length_s has the ends of the stretch in it, too.
    [[nodiscard]] double expected_s(const std::vector<std::int64_t> &counts, CurveForm form) const;
    // By how much the length with these counts may be wrong, as a share; NaN if a component was measured with one
    // count only and gets another.
    [[nodiscard]] double uncertainty(const std::vector<std::int64_t> &counts, CurveForm form) const;
};

// A gain that is small, and less than a quarter of what it is uncertain by, is none: with errors around the truth of
// which 90 of 100 are within the uncertainty, more than one in three such answers is longer than now. A larger gain
// is worth a trial. An uncertainty that is not known (NaN) hides nothing.
constexpr double small_gain = 0.05, hidden_below = 0.25;
[[nodiscard]] constexpr bool hidden_by_uncertainty(double now_s, double expected_s, double uncertainty) {
    const double gain = now_s / expected_s - 1;
    return gain < small_gain && gain < hidden_below * uncertainty;
}

// The first run gives the graph, and all give samples. Throws what measured_graph throws.
void add_run(BalanceModel &model, const CoupledPart &part, SamplesByComponent &samples);
// After several: the graph of the first, with what the others tell of its transfers.
void settle_graph(BalanceModel &model, const CoupledPart &first);

} // namespace cpl_lb
