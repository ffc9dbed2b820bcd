// The model that the optimiser works on: the graph of a run or a layout in words, scaling curves, memory, power.
#pragma once

#include "prediction/concurrency.hpp"
#include "prediction/coupled_part.hpp"
#include "prediction/curve_samples.hpp"
#include "prediction/optimiser.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cpl_lb {

// The smallest number of cores with which a component's measured memory fits into the nodes.
struct MemorySample {
    double cores = 0;         // of the measurement
    double high_B = 0;        // sum of the processes' high-water marks
    std::int64_t threads = 0; // of each process; 0: as now; differing_threads
};

// The component's memory is modelled as m + n p with p cores: m is divided among the cores, and n is each core's own
// (least squares, neither negative). With measurements at one count n is unknown and taken as 0: then the result is
// a lower bound. 0: no count fits, because n is more than a core's memory.
[[nodiscard]] std::int64_t least_cores(const std::vector<MemorySample> &samples, double memory_of_core_B);

// A run with a layout in words: its cores, by component, and how long they computed.
struct PresentRun {
    std::string folder;
    std::vector<std::int64_t> cores, threads;
    std::vector<double> computing_s;
};

// Either a measured graph or a layout in words; times in seconds of the coupling loop, or of the table.
struct BalanceModel {
    std::optional<MeasuredGraph> measured;
    std::optional<Concurrency> layout;
    std::vector<std::string> names;
    std::vector<std::int32_t> ids;                          // ids of the run's components; empty with a layout
    std::vector<ScalingCurve> curves;                       // with the threads of now
    std::vector<std::vector<CurveOfThreads>> other_threads; // by component, ascending; may be empty
    std::vector<bool> not_as_now;                           // by component: it may not keep its threads; may be empty
    std::vector<bool> io_server;                            // those that said so (cpl_lb_set_io_server)
    std::vector<bool> mpi_recorded;                         // in the first run; may be empty
    std::vector<std::int64_t> threads;                      // of each process, now; where they differ, the least
    std::vector<std::vector<MemorySample>> memory;          // empty if it was not measured
    double core_memory_B = unknown;                         // of a node, for each of its cores
    std::vector<Power> power;                               // empty: not known
    std::string why_no_power;
    ProcessorPool pool;
    double alpha = 1;
    std::vector<PresentRun> present;     // runs with a layout in words; else empty
    std::vector<std::string> io_servers; // I/O servers that were left out
    std::vector<KeptComponent> kept;     // all that were left out
    SeenExchanges seen;                  // transfers and lags seen in any run
    std::string cycle;                   // the first run's cycle, in words
    std::vector<std::string> remarks;    // of all runs
    bool lengths_not_known = false;      // several runs, and it is not known how long they simulated

    // With another count and another curve than now.
    [[nodiscard]] double computing_s(std::size_t c, const ScalingCurve &now, const ScalingCurve &then,
                                     std::int64_t count, CurveForm form) const;
    // The same on so many cores, with such processes; and of all components.
    [[nodiscard]] double computing_s(std::size_t c, std::int64_t count, std::int64_t with_threads,
                                     CurveForm form) const {
        return computing_s(c, curves[c], curve_with(c, with_threads), count, form);
    }
    [[nodiscard]] std::vector<double> computing_s(const CurvesOfMove &move, CurveForm form) const;
    [[nodiscard]] CurvesOfMove move_to(const std::vector<std::int64_t> &counts,
                                       const std::vector<std::int64_t> &with_threads) const;
    // Whether its processes may keep their present threads.
    [[nodiscard]] bool keeps_threads(std::size_t c) const;
    // Whether such processes fill so many cores and have enough memory.
    [[nodiscard]] bool may_have(std::size_t c, std::int64_t cores, std::int64_t with_threads) const;
    // Whether processes with measured threads, now or in another run, fill so many cores and have enough memory.
    [[nodiscard]] bool can_fill(std::size_t c, std::int64_t cores) const;
    // The threads of each process with which a component computes fastest on so many cores, all of which they must
    // fill. Of equally fast ones the present threads.
    [[nodiscard]] std::int64_t best_threads(std::size_t c, std::int64_t cores, CurveForm form) const;
    [[nodiscard]] const ScalingCurve &curve_with(std::size_t c, std::int64_t with_threads) const;
    [[nodiscard]] double length_s(const std::vector<double> &computing_s) const;
    [[nodiscard]] std::vector<double> path_shares(const std::vector<double> &computing_s) const;
    // The least cores of a component for the memory that was measured with these threads, or with any; 1 if none was
    // measured. Larger than any count if its processes alone need more memory than there is.
    [[nodiscard]] std::int64_t memory_floor(std::size_t c, std::int64_t with_threads) const;
    // The same with the threads that allow the fewest cores. Throws PredictionError if there are none.
    [[nodiscard]] std::int64_t memory_floor(std::size_t c) const;
    // Whether it computes nothing in the coupling loop in any run with the present threads.
    [[nodiscard]] bool is_idle(std::size_t c) const;
    // The count that a component always keeps; 0: it is free. Idle components keep theirs, and so do I/O servers that
    // were measured with one count only, because their scaling is not known.
    [[nodiscard]] std::int64_t held(std::size_t c) const;
    // Cores of the components that were left out, in whole nodes of node_cores cores.
    [[nodiscard]] std::int64_t kept_cores(std::int64_t node_cores) const;
    // The expected time with other counts. It uses whole cycles; length_s also has the ends of the stretch.
    [[nodiscard]] double expected_s(const CurvesOfMove &move, CurveForm form) const;
    // The uncertainty of that time, as a share; NaN if a component was measured with one count only and gets another.
    [[nodiscard]] double uncertainty(const CurvesOfMove &move, CurveForm form) const;

private:
    [[nodiscard]] std::span<const CurveOfThreads> others_of(std::size_t c) const {
        if (c >= other_threads.size()) return {};
        return other_threads[c];
    }
};

// A gain that is small and less than a quarter of its uncertainty counts as none. If 90 of 100 errors lie within the
// uncertainty, more than one in three such answers would make the run longer. A larger gain is worth a trial. An
// unknown uncertainty (NaN) hides nothing.
constexpr double small_gain = 0.05, hidden_below = 0.25;
[[nodiscard]] constexpr bool hidden_by_uncertainty(double now_s, double expected_s, double uncertainty) {
    const double gain = now_s / expected_s - 1;
    return gain < small_gain && gain < hidden_below * uncertainty;
}

// Adds a run: the first one gives the graph, and all give samples. Throws what measured_graph throws.
void add_run(BalanceModel &model, const CoupledPart &part, SamplesByComponent &samples);
// Called after several runs: makes the graph of the first one with what the others show about its transfers.
void settle_graph(BalanceModel &model, const CoupledPart &first);

} // namespace cpl_lb
